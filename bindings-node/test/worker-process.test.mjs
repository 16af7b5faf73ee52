// The worker and its process: signals, ends of all kinds, a loop that stands still, and worker threads.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker as Thread } from 'node:worker_threads'

import { delayq, until, withServer } from './support.mjs'

const { Worker } = delayq
const server = withServer()

/** Runs `fixtures/run.mjs`; as `child`, but with a channel by which its handlers are let go. */
function run(topic, how) {
  const file = new URL('fixtures/run.mjs', import.meta.url).pathname
  const process_ = fork(file, [server.url, topic, how], { silent: true, timeout: 60_000 })
  const lines = []
  let errors = ''
  process_.stdout.on('data', (data) => lines.push(...data.toString().trim().split('\n')))
  process_.stderr.on('data', (data) => (errors += data))
  const ended = new Promise((resolve) => {
    process_.on('close', (code, signal) => resolve({ code, signal, errors }))
  })
  return { process: process_, lines, ended, saw: (line) => until(() => lines.includes(line)) }
}

const clean = { code: 0, signal: null, errors: '' }

test('the process ends by itself after a stop', async () => {
  const { lines, ended } = run('by-itself', 'stop')
  assert.deepEqual(await ended, clean)
  assert.deepEqual(lines, ['begun a', 'ended a', 'done a', 'stopped'])
})

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`run() ends on ${signal} after the running handler, and acknowledges`, async () => {
    const queue = server.client.queue(signal)
    await queue.enqueue('x', { id: 'a' })
    const child = run(signal, 'wait')
    await child.saw('begun a')
    child.process.kill(signal)
    await child.saw('stopping')
    await queue.enqueue('x', { id: 'b' })
    child.process.send('go on')
    assert.deepEqual(await child.ended, clean)
    assert.deepEqual(child.lines, ['running', 'begun a', 'stopping', 'ended a', 'done a', 'stopped'])
    assert.equal((await queue.get('a')).state, 'done')
    assert.equal((await queue.get('b')).state, 'scheduled', 'a stopping worker takes nothing more')
  })
}

test('a second signal ends the process at once', async () => {
  const queue = server.client.queue('second')
  await queue.enqueue('x', { id: 'a' })
  const child = run('second', 'hang')
  await child.saw('begun a')
  child.process.kill('SIGTERM')
  await child.saw('stopping') // which this handler would hold up for ten seconds
  child.process.kill('SIGTERM')
  assert.equal((await child.ended).signal, 'SIGTERM')
})

test('a running worker keeps its process alive, and process.exit() ends it', async () => {
  const { lines, ended } = run('exit', 'exit')
  assert.deepEqual(await ended, { code: 7, signal: null, errors: '' })
  assert.deepEqual(lines, ['started'])
})

test('the job of a killed process is run by another soon after its lease', async () => {
  const queue = server.client.queue('killed')
  await queue.enqueue('x', { id: 'a' })
  const child = run('killed', 'hang')
  await child.saw('begun a')
  child.process.kill('SIGKILL')
  assert.equal((await child.ended).signal, 'SIGKILL')
  const seen = []
  const worker = new Worker(queue, ({ id, deliveries, retryCount }) => void seen.push([id, deliveries, retryCount]), { sweepEvery: 100 })
  await worker.start()
  await until(() => seen.length > 0)
  await worker.stop()
  assert.deepEqual(seen, [['a', 2, 0]])
})

test('leases are renewed while the event loop stands still', async () => {
  const queue = server.client.queue('block', { lease: 600 })
  await queue.enqueue('x', { id: 'a' })
  const child = run('block', 'block')
  await child.saw('running')
  await until(async () => (await queue.get('a')).state === 'processing')
  const here = []
  const worker = new Worker(queue, (job) => void here.push(job.id), { sweepEvery: 50 })
  await worker.start()
  await child.saw('done a')
  await worker.stop()
  child.process.kill('SIGTERM')
  assert.deepEqual(await child.ended, clean)
  assert.deepEqual(here, [], 'it ran once, over there')
  const { acked, delivered, expired } = (await queue.stats()).counters
  assert.deepEqual({ acked, delivered, expired }, { acked: 1, delivered: 1, expired: 0 })
})

const thread = (topic, options) =>
  new Thread(new URL('fixtures/worker-thread.cjs', import.meta.url), { workerData: { url: server.url, topic, options } })

test('a thread that is terminated takes nothing more', async () => {
  const queue = server.client.queue('terminated', { doneTtl: 0 })
  for (let n = 0; n < 5; n++) {
    const idle = thread('terminated')
    assert.deepEqual(await once(idle, 'message'), ['started'])
    assert.equal(await idle.terminate(), 1)
  }
  // One may have been about to take it when its thread ended: then it was handed back.
  await until(async () => {
    await queue.enqueue('x', { id: 'a' })
    const [job] = await queue.pop(1, { wait: 20_000 })
    await queue.ack(job)
    return job.deliveries === 1
  })
})

test('what a handler of a terminated thread had comes back when its lease ends, which counts', async () => {
  const queue = server.client.queue('held', { lease: 60_000, maxDeliveries: 1 })
  await queue.enqueueMany(Array.from({ length: 20 }, (_, n) => ({ payload: 'x', id: `${n}` })))
  const busy = thread('held', { lease: 700, concurrency: 2, fetchAhead: 5 })
  const had = [(await once(busy, 'message'))[0], (await once(busy, 'message'))[0]]
  assert.equal(await busy.terminate(), 1)
  await until(async () => (await queue.stats()).processing === had.length) // what waited is handed back at once
  await until(async () => {
    await queue.requeue()
    return (await queue.stats()).dead === had.length
  })
  const dead = await queue.list('dead')
  assert.deepEqual(dead.map(({ id }) => id).sort(), had.sort())
})

test('a dropped worker that was never started leaves nothing behind', async () => {
  const { ended } = run('never', 'never')
  assert.deepEqual(await ended, clean)
})
