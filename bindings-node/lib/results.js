'use strict'

// What the verbs give back, with dates beside the times in ms.

/** A time in ms as a Date; nothing stays nothing. */
function date(ms) {
  return ms === null ? null : new Date(ms)
}

function enqueued({ id, dueAtMs = null, outcome }) {
  return { id, dueAt: date(dueAtMs), dueAtMs, outcome }
}

function retried({ outcome, dueAtMs = null, retryCount }) {
  return { outcome, dueAt: date(dueAtMs), dueAtMs, retryCount }
}

function released({ outcome, dueAtMs = null }) {
  return { outcome, dueAt: date(dueAtMs), dueAtMs }
}

function extended({ outcome, leaseUntilMs = null }) {
  return { outcome, leaseUntil: date(leaseUntilMs), leaseUntilMs }
}

module.exports = { date, enqueued, extended, released, retried }
