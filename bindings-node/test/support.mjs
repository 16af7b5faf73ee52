// One private server for a test file, and a way to await a condition.

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
