'use strict'

const { check, shown } = require('./check.js')
const { invalid } = require('./errors.js')

/** The bytes to store: bytes as they are, a string as UTF-8, anything else as JSON. */
function payloadBytes(payload) {
  if (payload instanceof Uint8Array) return payload
  if (typeof payload === 'string') return Buffer.from(check.text('payload', payload))
  if (ArrayBuffer.isView(payload) || payload instanceof ArrayBuffer || payload instanceof SharedArrayBuffer) {
    throw invalid(`the payload is ${shown(payload)}; give its bytes as a Uint8Array`)
  }
  return Buffer.from(json(payload))
}

function json(value) {
  let text
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw invalid(`the payload cannot be written as JSON: ${error?.message ?? error}`, error)
  }
  if (text === undefined) {
    throw invalid(`the payload is ${shown(value)}, which has no JSON; give bytes, a string or a JSON value`)
  }
  return text
}

module.exports = { payloadBytes }
