// When a process ends, and worker threads.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

import { child, until, withServer } from './support.mjs'

const server = withServer()

test('the process ends by itself when the work is done, though the client was not closed', async () => {
  const { lines, ended } = child('pop.mjs', [server.url, 'by-itself'])
  assert.deepEqual(await ended, { code: 0, signal: null, errors: '' })
  assert.deepEqual(lines, ['done'])
})

test('an embedded server stops with its process, though the client was not closed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'delayq-'))
  const { ended } = child('pop.mjs', [`embedded:${dir}`, 'by-itself'])
  assert.equal((await ended).code, 0)
  await until(async () => {
    if (!existsSync(join(dir, 'delayq.sock'))) return true
    const [event] = await Promise.race(
      ['connect', 'error'].map((name) => once(connect(join(dir, 'delayq.sock')), name).then(() => [name], () => ['error'])),
    )
    return event === 'error'
  })
  rmSync(dir, { recursive: true })
})

for (const [how, expected] of [
  ['default', { code: null, signal: 'SIGINT', errors: '' }],
  ['handler', { code: 130, signal: null, errors: '' }],
  ['exit', { code: 7, signal: null, errors: '' }],
]) {
  test(`the process ends while pops wait: ${how}`, async () => {
    const run = child('pop.mjs', [server.url, how])
    await until(() => run.lines.includes('waiting'))
    if (how !== 'exit') run.process.kill('SIGINT')
    assert.deepEqual(await run.ended, expected)
  })
}

const worker = (topic, wait) =>
  new Worker(new URL('fixtures/worker.cjs', import.meta.url), { workerData: { url: server.url, topic, wait } })

test('four workers share 300 jobs, none twice', async () => {
  const queue = server.client.queue('shared')
  const ids = Array.from({ length: 300 }, (_, n) => `job ${n}`)
  await queue.enqueueMany(ids.map((id) => ({ payload: id, id })))
  const takers = Array.from({ length: 4 }, () => worker('shared'))
  const taken = await Promise.all(takers.map(async (taker) => (await once(taker, 'message'))[0]))
  assert.deepEqual(taken.flat().sort(), ids.sort())
})

test('a worker that is terminated gives up its waiting pops', async () => {
  const queue = server.client.queue('given-up')
  for (let n = 0; n < 10; n++) {
    const waiting = worker('given-up', 600_000)
    await once(waiting, 'message')
    assert.equal(await waiting.terminate(), 1)
  }
  await queue.enqueue('x', { id: 'a' })
  const [job] = await queue.pop(1, { wait: 5_000 })
  assert.equal(job.deliveries, 1, 'no pop of a dead worker took it')
})

test('the addon may be loaded in workers only', async () => {
  const { lines, ended } = child('only-in-worker.mjs', [server.url, '5'])
  assert.deepEqual(await ended, { code: 0, signal: null, errors: '' })
  assert.deepEqual(lines, ['survived'])
})
