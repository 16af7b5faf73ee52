'use strict'

const { readJson } = require('./payload.js')
const { date } = require('./results.js')

class JobInfo {
  constructor(
    topic, id, state, payload, dueAtMs, createdAtMs, pickedAtMs, leaseUntilMs, diedAtMs, orphanedAtMs,
    retryCount, deliveries, lastError,
  ) {
    this.topic = topic
    this.id = id
    this.state = state
    this.payload = payload
    this.dueAtMs = dueAtMs
    this.createdAtMs = createdAtMs
    this.pickedAtMs = pickedAtMs
    this.leaseUntilMs = leaseUntilMs
    this.diedAtMs = diedAtMs
    this.orphanedAtMs = orphanedAtMs
    this.retryCount = retryCount
    this.deliveries = deliveries
    this.lastError = lastError
  }

  get dueAt() {
    return date(this.dueAtMs)
  }

  get createdAt() {
    return date(this.createdAtMs)
  }

  get pickedAt() {
    return date(this.pickedAtMs)
  }

  get leaseUntil() {
    return date(this.leaseUntilMs)
  }

  get diedAt() {
    return date(this.diedAtMs)
  }

  get orphanedAt() {
    return date(this.orphanedAtMs)
  }

  json() {
    return readJson(this.payload, this.topic, this.id)
  }
}

/** How many fields of one job follow each other in what the addon's `get` and `list` give. */
const FIELDS = 12

function infos(topic, fields) {
  return Array.from({ length: fields.length / FIELDS }, (_, n) => {
    return new JobInfo(topic, ...fields.slice(n * FIELDS, (n + 1) * FIELDS))
  })
}

module.exports = { JobInfo, infos }
