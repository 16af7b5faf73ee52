'use strict'

// Runs handlers for the worker of the core, which fetches, reports, renews leases, sweeps and stops.

const { EventEmitter } = require('node:events')

const native = require('./native.js')
const { check, options, shown } = require('./check.js')
const { Context, Delivery } = require('./delivery.js')
const { DelayqError, explain, invalid } = require('./errors.js')
const { STOP, WORKER } = require('./options.js')
const { nativeOf } = require('./queue.js')
const { returned, thrown } = require('./verdict.js')

/** The core's events in its order; their place is their bit in what the addon is asked to tell. */
const TOLD = native.words().events
/** The same as Node names them. */
const EVENTS = TOLD.map((name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()))

/** The fields of each event, as the addon gives them after its name. */
const DETAILS = {
  started: ([topic, id, deliveries]) => ({ topic, id, deliveries }),
  done: ([topic, id, tookMs]) => ({ topic, id, tookMs }),
  failed: ([topic, id, outcome, error]) => ({ topic, id, outcome, error }),
  lease_lost: ([topic, id]) => ({ topic, id }),
  released: ([topic, id]) => ({ topic, id }),
  lost: ([topic, , error]) => ({ topic, error: explain(error, null, topic) }),
  back: ([topic]) => ({ topic }),
}

const UNSTARTED = { connected: false, lastPopMs: null, running: 0, oldestRunningMs: null, waiting: 0, stopping: false }
const STOP_DEADLINE = 10_000

class Worker extends EventEmitter {
  #queues = []
  #handlers = new Map()
  #options
  #stopDeadline
  #running = new Map()
  #native
  #starting
  #serving
  #stopping

  constructor(first, ...rest) {
    super({ captureRejections: true })
    const routes = Array.isArray(first) ? first : [[first, rest.shift()]]
    for (const route of routes) this.#add(route)
    const { stopDeadline = STOP_DEADLINE, ...others } = options(WORKER, rest[0])
    this.#options = others
    this.#stopDeadline = stopDeadline
    this.#watch()
  }

  #add(route) {
    if (!Array.isArray(route)) throw invalid(`the route is ${shown(route)}; give an array of a queue and its handler`)
    const [queue, handler] = route
    const opened = nativeOf(queue)
    if (opened === undefined) throw invalid(`the queue is ${shown(queue)}; give one of client.queue(topic)`)
    if (typeof handler !== 'function') throw invalid(`the handler is ${shown(handler)}; give a function`)
    this.#queues.push(opened)
    this.#handlers.set(queue.topic, handler)
  }

  async start() {
    if (this.#stopping !== undefined) {
      throw new DelayqError({ kind: 'closed', message: 'the worker was stopped; make a new one' })
    }
    this.#starting ??= this.#start()
    try {
      await this.#starting
    } catch (error) {
      this.#starting = undefined
      throw explain(error)
    }
  }

  async #start() {
    const hear = (message) => this.#hear(message)
    this.#native = await native.startWorker(this.#queues, this.#options, this.#heard(), hear)
    this.#want() // those that have got a listener meanwhile
    // Its promise keeps the process alive. If it rejects, that is a defect of ours, and nobody would run jobs.
    this.#serving = this.#native.serve().catch((error) => {
      this.#trouble(explain(error))
      return this.#native.stop(0)
    })
  }

  async stop(given) {
    const { deadline = this.#stopDeadline } = options(STOP, given)
    const stopping = (this.#stopping ??= this.#stop(deadline))
    try {
      await stopping
    } catch (error) {
      if (this.#stopping === stopping) this.#stopping = undefined
      throw explain(error)
    }
  }

  async #stop(deadline) {
    await this.#starting?.catch(() => {}) // whoever started it is told
    if (this.#native === undefined) return
    for (const { context } of this.#running.values()) Context.stop(context)
    await this.#native.stop(deadline)
    await this.#serving
    await new Promise(setImmediate) // the last events are on their way to this turn of the loop
  }

  async run() {
    let stop
    const wanted = new Promise((resolve) => (stop = resolve))
    const signals = ['SIGTERM', 'SIGINT']
    for (const signal of signals) process.on(signal, stop)
    try {
      await this.start()
      await Promise.race([wanted, this.#serving])
    } finally {
      // A second signal ends the process at once, as it does by default.
      for (const signal of signals) process.off(signal, stop)
    }
    await this.stop()
  }

  health() {
    if (this.#native === undefined) return { ...UNSTARTED, stopping: this.#stopping !== undefined }
    const { lastPopMs = null, oldestRunningMs = null, ...rest } = this.#native.health()
    return { ...rest, lastPopMs, oldestRunningMs }
  }

  removeAllListeners(...names) {
    super.removeAllListeners(...names)
    if (this.listenerCount('newListener') === 0) this.#watch()
    return this
  }

  #watch() {
    this.on('newListener', (name) => this.#want(EVENTS.indexOf(name)))
  }

  /** Has the addon tell the events that have listeners, and this one, which is about to. */
  #want(place = -1) {
    this.#native?.want(this.#heard(place))
  }

  /** The events that have listeners, as bits, and this one. */
  #heard(place = -1) {
    const bits = EVENTS.map((name, bit) => (bit === place || this.listenerCount(name) > 0 ? 1 << bit : 0))
    return bits.reduce((all, bit) => all | bit, 0)
  }

  /** A message of the addon. Nothing may be thrown into it. */
  #hear([kind, ...fields]) {
    if (kind === 'job') return void this.#run(...fields)
    if (kind === 'revoked') return this.#revoke(...fields)
    try {
      this.emit(EVENTS[TOLD.indexOf(kind)], DETAILS[kind](fields))
    } catch (error) {
      this.#trouble(error)
    }
  }

  async #run(serial, topic, ...fields) {
    const job = new Delivery(() => this.#native.isMine(serial), topic, ...fields)
    const context = new Context()
    this.#running.set(serial, { job, context })
    let verdict
    try {
      verdict = returned(await this.#handlers.get(topic)(job, context))
    } catch (error) {
      verdict = thrown(error)
    }
    this.#running.delete(serial)
    this.#finish(serial, verdict)
  }

  #finish(serial, { how, message, delay }) {
    try {
      this.#native.finish(serial, how, message, delay)
    } catch (error) {
      // A value that the core refused, as a delay that is not a number.
      this.#native.finish(serial, 'failed', message === undefined ? error.message : `${message} (${error.message})`)
    }
  }

  #revoke(serial) {
    const running = this.#running.get(serial)
    if (running !== undefined) Context.revoke(running.context, running.job)
  }

  /** What a listener threw, or its promise rejected with. It must not end the worker, nor go unnoticed. */
  #trouble(error, where) {
    try {
      if (where !== 'error' && this.listenerCount('error') > 0) return void this.emit('error', error)
    } catch (another) {
      error = another
    }
    process.emitWarning(error instanceof Error ? error : String(error))
  }

  [Symbol.for('nodejs.rejection')](error, where) {
    this.#trouble(error, where)
  }
}

module.exports = { Worker }
