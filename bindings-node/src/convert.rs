//! Numbers from JavaScript and to it.

use std::time::Duration;

use delayq::{Error, ErrorKind};

/// A duration of JavaScript's unit, ms.
pub(crate) fn duration(name: &str, ms: f64) -> delayq::Result<Duration> {
    delayq::time::ms_from_ms_f64(name, ms).map(|ms| Duration::from_millis(ms.unsigned_abs()))
}

/// A duration that may be left out.
pub(crate) fn duration_or(name: &str, ms: Option<f64>, default: Duration) -> delayq::Result<Duration> {
    ms.map_or(Ok(default), |ms| duration(name, ms))
}

/// A count, which JavaScript has only as a floating-point number.
pub(crate) fn whole<T: TryFrom<u64>>(name: &str, number: f64) -> delayq::Result<T> {
    let refused = || invalid(format!("{name} is {number}; give a whole number, zero or more"));
    // Beyond 2^53 a float does not say which whole number is meant.
    if !(number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number)) {
        return Err(refused());
    }
    T::try_from(number as u64).map_err(|_| refused())
}

/// A count that may be left out.
pub(crate) fn whole_or<T: TryFrom<u64>>(name: &str, number: Option<f64>, default: T) -> delayq::Result<T> {
    number.map_or(Ok(default), |number| whole(name, number))
}

/// A count for JavaScript.
pub(crate) fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A value that was refused; `say` is one sentence that says what to do.
pub(crate) fn invalid(say: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, say)
}
