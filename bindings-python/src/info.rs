//! A job as `get` and `list` show it.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::invalid;
use crate::job::{quoted, read_json};
use crate::time::{self, Twin};

/// Everything that Redis knows about a job. What does not apply is None.
#[pyclass(frozen, module = "delayq")]
pub(crate) struct JobInfo {
    /// The topic.
    #[pyo3(get)]
    topic: String,
    /// The id.
    #[pyo3(get)]
    id: String,
    /// ``scheduled``, ``processing``, ``dead``, ``orphan`` or ``done``.
    #[pyo3(get)]
    state: &'static str,
    payload: Option<Py<PyBytes>>,
    /// When it is due, or was due when it was last popped, ms since the epoch.
    #[pyo3(get)]
    due_at_ms: Option<i64>,
    /// When it was enqueued, ms since the epoch by the Redis server's clock.
    #[pyo3(get)]
    created_at_ms: Option<i64>,
    /// When it was popped, ms since the epoch by the Redis server's clock (processing).
    #[pyo3(get)]
    picked_at_ms: Option<i64>,
    /// When its lease ends, ms since the epoch by the Redis server's clock (processing).
    #[pyo3(get)]
    lease_until_ms: Option<i64>,
    /// When it died, ms since the epoch by the Redis server's clock (dead).
    #[pyo3(get)]
    died_at_ms: Option<i64>,
    /// When its body was found missing, ms since the epoch by the Redis server's clock (orphan).
    #[pyo3(get)]
    orphaned_at_ms: Option<i64>,
    /// Failures reported.
    #[pyo3(get)]
    retry_count: u32,
    /// Times popped.
    #[pyo3(get)]
    deliveries: u32,
    /// What went wrong last.
    #[pyo3(get)]
    last_error: Option<String>,
}

impl JobInfo {
    pub(crate) fn from_core(py: Python<'_>, info: delayq::JobInfo) -> Self {
        JobInfo {
            topic: info.topic,
            id: info.id,
            state: info.state.as_str(),
            payload: info.payload.map(|payload| PyBytes::new(py, &payload).unbind()),
            due_at_ms: info.due_at_ms,
            created_at_ms: info.created_at_ms,
            picked_at_ms: info.picked_at_ms,
            lease_until_ms: info.lease_until_ms,
            died_at_ms: info.died_at_ms,
            orphaned_at_ms: info.orphaned_at_ms,
            retry_count: info.retry_count,
            deliveries: info.deliveries,
            last_error: info.last_error,
        }
    }
}

#[pymethods]
impl JobInfo {
    /// The payload, byte for byte; None if the body is missing or the job is done.
    #[getter]
    fn payload(&self, py: Python<'_>) -> Option<Py<PyBytes>> {
        self.payload.as_ref().map(|payload| payload.clone_ref(py))
    }

    /// The payload read as JSON.
    ///
    /// Raises InvalidArgumentError if there is none or it is not JSON in UTF-8.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.payload {
            Some(payload) => read_json(py, payload, &self.topic, &self.id),
            None => {
                let failure = invalid(format!(
                    "there is no payload to read; the job is {}, look at its state first",
                    self.state
                ));
                Err(failure.map(|e| e.with_topic(&self.topic).with_id(&self.id)).raise(py))
            }
        }
    }

    /// When it is due, or was due when it was last popped, as an aware UTC datetime.
    #[getter]
    fn due_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.due_at_ms)
    }

    /// When it was enqueued, as an aware UTC datetime by the Redis server's clock.
    #[getter]
    fn created_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.created_at_ms)
    }

    /// When it was popped, as an aware UTC datetime by the Redis server's clock (processing).
    #[getter]
    fn picked_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.picked_at_ms)
    }

    /// When its lease ends, as an aware UTC datetime by the Redis server's clock (processing).
    #[getter]
    fn lease_until<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.lease_until_ms)
    }

    /// When it died, as an aware UTC datetime by the Redis server's clock (dead).
    #[getter]
    fn died_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.died_at_ms)
    }

    /// When its body was found missing, as an aware UTC datetime by the Redis server's clock (orphan).
    #[getter]
    fn orphaned_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.orphaned_at_ms)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (id, topic) = (quoted(py, &self.id)?, quoted(py, &self.topic)?);
        let JobInfo { state, deliveries, retry_count, .. } = self;
        Ok(format!(
            "<delayq.JobInfo id={id} topic={topic} state={state} deliveries={deliveries} retry_count={retry_count}>"
        ))
    }
}
