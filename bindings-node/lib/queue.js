'use strict'

const { abortable } = require('./abort.js')
const { ENQUEUE, NEW_JOB, POP, check, object, options, shown } = require('./check.js')
const { explain, invalid } = require('./errors.js')
const { jobs } = require('./job.js')
const { payloadBytes } = require('./payload.js')

const VERBS = Object.freeze(['enqueue', 'enqueue_many', 'pop', 'ack', 'requeue', 'cancel'])

/** Known to `lib/client.js` only: users get their handles from `Client.open` and `client.queue`. */
const INTERNAL = Symbol('delayq')

class Queue {
  #native
  #topic

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
      return enqueued(await this.#native.enqueue(newJob(payload, options(ENQUEUE, given))))
    })
  }

  async enqueueMany(list) {
    return this.#call('enqueue_many', null, async () => {
      if (!Array.isArray(list)) throw invalid(`the jobs are ${shown(list)}; give an array of jobs`)
      return (await this.#native.enqueueMany(list.map(newJobAt))).map(enqueued)
    })
  }

  async pop(max = 1, given = undefined) {
    let signal
    try {
      check.number('max', max)
      const { lease, wait, signal: wanted } = options(POP, given)
      signal = wanted
      const take = (token) => this.#native.pop(max, lease, wait, token)
      return jobs(this.#topic, await (signal === undefined ? take() : abortable(signal, take)))
    } catch (error) {
      throw signal?.aborted && error === signal.reason ? error : explain(error, 'pop', this.#topic)
    }
  }

  async ack(job) {
    return this.#call('ack', job?.id, () => {
      object('job', job)
      const [topic, id, receipt] = ['topic', 'id', 'receipt'].map((name) => check.text(`job.${name}`, job[name]))
      return this.#native.ack(topic, id, receipt)
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
function newJob(payload, { id, delay, at, mode, ignoreDone }) {
  return [payloadBytes(payload), id, delay, at, mode, ignoreDone]
}

function newJobAt(job, place) {
  try {
    return newJob(object('the job', job).payload, options(NEW_JOB, job))
  } catch (error) {
    const { message, cause } = explain(error)
    throw explain(invalid(`job ${place}: ${message}`, cause), null, null, typeof job?.id === 'string' ? job.id : null)
  }
}

function enqueued({ id, dueAtMs = null, outcome }) {
  return { id, dueAt: dueAtMs === null ? null : new Date(dueAtMs), dueAtMs, outcome }
}

module.exports = { INTERNAL, Queue, VERBS }
