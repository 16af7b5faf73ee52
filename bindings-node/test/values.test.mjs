// Values in and out, as far as they are JavaScript's; the rest is in tests/scenarios.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import vm from 'node:vm'

import { delayq, nothing, refused, withServer } from './support.mjs'

const { Client, DelayqError } = delayq
const server = withServer()

test('bytes, strings and values come back', async () => {
  const queue = server.client.queue('payloads')
  const all = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
  const array = new Uint8Array(all.buffer, all.byteOffset + 10, 5)
  const circular = vm.runInNewContext('[1, { a: [true, null] }]')
  const cases = [
    [all, all],
    [array, Buffer.from([10, 11, 12, 13, 14])],
    [Buffer.alloc(0), Buffer.alloc(0)],
    ['', Buffer.alloc(0)],
    ['gr\u00fc\u00df 🎉\0', Buffer.from('gr\u00fc\u00df 🎉\0')],
    [{ a: [1, 'x', null] }, Buffer.from('{"a":[1,"x",null]}')],
    [circular, Buffer.from('[1,{"a":[true,null]}]')],
    [null, Buffer.from('null')],
    [false, Buffer.from('false')],
    [12.5, Buffer.from('12.5')],
    [new Date(0), Buffer.from('"1970-01-01T00:00:00.000Z"')],
  ]
  await queue.enqueueMany(cases.map(([payload], n) => ({ payload, id: String(n).padStart(2, '0'), at: new Date(0) })))
  const jobs = await queue.pop(100)
  assert.deepEqual(jobs.map((job) => job.payload), cases.map(([, bytes]) => bytes))
  assert.deepEqual(jobs[5].json(), { a: [1, 'x', null] })
  assert.throws(() => jobs[0].json(), { ...nothing, id: '00', topic: 'payloads' })
})

test('bytes are copied before the call returns', async () => {
  const queue = server.client.queue('copied')
  const bytes = Buffer.from('before')
  const stored = queue.enqueue(bytes)
  bytes.write('after!')
  await stored
  assert.equal((await queue.pop())[0].payload.toString(), 'before')
})

test('the same buffer may be given twice', async () => {
  const queue = server.client.queue('twice')
  const bytes = Buffer.from('x')
  assert.equal((await queue.enqueueMany([{ payload: bytes }, { payload: bytes }])).length, 2)
})

test('times are dates with exact twins', async () => {
  const queue = server.client.queue('times', { lease: 1234 })
  const at = vm.runInNewContext("new Date('9999-12-31T23:59:59.999Z')")
  const stored = await queue.enqueue('x', { id: 'late', at })
  assert.deepEqual(stored, { id: 'late', dueAt: new Date(+at), dueAtMs: +at, outcome: 'created' })
  const now = await queue.enqueue('x', { id: 'past', at: new Date(-5) })
  const [job] = await queue.pop()
  assert.equal(job.dueAtMs, now.dueAtMs)
  assert.equal(job.leaseUntilMs - job.createdAtMs >= 1234, true)
  for (const name of ['dueAt', 'createdAt', 'leaseUntil']) {
    assert.ok(job[name] instanceof Date)
    assert.equal(job[name].getTime(), job[`${name}Ms`])
  }
  const none = await queue.enqueue('x', { id: 'none', mode: 'reschedule' })
  assert.deepEqual(none, { id: 'none', dueAt: null, dueAtMs: null, outcome: 'missing' })
})

test('payloads without a stored form are refused', async () => {
  const queue = server.client.queue('refused')
  const cycle = {}
  cycle.self = cycle
  const bad = [undefined, () => 1, Symbol('s'), 1n, { n: 1n }, cycle, '\ud800', 'a\udc00b']
  const binary = [new ArrayBuffer(1), new SharedArrayBuffer(1), new Uint16Array(1), new DataView(new ArrayBuffer(1))]
  for (const payload of [...bad, ...binary]) {
    await refused(() => queue.enqueue(payload, { id: 'a' }), { verb: 'enqueue', topic: 'refused', id: 'a' })
    const error = await refused(() => queue.enqueueMany([{ payload: 'fine' }, { payload, id: 'b' }]), { verb: 'enqueue_many', id: 'b' })
    assert.match(error.message, /^jobs\[1\]: /)
  }
  assert.deepEqual(await queue.pop(10), [], 'nothing was stored')
})

test('wrong types and values are refused, always by a rejection', async () => {
  const queue = server.client.queue('wrong')
  for (const wrong of [null, 5, true, {}, [], Symbol('s'), 1n, '\ud800']) {
    await refused(() => Client.open(wrong), { verb: null })
    await refused(() => queue.cancel(wrong), { verb: 'cancel', topic: 'wrong' })
    await refused(() => queue.enqueue('x', { id: wrong }), { verb: 'enqueue' })
    await refused(() => queue.enqueue('x', { mode: wrong }), { verb: 'enqueue' })
    await refused(() => Client.open('redis://h', { password: wrong }), {})
    assert.throws(() => server.client.queue(wrong), nothing)
  }
  for (const wrong of [null, '5', true, {}, 1n, NaN, Infinity, -1]) {
    await refused(() => queue.enqueue('x', { delay: wrong, id: 'a' }), { verb: 'enqueue', id: 'a' })
    await refused(() => queue.pop(wrong), { verb: 'pop', topic: 'wrong' })
    await refused(() => queue.pop(1, { lease: wrong }), { verb: 'pop' })
    await refused(() => queue.pop(1, { wait: wrong }), { verb: 'pop' })
    await refused(() => queue.requeue(wrong), { verb: 'requeue' })
    await refused(() => Client.open('redis://h', { timeout: wrong }), {})
    for (const option of ['lease', 'doneTtl', 'jobTtl', 'maxPayload', 'maxDeliveries']) {
      assert.throws(() => server.client.queue('t', { [option]: wrong }), { ...nothing, topic: 't' }, option)
    }
  }
  for (const wrong of [0, 1.5, 1001, 2 ** 60]) {
    await refused(() => queue.pop(wrong), { verb: 'pop' })
    await refused(() => queue.requeue(wrong), { verb: 'requeue' })
  }
  for (const wrong of [null, 5, '2030-01-01', new Date(NaN), new Date(8.64e15)]) {
    await refused(() => queue.enqueue('x', { at: wrong }), { verb: 'enqueue' }).catch((error) => {
      if (wrong?.getTime?.() !== 8.64e15) throw error // that one is a valid Date, which the core refuses in its own words
    })
  }
  await refused(() => queue.enqueue('x', { delay: 1, at: new Date() }), { verb: 'enqueue' })
  await refused(() => queue.enqueue('x', { ignoreDone: 1 }), { verb: 'enqueue' })
  for (const wrong of [undefined, null, 'a', {}, 5]) {
    await refused(() => queue.ack(wrong), { verb: 'ack', topic: 'wrong' })
    await refused(() => queue.enqueueMany(wrong), { verb: 'enqueue_many', topic: 'wrong' })
    if (wrong !== undefined && typeof wrong !== 'string') await refused(() => queue.enqueueMany([wrong]), { verb: 'enqueue_many' })
  }
  await refused(() => queue.ack({ topic: 'wrong', id: 'a', receipt: 5 }), { verb: 'ack', id: 'a' })
  for (const wrong of [null, 5, {}, new AbortController()]) {
    await refused(() => queue.pop(1, { signal: wrong }), { verb: 'pop' })
  }
  assert.throws(() => new delayq.Client(), nothing)
  assert.throws(() => new delayq.Queue(), nothing)
})

test('options that are unknown or no object are refused everywhere', async () => {
  const { client } = server
  const queue = client.queue('options')
  const calls = {
    open: (options) => Client.open(server.url, options),
    queue: async (options) => client.queue('t', options),
    enqueue: (options) => queue.enqueue('x', options),
    enqueueMany: (options) => queue.enqueueMany([options?.constructor === Object ? { payload: 'x', ...options } : options]),
    pop: (options) => queue.pop(1, options),
  }
  for (const [name, call] of Object.entries(calls)) {
    const error = await refused(() => call({ dealy: 5 }), {})
    assert.match(error.message, /"dealy"/, name)
    for (const wrong of [null, 5, 'x', [], true]) await refused(() => call(wrong), {})
  }
})

test('an option that is undefined was not given', async () => {
  const client = await Client.open(server.url, { prefix: undefined, timeout: undefined })
  const queue = client.queue('undefined', { lease: undefined })
  await queue.enqueue('x', { id: undefined, delay: undefined, at: undefined, mode: undefined, ignoreDone: undefined })
  assert.equal((await queue.pop(undefined, { wait: undefined, lease: undefined, signal: undefined })).length, 1)
  assert.deepEqual(await queue.requeue(undefined), { requeued: 0, dead: 0, orphaned: 0 })
})

test('calls that hang do not hold up other clients, and each ends by its own timeout', async () => {
  const { createServer } = await import('node:net')
  const { once } = await import('node:events')
  const sockets = []
  const silent = createServer((socket) => sockets.push(socket)).listen(0)
  await once(silent, 'listening')
  const client = await Client.open(`redis://127.0.0.1:${silent.address().port}`, { connectTimeout: 1500, timeout: 1500, retryFor: 0 })
  const queue = client.queue('t')
  const started = performance.now()
  const hanging = Promise.allSettled(Array.from({ length: 40 }, (_, n) => queue.cancel(`job ${n}`)))
  await server.client.ping()
  assert.equal(await Promise.race([hanging, server.client.queue('t').cancel('x')]), 'missing')
  const errors = (await hanging).map(({ reason }) => reason)
  assert.ok(errors.every((error) => error instanceof DelayqError && error.retryable), String(errors[0]))
  assert.ok(performance.now() - started < 10 * 1500, 'one after another they would take forty times as long')
  sockets.forEach((socket) => socket.destroy())
  silent.close()
})
