'use strict'

// Which options each call has, and of which types they are.

const { check } = require('./check.js')
const { policy } = require('./policy.js')

const CLIENT = {
  prefix: check.text,
  username: check.text,
  password: check.text,
  connectTimeout: check.number,
  timeout: check.number,
  retryFor: check.number,
}

const QUEUE = {
  lease: check.number,
  doneTtl: check.number,
  jobTtl: check.number,
  maxPayload: check.number,
  maxDeliveries: check.number,
  retryPolicy: policy,
}

const ENQUEUE = {
  id: check.text,
  delay: check.number,
  at: check.date,
  mode: check.text,
  ignoreDone: check.flag,
  retryPolicy: policy,
}

const NEW_JOB = { payload: check.any, ...ENQUEUE }
const POP = { lease: check.number, wait: check.number, signal: check.signal }
const RETRY = { error: check.any, delay: check.number }
const FAILURE = { job: check.any, ...RETRY }
const RELEASE = { delay: check.number }
const EXTEND = { lease: check.number }
const LIST = { offset: check.number, limit: check.number }
const REDRIVE = { ids: check.texts, limit: check.number, delay: check.number }
const PURGE = { limit: check.number }
const REPAIR = { limit: check.number }
const STATS = { overdue: check.number }
const LIMIT = { burst: check.number }
const WORKER = {
  concurrency: check.number,
  fetchAhead: check.number,
  sweepEvery: check.number,
  stopDeadline: check.number,
}
const STOP = { deadline: check.number }
const FAIL = { delay: check.number }

module.exports = {
  CLIENT, ENQUEUE, EXTEND, FAIL, FAILURE, LIMIT, LIST, NEW_JOB, POP, PURGE, QUEUE, REDRIVE, RELEASE, REPAIR, RETRY,
  STATS, STOP, WORKER,
}
