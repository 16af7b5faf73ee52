//! Leased jobs on their way back into a queue.

use std::time::Duration;

use pyo3::prelude::*;

use crate::convert::{described, each, type_name};
use crate::error::{Failure, invalid};
use crate::job::{Job, quoted};
use crate::time::duration;

/// A failed job to report with ``retry_many``; the arguments are those of ``Queue.retry``.
///
/// Raises InvalidArgumentError for a value that can be refused without a queue.
#[pyclass(frozen, module = "delayq")]
pub(crate) struct Retry {
    /// The job that failed.
    #[pyo3(get)]
    job: Py<Job>,
    /// What went wrong, as it will be kept.
    #[pyo3(get)]
    error: Option<String>,
    delay: Option<Duration>,
}

impl Retry {
    pub(crate) fn convert(
        job: &Bound<'_, PyAny>,
        error: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
    ) -> Result<Self, Failure> {
        let job = held(job)?;
        let rest = || -> Result<_, Failure> {
            Ok((error.map(described).transpose()?, delay.map(|delay| duration("delay", delay)).transpose()?))
        };
        let (error, delay) = rest().map_err(|failure| failure.map(|e| e.with_id(job.get().id())))?;
        Ok(Retry { job, error, delay })
    }

    pub(crate) fn core(&self) -> delayq::Retry<'_> {
        let retry = delayq::Retry::new(self.job.get().lease());
        let retry = self.error.iter().fold(retry, |retry, error| retry.error(error));
        self.delay.iter().fold(retry, |retry, delay| retry.delay(*delay))
    }
}

#[pymethods]
impl Retry {
    #[new]
    #[pyo3(signature = (job, *, error=None, delay=None))]
    fn new(
        job: &Bound<'_, PyAny>,
        error: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Retry::convert(job, error, delay).map_err(|failure| failure.raise(job.py()))
    }

    /// After how many seconds it runs again; None for what its policy says.
    #[getter]
    fn delay(&self) -> Option<f64> {
        self.delay.map(|delay| delay.as_secs_f64())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let error = self.error.as_deref().map_or(Ok("None".to_owned()), |error| quoted(py, error))?;
        let delay = self.delay().map_or_else(|| "None".to_owned(), |delay| format!("{delay:?}"));
        Ok(format!("<delayq.Retry id={} error={error} delay={delay}>", quoted(py, self.job.get().id())?))
    }
}

/// The job that an argument is.
pub(crate) fn held(job: &Bound<'_, PyAny>) -> Result<Py<Job>, Failure> {
    match job.cast::<Job>() {
        Ok(job) => Ok(job.clone().unbind()),
        Err(_) => Err(invalid(format!("job is of type {}; give a Job that pop returned", type_name(job)))),
    }
}

/// The jobs of an iterable.
pub(crate) fn all_held(jobs: &Bound<'_, PyAny>) -> Result<Vec<Py<Job>>, Failure> {
    each("jobs", "jobs", jobs)?.map(|job| held(&job?)).collect()
}

pub(crate) fn leases(jobs: &[Py<Job>]) -> impl Iterator<Item = delayq::Lease<'_>> {
    jobs.iter().map(|job| job.get().lease())
}

/// The failed jobs of an iterable of jobs and retries.
pub(crate) fn retries(items: &Bound<'_, PyAny>) -> Result<Vec<Py<Retry>>, Failure> {
    let one = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        match item.cast::<Retry>() {
            Ok(retry) => Ok(retry.clone().unbind()),
            Err(_) => Ok(Py::new(item.py(), Retry::convert(&item, None, None)?)?),
        }
    };
    each("items", "jobs and retries", items)?.map(one).collect()
}
