//! `delayq.Queue`: each verb converts, calls the core, converts back.

use std::time::Duration;

use delayq::{DEFAULT_REQUEUE, PopOptions};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use crate::call::{Handle, call};
use crate::convert::{text, type_name, whole};
use crate::error::{Failure, invalid};
use crate::job::{Enqueued, Job, Requeued, quoted};
use crate::new_job::{Given, NewJob};
use crate::time::duration;

/// A waiting ``pop`` looks for signals this often.
const SLICE: Duration = Duration::from_millis(50);

/// A handle on one topic, made by ``Client.queue``. May be used from any number of threads at once.
#[pyclass(frozen, module = "delayq")]
pub(crate) struct Queue {
    core: Handle<delayq::Queue>,
}

impl Queue {
    pub(crate) fn new(core: delayq::Queue) -> Self {
        Queue { core: Handle::new(core) }
    }

    /// One verb: what cannot be converted is refused in the same words as what the core refuses.
    fn verb<A: Send, T: Send>(
        &self,
        py: Python<'_>,
        verb: &'static str,
        convert: impl FnOnce() -> Result<A, Failure>,
        run: impl FnOnce(&delayq::Queue, A) -> delayq::Result<T> + Send,
    ) -> PyResult<T> {
        let arguments = convert()
            .map_err(|failure| failure.map(|e| e.with_verb(verb).with_topic(self.core.topic())).raise(py))?;
        let queue: &delayq::Queue = &self.core;
        call(py, || run(queue, arguments))
    }
}

#[pymethods]
impl Queue {
    /// The topic.
    #[getter]
    fn topic(&self) -> &str {
        self.core.topic()
    }

    /// Stores a job, to be due at its time. Body and index are written in one piece.
    ///
    /// ``payload``: bytes, bytearray and memoryview are stored as they are, a str as UTF-8, anything else as JSON.
    /// ``id``: 1 to 512 bytes of UTF-8 without NUL; without one the job gets a generated one. ``delay``: seconds
    /// (int or float) or a timedelta, counted by the Redis server's clock. ``at``: an aware datetime; the past
    /// means now. ``mode`` decides if the id is known: ``replace`` (the last one wins, a running lease is revoked),
    /// ``keep`` (the first one wins), ``reschedule`` (only move the due time of a scheduled job). If a job of this
    /// id was acknowledged not long ago, the outcome is ``done`` and nothing is stored, unless ``ignore_done``.
    ///
    /// Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
    /// IncompatibleError, ClosedError.
    #[pyo3(
        signature = (payload, *, id=None, delay=None, at=None, mode=None, ignore_done=None),
        text_signature = "($self, payload, *, id=None, delay=None, at=None, mode='replace', ignore_done=False)"
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
    ) -> PyResult<Enqueued> {
        let given = Given { id, delay, at, mode, ignore_done };
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
        let jobs = || many(jobs);
        let stored = self.verb(py, "enqueue_many", jobs, |queue, jobs| queue.enqueue_many(jobs))?;
        Ok(stored.into_iter().map(Enqueued::from).collect())
    }

    /// Takes up to ``max`` (1 to 1000) due jobs, the oldest due time first, and leases each to this caller for
    /// ``lease`` (seconds or a timedelta; by default the handle's).
    ///
    /// The list is empty if nothing is due; with ``wait`` (seconds or a timedelta) only after waiting that long.
    /// While it waits other threads run, and signal handlers too: Ctrl-C ends the wait and no job is lost.
    ///
    /// Raises InvalidArgumentError, DelayqTimeoutError (jobs may be leased to nobody until their lease ends),
    /// UnavailableError, ServerError, IncompatibleError, ClosedError.
    #[pyo3(
        signature = (max=None, *, lease=None, wait=None),
        text_signature = "($self, max=1, *, lease=None, wait=None)"
    )]
    fn pop(
        &self,
        py: Python<'_>,
        max: Option<&Bound<'_, PyAny>>,
        lease: Option<&Bound<'_, PyAny>>,
        wait: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Job>> {
        let options = || -> Result<PopOptions, Failure> {
            let mut options = PopOptions::new(max.map_or(Ok(1), |value| whole("max", value))?);
            if let Some(value) = lease {
                options = options.lease(duration("lease", value)?);
            }
            if let Some(value) = wait {
                options = options.wait(duration("wait", value)?);
            }
            Ok(options)
        };
        let mut waiting = self.verb(py, "pop", options, |queue, options| queue.pop_wait(options))?;
        loop {
            // Jobs are returned before anything else is looked at, so that no signal loses them.
            if let Some(jobs) = call(py, || waiting.poll_for(SLICE))? {
                return Ok(jobs.iter().map(|job| Job::from_core(py, job)).collect());
            }
            py.check_signals()?;
        }
    }

    /// Reports a job as done: it is removed, and its done marker is written.
    ///
    /// Gives ``acked``; acknowledging again under the same receipt gives ``already`` while the done marker lives.
    ///
    /// Raises LeaseLostError if the job is not held under this receipt any more (nothing changes),
    /// InvalidArgumentError if it is of another topic, UnavailableError, DelayqTimeoutError, ServerError,
    /// IncompatibleError, ClosedError.
    fn ack(&self, py: Python<'_>, job: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let job = || {
            job.cast::<Job>().map_err(|_| {
                invalid(format!("job is of type {}; give a Job that pop returned", type_name(job)))
            })
        };
        let lease = || Ok(job()?.get().lease());
        self.verb(py, "ack", lease, |queue, lease| queue.ack(lease)).map(delayq::AckOutcome::as_str)
    }

    /// Makes up to ``limit`` jobs whose lease has ended due again; no failure is counted. A job delivered
    /// ``max_deliveries`` times goes to the dead letter set instead. Any number of processes may sweep at once.
    ///
    /// Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
    /// ClosedError.
    #[pyo3(signature = (limit=None), text_signature = "($self, limit=100)")]
    fn requeue(&self, py: Python<'_>, limit: Option<&Bound<'_, PyAny>>) -> PyResult<Requeued> {
        let limit = || limit.map_or(Ok(DEFAULT_REQUEUE), |value| whole("limit", value));
        self.verb(py, "requeue", limit, |queue, limit| queue.requeue(limit)).map(Requeued::from)
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

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<delayq.Queue {}>", quoted(py, self.core.topic())?))
    }
}

/// The jobs of an iterable of jobs or payloads.
fn many(jobs: &Bound<'_, PyAny>) -> Result<Vec<delayq::NewJob>, Failure> {
    let py = jobs.py();
    let refused =
        || invalid(format!("jobs is of type {}; give an iterable of jobs or payloads", type_name(jobs)));
    // These are iterable, but whoever passes one means one payload.
    if jobs.is_instance_of::<PyString>()
        || jobs.is_instance_of::<PyBytes>()
        || jobs.is_instance_of::<PyByteArray>()
        || jobs.is_instance_of::<PyMemoryView>()
        || jobs.is_instance_of::<PyDict>()
    {
        return Err(refused());
    }
    let items = jobs
        .try_iter()
        .map_err(|e| if e.is_instance_of::<PyTypeError>(py) { refused() } else { e.into() })?;
    items
        .map(|item| {
            let item = item?;
            Ok(match item.cast::<NewJob>() {
                Ok(job) => job.get().core(py),
                Err(_) => NewJob::convert(&item, Given::default())?.core(py),
            })
        })
        .collect()
}
