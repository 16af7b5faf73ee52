//! Python values as the core's. A value of a wrong type is an `invalid_argument`, as in every language.

use std::borrow::Cow;

use delayq::{Mode, State};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::error::{Failure, caused, invalid};
use crate::new_job::NewJob;
use crate::python;

/// The name of a value's type, for sentences.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "unknown".to_owned(), |name| name.to_string())
}

/// A text argument.
pub(crate) fn text(name: &str, value: &Bound<'_, PyAny>) -> Result<String, Failure> {
    let Ok(text) = value.cast::<PyString>() else {
        return Err(invalid(format!("{name} is of type {}; give a str", type_name(value))));
    };
    utf8(name, text)
}

/// The text without a word of it in the error, since it may be a password.
fn utf8(name: &str, text: &Bound<'_, PyString>) -> Result<String, Failure> {
    text.to_cow().map(Cow::into_owned).map_err(|_| {
        invalid(format!("{name} holds half of a surrogate pair, which UTF-8 cannot express; give valid text"))
    })
}

/// A whole number argument, of a range that the core checks further.
pub(crate) fn whole<'py, T>(name: &str, value: &Bound<'py, PyAny>) -> Result<T, Failure>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let py = value.py();
    let wrong_type = || invalid(format!("{name} is of type {}; give an int", type_name(value)));
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type());
    }
    value.extract().map_err(|e: PyErr| {
        if e.is_instance_of::<PyOverflowError>(py) {
            invalid(format!("{name} is negative or far too large; give a number in its range"))
        } else if e.is_instance_of::<PyTypeError>(py) {
            wrong_type()
        } else {
            e.into()
        }
    })
}

/// A number argument, of a range that the core checks.
pub(crate) fn number(name: &str, value: &Bound<'_, PyAny>) -> Result<f64, Failure> {
    let py = value.py();
    let wrong_type = || invalid(format!("{name} is of type {}; give a number", type_name(value)));
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
        return Err(wrong_type());
    }
    value.extract().map_err(|e: PyErr| {
        if e.is_instance_of::<PyOverflowError>(py) {
            invalid(format!("{name} is beyond any float; give a number in its range"))
        } else if e.is_instance_of::<PyTypeError>(py) {
            wrong_type()
        } else {
            e.into()
        }
    })
}

/// The text of an error as it is kept with a job: of an exception its message, or its repr if it has none. Never
/// refused; what UTF-8 cannot express is replaced.
pub(crate) fn described(error: &Bound<'_, PyAny>) -> Result<String, Failure> {
    let mut text = error.str()?;
    if text.is_empty()? && !error.is_instance_of::<PyString>() {
        text = error.repr()?;
    }
    if let Ok(text) = text.to_cow() {
        return Ok(text.into_owned());
    }
    let units = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let units = units.cast_into::<PyBytes>().map_err(PyErr::from)?;
    let units: Vec<u16> =
        units.as_bytes().as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    Ok(String::from_utf16_lossy(&units))
}

/// A bool argument; nothing else counts as one.
pub(crate) fn flag(name: &str, value: &Bound<'_, PyAny>) -> Result<bool, Failure> {
    value
        .cast::<PyBool>()
        .map(|flag| flag.is_true())
        .map_err(|_| invalid(format!("{name} is of type {}; give True or False", type_name(value))))
}

pub(crate) fn mode(value: &Bound<'_, PyAny>) -> Result<Mode, Failure> {
    Ok(Mode::parse(&text("mode", value)?)?)
}

pub(crate) fn state(value: &Bound<'_, PyAny>) -> Result<State, Failure> {
    Ok(State::parse(&text("state", value)?)?)
}

/// The bytes of a payload: bytes as they are, a str as UTF-8, anything else as JSON.
pub(crate) fn payload<'py>(value: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>, Failure> {
    let py = value.py();
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(PyBytes::new(py, &bytes.to_vec()));
    }
    if value.is_instance_of::<PyMemoryView>() {
        return Ok(value.call_method0("tobytes")?.cast_into::<PyBytes>().map_err(PyErr::from)?);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(PyBytes::new(py, utf8("the payload", text)?.as_bytes()));
    }
    if value.is_instance_of::<NewJob>() {
        return Err(invalid("the payload is a NewJob; give jobs to enqueue_many"));
    }
    let text = python::get(py)?.json_dump.bind(py).call1((value,)).map_err(|e| {
        let of = type_name(value);
        caused(py, e, |e| {
            format!(
                "the payload of type {of} cannot be written as JSON ({e}); give bytes, a str or a JSON value"
            )
        })
    })?;
    let text = text.cast_into::<PyString>().map_err(PyErr::from)?;
    Ok(PyBytes::new(py, utf8("the payload", &text)?.as_bytes()))
}

/// What an iterable holds.
pub(crate) fn each<'py>(
    name: &str,
    of: &str,
    value: &Bound<'py, PyAny>,
) -> Result<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>, Failure> {
    value.try_iter().map_err(|e| {
        if e.is_instance_of::<PyTypeError>(value.py()) {
            invalid(format!("{name} is of type {}; give an iterable of {of}", type_name(value)))
        } else {
            e.into()
        }
    })
}
