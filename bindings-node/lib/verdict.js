'use strict'

// What a handler may return or throw to end its delivery in another way than by success or failure.

const { options } = require('./check.js')
const { errorText } = require('./lease.js')
const { FAIL, RELEASE } = require('./options.js')

class Verdict {
  constructor(how, message, delay) {
    this.how = how
    this.message = message
    this.delay = delay
    Object.freeze(this)
  }
}

function Release(given) {
  return new Verdict('release', undefined, options(RELEASE, given).delay)
}

function Fail(message, given) {
  return new Verdict('failed', errorText(message), options(FAIL, given).delay)
}

function Dead(message) {
  return new Verdict('dead', errorText(message))
}

function Leave() {
  return new Verdict('leave')
}

/** What the handler returned. */
function returned(value) {
  return value instanceof Verdict ? value : DONE
}

/** What the handler threw. */
function thrown(value) {
  return value instanceof Verdict ? value : new Verdict('failed', errorText(value))
}

const DONE = new Verdict('done')

module.exports = { Dead, Fail, Leave, Release, returned, thrown }
