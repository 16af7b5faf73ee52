//! The handle on one topic. Each verb is one line into its module under `verbs/`.

use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::job::{Enqueued, Job, Lease, NewJob, Requeued};
use crate::keys::TopicKeys;
use crate::options::QueueOptions;
use crate::outcome::{AckOutcome, CancelOutcome};
use crate::transport::Transport;
use crate::verbs;
use crate::verbs::pop::{PopOptions, PopWait};

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
        verbs::ack::ack(&self.inner, job.into())
    }

    /// Makes up to `limit` jobs whose lease has ended due again; no failure is counted. A job delivered
    /// [`max_deliveries`](QueueOptions::max_deliveries) times goes to the dead letter set instead.
    ///
    /// Any number of processes may sweep at once.
    ///
    /// # Errors
    /// `invalid_argument` for a limit of zero or over [`MAX_REQUEUE`](crate::MAX_REQUEUE); `unavailable`,
    /// `timeout`, `server`, `incompatible`, `closed`.
    pub fn requeue(&self, limit: usize) -> Result<Requeued> {
        verbs::requeue::requeue(&self.inner, limit)
    }

    /// Removes a job in any live state and says which it was. A running consumer's later `ack` is refused.
    ///
    /// # Errors
    /// `invalid_argument` for a bad id; `timeout` if the outcome is unknown; `unavailable`, `server`,
    /// `incompatible`, `closed`.
    pub fn cancel(&self, id: &str) -> Result<CancelOutcome> {
        verbs::cancel::cancel(&self.inner, id)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("topic", &self.topic()).finish_non_exhaustive()
    }
}
