'use strict'

const { readJson } = require('./payload.js')

class Job {
  constructor(topic, id, receipt, deliveries, retryCount, createdAtMs, dueAtMs, leaseUntilMs, payload) {
    this.topic = topic
    this.id = id
    this.receipt = receipt
    this.deliveries = deliveries
    this.retryCount = retryCount
    this.createdAtMs = createdAtMs
    this.dueAtMs = dueAtMs
    this.leaseUntilMs = leaseUntilMs
    this.payload = payload
  }

  get createdAt() {
    return new Date(this.createdAtMs)
  }

  get dueAt() {
    return new Date(this.dueAtMs)
  }

  get leaseUntil() {
    return new Date(this.leaseUntilMs)
  }

  json() {
    return readJson(this.payload, this.topic, this.id)
  }
}

/** How many fields of one job follow each other in what the addon's `pop` gives. */
const FIELDS = 8

function jobs(topic, fields) {
  const list = new Array(fields.length / FIELDS)
  for (let n = 0, at = 0; n < list.length; n++, at += FIELDS) {
    list[n] = new Job(topic, ...fields.slice(at, at + FIELDS))
  }
  return list
}

module.exports = { Job, jobs }
