'use strict'

// The one place where errors of the addon become errors of the public API.

const native = require('./native.js')

const ERROR_KINDS = Object.freeze(
  native.errorKinds().map((row) => Object.freeze({ ...row, code: codeOf(row.kind) })),
)

function codeOf(kind) {
  return `DELAYQ_${kind.toUpperCase()}`
}

class DelayqError extends Error {
  constructor({ kind, message, verb, topic, id, retryable, cause }) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = codeOf(kind)
    this.kind = kind
    this.verb = verb ?? null
    this.topic = topic ?? null
    this.id = id ?? null
    this.retryable = retryable ?? false
  }
}
// On the prototype, like the built-in errors, so that it is not printed among the fields.
Object.defineProperty(DelayqError.prototype, 'name', { value: 'DelayqError', configurable: true, writable: true })

/** A value that was refused; `say` is one sentence that says what to do. */
function invalid(say, cause) {
  return new DelayqError({ kind: 'invalid_argument', message: say, cause })
}

/** What was thrown, as a DelayqError that knows where it happened. */
function explain(thrown, verb, topic, id) {
  const error = thrown instanceof DelayqError ? thrown : fromNative(thrown)
  error.verb ??= verb ?? null
  error.topic ??= topic ?? null
  error.id ??= id ?? null
  return error
}

function fromNative(thrown) {
  if (thrown instanceof Error && typeof thrown.kind === 'string') return new DelayqError(thrown)
  const message = `delayq failed in a way it does not know, please report it: ${thrown}`
  return new DelayqError({ kind: 'internal', message, cause: thrown })
}

module.exports = { DelayqError, ERROR_KINDS, explain, invalid }
