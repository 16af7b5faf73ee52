'use strict'

// Types of arguments. What a value means, and whether it is allowed, is for the core to say.

const { types } = require('node:util')

const { explain, invalid } = require('./errors.js')

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
  texts(name, value) {
    return each(name, value, (item) => check.text('the text', item))
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

/** The known options of `given`, checked. A key that is unknown is refused, since it is most likely a typo. */
function options(known, given) {
  if (given === undefined) return {}
  object('options', given)
  const checked = {}
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) {
      throw invalid(`there is no option ${JSON.stringify(name)}; give ${Object.keys(known).join(', ') || 'none'}`)
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

/** Converts each item of a list; an error says which one was refused, and its id if `idOf` finds one. */
function each(name, list, convert, idOf = () => null) {
  if (!Array.isArray(list)) throw invalid(`${name} are ${shown(list)}; give an array`)
  return Array.from(list, (item, place) => {
    try {
      return convert(item)
    } catch (error) {
      const { message, cause } = explain(error)
      const id = idOf(item)
      throw explain(invalid(`${name}[${place}]: ${message}`, cause), null, null, typeof id === 'string' ? id : null)
    }
  })
}

module.exports = { check, each, object, options, shown }
