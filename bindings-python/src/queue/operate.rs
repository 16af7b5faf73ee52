//! Verbs that look after a topic.

use delayq::{DEFAULT_SLICE, MAX_SLICE, State};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::Queue;
use super::consume::or_none;
use crate::convert::{each, number, state, text, type_name, whole};
use crate::error::{Failure, invalid};
use crate::info::JobInfo;
use crate::numbers::Stats;
use crate::results::{Purged, Redriven, Repaired, Requeued};
use crate::time::duration;

#[pymethods]
impl Queue {
    /// Makes up to ``limit`` (1 to 1000) jobs whose lease has ended due again; no failure is counted. A job
    /// delivered ``max_deliveries`` times goes to the dead letter set instead. Any number of processes may sweep at
    /// once.
    ///
    /// Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
    /// ClosedError.
    #[pyo3(signature = (limit=None), text_signature = "($self, limit=100)")]
    fn requeue(&self, py: Python<'_>, limit: Option<&Bound<'_, PyAny>>) -> PyResult<Requeued> {
        let limit = || or_limit(limit, DEFAULT_SLICE);
        self.verb(py, "requeue", limit, |queue, limit| queue.requeue(limit)).map(Requeued::from)
    }

    /// Everything that Redis knows about a job.
    ///
    /// Raises NotFoundError if nothing is known under the id, InvalidArgumentError, UnavailableError,
    /// DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
    fn get(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<JobInfo> {
        let id = || text("id", id);
        let info = self.verb(py, "get", id, |queue, id| queue.get(&id))?;
        Ok(JobInfo::from_core(py, info))
    }

    /// A page of the jobs of one state: ``scheduled`` by due time, ``processing`` by lease deadline, ``dead`` and
    /// ``orphan`` by since when. A page may be shorter than ``limit`` (1 to 1000) if its bodies are large; the end is
    /// an empty page.
    ///
    /// Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
    /// ClosedError.
    #[pyo3(
        signature = (state, *, offset=None, limit=None),
        text_signature = "($self, state, *, offset=0, limit=100)"
    )]
    fn list(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        offset: Option<&Bound<'_, PyAny>>,
        limit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<JobInfo>> {
        let arguments = || {
            let offset = offset.map_or(Ok(0), |value| whole("offset", value))?;
            Ok((self::state(state)?, offset, or_limit(limit, DEFAULT_SLICE)?))
        };
        let run = |queue: &delayq::Queue, (state, offset, limit): (State, usize, usize)| {
            queue.list(state, offset, limit)
        };
        let page = self.verb(py, "list", arguments, run)?;
        Ok(page.into_iter().map(|info| JobInfo::from_core(py, info)).collect())
    }

    /// Schedules dead jobs again, with fresh counters, due after ``delay`` (seconds or a timedelta): those of an
    /// iterable of ``ids`` (others are counted and left alone), or without one up to ``limit`` (1 to 1000, by default
    /// 100), the longest dead first.
    ///
    /// Raises InvalidArgumentError, also for ids and a limit together, DelayqTimeoutError (the outcome is unknown),
    /// UnavailableError, ServerError, IncompatibleError, ClosedError.
    #[pyo3(
        signature = (ids=None, *, limit=None, delay=None),
        text_signature = "($self, ids=None, *, limit=None, delay=0)"
    )]
    fn redrive(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyAny>>,
        limit: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Redriven> {
        let arguments = || {
            if ids.is_some() && limit.is_some() {
                return Err(invalid("both ids and limit are given; give one of them"));
            }
            let ids = ids.map(texts).transpose()?;
            Ok((ids, or_limit(limit, DEFAULT_SLICE)?, or_none(delay)?))
        };
        self.verb(py, "redrive", arguments, |queue, (ids, limit, delay)| match &ids {
            Some(ids) => queue.redrive_ids(&ids.iter().map(String::as_str).collect::<Vec<_>>(), delay),
            None => queue.redrive(limit, delay),
        })
        .map(Redriven::from)
    }

    /// Deletes up to ``limit`` (1 to 1000) jobs of one state, ``scheduled``, ``processing``, ``dead`` or
    /// ``orphan``, the lowest due time, deadline or age first, and says how many are left. Purging running jobs
    /// revokes their leases.
    ///
    /// Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
    /// IncompatibleError, ClosedError.
    #[pyo3(signature = (state, *, limit=None), text_signature = "($self, state, *, limit=1000)")]
    fn purge(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Purged> {
        let arguments = || Ok((self::state(state)?, or_limit(limit, MAX_SLICE)?));
        self.verb(py, "purge", arguments, |queue, (state, limit)| queue.purge(state, limit)).map(Purged::from)
    }

    /// Looks for ids without a body and bodies without an id, e.g. after an eviction or an edit by hand, and puts
    /// them right: a lost body makes its id an orphan, a body that no index holds is scheduled again. One pass in
    /// small steps that never block Redis; ends early once ``limit`` things were put right. Healthy jobs are left
    /// alone, so producers and consumers may go on.
    ///
    /// Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
    /// ClosedError.
    #[pyo3(signature = (*, limit=None), text_signature = "($self, *, limit=1000)")]
    fn repair(&self, py: Python<'_>, limit: Option<&Bound<'_, PyAny>>) -> PyResult<Repaired> {
        let limit = || or_limit(limit, MAX_SLICE);
        self.verb(py, "repair", limit, |queue, limit| queue.repair(limit)).map(Repaired::from)
    }

    /// The numbers of the topic; a job counts as overdue this long (seconds or a timedelta) after its due time.
    ///
    /// Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
    /// ClosedError.
    #[pyo3(signature = (*, overdue=None), text_signature = "($self, *, overdue=30.0)")]
    fn stats(&self, py: Python<'_>, overdue: Option<&Bound<'_, PyAny>>) -> PyResult<Stats> {
        let overdue = || overdue.map(|overdue| duration("overdue", overdue)).transpose();
        self.verb(py, "stats", overdue, |queue, overdue| match overdue {
            Some(overdue) => queue.stats_with(overdue),
            None => queue.stats(),
        })
        .map(Stats::from)
    }

    /// Gives no jobs to any consumer of the topic, in any language, until ``resume``. Running jobs go on, and jobs
    /// may be enqueued.
    ///
    /// Raises UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
    fn pause(&self, py: Python<'_>) -> PyResult<()> {
        self.verb(py, "pause", || Ok(()), |queue, ()| queue.pause())
    }

    /// Ends a ``pause``.
    ///
    /// Raises as ``pause``.
    fn resume(&self, py: Python<'_>) -> PyResult<()> {
        self.verb(py, "resume", || Ok(()), |queue, ()| queue.resume())
    }

    /// Gives all consumers of the topic together at most ``rate`` jobs per second, and at most ``burst`` at once
    /// after a quiet time (by default the jobs of one second). In any time t they are given at most burst + rate · t.
    /// A rate of None takes the limit away.
    ///
    /// Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
    /// ClosedError.
    #[pyo3(signature = (rate, burst=None))]
    fn limit(
        &self,
        py: Python<'_>,
        rate: Option<&Bound<'_, PyAny>>,
        burst: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let arguments = || {
            if rate.is_none() && burst.is_some() {
                return Err(invalid(
                    "burst is given without a rate; give both, or None to take the limit away",
                ));
            }
            let rate = rate.map(|rate| number("rate", rate)).transpose()?;
            Ok((rate, burst.map(|burst| whole("burst", burst)).transpose()?))
        };
        self.verb(py, "limit", arguments, |queue, (rate, burst)| match rate {
            Some(rate) => queue.limit(rate, burst),
            None => queue.unlimit(),
        })
    }
}

fn or_limit(limit: Option<&Bound<'_, PyAny>>, default: usize) -> Result<usize, Failure> {
    limit.map_or(Ok(default), |value| whole("limit", value))
}

/// The ids of an iterable.
fn texts(ids: &Bound<'_, PyAny>) -> Result<Vec<String>, Failure> {
    if ids.is_instance_of::<PyString>() {
        return Err(invalid(format!("ids is of type {}; give an iterable of ids", type_name(ids)))); // not of its letters
    }
    each("ids", "ids", ids)?.map(|id| text("id", &id?)).collect()
}
