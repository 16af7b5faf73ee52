//! The Python objects that the native half uses, looked up once when the module is loaded, so that no call and
//! no forked child ever waits for an import.

use delayq::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

pub(crate) struct PythonObjects {
    /// `delayq.errors.from_core`
    pub(crate) from_core: Py<PyAny>,
    /// `delayq._json.dump` and `load`
    pub(crate) json_dump: Py<PyAny>,
    pub(crate) json_load: Py<PyAny>,
    pub(crate) timedelta: Py<PyAny>,
    pub(crate) datetime: Py<PyAny>,
    /// 1970-01-01T00:00:00Z as an aware datetime
    pub(crate) epoch: Py<PyAny>,
}

static OBJECTS: PyOnceLock<PythonObjects> = PyOnceLock::new();

pub(crate) fn load(py: Python<'_>) -> PyResult<()> {
    OBJECTS
        .get_or_try_init(py, || -> PyResult<PythonObjects> {
            let json = py.import("delayq._json")?;
            let time = py.import("datetime")?;
            let datetime = time.getattr("datetime")?;
            let utc = time.getattr("timezone")?.getattr("utc")?;
            Ok(PythonObjects {
                from_core: py.import("delayq.errors")?.getattr("from_core")?.unbind(),
                json_dump: json.getattr("dump")?.unbind(),
                json_load: json.getattr("load")?.unbind(),
                timedelta: time.getattr("timedelta")?.unbind(),
                epoch: datetime.call1((1970, 1, 1, 0, 0, 0, 0, utc))?.unbind(),
                datetime: datetime.unbind(),
            })
        })
        .map(|_| ())
}

pub(crate) fn get(py: Python<'_>) -> PyResult<&'static PythonObjects> {
    OBJECTS.get(py).ok_or_else(|| {
        let e = Error::new(ErrorKind::Internal, "the module was used before it was loaded");
        pyo3::exceptions::PySystemError::new_err(e.to_string())
    })
}
