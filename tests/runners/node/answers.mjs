// What the verbs give, in the words of `tests/README.md`.

export function enqueued({ id, dueAtMs, outcome }) {
  return { id, due_at_ms: dueAtMs, outcome }
}

export function retried({ outcome, dueAtMs, retryCount }) {
  return { outcome, due_at_ms: dueAtMs, retry_count: retryCount }
}

export function released({ outcome, dueAtMs }) {
  return { outcome, due_at_ms: dueAtMs }
}

export function extended({ outcome, leaseUntilMs }) {
  return { outcome, lease_until_ms: leaseUntilMs }
}

export function popped(job) {
  return {
    topic: job.topic,
    id: job.id,
    payload_hex: job.payload.toString('hex'),
    retry_count: job.retryCount,
    deliveries: job.deliveries,
    created_at_ms: job.createdAtMs,
    due_at_ms: job.dueAtMs,
    lease_until_ms: job.leaseUntilMs,
    receipt: job.receipt,
  }
}

export function info(job) {
  return {
    topic: job.topic,
    id: job.id,
    state: job.state,
    payload_hex: job.payload && job.payload.toString('hex'),
    due_at_ms: job.dueAtMs,
    created_at_ms: job.createdAtMs,
    picked_at_ms: job.pickedAtMs,
    lease_until_ms: job.leaseUntilMs,
    died_at_ms: job.diedAtMs,
    orphaned_at_ms: job.orphanedAtMs,
    retry_count: job.retryCount,
    deliveries: job.deliveries,
    last_error: job.lastError,
  }
}

export function redriven({ redriven, orphaned, notDead }) {
  return { redriven, orphaned, not_dead: notDead }
}

export function stats({ oldestDueMs, lateness, processingTime, ...rest }) {
  const histogram = ({ count, p50Ms, p95Ms, p99Ms }) => ({ count, p50_ms: p50Ms, p95_ms: p95Ms, p99_ms: p99Ms })
  return {
    ...rest,
    oldest_due_ms: oldestDueMs,
    lateness: histogram(lateness),
    processing_time: histogram(processingTime),
  }
}

export function failure({ kind, message, verb = null, topic = null, id = null, retryable }) {
  return { kind, message, verb, topic, id, retryable }
}
