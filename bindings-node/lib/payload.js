'use strict'

const { check, shown } = require('./check.js')
const { explain, invalid } = require('./errors.js')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

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

/** The value of a stored payload. */
function readJson(payload, topic, id) {
  try {
    if (payload === null) throw invalid('there is no payload: the job is done, or its body is lost; look at state first')
    return JSON.parse(utf8.decode(payload))
  } catch (error) {
    const refused = payload === null ? error : invalid(`the payload is not JSON: ${error.message}`, error)
    throw explain(refused, null, topic, id)
  }
}

module.exports = { payloadBytes, readJson }
