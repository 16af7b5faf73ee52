// One private server for a test file, and ways to await a condition and to see a refusal.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

const require = createRequire(import.meta.url)

export const delayq = require('..')
export const native = require('../lib/native.js')

/** Starts a server before the tests of this file and stops it after them. Tests keep apart by their topics. */
export function withServer() {
  const server = {}
  before(async () => {
    server.dir = mkdtempSync(join(tmpdir(), 'delayq-'))
    server.client = await delayq.Client.open(`embedded:${server.dir}`)
    server.url = `unix://${server.dir}/delayq.sock`
  })
  after(async () => {
    await server.client.close()
    rmSync(server.dir, { recursive: true })
  })
  return server
}

/** Looks until there is something to see; fails after 20 s. */
export async function until(look) {
  const started = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() - started > 20_000) throw new Error(`waited in vain for ${look}`)
    await pause(5)
  }
}

/** What every refused value gives. */
export const nothing = { code: 'DELAYQ_INVALID_ARGUMENT', kind: 'invalid_argument', retryable: false }

/** That the call gives a promise, and that it rejects with this. */
export async function refused(call, expected) {
  const promise = call()
  assert.ok(promise instanceof Promise, 'never thrown from the call itself')
  const error = await promise.then(() => assert.fail(`${call} was accepted`), (thrown) => thrown)
  assert.ok(error instanceof delayq.DelayqError, error.stack)
  for (const [key, value] of Object.entries({ ...nothing, ...expected })) assert.equal(error[key], value, `${key} of ${call}`)
  assert.match(error.message, /; (give|handle|let|look|take|use)|JSON|must be/, 'says what to do')
  return error
}

/** Runs a fixture; `lines` are what it printed so far, `ended` resolves to its code, its signal and its errors. */
export function child(name, args, options = {}) {
  const file = new URL(`fixtures/${name}`, import.meta.url).pathname
  const process_ = spawn(process.execPath, [...(options.flags ?? []), file, ...args], { timeout: 60_000 })
  const lines = []
  let errors = ''
  process_.stdout.on('data', (data) => lines.push(...data.toString().trim().split('\n')))
  process_.stderr.on('data', (data) => (errors += data))
  const ended = new Promise((resolve) => {
    process_.on('close', (code, signal) => resolve({ code, signal, errors }))
  })
  return { process: process_, lines, ended }
}
