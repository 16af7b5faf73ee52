//! Verbs of producers: `enqueue`, `enqueue_many`, `cancel`.

use pyo3::prelude::*;

use super::{Queue, all};
use crate::convert::text;
use crate::new_job::{Given, NewJob, many};
use crate::results::Enqueued;

#[pymethods]
impl Queue {
    /// Stores a job, to be due at its time. Body and index are written in one piece.
    ///
    /// ``payload``: bytes, bytearray and memoryview are stored as they are, a str as UTF-8, anything else as JSON.
    /// ``id``: 1 to 512 bytes of UTF-8 without NUL; without one the job gets a generated one. ``delay``: seconds
    /// (int or float) or a timedelta, counted by the Redis server's clock. ``at``: an aware datetime; the past
    /// means now. ``mode`` decides if the id is known: ``replace`` (the last one wins, a running lease is revoked),
    /// ``keep`` (the first one wins), ``reschedule`` (only move the due time of a scheduled job). If a job of this
    /// id was acknowledged not long ago, the outcome is ``done`` and nothing is stored, unless ``ignore_done``.
    /// ``retry_policy`` is how this job is retried, instead of by the policy of the handle that reports its failure.
    ///
    /// Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
    /// IncompatibleError, ClosedError.
    #[pyo3(
        signature = (payload, *, id=None, delay=None, at=None, mode=None, ignore_done=None, retry_policy=None),
        text_signature = "($self, payload, *, id=None, delay=None, at=None, mode='replace', ignore_done=False, retry_policy=None)"
    )]
    #[allow(clippy::too_many_arguments)] // one per keyword
    fn enqueue(
        &self,
        py: Python<'_>,
        payload: &Bound<'_, PyAny>,
        id: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
        at: Option<&Bound<'_, PyAny>>,
        mode: Option<&Bound<'_, PyAny>>,
        ignore_done: Option<&Bound<'_, PyAny>>,
        retry_policy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Enqueued> {
        let given = Given { id, delay, at, mode, ignore_done, retry_policy };
        let job = || Ok(NewJob::convert(payload, given)?.core(py));
        self.verb(py, "enqueue", job, |queue, job| queue.enqueue(job)).map(Enqueued::from)
    }

    /// Stores many jobs in few round trips; results are in the order of the jobs.
    ///
    /// ``jobs`` is an iterable of NewJob, or of payloads for jobs that are due at once. Each chunk (up to 500 jobs
    /// or 1 MiB of payload) is stored in one piece.
    ///
    /// Raises as ``enqueue``. A value that is refused is refused before anything is sent, except a delay that
    /// passes the year 9999 only by the server's clock, which refuses its chunk.
    fn enqueue_many(&self, py: Python<'_>, jobs: &Bound<'_, PyAny>) -> PyResult<Vec<Enqueued>> {
        let jobs = || Ok(many(jobs)?.iter().map(|job| job.get().core(py)).collect());
        self.verb(py, "enqueue_many", jobs, |queue, jobs| queue.enqueue_many(jobs)).map(all)
    }

    /// Removes a job in any live state and says which it was: ``scheduled``, ``processing`` (the consumer's later
    /// ``ack`` is refused), ``dead`` or ``orphan``; or ``done`` or ``missing`` if there was nothing to remove.
    ///
    /// Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
    /// IncompatibleError, ClosedError.
    fn cancel(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let id = || text("id", id);
        self.verb(py, "cancel", id, |queue, id| queue.cancel(&id)).map(delayq::CancelOutcome::as_str)
    }

    /// The first half of ``enqueue``, for ``delayq.aio``: nothing of the caller's is used after it.
    #[pyo3(signature = (payload, *, id=None, delay=None, at=None, mode=None, ignore_done=None, retry_policy=None))]
    #[allow(clippy::too_many_arguments)] // one per keyword
    fn _new_job(
        &self,
        py: Python<'_>,
        payload: &Bound<'_, PyAny>,
        id: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
        at: Option<&Bound<'_, PyAny>>,
        mode: Option<&Bound<'_, PyAny>>,
        ignore_done: Option<&Bound<'_, PyAny>>,
        retry_policy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<NewJob> {
        let given = Given { id, delay, at, mode, ignore_done, retry_policy };
        self.arguments(py, "enqueue", || NewJob::convert(payload, given))
    }

    /// The first half of ``enqueue_many``, for ``delayq.aio``.
    fn _new_jobs<'py>(&self, jobs: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, NewJob>>> {
        self.arguments(jobs.py(), "enqueue_many", || many(jobs))
    }

    /// The second half of ``enqueue``, for ``delayq.aio``.
    fn _enqueue(&self, py: Python<'_>, job: &NewJob) -> PyResult<Enqueued> {
        self.verb(py, "enqueue", || Ok(job.core(py)), |queue, job| queue.enqueue(job)).map(Enqueued::from)
    }
}
