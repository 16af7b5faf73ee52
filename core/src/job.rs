//! A job to enqueue, an enqueued job's receipt, and a job that was popped.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::outcome::{EnqueueOutcome, ExtendOutcome, Mode, ReleaseOutcome, RetryOutcome};
use crate::policy::RetryPolicy;
use crate::time::{When, from_ms};

/// A job to enqueue: a payload, and optionally an id, a time and a mode.
#[derive(Clone, Debug)]
pub struct NewJob {
    pub(crate) payload: Vec<u8>,
    pub(crate) id: Option<String>,
    pub(crate) when: When,
    pub(crate) mode: Mode,
    pub(crate) ignore_done: bool,
    pub(crate) retry_policy: Option<RetryPolicy>,
}

impl NewJob {
    /// A job with this payload (any bytes, also none), due at once, under a generated id.
    pub fn new(payload: impl Into<Vec<u8>>) -> Self {
        NewJob {
            payload: payload.into(),
            id: None,
            when: When::Now,
            mode: Mode::Replace,
            ignore_done: false,
            retry_policy: None,
        }
    }

    /// A job whose payload is this value as JSON.
    ///
    /// # Errors
    /// `invalid_argument` if the value cannot be written as JSON.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self> {
        let payload = serde_json::to_vec(value).map_err(|e| {
            Error::invalid(format!("the payload cannot be written as JSON: {e}")).with_source(e)
        })?;
        Ok(NewJob::new(payload))
    }

    /// The id: 1 to 512 bytes without NUL. One id is one job, so the same id again is [`Mode`]'s question.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Due after this delay, counted by the Redis server's clock.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.when = When::Delay(delay);
        self
    }

    /// Due at this time; the past means now.
    pub fn at(mut self, at: SystemTime) -> Self {
        self.when = When::At(at);
        self
    }

    /// Due as this value says; for the units that [`delay`](Self::delay) and [`at`](Self::at) do not have.
    pub fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    /// What to do if the id is known already. Default [`Mode::Replace`].
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// How this job is retried, instead of by the policy of the handle that reports its failure.
    pub fn retry_policy(mut self, policy: RetryPolicy) -> Self {
        self.retry_policy = Some(policy);
        self
    }

    /// Enqueue even if a job of this id was done not long ago; its done marker is removed.
    pub fn ignore_done(mut self, ignore: bool) -> Self {
        self.ignore_done = ignore;
        self
    }
}

/// A failed job to report: the job, what went wrong, and when to run it again.
#[derive(Clone, Debug)]
pub struct Retry<'a> {
    pub(crate) lease: Lease<'a>,
    pub(crate) error: Cow<'a, str>,
    pub(crate) delay: Option<Duration>,
    pub(crate) dead: bool,
}

impl<'a> Retry<'a> {
    /// This job has failed.
    pub fn new(job: impl Into<Lease<'a>>) -> Self {
        Retry { lease: job.into(), error: Cow::from(""), delay: None, dead: false }
    }

    /// What went wrong, kept as the job's last error; its first [`MAX_ERROR`] bytes.
    pub fn error(mut self, error: impl Into<Cow<'a, str>>) -> Self {
        self.error = error.into();
        self
    }

    /// Run again after this delay instead of the policy's; the failure counts all the same.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = Some(delay);
        self
    }

    /// No retry: to the dead letter set at once.
    pub fn dead(mut self) -> Self {
        self.dead = true;
        self
    }
}

impl<'a> From<&'a Job> for Retry<'a> {
    fn from(job: &'a Job) -> Self {
        Retry::new(job)
    }
}

/// How much of an error's text is kept with a job.
pub const MAX_ERROR: usize = 4096;

/// What became of a failed job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retried {
    /// What was done.
    pub outcome: RetryOutcome,
    /// When it will run again, ms since the epoch; `None` if it will not.
    pub due_at_ms: Option<i64>,
    /// Failures reported, this one included.
    pub retry_count: u32,
}

/// What became of a job that was handed back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Released {
    /// What was done.
    pub outcome: ReleaseOutcome,
    /// When it is due again, ms since the epoch; `None` if it is not.
    pub due_at_ms: Option<i64>,
}

/// What became of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extended {
    /// What was done.
    pub outcome: ExtendOutcome,
    /// When the lease ends, ms since the epoch; `None` if it is lost.
    pub lease_until_ms: Option<i64>,
}

/// What `redrive` did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redriven {
    /// Dead jobs that are scheduled again.
    pub redriven: u64,
    /// Dead ids whose body was missing, now in the orphan set.
    pub orphaned: u64,
    /// Given ids that were not dead; nothing changed for them.
    pub not_dead: u64,
}

/// What `purge` did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    /// Jobs that were deleted.
    pub purged: u64,
    /// Jobs left in that state; call again until it is zero.
    pub remaining: u64,
}

/// What `repair` did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Ids and bodies looked at.
    pub checked: u64,
    /// Bodies that no index held, now scheduled.
    pub rescheduled: u64,
    /// Ids whose body is missing, now in the orphan set.
    pub orphaned: u64,
    /// Bodies that no index held and whose job was done, now deleted.
    pub removed: u64,
}

/// What became of an enqueued job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enqueued {
    /// The job's id, given or generated.
    pub id: String,
    /// When the job of this id is due, ms since the epoch; `None` if there is none (`done`, `missing`).
    pub due_at_ms: Option<i64>,
    /// What was done.
    pub outcome: EnqueueOutcome,
}

impl Enqueued {
    /// When the job of this id is due.
    pub fn due_at(&self) -> Option<SystemTime> {
        self.due_at_ms.map(from_ms)
    }
}

/// A job that this caller holds until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub(crate) topic: String,
    pub(crate) id: String,
    pub(crate) payload: Vec<u8>,
    pub(crate) retry_count: u32,
    pub(crate) deliveries: u32,
    pub(crate) created_at_ms: i64,
    pub(crate) due_at_ms: i64,
    pub(crate) lease_until_ms: i64,
    pub(crate) receipt: String,
}

impl Job {
    /// The topic it was popped from.
    pub fn topic(&self) -> &str {
        &self.topic
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The payload, byte for byte.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// The payload, taken out of the job.
    pub fn into_payload(self) -> Vec<u8> {
        self.payload
    }

    /// The payload read as JSON.
    ///
    /// # Errors
    /// `invalid_argument` if the payload is not JSON of that shape.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.payload).map_err(|e| {
            Error::invalid(format!("the payload is not the expected JSON: {e}"))
                .with_id(&self.id)
                .with_source(e)
        })
    }

    /// How many failures were reported so far.
    pub fn retry_count(&self) -> u32 {
        self.retry_count
    }

    /// How often it was popped, this time included.
    pub fn deliveries(&self) -> u32 {
        self.deliveries
    }

    /// When it was enqueued, ms since the epoch by the Redis server's clock.
    pub fn created_at_ms(&self) -> i64 {
        self.created_at_ms
    }

    /// When it was enqueued.
    pub fn created_at(&self) -> SystemTime {
        from_ms(self.created_at_ms)
    }

    /// When it was due, ms since the epoch.
    pub fn due_at_ms(&self) -> i64 {
        self.due_at_ms
    }

    /// When it was due.
    pub fn due_at(&self) -> SystemTime {
        from_ms(self.due_at_ms)
    }

    /// When the lease ends, ms since the epoch by the Redis server's clock.
    pub fn lease_until_ms(&self) -> i64 {
        self.lease_until_ms
    }

    /// When the lease ends.
    pub fn lease_until(&self) -> SystemTime {
        from_ms(self.lease_until_ms)
    }

    /// Proof of this lease; it never repeats. Its part before the first `-` is a number that grows with
    /// every lease of the topic, fit as a fencing token.
    pub fn receipt(&self) -> &str {
        &self.receipt
    }

    /// Topic, id and receipt: all that is needed to acknowledge the job, also from another process.
    pub fn lease(&self) -> Lease<'_> {
        Lease { topic: Cow::from(&self.topic), id: Cow::from(&self.id), receipt: Cow::from(&self.receipt) }
    }
}

/// The right to finish one job: its topic, id and receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease<'a> {
    /// The topic the job was popped from.
    pub topic: Cow<'a, str>,
    /// The job's id.
    pub id: Cow<'a, str>,
    /// The receipt that `pop` gave.
    pub receipt: Cow<'a, str>,
}

impl<'a> From<&'a Job> for Lease<'a> {
    fn from(job: &'a Job) -> Self {
        job.lease()
    }
}

/// What a sweep for expired leases did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requeued {
    /// Jobs that are due again.
    pub requeued: u64,
    /// Jobs delivered too often, now in the dead letter set.
    pub dead: u64,
    /// Ids whose body was missing, now in the orphan set.
    pub orphaned: u64,
}

impl Requeued {
    /// Expired leases handled in all; if it equals the limit, there may be more.
    pub fn total(&self) -> u64 {
        self.requeued + self.dead + self.orphaned
    }
}
