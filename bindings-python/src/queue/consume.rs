//! Verbs of consumers: `pop`, and what is reported of the jobs that it gave.

use std::time::Duration;

use delayq::{AckOutcome, PopOptions};
use pyo3::prelude::*;

use super::{Queue, all};
use crate::call::call;
use crate::cancel_token::CancelToken;
use crate::convert::whole;
use crate::error::Failure;
use crate::job::Job;
use crate::results::{Extended, Released, Retried};
use crate::retry::{Retry, all_held, held, leases, retries};
use crate::time::duration;

/// A waiting ``pop`` looks for signals this often.
const SLICE: Duration = Duration::from_millis(50);

#[pymethods]
impl Queue {
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
        let options = || pop_options(max, lease, wait);
        let mut waiting = self.verb(py, "pop", options, |queue, options| queue.pop_wait(options))?;
        loop {
            // Jobs are returned before anything else is looked at, so that no signal loses them.
            if let Some(jobs) = call(py, || waiting.poll_for(SLICE))? {
                return Ok(jobs.iter().map(|job| Job::from_core(py, job)).collect());
            }
            py.check_signals()?;
        }
    }

    /// A pop that only its token ends early, for ``delayq.aio``, whose threads get no signals.
    fn _pop(
        &self,
        py: Python<'_>,
        token: &CancelToken,
        max: Option<&Bound<'_, PyAny>>,
        lease: Option<&Bound<'_, PyAny>>,
        wait: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Job>> {
        let options = || Ok(pop_options(max, lease, wait)?.cancel(token.0.clone()));
        let jobs = self.verb(py, "pop", options, |queue, options| queue.pop(options))?;
        Ok(jobs.iter().map(|job| Job::from_core(py, job)).collect())
    }

    /// Reports a job as done: it is removed, and its done marker is written.
    ///
    /// Gives ``acked``; acknowledging again under the same receipt gives ``already`` while the done marker lives.
    ///
    /// Raises LeaseLostError if the job is not held under this receipt any more (nothing changes),
    /// InvalidArgumentError if it is of another topic, UnavailableError, DelayqTimeoutError, ServerError,
    /// IncompatibleError, ClosedError.
    fn ack(&self, py: Python<'_>, job: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let job = || held(job);
        self.verb_on(py, "ack", job, |queue, job| queue.ack(job.get().lease())).map(AckOutcome::as_str)
    }

    /// Reports many jobs as done in few round trips; gives one outcome per job, in order: ``acked``, ``already``
    /// or ``lease_lost``.
    ///
    /// Raises InvalidArgumentError if one is of another topic, before anything is sent; UnavailableError,
    /// DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
    fn ack_many(&self, py: Python<'_>, jobs: &Bound<'_, PyAny>) -> PyResult<Vec<&'static str>> {
        let jobs = || all_held(jobs);
        let outcomes = self.verb_on(py, "ack_many", jobs, |queue, jobs| queue.ack_many(leases(jobs)))?;
        Ok(outcomes.into_iter().map(AckOutcome::as_str).collect())
    }

    /// Reports a job as failed: ``retry_count`` grows by one, and the job is scheduled again as its RetryPolicy
    /// says, or goes to the dead letter set. A job that has a done marker is not run again (``done``).
    ///
    /// ``error`` says what went wrong and is kept as ``last_error``: a str, or an exception or anything else by
    /// its ``str()`` (its ``repr()`` if that is empty); the first 4096 bytes. ``delay`` (seconds or a timedelta) is
    /// when it runs again instead of what the policy says; the failure counts all the same.
    ///
    /// Raises LeaseLostError if the job is not held under this receipt any more (nothing changes),
    /// InvalidArgumentError if it is of another topic, DelayqTimeoutError (the outcome is unknown),
    /// UnavailableError, ServerError, IncompatibleError, ClosedError.
    #[pyo3(signature = (job, *, error=None, delay=None))]
    fn retry(
        &self,
        py: Python<'_>,
        job: &Bound<'_, PyAny>,
        error: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Retried> {
        let retry = || Retry::convert(job, error, delay);
        self.verb_on(py, "retry", retry, |queue, retry| queue.retry(retry.core())).map(Retried::from)
    }

    /// Reports many jobs as failed in few round trips; one result per job, in order, ``lease_lost`` among the
    /// outcomes.
    ///
    /// ``items`` is an iterable of Retry, or of jobs without more words.
    ///
    /// Raises as ``ack_many``.
    fn retry_many(&self, py: Python<'_>, items: &Bound<'_, PyAny>) -> PyResult<Vec<Retried>> {
        let items = || retries(items);
        let run = |queue: &delayq::Queue, items: &Vec<Py<Retry>>| {
            queue.retry_many(items.iter().map(|retry| retry.get().core()))
        };
        self.verb_on(py, "retry_many", items, run).map(all)
    }

    /// Hands a job back without counting a failure, to be due after ``delay`` (seconds or a timedelta).
    ///
    /// Raises as ``retry``.
    #[pyo3(signature = (job, *, delay=None), text_signature = "($self, job, *, delay=0)")]
    fn release(
        &self,
        py: Python<'_>,
        job: &Bound<'_, PyAny>,
        delay: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Released> {
        let arguments = || Ok((held(job)?, or_none(delay)?));
        let run = |queue: &delayq::Queue, (job, delay): &(Py<Job>, Duration)| {
            queue.release(job.get().lease(), *delay)
        };
        self.verb_on(py, "release", arguments, run).map(Released::from)
    }

    /// Hands many jobs back in few round trips; one result per job, in order, ``lease_lost`` among the
    /// outcomes.
    ///
    /// Raises as ``ack_many``.
    #[pyo3(signature = (jobs, *, delay=None), text_signature = "($self, jobs, *, delay=0)")]
    fn release_many(
        &self,
        py: Python<'_>,
        jobs: &Bound<'_, PyAny>,
        delay: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Released>> {
        let arguments = || Ok((all_held(jobs)?, or_none(delay)?));
        let run = |queue: &delayq::Queue, (jobs, delay): &(Vec<Py<Job>>, Duration)| {
            queue.release_many(leases(jobs), *delay)
        };
        self.verb_on(py, "release_many", arguments, run).map(all)
    }

    /// A new lease from now, under the same receipt; by default the handle's. Also the cheap question "is it still
    /// mine?" before a side effect.
    ///
    /// Raises LeaseLostError, InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError,
    /// IncompatibleError, ClosedError.
    #[pyo3(signature = (job, *, lease=None))]
    fn extend(
        &self,
        py: Python<'_>,
        job: &Bound<'_, PyAny>,
        lease: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Extended> {
        let arguments = || Ok((held(job)?, lease_of(lease)?));
        let run = |queue: &delayq::Queue, (job, lease): &(Py<Job>, Option<Duration>)| {
            queue.extend(job.get().lease(), *lease)
        };
        self.verb_on(py, "extend", arguments, run).map(Extended::from)
    }

    /// New leases for many jobs in few round trips; one result per job, in order, ``lease_lost`` among the
    /// outcomes.
    ///
    /// Raises as ``ack_many``.
    #[pyo3(signature = (jobs, *, lease=None))]
    fn extend_many(
        &self,
        py: Python<'_>,
        jobs: &Bound<'_, PyAny>,
        lease: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Extended>> {
        let arguments = || Ok((all_held(jobs)?, lease_of(lease)?));
        let run = |queue: &delayq::Queue, (jobs, lease): &(Vec<Py<Job>>, Option<Duration>)| {
            queue.extend_many(leases(jobs), *lease)
        };
        self.verb_on(py, "extend_many", arguments, run).map(all)
    }
}

fn pop_options(
    max: Option<&Bound<'_, PyAny>>,
    lease: Option<&Bound<'_, PyAny>>,
    wait: Option<&Bound<'_, PyAny>>,
) -> Result<PopOptions, Failure> {
    let mut options = PopOptions::new(max.map_or(Ok(1), |value| whole("max", value))?);
    if let Some(value) = lease {
        options = options.lease(duration("lease", value)?);
    }
    if let Some(value) = wait {
        options = options.wait(duration("wait", value)?);
    }
    Ok(options)
}

/// A delay that is none if it is not given.
pub(super) fn or_none(delay: Option<&Bound<'_, PyAny>>) -> Result<Duration, Failure> {
    delay.map_or(Ok(Duration::ZERO), |delay| duration("delay", delay))
}

fn lease_of(lease: Option<&Bound<'_, PyAny>>) -> Result<Option<Duration>, Failure> {
    lease.map(|lease| duration("lease", lease)).transpose()
}
