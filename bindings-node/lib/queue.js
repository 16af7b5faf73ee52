'use strict'

const { abortable } = require('./abort.js')
const { check, each, object, options } = require('./check.js')
const { explain, invalid } = require('./errors.js')
const { infos } = require('./info.js')
const { jobs } = require('./job.js')
const { failure, failureOf, idOf, lease } = require('./lease.js')
const known = require('./options.js')
const { payloadBytes } = require('./payload.js')
const { enqueued, extended, released, retried } = require('./results.js')
const { stats } = require('./stats.js')

const VERBS = Object.freeze([
  'enqueue', 'enqueue_many', 'pop', 'ack', 'ack_many', 'retry', 'retry_many', 'release', 'release_many',
  'extend', 'extend_many', 'requeue', 'cancel', 'get', 'list', 'redrive', 'purge', 'repair', 'stats',
  'pause', 'resume', 'limit',
])

/** Known to `lib/client.js` only: users get their handles from `Client.open` and `client.queue`. */
const INTERNAL = Symbol('delayq')

/** The addon's handle in a `Queue`; `undefined` for anything else. For `lib/worker.js` only. */
let nativeOf

class Queue {
  #native
  #topic

  static {
    nativeOf = (queue) => (queue instanceof Queue ? queue.#native : undefined)
  }

  constructor(internal, opened, topic) {
    if (internal !== INTERNAL) throw invalid('a queue is not made with new; call client.queue(topic)')
    this.#native = opened
    this.#topic = topic
  }

  get topic() {
    return this.#topic
  }

  async enqueue(payload, given) {
    return this.#call('enqueue', given?.id, async () => {
      return enqueued(await this.#native.enqueue(newJob(payload, options(known.ENQUEUE, given))))
    })
  }

  async enqueueMany(list) {
    return this.#call('enqueue_many', null, async () => {
      return (await this.#native.enqueueMany(each('jobs', list, newJobOf, idOf))).map(enqueued)
    })
  }

  async pop(max = 1, given = undefined) {
    let signal
    try {
      check.number('max', max)
      const { lease, wait, signal: wanted } = options(known.POP, given)
      signal = wanted
      const take = (token) => this.#native.pop(max, lease, wait, token)
      return jobs(this.#topic, await (signal === undefined ? take() : abortable(signal, take)))
    } catch (error) {
      throw signal?.aborted && error === signal.reason ? error : explain(error, 'pop', this.#topic)
    }
  }

  async ack(job) {
    return this.#call('ack', job?.id, () => this.#native.ack(lease(job)))
  }

  async ackMany(list) {
    return this.#call('ack_many', null, () => this.#native.ackMany(each('jobs', list, lease, idOf)))
  }

  async retry(job, given) {
    return this.#call('retry', job?.id, async () => {
      return retried(await this.#native.retry(failure(job, options(known.RETRY, given))))
    })
  }

  async retryMany(list) {
    return this.#call('retry_many', null, async () => {
      return (await this.#native.retryMany(each('jobs', list, failureOf, idOf))).map(retried)
    })
  }

  async release(job, given) {
    return this.#call('release', job?.id, async () => {
      const { delay } = options(known.RELEASE, given)
      return released(await this.#native.release(lease(job), delay))
    })
  }

  async releaseMany(list, given) {
    return this.#call('release_many', null, async () => {
      const { delay } = options(known.RELEASE, given)
      return (await this.#native.releaseMany(each('jobs', list, lease, idOf), delay)).map(released)
    })
  }

  async extend(job, given) {
    return this.#call('extend', job?.id, async () => {
      const { lease: duration } = options(known.EXTEND, given)
      return extended(await this.#native.extend(lease(job), duration))
    })
  }

  async extendMany(list, given) {
    return this.#call('extend_many', null, async () => {
      const { lease: duration } = options(known.EXTEND, given)
      return (await this.#native.extendMany(each('jobs', list, lease, idOf), duration)).map(extended)
    })
  }

  async requeue(limit) {
    return this.#call('requeue', null, () => {
      return this.#native.requeue(limit === undefined ? undefined : check.number('limit', limit))
    })
  }

  async cancel(id) {
    return this.#call('cancel', id, () => this.#native.cancel(check.text('id', id)))
  }

  async get(id) {
    return this.#call('get', id, async () => infos(this.#topic, await this.#native.get(check.text('id', id)))[0])
  }

  async list(state, given) {
    return this.#call('list', null, async () => {
      const { offset, limit } = options(known.LIST, given)
      return infos(this.#topic, await this.#native.list(check.text('state', state), offset, limit))
    })
  }

  async redrive(given) {
    return this.#call('redrive', null, () => {
      const { ids, limit, delay } = options(known.REDRIVE, given)
      return this.#native.redrive(ids, limit, delay)
    })
  }

  async purge(state, given) {
    return this.#call('purge', null, () => {
      return this.#native.purge(check.text('state', state), options(known.PURGE, given).limit)
    })
  }

  async repair(given) {
    return this.#call('repair', null, () => this.#native.repair(options(known.REPAIR, given).limit))
  }

  async stats(given) {
    return this.#call('stats', null, async () => {
      return stats(await this.#native.stats(options(known.STATS, given).overdue))
    })
  }

  async pause() {
    return this.#call('pause', null, () => this.#native.pause())
  }

  async resume() {
    return this.#call('resume', null, () => this.#native.resume())
  }

  async limit(rate, given) {
    return this.#call('limit', null, () => {
      const { burst } = options(known.LIMIT, given)
      return this.#native.limit(rate === null ? undefined : check.number('rate', rate), burst)
    })
  }

  /** Runs one verb; whatever goes wrong becomes a DelayqError that names verb, topic and id. */
  async #call(verb, id, run) {
    try {
      return await run()
    } catch (error) {
      throw explain(error, verb, this.#topic, typeof id === 'string' ? id : null)
    }
  }
}

/** A job as the addon takes it. */
function newJob(payload, { id, delay, at, mode, ignoreDone, retryPolicy }) {
  return [payloadBytes(payload), id, delay, at, mode, ignoreDone, retryPolicy]
}

function newJobOf(job) {
  return newJob(object('the job', job).payload, options(known.NEW_JOB, job))
}

module.exports = { INTERNAL, Queue, VERBS, nativeOf }
