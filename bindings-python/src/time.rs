//! Durations and times between Python's types and the core's milliseconds, in whole numbers where Python has
//! them.

use std::time::Duration;

use delayq::When;
use delayq::time::{ms_from_ms_f64, ms_from_secs_f64};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use crate::convert::type_name;
use crate::error::{Failure, invalid};
use crate::python;

/// A duration as a caller may write it.
enum Span {
    Secs(f64),
    Ms(i64),
}

fn span(name: &str, value: &Bound<'_, PyAny>) -> Result<Span, Failure> {
    let py = value.py();
    if value.is_instance(python::get(py)?.timedelta.bind(py))? {
        return whole_ms(value).map(Span::Ms);
    }
    let wrong_type = || {
        invalid(format!("{name} is of type {}; give seconds as a number, or a timedelta", type_name(value)))
    };
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
        return Err(wrong_type());
    }
    match value.extract() {
        Ok(secs) => Ok(Span::Secs(secs)),
        Err(e) if e.is_instance_of::<PyOverflowError>(py) => Ok(Span::Secs(f64::MAX)), // an int beyond any float
        Err(e) if e.is_instance_of::<PyTypeError>(py) => Err(wrong_type()),
        Err(e) => Err(e.into()),
    }
}

/// A timedelta in ms, to the nearest.
fn whole_ms(delta: &Bound<'_, PyAny>) -> Result<i64, Failure> {
    let part = |name: &str| delta.getattr(name)?.extract::<i64>();
    // At most 10^9 days, so nothing here can overflow.
    Ok((part("days")? * 86_400 + part("seconds")?) * 1000 + (part("microseconds")? + 500).div_euclid(1000))
}

/// A duration argument: float or int seconds, or a timedelta.
pub(crate) fn duration(name: &str, value: &Bound<'_, PyAny>) -> Result<Duration, Failure> {
    let ms = match span(name, value)? {
        Span::Secs(secs) => ms_from_secs_f64(name, secs)?,
        Span::Ms(ms) => ms_from_ms_f64(name, ms as f64)?, // below 2^53, so exact
    };
    Ok(Duration::from_millis(ms.unsigned_abs()))
}

/// When a job is due: `delay` or `at` or neither.
pub(crate) fn when(delay: Option<&Bound<'_, PyAny>>, at: Option<&Bound<'_, PyAny>>) -> Result<When, Failure> {
    match (delay, at) {
        (None, None) => Ok(When::Now),
        (Some(_), Some(_)) => Err(invalid("both delay and at are given; give one of them")),
        (Some(delay), None) => Ok(match span("delay", delay)? {
            Span::Secs(secs) => When::DelaySecsF64(secs),
            Span::Ms(ms) => When::DelayMs(ms),
        }),
        (None, Some(at)) => instant(at).map(When::AtMs),
    }
}

/// An aware datetime in ms since the epoch.
fn instant(at: &Bound<'_, PyAny>) -> Result<i64, Failure> {
    let python = python::get(at.py())?;
    if !at.is_instance(python.datetime.bind(at.py()))? {
        return Err(invalid(format!("at is of type {}; give an aware datetime", type_name(at))));
    }
    if at.call_method0("utcoffset")?.is_none() {
        return Err(invalid(
            "at is a datetime without a time zone; give an aware one, e.g. datetime.now(timezone.utc)",
        ));
    }
    whole_ms(&at.sub(python.epoch.bind(at.py()))?)
}

/// An aware UTC datetime of these ms since the epoch, exact.
pub(crate) fn datetime(py: Python<'_>, ms: i64) -> PyResult<Bound<'_, PyAny>> {
    let python = python::get(py)?;
    python.epoch.bind(py).add(python.timedelta.bind(py).call1((0, 0, 0, ms))?)
}

/// What the datetime beside a number in ms is.
pub(crate) type Twin<'py> = PyResult<Option<Bound<'py, PyAny>>>;

/// The same for a time that may not apply.
pub(crate) fn twin(py: Python<'_>, ms: Option<i64>) -> Twin<'_> {
    ms.map(|ms| datetime(py, ms)).transpose()
}
