// Nothing waits on the event loop or in libuv's pool, and waiting pops can be aborted.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { pbkdf2 } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { delayq, until, withServer } from './support.mjs'

const server = withServer()

test('eight waiting pops leave the event loop and the thread pool of libuv alone', async () => {
  const queue = server.client.queue('idle')
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let settled = 0
  const controller = new AbortController()
  const pops = Array.from({ length: 8 }, () =>
    queue.pop(1, { wait: 600_000, signal: controller.signal }).finally(() => settled++),
  )
  for (let n = 0; n < 20; n++) {
    await Promise.all([
      readFile(new URL(import.meta.url)),
      promisify(pbkdf2)('secret', 'salt', 1000, 32, 'sha256'),
      server.client.ping(),
    ])
  }
  assert.equal(settled, 0, 'all of that was done while every pop was waiting')
  delay.disable()
  assert.ok(delay.percentile(50) < 50e6, `the loop turned every ${delay.percentile(50) / 1e6} ms`)
  controller.abort()
  const results = await Promise.allSettled(pops)
  assert.ok(results.every(({ reason }) => reason === controller.signal.reason))
})

test('fifty pops are aborted at once, over one listener', async () => {
  const queue = server.client.queue('aborted')
  const warnings = []
  const onWarning = (warning) => warnings.push(warning)
  process.on('warning', onWarning)
  const controller = new AbortController()
  const pops = Array.from({ length: 50 }, () => queue.pop(1, { wait: 600_000, signal: controller.signal }))
  await until(() => getEventListeners(controller.signal, 'abort').length === 1)
  await server.client.ping()
  const reason = new Error('enough')
  controller.abort(reason)
  for (const { status, reason: given } of await Promise.allSettled(pops)) {
    assert.equal(status, 'rejected')
    assert.equal(given, reason)
  }
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0, 'the listener is gone')
  process.off('warning', onWarning)
  assert.deepEqual(warnings, [])
})

test('a signal that outlives its pops keeps no listener', async () => {
  const queue = server.client.queue('outlived')
  const { signal } = new AbortController()
  for (let n = 0; n < 3; n++) {
    await queue.pop(1, { signal })
    await queue.pop(1, { wait: 1, signal })
  }
  await assert.rejects(queue.pop(0, { signal }), { kind: 'invalid_argument' })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('an aborted signal rejects before anything is taken', async () => {
  const queue = server.client.queue('before')
  await queue.enqueue('x')
  const reason = { any: 'value' }
  const thrown = await queue.pop(1, { signal: AbortSignal.abort(reason) }).catch((error) => error)
  assert.equal(thrown, reason)
  assert.equal((await queue.pop())[0].deliveries, 1)
})

test('AbortSignal.timeout ends a wait with its TimeoutError', async () => {
  const queue = server.client.queue('timeout')
  const pop = queue.pop(1, { wait: 600_000, signal: AbortSignal.timeout(20) })
  await assert.rejects(pop, { name: 'TimeoutError' })
})

test('jobs that come back in spite of an abort are delivered', async () => {
  const queue = server.client.queue('in-spite')
  await queue.enqueue('x', { id: 'a' })
  const controller = new AbortController()
  const pop = queue.pop(1, { signal: controller.signal, wait: 600_000 })
  // While this thread stands still the job is leased, but the promise cannot be settled: the abort comes between.
  execFileSync(process.execPath, [new URL('fixtures/leased.mjs', import.meta.url).pathname, server.url, 'in-spite', 'a'])
  controller.abort()
  assert.equal((await pop)[0].id, 'a')
})

test('close ends waiting pops with closed', async () => {
  const client = await delayq.Client.open(server.url)
  const queue = client.queue('closing')
  const settled = Promise.allSettled(Array.from({ length: 10 }, () => queue.pop(1, { wait: 600_000 })))
  await client.ping()
  await client.close()
  for (const { reason } of await settled) {
    assert.equal(reason.code, 'DELAYQ_CLOSED')
    assert.equal(reason.verb, 'pop')
    assert.equal(reason.topic, 'closing')
  }
  await client.close()
  assert.throws(() => client.queue('t'), { code: 'DELAYQ_CLOSED', topic: 't' })
})
