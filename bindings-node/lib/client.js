'use strict'

const native = require('./native.js')
const { check, options } = require('./check.js')
const { explain, invalid } = require('./errors.js')
const { CLIENT, QUEUE } = require('./options.js')
const { INTERNAL, Queue } = require('./queue.js')

class Client {
  #native
  #address

  constructor(internal, opened) {
    if (internal !== INTERNAL) throw invalid('a client is not made with new; await Client.open(url)')
    this.#native = opened
    this.#address = opened.address()
  }

  static async open(url, given) {
    try {
      return new Client(INTERNAL, await native.openClient(check.text('url', url), options(CLIENT, given)))
    } catch (error) {
      throw explain(error)
    }
  }

  get address() {
    return this.#address
  }

  queue(topic, given) {
    try {
      const opened = this.#native.queue(check.text('topic', topic), options(QUEUE, given))
      return new Queue(INTERNAL, opened, topic)
    } catch (error) {
      throw explain(error, null, typeof topic === 'string' ? topic : null)
    }
  }

  async ping() {
    try {
      await this.#native.ping()
    } catch (error) {
      throw explain(error)
    }
  }

  async close() {
    try {
      await this.#native.close()
    } catch (error) {
      throw explain(error)
    }
  }
}

module.exports = { Client }
