//! A job that was popped. Immutable; may be shared between threads.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::caused;
use crate::{python, time};

/// A job that this caller holds until its lease ends.
///
/// It can be pickled, so another process may acknowledge it.
#[pyclass(frozen, get_all, subclass, module = "delayq")]
pub(crate) struct Job {
    /// The topic it was popped from.
    topic: String,
    /// The id.
    id: String,
    /// The payload, byte for byte; the same object each time.
    payload: Py<PyBytes>,
    /// How many failures were reported so far.
    retry_count: u32,
    /// How often it was popped, this time included.
    deliveries: u32,
    /// When it was enqueued, ms since the epoch by the Redis server's clock.
    created_at_ms: i64,
    /// When it was due, ms since the epoch.
    due_at_ms: i64,
    /// When the lease ends, ms since the epoch by the Redis server's clock.
    lease_until_ms: i64,
    /// Proof of this lease; it never repeats. Its part before the first ``-`` is a number that grows with every
    /// lease of the topic, fit as a fencing token.
    receipt: String,
}

/// Everything a job holds, in the order of its fields.
type Parts = (String, String, Py<PyBytes>, u32, u32, i64, i64, i64, String);

impl Job {
    pub(crate) fn from_core(py: Python<'_>, job: &delayq::Job) -> Self {
        Job {
            topic: job.topic().to_owned(),
            id: job.id().to_owned(),
            payload: PyBytes::new(py, job.payload()).unbind(),
            retry_count: job.retry_count(),
            deliveries: job.deliveries(),
            created_at_ms: job.created_at_ms(),
            due_at_ms: job.due_at_ms(),
            lease_until_ms: job.lease_until_ms(),
            receipt: job.receipt().to_owned(),
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn lease(&self) -> delayq::Lease<'_> {
        delayq::Lease {
            topic: self.topic.as_str().into(),
            id: self.id.as_str().into(),
            receipt: self.receipt.as_str().into(),
        }
    }
}

#[pymethods]
impl Job {
    /// The payload read as JSON.
    ///
    /// Raises InvalidArgumentError if it is not JSON in UTF-8.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_json(py, &self.payload, &self.topic, &self.id)
    }

    /// When it was enqueued, as an aware UTC datetime by the Redis server's clock.
    #[getter]
    fn created_at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        time::datetime(py, self.created_at_ms)
    }

    /// When it was due, as an aware UTC datetime.
    #[getter]
    fn due_at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        time::datetime(py, self.due_at_ms)
    }

    /// When the lease ends, as an aware UTC datetime by the Redis server's clock.
    #[getter]
    fn lease_until<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        time::datetime(py, self.lease_until_ms)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let restore = py.import("delayq._delayq")?.getattr("_restore_job")?;
        let parts = (
            self.topic.clone(),
            self.id.clone(),
            self.payload.clone_ref(py),
            self.retry_count,
            self.deliveries,
            self.created_at_ms,
            self.due_at_ms,
            self.lease_until_ms,
            self.receipt.clone(),
        );
        Ok((restore, parts))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, class) = (slf.py(), slf.get_type().name()?);
        let Job { id, topic, deliveries, retry_count, .. } = slf.get();
        let (id, topic) = (quoted(py, id)?, quoted(py, topic)?);
        Ok(format!(
            "<delayq.{class} id={id} topic={topic} deliveries={deliveries} retry_count={retry_count}>"
        ))
    }
}

/// A pickled job, made again.
#[pyfunction(name = "_restore_job")]
#[pyo3(signature = (*parts))]
pub(crate) fn restore_job(parts: Parts) -> Job {
    let (topic, id, payload, retry_count, deliveries, created_at_ms, due_at_ms, lease_until_ms, receipt) =
        parts;
    Job { topic, id, payload, retry_count, deliveries, created_at_ms, due_at_ms, lease_until_ms, receipt }
}

/// The payload of that job read as JSON.
pub(crate) fn read_json<'py>(
    py: Python<'py>,
    payload: &Py<PyBytes>,
    topic: &str,
    id: &str,
) -> PyResult<Bound<'py, PyAny>> {
    python::get(py)?.json_load.bind(py).call1((payload,)).map_err(|e| {
        let failure = caused(py, e, |e| format!("the payload is not JSON ({e}); read payload instead"));
        failure.map(|e| e.with_topic(topic).with_id(id)).raise(py)
    })
}

/// A text as Python writes it.
pub(crate) fn quoted(py: Python<'_>, text: &str) -> PyResult<String> {
    Ok(PyString::new(py, text).repr()?.to_string())
}
