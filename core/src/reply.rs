//! Reads the flat array that every script returns: a status word, then values in a fixed order.

use redis::Value;

use crate::error::{Error, ErrorKind, Result};

/// The values of a script's reply, taken from the front.
pub(crate) struct Reply {
    values: std::vec::IntoIter<Value>,
}

impl Reply {
    pub(crate) fn new(value: Value) -> Result<Self> {
        match value {
            Value::Array(values) => Ok(Reply { values: values.into_iter() }),
            _ => Err(not_understood("an array")),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>> {
        match self.values.next() {
            Some(Value::BulkString(bytes)) => Ok(bytes),
            Some(Value::SimpleString(text)) => Ok(text.into_bytes()),
            _ => Err(not_understood("a string")),
        }
    }

    pub(crate) fn text(&mut self) -> Result<String> {
        String::from_utf8(self.bytes()?).map_err(|_| not_understood("UTF-8 text"))
    }

    /// Text that may be shown, although another hand wrote something else than UTF-8.
    pub(crate) fn shown(&mut self) -> Result<String> {
        self.bytes().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn int(&mut self) -> Result<i64> {
        match self.values.next() {
            Some(Value::Int(n)) => Ok(n),
            _ => Err(not_understood("an integer")),
        }
    }

    pub(crate) fn count<T: TryFrom<i64>>(&mut self) -> Result<T> {
        T::try_from(self.int()?).map_err(|_| not_understood("a count in range"))
    }

    /// A counter of a job, into which somebody may have written anything: it must not keep others from their jobs.
    pub(crate) fn counter(&mut self) -> Result<u32> {
        Ok(u32::try_from(self.int()?.max(0)).unwrap_or(u32::MAX))
    }

    /// The next word as an outcome.
    pub(crate) fn outcome<T>(&mut self, from_word: impl Fn(&str) -> Option<T>) -> Result<T> {
        from_word(&self.text()?).ok_or_else(|| not_understood("a known outcome"))
    }
}

fn not_understood(wanted: &str) -> Error {
    Error::new(
        ErrorKind::Incompatible,
        format!(
            "a reply of Redis held something else than {wanted}; is another version of delayq at work on these keys?"
        ),
    )
}
