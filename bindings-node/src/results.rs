//! What the verbs give back, as plain objects.

use napi_derive::napi;

use crate::convert::count;

/// What became of an enqueued job.
#[napi(object, object_from_js = false)]
pub struct Enqueued {
    /// The job's id.
    pub id: String,
    /// When it is due, ms since the epoch.
    pub due_at_ms: Option<i64>,
    /// What was done.
    pub outcome: &'static str,
}

impl From<delayq::Enqueued> for Enqueued {
    fn from(e: delayq::Enqueued) -> Self {
        Enqueued { id: e.id, due_at_ms: e.due_at_ms, outcome: e.outcome.as_str() }
    }
}

/// What became of a failed job.
#[napi(object, object_from_js = false)]
pub struct Retried {
    /// What was done.
    pub outcome: &'static str,
    /// When it will run again, ms since the epoch.
    pub due_at_ms: Option<i64>,
    /// Failures reported.
    pub retry_count: u32,
}

impl From<delayq::Retried> for Retried {
    fn from(r: delayq::Retried) -> Self {
        Retried { outcome: r.outcome.as_str(), due_at_ms: r.due_at_ms, retry_count: r.retry_count }
    }
}

/// What became of a job that was handed back.
#[napi(object, object_from_js = false)]
pub struct Released {
    /// What was done.
    pub outcome: &'static str,
    /// When it is due again, ms since the epoch.
    pub due_at_ms: Option<i64>,
}

impl From<delayq::Released> for Released {
    fn from(r: delayq::Released) -> Self {
        Released { outcome: r.outcome.as_str(), due_at_ms: r.due_at_ms }
    }
}

/// What became of a lease.
#[napi(object, object_from_js = false)]
pub struct Extended {
    /// What was done.
    pub outcome: &'static str,
    /// When it ends, ms since the epoch.
    pub lease_until_ms: Option<i64>,
}

impl From<delayq::Extended> for Extended {
    fn from(e: delayq::Extended) -> Self {
        Extended { outcome: e.outcome.as_str(), lease_until_ms: e.lease_until_ms }
    }
}

/// What a sweep did.
#[napi(object, object_from_js = false)]
pub struct Requeued {
    /// Jobs that are due again.
    pub requeued: i64,
    /// Jobs delivered too often.
    pub dead: i64,
    /// Ids whose body was missing.
    pub orphaned: i64,
}

impl From<delayq::Requeued> for Requeued {
    fn from(r: delayq::Requeued) -> Self {
        Requeued { requeued: count(r.requeued), dead: count(r.dead), orphaned: count(r.orphaned) }
    }
}

/// What `redrive` did.
#[napi(object, object_from_js = false)]
pub struct Redriven {
    /// Dead jobs that are scheduled again.
    pub redriven: i64,
    /// Ids whose body was missing.
    pub orphaned: i64,
    /// Given ids that were not dead.
    pub not_dead: i64,
}

impl From<delayq::Redriven> for Redriven {
    fn from(r: delayq::Redriven) -> Self {
        Redriven { redriven: count(r.redriven), orphaned: count(r.orphaned), not_dead: count(r.not_dead) }
    }
}

/// What `purge` did.
#[napi(object, object_from_js = false)]
pub struct Purged {
    /// Jobs that were deleted.
    pub purged: i64,
    /// Jobs left in that state.
    pub remaining: i64,
}

impl From<delayq::Purged> for Purged {
    fn from(p: delayq::Purged) -> Self {
        Purged { purged: count(p.purged), remaining: count(p.remaining) }
    }
}

/// What `repair` did.
#[napi(object, object_from_js = false)]
pub struct Repaired {
    /// Ids and bodies looked at.
    pub checked: i64,
    /// Bodies that are scheduled again.
    pub rescheduled: i64,
    /// Ids whose body was missing.
    pub orphaned: i64,
    /// Bodies of done jobs that were deleted.
    pub removed: i64,
}

impl From<delayq::Repaired> for Repaired {
    fn from(r: delayq::Repaired) -> Self {
        Repaired {
            checked: count(r.checked),
            rescheduled: count(r.rescheduled),
            orphaned: count(r.orphaned),
            removed: count(r.removed),
        }
    }
}
