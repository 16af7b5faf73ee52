'use strict'

// The public API; documented in index.d.ts. The names are spelled out so that `import { Client }` finds them.

const { Client } = require('./lib/client.js')
const { DelayqError, ERROR_KINDS } = require('./lib/errors.js')
const { JobInfo } = require('./lib/info.js')
const { Job } = require('./lib/job.js')
const { RetryPolicy } = require('./lib/policy.js')
const { Queue, VERBS } = require('./lib/queue.js')
const { Dead, Fail, Leave, Release } = require('./lib/verdict.js')
const { Worker } = require('./lib/worker.js')
const version = require('./lib/native.js').version()

module.exports = {
  Client, Queue, Job, JobInfo, Worker, Release, Fail, Dead, Leave, RetryPolicy, DelayqError, ERROR_KINDS, VERBS, version,
}
