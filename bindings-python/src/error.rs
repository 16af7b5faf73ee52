//! The core's errors as Python exceptions.

use delayq::{Error, ErrorKind};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::python;

/// The Python exception of this error; the class comes from the table in `delayq/errors.py`.
pub(crate) fn raise(py: Python<'_>, e: &Error) -> PyErr {
    let fields = (e.to_string(), e.message(), e.verb(), e.topic(), e.id(), e.is_retryable());
    let exception =
        python::get(py).and_then(|python| python.from_core.bind(py).call1((e.kind().code(), fields)));
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(e) => e,
    }
}

/// An `invalid_argument` of the binding itself, for what only Python can get wrong.
pub(crate) fn invalid(message: impl Into<String>) -> Failure {
    Failure::Core(Error::new(ErrorKind::InvalidArgument, message))
}

/// An `invalid_argument` because of an exception, unless that is about something else, like KeyboardInterrupt.
pub(crate) fn caused(py: Python<'_>, e: PyErr, message: impl FnOnce(&str) -> String) -> Failure {
    if !e.is_instance_of::<PyException>(py) {
        return Failure::Python(e);
    }
    let message = message(&e.value(py).to_string());
    Failure::Caused(Error::new(ErrorKind::InvalidArgument, message), e)
}

/// Why an argument could not be converted.
pub(crate) enum Failure {
    /// Refused, by the core or in its name.
    Core(Error),
    /// Refused because of this exception, which becomes the cause of the error.
    Caused(Error, PyErr),
    /// Raised by the caller's own code, as it is.
    Python(PyErr),
}

impl Failure {
    /// Adds what is known about the call.
    pub(crate) fn map(self, context: impl FnOnce(Error) -> Error) -> Failure {
        match self {
            Failure::Core(e) => Failure::Core(context(e)),
            Failure::Caused(e, cause) => Failure::Caused(context(e), cause),
            python @ Failure::Python(_) => python,
        }
    }

    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Core(e) => raise(py, &e),
            Failure::Caused(e, cause) => {
                let exception = raise(py, &e);
                exception.set_cause(py, Some(cause));
                exception
            }
            Failure::Python(e) => e,
        }
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        Failure::Core(e)
    }
}

impl From<PyErr> for Failure {
    fn from(e: PyErr) -> Self {
        Failure::Python(e)
    }
}
