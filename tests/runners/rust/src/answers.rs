//! What the verbs give, in the words of `tests/README.md`.

use delayq::{
    Delivery, Enqueued, Event, Extended, Health, Histogram, Job, JobInfo, Released, Retried, Stats,
};
use serde_json::{Value, json};

pub(crate) fn enqueued(stored: &Enqueued) -> Value {
    json!({ "id": stored.id, "due_at_ms": stored.due_at_ms, "outcome": stored.outcome.as_str() })
}

pub(crate) fn retried(retried: &Retried) -> Value {
    json!({
        "outcome": retried.outcome.as_str(), "due_at_ms": retried.due_at_ms, "retry_count": retried.retry_count,
    })
}

pub(crate) fn released(released: &Released) -> Value {
    json!({ "outcome": released.outcome.as_str(), "due_at_ms": released.due_at_ms })
}

pub(crate) fn extended(extended: &Extended) -> Value {
    json!({ "outcome": extended.outcome.as_str(), "lease_until_ms": extended.lease_until_ms })
}

pub(crate) fn info(info: &JobInfo) -> Value {
    json!({
        "topic": info.topic, "id": info.id, "state": info.state.as_str(),
        "payload_hex": info.payload.as_deref().map(hex), "due_at_ms": info.due_at_ms,
        "created_at_ms": info.created_at_ms, "picked_at_ms": info.picked_at_ms, "lease_until_ms": info.lease_until_ms,
        "died_at_ms": info.died_at_ms, "orphaned_at_ms": info.orphaned_at_ms, "retry_count": info.retry_count,
        "deliveries": info.deliveries, "last_error": info.last_error,
    })
}

pub(crate) fn stats(stats: &Stats) -> Value {
    let histogram = |h: &Histogram| json!({ "count": h.count(), "p50_ms": h.p50(), "p95_ms": h.p95(), "p99_ms": h.p99() });
    let counters: serde_json::Map<_, _> =
        stats.counters.iter().map(|(name, n)| ((*name).to_owned(), json!(n))).collect();
    json!({
        "backlog": stats.backlog, "due": stats.due, "overdue": stats.overdue, "oldest_due_ms": stats.oldest_due_ms,
        "processing": stats.processing, "expired": stats.expired, "dead": stats.dead, "orphans": stats.orphans,
        "paused": stats.paused, "rate": stats.rate, "burst": stats.burst, "counters": counters,
        "lateness": histogram(&stats.lateness), "processing_time": histogram(&stats.processing_time),
    })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub(crate) fn job(job: &Job) -> Value {
    json!({
        "topic": job.topic(), "id": job.id(), "payload_hex": hex(job.payload()), "retry_count": job.retry_count(),
        "deliveries": job.deliveries(), "created_at_ms": job.created_at_ms(), "due_at_ms": job.due_at_ms(),
        "lease_until_ms": job.lease_until_ms(), "receipt": job.receipt(),
    })
}

/// What a worker has told. Of what was lost only the kind of error is the same in every language.
pub(crate) fn event(event: &Event<'_>) -> Value {
    let (topic, id, deliveries, outcome, error) = match event {
        Event::Started { topic, id, deliveries } => (topic, Some(id), Some(deliveries), None, None),
        Event::Done { topic, id, .. } | Event::LeaseLost { topic, id } | Event::Released { topic, id } => {
            (topic, Some(id), None, None, None)
        }
        Event::Failed { topic, id, outcome, error } => {
            (topic, Some(id), None, Some(outcome.as_str()), Some(*error))
        }
        Event::Lost { topic, error } => (topic, None, None, None, Some(error.kind().slug())),
        Event::Back { topic } => (topic, None, None, None, None),
        _ => return json!({ "kind": event.kind().as_str() }),
    };
    json!({
        "kind": event.kind().as_str(), "topic": topic, "id": id, "deliveries": deliveries, "outcome": outcome,
        "error": error,
    })
}

/// What a handler was given, and whether its delivery was revoked by its end.
pub(crate) fn handled(delivery: &Delivery) -> Value {
    json!({
        "topic": delivery.topic(), "id": delivery.id(), "payload_hex": hex(delivery.payload()),
        "retry_count": delivery.retry_count(), "deliveries": delivery.deliveries(),
        "revoked": delivery.is_revoked(),
    })
}

pub(crate) fn health(health: &Health) -> Value {
    json!({
        "connected": health.connected, "running": health.running, "waiting": health.waiting,
        "stopping": health.stopping, "oldest_running_ms": health.oldest_running.map(|d| d.as_millis()),
        "last_pop_ms": health.last_pop.map(|d| d.as_millis()),
    })
}
