'use strict'

// What a handler gets: its job, and the signal that it may give up.

const { DelayqError, explain } = require('./errors.js')
const { Job } = require('./job.js')

/** A job in the hands of a handler. */
class Delivery extends Job {
  #ask

  constructor(ask, topic, ...fields) {
    super(topic, ...fields)
    this.#ask = ask
  }

  async isMine() {
    try {
      return await this.#ask()
    } catch (error) {
      throw explain(error, 'extend', this.topic, this.id)
    }
  }
}

/** An AbortController that is made when its signal is asked for: most handlers never do. */
class Late {
  #controller
  #reason

  get signal() {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  abort(reason) {
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}

/** The second argument of a handler. */
class Context {
  #revoked = new Late()
  #stopping = new Late()

  get signal() {
    return this.#revoked.signal
  }

  get stopping() {
    return this.#stopping.signal
  }

  static revoke(context, { topic, id }) {
    const message =
      'the job is not this handler\'s any more (its lease was lost, it was cancelled or replaced, or the worker is past ' +
      'the deadline of its stop); let it go, nothing that is said about it counts'
    context.#revoked.abort(new DelayqError({ kind: 'lease_lost', message, topic, id }))
  }

  static stop(context) {
    context.#stopping.abort(new DelayqError({ kind: 'closed', message: 'the worker is stopping; end soon, or release the job' }))
  }
}

module.exports = { Context, Delivery }
