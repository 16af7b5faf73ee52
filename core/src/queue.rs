//! The handle on one topic. Each verb is one line into its module under `verbs/`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::error::Result;
use crate::info::JobInfo;
use crate::job::{
    Enqueued, Extended, Job, Lease, NewJob, Purged, Redriven, Released, Repaired, Requeued, Retried, Retry,
};
use crate::keys::TopicKeys;
use crate::numbers::Stats;
use crate::options::QueueOptions;
use crate::outcome::{AckOutcome, CancelOutcome, State};
use crate::transport::{Transport, Watch, Watcher};
use crate::verbs;
use crate::verbs::pop::{PopOptions, PopWait};
use crate::verbs::requeue::Swept;

/// A handle on one topic. Cheap to clone; may be used from any number of threads at once.
#[derive(Clone)]
pub struct Queue {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) transport: Arc<Transport>,
    pub(crate) keys: TopicKeys,
    pub(crate) options: QueueOptions,
}

impl Queue {
    pub(crate) fn new(transport: Arc<Transport>, keys: TopicKeys, options: QueueOptions) -> Self {
        Queue { inner: Arc::new(Inner { transport, keys, options }) }
    }

    /// The topic.
    pub fn topic(&self) -> &str {
        &self.inner.keys.topic
    }

    /// Stores a job, to be due at its time. Body and index are written in one piece.
    ///
    /// Without an id it gets a generated one. If the id is known, [`Mode`](crate::Mode) decides; if a job of
    /// this id was acknowledged not long ago, the outcome is `done` and nothing is stored.
    ///
    /// # Errors
    /// `invalid_argument` for a bad id, time or payload; `timeout` if the outcome is unknown; `unavailable`,
    /// `server`, `incompatible`, `closed`.
    pub fn enqueue(&self, job: NewJob) -> Result<Enqueued> {
        verbs::enqueue::one(&self.inner, job)
    }

    /// Stores many jobs in few round trips; results are in the order of the jobs.
    ///
    /// Each chunk (up to 500 jobs or 1 MiB of payload) is stored in one piece; a job that repeats an id of its
    /// chunk begins a new one.
    ///
    /// # Errors
    /// As [`enqueue`](Self::enqueue). A value that is refused is refused before anything is sent, except a
    /// delay that passes the year 9999 only by the server's clock, which refuses its chunk.
    pub fn enqueue_many(&self, jobs: Vec<NewJob>) -> Result<Vec<Enqueued>> {
        verbs::enqueue::many(&self.inner, jobs)
    }

    /// Takes up to `max` due jobs, the oldest due time first (equal times by id), and leases each to this
    /// caller. Empty if nothing is due, with [`wait`](PopOptions::wait) after waiting that long.
    ///
    /// ```no_run
    /// # fn main() -> delayq::Result<()> {
    /// # let queue = delayq::Client::open("embedded:./data")?.queue("t")?;
    /// let jobs = queue.pop(20)?; // at most 20, without waiting
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `invalid_argument` for a `max` of zero or over [`MAX_POP`](crate::MAX_POP) or a lease of zero;
    /// `timeout` (jobs may be leased to nobody until their lease ends); `unavailable`, `server`,
    /// `incompatible`, `closed`.
    pub fn pop(&self, options: impl Into<PopOptions>) -> Result<Vec<Job>> {
        verbs::pop::pop(&self.inner, options.into())
    }

    /// A [`pop`](Self::pop) in slices, for callers that must look after something else while they wait.
    ///
    /// # Errors
    /// `invalid_argument` as for [`pop`](Self::pop).
    pub fn pop_wait(&self, options: impl Into<PopOptions>) -> Result<PopWait> {
        verbs::pop::wait(&self.inner, options.into())
    }

    /// Reports a job as done: it is removed, and its done marker is written.
    ///
    /// Acknowledging again under the same receipt gives `already` while the done marker lives.
    ///
    /// # Errors
    /// `lease_lost` if the job is not held under this receipt any more (nothing changes); `invalid_argument`
    /// if it is of another topic; `unavailable`, `timeout`, `server`, `incompatible`, `closed`.
    pub fn ack<'a>(&self, job: impl Into<Lease<'a>>) -> Result<AckOutcome> {
        verbs::ack::one(&self.inner, &job.into())
    }

    /// Reports many jobs as done in few round trips; one outcome per job, in order, `lease_lost` among them.
    ///
    /// # Errors
    /// `invalid_argument` if a job is of another topic, before anything is sent; `unavailable`, `timeout`,
    /// `server`, `incompatible`, `closed`.
    pub fn ack_many<'a>(
        &self,
        jobs: impl IntoIterator<Item = impl Into<Lease<'a>>>,
    ) -> Result<Vec<AckOutcome>> {
        verbs::ack::many(&self.inner, &leases(jobs))
    }

    /// Reports a job as failed: `retry_count` grows by one, and the job is scheduled again as its
    /// [`RetryPolicy`](crate::RetryPolicy) says, or goes to the dead letter set with the error. A job that has a
    /// done marker is not run again (`done`).
    ///
    /// ```no_run
    /// # fn main() -> delayq::Result<()> {
    /// # let queue = delayq::Client::open("embedded:./data")?.queue("t")?;
    /// use delayq::Retry;
    /// for job in queue.pop(20)? {
    ///     queue.retry(Retry::new(&job).error("the mail server is down"))?;
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `lease_lost` if the job is not held under this receipt any more (nothing changes); `invalid_argument`
    /// if it is of another topic; `timeout` if the outcome is unknown; `unavailable`, `server`,
    /// `incompatible`, `closed`.
    pub fn retry<'a>(&self, job: impl Into<Retry<'a>>) -> Result<Retried> {
        verbs::retry::one(&self.inner, &job.into())
    }

    /// Reports many jobs as failed in few round trips; one result per job, in order.
    ///
    /// # Errors
    /// As [`ack_many`](Self::ack_many). A delay that passes the year 9999 only by the server's clock refuses its
    /// chunk of 500 jobs.
    pub fn retry_many<'a>(
        &self,
        jobs: impl IntoIterator<Item = impl Into<Retry<'a>>>,
    ) -> Result<Vec<Retried>> {
        let jobs: Vec<_> = jobs.into_iter().map(Into::into).collect();
        verbs::retry::many(&self.inner, &jobs)
    }

    /// Hands a job back without counting a failure, to be due after `delay`.
    ///
    /// # Errors
    /// As [`retry`](Self::retry).
    pub fn release<'a>(&self, job: impl Into<Lease<'a>>, delay: Duration) -> Result<Released> {
        verbs::release::one(&self.inner, &job.into(), delay)
    }

    /// Hands many jobs back in few round trips; one result per job, in order.
    ///
    /// # Errors
    /// As [`ack_many`](Self::ack_many).
    pub fn release_many<'a>(
        &self,
        jobs: impl IntoIterator<Item = impl Into<Lease<'a>>>,
        delay: Duration,
    ) -> Result<Vec<Released>> {
        verbs::release::many(&self.inner, &leases(jobs), delay)
    }

    /// A new lease from now, under the same receipt; `None` is the handle's lease. Also the cheap question "is
    /// it still mine?" before a side effect.
    ///
    /// # Errors
    /// `lease_lost`; `invalid_argument` for a lease of zero or a job of another topic; `unavailable`,
    /// `timeout`, `server`, `incompatible`, `closed`.
    pub fn extend<'a>(&self, job: impl Into<Lease<'a>>, lease: Option<Duration>) -> Result<Extended> {
        verbs::extend::one(&self.inner, &job.into(), lease)
    }

    /// New leases for many jobs in few round trips; one result per job, in order.
    ///
    /// # Errors
    /// As [`ack_many`](Self::ack_many), and `invalid_argument` for a lease of zero.
    pub fn extend_many<'a>(
        &self,
        jobs: impl IntoIterator<Item = impl Into<Lease<'a>>>,
        lease: Option<Duration>,
    ) -> Result<Vec<Extended>> {
        verbs::extend::many(&self.inner, &leases(jobs), lease)
    }

    /// Makes up to `limit` jobs whose lease has ended due again; no failure is counted. A job delivered
    /// [`max_deliveries`](QueueOptions::max_deliveries) times goes to the dead letter set instead.
    ///
    /// Any number of processes may sweep at once.
    ///
    /// # Errors
    /// `invalid_argument` for a limit of zero or over [`MAX_SLICE`](crate::MAX_SLICE); `unavailable`,
    /// `timeout`, `server`, `incompatible`, `closed`.
    pub fn requeue(&self, limit: usize) -> Result<Requeued> {
        verbs::requeue::requeue(&self.inner, limit).map(|swept| swept.requeued)
    }

    /// Removes a job in any live state and says which it was. A running consumer's later `ack` is refused.
    ///
    /// # Errors
    /// `invalid_argument` for a bad id; `timeout` if the outcome is unknown; `unavailable`, `server`,
    /// `incompatible`, `closed`.
    pub fn cancel(&self, id: &str) -> Result<CancelOutcome> {
        verbs::cancel::cancel(&self.inner, id)
    }

    /// Everything that Redis knows about a job.
    ///
    /// # Errors
    /// `not_found` if nothing is known under the id; `invalid_argument` for a bad id; `unavailable`, `timeout`,
    /// `server`, `incompatible`, `closed`.
    pub fn get(&self, id: &str) -> Result<JobInfo> {
        verbs::get::get(&self.inner, id)
    }

    /// A page of the jobs of one state: by due time (scheduled), lease deadline (processing), or since when (dead,
    /// orphan). A page may be shorter than `limit` if its bodies are large; the end is an empty page.
    ///
    /// # Errors
    /// `invalid_argument` for [`State::Done`] and for a limit of zero or over [`MAX_SLICE`](crate::MAX_SLICE);
    /// `unavailable`, `timeout`, `server`, `incompatible`, `closed`.
    pub fn list(&self, state: State, offset: usize, limit: usize) -> Result<Vec<JobInfo>> {
        verbs::list::list(&self.inner, state, offset, limit)
    }

    /// Schedules up to `limit` dead jobs again, the longest dead first, with fresh counters, due after `delay`.
    ///
    /// # Errors
    /// `invalid_argument` for a limit of zero or over [`MAX_SLICE`](crate::MAX_SLICE); `timeout` if the outcome
    /// is unknown; `unavailable`, `server`, `incompatible`, `closed`.
    pub fn redrive(&self, limit: usize, delay: Duration) -> Result<Redriven> {
        verbs::redrive::oldest(&self.inner, limit, delay)
    }

    /// Schedules these dead jobs again; ids that are not dead are counted and left alone.
    ///
    /// # Errors
    /// As [`redrive`](Self::redrive), and `invalid_argument` for a bad id.
    pub fn redrive_ids(&self, ids: &[&str], delay: Duration) -> Result<Redriven> {
        verbs::redrive::named(&self.inner, ids, delay)
    }

    /// Deletes up to `limit` jobs of one state, the lowest due time, deadline or age first, and says how many are
    /// left. Purging running jobs revokes their leases.
    ///
    /// # Errors
    /// `invalid_argument` as for [`list`](Self::list); `timeout` if the outcome is unknown; `unavailable`,
    /// `server`, `incompatible`, `closed`.
    pub fn purge(&self, state: State, limit: usize) -> Result<Purged> {
        verbs::purge::purge(&self.inner, state, limit)
    }

    /// Looks for ids without a body and bodies without an id, e.g. after an eviction or an edit by hand, and puts
    /// them right: a lost body makes its id an orphan, a body that no index holds is scheduled again. One pass in
    /// small steps that never block Redis; ends early once `limit` things were put right. Healthy jobs are left
    /// alone, so producers and consumers may go on.
    ///
    /// # Errors
    /// `invalid_argument` for a limit of zero; `unavailable`, `timeout`, `server`, `incompatible`, `closed`.
    pub fn repair(&self, limit: usize) -> Result<Repaired> {
        verbs::repair::repair(&self.inner, limit)
    }

    /// The numbers of the topic; a job counts as overdue 30 s after its due time.
    ///
    /// # Errors
    /// `unavailable`, `timeout`, `server`, `incompatible`, `closed`.
    pub fn stats(&self) -> Result<Stats> {
        self.stats_with(DEFAULT_OVERDUE)
    }

    /// The numbers of the topic, with another threshold for overdue jobs.
    ///
    /// # Errors
    /// As [`stats`](Self::stats).
    pub fn stats_with(&self, overdue: Duration) -> Result<Stats> {
        verbs::stats::stats(&self.inner, overdue)
    }

    /// Gives no jobs to any consumer of the topic, in any language, until [`resume`](Self::resume). Running jobs
    /// go on, and jobs may be enqueued.
    ///
    /// # Errors
    /// `unavailable`, `timeout`, `server`, `incompatible`, `closed`.
    pub fn pause(&self) -> Result<()> {
        verbs::pause::pause(&self.inner)
    }

    /// Ends a [`pause`](Self::pause).
    ///
    /// # Errors
    /// As [`pause`](Self::pause).
    pub fn resume(&self) -> Result<()> {
        verbs::resume::resume(&self.inner)
    }

    /// Gives all consumers of the topic together at most `rate` jobs per second, and at most `burst` at once after
    /// a quiet time (default: the jobs of one second). In any time t they are given at most burst + rate · t.
    ///
    /// # Errors
    /// `invalid_argument` for a rate that is not over 0 and at most 10⁹, or a burst of zero; `unavailable`,
    /// `timeout`, `server`, `incompatible`, `closed`.
    pub fn limit(&self, rate: f64, burst: Option<u64>) -> Result<()> {
        verbs::limit::set(&self.inner, rate, burst)
    }

    /// Takes the [`limit`](Self::limit) away.
    ///
    /// # Errors
    /// As [`pause`](Self::pause).
    pub fn unlimit(&self) -> Result<()> {
        verbs::limit::clear(&self.inner)
    }
}

/// A job that has been due for longer than this is overdue.
const DEFAULT_OVERDUE: Duration = Duration::from_secs(30);

fn leases<'a>(jobs: impl IntoIterator<Item = impl Into<Lease<'a>>>) -> Vec<Lease<'a>> {
    jobs.into_iter().map(Into::into).collect()
}

impl Queue {
    /// The handle's lease.
    pub(crate) fn lease(&self) -> Duration {
        self.inner.options.lease
    }

    /// Whether it is this worker's turn to sweep: no other has swept for this long, or it was so before.
    pub(crate) fn take_sweep_turn(&self, every: Duration, is_mine: bool) -> Result<bool> {
        verbs::requeue::take_turn(&self.inner, every, is_mine)
    }

    /// Calls this with the id of each job whose lease is said to be revoked, until the watch is dropped.
    pub(crate) fn watch(&self, watcher: Watcher) -> Watch {
        self.inner.transport.watch(&self.inner.keys.wake, watcher)
    }

    /// As `requeue`, and tells when the next lease ends.
    pub(crate) fn sweep(&self, limit: usize) -> Result<Swept> {
        verbs::requeue::requeue(&self.inner, limit)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("topic", &self.topic()).finish_non_exhaustive()
    }
}
