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

/** What a worker has told. Of what was lost only the kind of error is the same in every language. */
export function event(kind, { topic, id = null, deliveries = null, outcome = null, error = null }) {
  const name = kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return { kind: name, topic, id, deliveries, outcome, error: error?.kind ?? error }
}

/** What a handler was given, and whether its delivery was revoked by its end. */
export function handled({ topic, id, payload, retryCount, deliveries }, { aborted }) {
  return { topic, id, payload_hex: payload.toString('hex'), retry_count: retryCount, deliveries, revoked: aborted }
}

export function health({ oldestRunningMs, lastPopMs, ...rest }) {
  return { ...rest, oldest_running_ms: oldestRunningMs, last_pop_ms: lastPopMs }
}

export function failure({ kind, message, verb = null, topic = null, id = null, retryable }) {
  return { kind, message, verb, topic, id, retryable }
}
