//! A job on its way into a queue.

use delayq::{Mode, When};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use crate::convert::{each, flag, mode, payload, text, type_name};
use crate::error::{Failure, invalid};
use crate::job::quoted;
use crate::policy::RetryPolicy;
use crate::time;

/// A job to enqueue with ``enqueue_many``; the arguments are those of ``Queue.enqueue``.
///
/// The payload is converted at once, so a later change to it does not matter.
///
/// Raises InvalidArgumentError for a value that can be refused without a queue.
#[pyclass(frozen, module = "delayq")]
pub(crate) struct NewJob {
    /// The payload as it will be stored.
    #[pyo3(get)]
    payload: Py<PyBytes>,
    /// The id, or None for a generated one.
    #[pyo3(get)]
    id: Option<String>,
    when: When,
    mode: Mode,
    /// Whether a done marker of the id is ignored.
    #[pyo3(get)]
    ignore_done: bool,
    retry_policy: Option<Py<RetryPolicy>>,
}

/// The arguments of an enqueue besides its payload, as Python gave them.
#[derive(Default)]
pub(crate) struct Given<'a, 'py> {
    pub(crate) id: Option<&'a Bound<'py, PyAny>>,
    pub(crate) delay: Option<&'a Bound<'py, PyAny>>,
    pub(crate) at: Option<&'a Bound<'py, PyAny>>,
    pub(crate) mode: Option<&'a Bound<'py, PyAny>>,
    pub(crate) ignore_done: Option<&'a Bound<'py, PyAny>>,
    pub(crate) retry_policy: Option<&'a Bound<'py, PyAny>>,
}

impl NewJob {
    pub(crate) fn convert(body: &Bound<'_, PyAny>, given: Given<'_, '_>) -> Result<Self, Failure> {
        let id = given.id.map(|id| text("id", id)).transpose()?;
        let job = || -> Result<_, Failure> {
            Ok(NewJob {
                payload: payload(body)?.unbind(),
                id: id.clone(),
                when: time::when(given.delay, given.at)?,
                mode: given.mode.map_or(Ok(Mode::Replace), mode)?,
                ignore_done: given.ignore_done.map_or(Ok(false), |value| flag("ignore_done", value))?,
                retry_policy: given.retry_policy.map(RetryPolicy::argument).transpose()?,
            })
        };
        job().map_err(|failure| failure.map(|e| id.iter().fold(e, |e, id| e.with_id(id))))
    }

    pub(crate) fn core(&self, py: Python<'_>) -> delayq::NewJob {
        let job = delayq::NewJob::new(self.payload.as_bytes(py))
            .when(self.when)
            .mode(self.mode)
            .ignore_done(self.ignore_done);
        let job = self.retry_policy.iter().fold(job, |job, policy| job.retry_policy(policy.get().core()));
        self.id.iter().fold(job, |job, id| job.id(id))
    }
}

#[pymethods]
impl NewJob {
    #[new]
    #[pyo3(
        signature = (payload, *, id=None, delay=None, at=None, mode=None, ignore_done=None, retry_policy=None),
        text_signature = "(payload, *, id=None, delay=None, at=None, mode='replace', ignore_done=False, retry_policy=None)"
    )]
    #[allow(clippy::too_many_arguments)] // one per keyword
    fn new(
        payload: &Bound<'_, PyAny>,
        id: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
        at: Option<&Bound<'_, PyAny>>,
        mode: Option<&Bound<'_, PyAny>>,
        ignore_done: Option<&Bound<'_, PyAny>>,
        retry_policy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        NewJob::convert(payload, Given { id, delay, at, mode, ignore_done, retry_policy })
            .map_err(|failure| failure.raise(payload.py()))
    }

    /// What happens if the id is known: ``replace``, ``keep`` or ``reschedule``.
    #[getter]
    fn mode(&self) -> &'static str {
        self.mode.as_str()
    }

    /// How the job is retried, or None for the policy of the handle that reports its failure.
    #[getter]
    fn retry_policy(&self, py: Python<'_>) -> Option<Py<RetryPolicy>> {
        self.retry_policy.as_ref().map(|policy| policy.clone_ref(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let id = self.id.as_deref().map_or(Ok("None".to_owned()), |id| quoted(py, id))?;
        let bytes = self.payload.as_bytes(py).len();
        Ok(format!("<delayq.NewJob id={id} mode={} payload={bytes} bytes>", self.mode))
    }
}

/// The jobs of an iterable of jobs or payloads.
pub(crate) fn many<'py>(jobs: &Bound<'py, PyAny>) -> Result<Vec<Bound<'py, NewJob>>, Failure> {
    let of = "jobs or payloads";
    // These are iterable, but whoever passes one means one payload.
    if jobs.is_instance_of::<PyString>()
        || jobs.is_instance_of::<PyBytes>()
        || jobs.is_instance_of::<PyByteArray>()
        || jobs.is_instance_of::<PyMemoryView>()
        || jobs.is_instance_of::<PyDict>()
    {
        return Err(invalid(format!("jobs is of type {}; give an iterable of {of}", type_name(jobs))));
    }
    let one = |item: PyResult<Bound<'py, PyAny>>| {
        let item = item?;
        match item.cast_into::<NewJob>() {
            Ok(job) => Ok(job),
            Err(e) => {
                let item = e.into_inner();
                Ok(Bound::new(item.py(), NewJob::convert(&item, Given::default())?)?)
            }
        }
    };
    each("jobs", of, jobs)?.map(one).collect()
}
