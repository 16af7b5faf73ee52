'use strict'

// Types of arguments. What a value means, and whether it is allowed, is for the core to say.

const { types } = require('node:util')

const { invalid } = require('./errors.js')

function shown(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return `a ${value.constructor?.name ?? 'object'}`
  return `a ${typeof value}`
}

/** One check per type: gives what the addon takes, or throws. */
const check = {
  text(name, value) {
    if (typeof value !== 'string') throw invalid(`${name} is ${shown(value)}; give a string`)
    // A lone surrogate has no UTF-8 form; it would be stored as another character.
    if (!value.isWellFormed()) throw invalid(`${name} contains a lone surrogate; give well-formed Unicode`)
    return value
  },
  number(name, value) {
    if (typeof value !== 'number') throw invalid(`${name} is ${shown(value)}; give a number`)
    return value
  },
  flag(name, value) {
    if (typeof value !== 'boolean') throw invalid(`${name} is ${shown(value)}; give true or false`)
    return value
  },
  date(name, value) {
    if (!types.isDate(value)) throw invalid(`${name} is ${shown(value)}; give a Date`)
    const ms = Date.prototype.getTime.call(value)
    if (Number.isNaN(ms)) throw invalid(`${name} is an invalid Date; give a valid one`)
    return ms
  },
  signal(name, value) {
    if (typeof value?.aborted !== 'boolean' || typeof value.addEventListener !== 'function') {
      throw invalid(`${name} is ${shown(value)}; give an AbortSignal`)
    }
    return value
  },
  any(_name, value) {
    return value
  },
}

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
}

const ENQUEUE = {
  id: check.text,
  delay: check.number,
  at: check.date,
  mode: check.text,
  ignoreDone: check.flag,
}

const NEW_JOB = { payload: check.any, ...ENQUEUE }

const POP = { lease: check.number, wait: check.number, signal: check.signal }

/** The known options of `given`, checked. A key that is unknown is refused, since it is most likely a typo. */
function options(known, given) {
  if (given === undefined) return {}
  object('options', given)
  const checked = {}
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) {
      throw invalid(`there is no option ${JSON.stringify(name)}; give ${Object.keys(known).join(', ')}`)
    }
    if (value !== undefined) checked[name] = known[name](name, value)
  }
  return checked
}

function object(name, value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(`${name} is ${shown(value)}; give an object`)
  }
  return value
}

module.exports = { CLIENT, ENQUEUE, NEW_JOB, POP, QUEUE, check, object, options, shown }
