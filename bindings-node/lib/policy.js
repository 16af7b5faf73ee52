'use strict'

// Retry policies: plain frozen objects, which name their kind.

const { check, object, options } = require('./check.js')
const { invalid } = require('./errors.js')

const COMMON = { cap: check.number, jitter: check.number, maxRetries: check.number }

const KINDS = {
  exponential: { base: check.number, factor: check.number, ...COMMON },
  linear: { step: check.number, ...COMMON },
  fixed: { delay: check.number, ...COMMON },
}

function make(kind) {
  return (given) => Object.freeze({ kind, ...options(KINDS[kind], given) })
}

const RetryPolicy = Object.freeze({
  exponential: make('exponential'),
  linear: make('linear'),
  fixed: make('fixed'),
})

/** A policy as the addon takes it; a literal is as good as one that was made here. */
function policy(name, value) {
  const { kind, ...rest } = object(name, value)
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    const say = kind === undefined ? 'has no kind' : `is of kind ${JSON.stringify(String(kind))}`
    throw invalid(`${name} ${say}; give one of ${Object.keys(KINDS).join(', ')}`)
  }
  return { kind, ...options(KINDS[kind], rest) }
}

module.exports = { RetryPolicy, policy }
