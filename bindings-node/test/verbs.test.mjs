// The verbs on leased jobs, the views and the numbers, as far as they are JavaScript's.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import vm from 'node:vm'

import { delayq, nothing, refused, until, withServer } from './support.mjs'

const { Job, JobInfo, RetryPolicy } = delayq
const server = withServer()
const lost = (topic, id = 'lost') => ({ topic, id, receipt: 'none' })

/** Jobs of these ids, leased. */
async function leased(queue, ...ids) {
  await queue.enqueueMany(ids.map((id) => ({ payload: id, id, at: new Date(0) })))
  const jobs = await queue.pop(ids.length)
  assert.deepEqual(jobs.map((job) => job.id), ids.toSorted())
  return jobs
}

test('policies are plain frozen objects, and literals are as good', async () => {
  const made = RetryPolicy.exponential({ base: 5, factor: 3, cap: 100, jitter: 0.5, maxRetries: 7 })
  assert.deepEqual(made, { kind: 'exponential', base: 5, factor: 3, cap: 100, jitter: 0.5, maxRetries: 7 })
  assert.deepEqual(RetryPolicy.exponential(), { kind: 'exponential' })
  assert.deepEqual(RetryPolicy.linear({ step: 5 }), { kind: 'linear', step: 5 })
  const fixed = RetryPolicy.fixed({ delay: 5000, maxRetries: 1 })
  for (const frozen of [RetryPolicy, made, fixed]) {
    assert.ok(Object.isFrozen(frozen))
    assert.throws(() => (frozen.kind = 'linear'), TypeError)
  }

  for (const [name, policy] of Object.entries({ made: fixed, literal: { kind: 'fixed', delay: 5000, maxRetries: 1 } })) {
    const queue = server.client.queue(`policy-${name}`, { retryPolicy: policy })
    await queue.enqueue('x', { id: 'own', retryPolicy: { kind: 'linear', step: 70_000 } })
    await queue.enqueue('x', { id: 'its' })
    const waits = {}
    for (const job of await queue.pop(2)) {
      const { outcome, dueAtMs } = await queue.retry(job)
      assert.equal(outcome, 'scheduled')
      const info = await queue.get(job.id)
      assert.equal(info.dueAtMs, dueAtMs)
      waits[job.id] = dueAtMs - job.leaseUntilMs + 30_000 // from the pop
    }
    assert.ok(waits.its >= 5000 && waits.its < 65_000, JSON.stringify(waits))
    assert.ok(waits.own >= 70_000 && waits.own < 130_000, JSON.stringify(waits))
  }
})

test('policies that are none are refused, wherever they are given', async () => {
  const queue = server.client.queue('no-policy')
  const bad = [
    null, 5, 'exponential', [], {}, { kind: 5 }, { kind: 'cubic' }, { kind: 'toString' }, { base: 5 },
    { kind: 'linear' }, { kind: 'fixed' }, { kind: 'fixed', step: 5 }, { kind: 'linear', step: '5' },
    { kind: 'exponential', base: NaN }, { kind: 'exponential', base: -1 }, { kind: 'exponential', factor: 0.5 },
    { kind: 'fixed', delay: Infinity }, { kind: 'fixed', delay: 5, cap: -1 }, { kind: 'fixed', delay: 5, jitter: 1.5 },
    { kind: 'fixed', delay: 5, jitter: NaN }, { kind: 'fixed', delay: 5, maxRetries: 1.5 },
    { kind: 'fixed', delay: 5, maxRetries: -1 }, { kind: 'fixed', delay: 5, maxRetries: 2 ** 40 },
  ]
  for (const retryPolicy of bad) {
    const say = JSON.stringify(retryPolicy)
    await refused(() => queue.enqueue('x', { id: 'a', retryPolicy }), { verb: 'enqueue', topic: 'no-policy', id: 'a' })
    await refused(() => queue.enqueueMany([{ payload: 'x', id: 'a', retryPolicy }]), { verb: 'enqueue_many', id: 'a' })
    assert.throws(() => server.client.queue('t', { retryPolicy }), { ...nothing, topic: 't' }, say)
  }
  for (const wrong of [null, 5, { base: '5' }, { step: 5 }]) assert.throws(() => RetryPolicy.exponential(wrong), nothing)
  assert.deepEqual(await queue.list('scheduled'), [], 'nothing was stored')
})

test('an error of any kind becomes the last error', async () => {
  const queue = server.client.queue('errors', { retryPolicy: RetryPolicy.fixed({ delay: 60_000 }) })
  const nameless = Object.assign(new Error(), { name: 'Nameless' })
  const cases = [
    ['a text', 'a text'],
    ['', ''],
    [undefined, ''],
    [new TypeError('boom'), 'boom'],
    [nameless, 'Nameless'],
    [vm.runInNewContext("new RangeError('elsewhere')"), 'elsewhere'],
    [null, 'null'],
    [{ toString: () => 'my own' }, 'my own'],
    [Object.create(null), 'what was thrown has no text'],
    [Object.defineProperty(new Error(), 'message', { get: () => assert.fail() }), 'what was thrown has no text'],
    [Symbol('s'), 'Symbol(s)'],
    [0, '0'],
    [12n, '12'],
    ['half \ud800 a pair', 'half \ufffd a pair'],
    ['nul \0, €, 🎉', 'nul \0, €, 🎉'],
    ['€'.repeat(5000), '€'.repeat(1365)],
  ]
  for (const many of [false, true]) {
    const jobs = await leased(queue, ...cases.map((_, n) => `${many} ${String(n).padStart(2, '0')}`))
    const results = many
      ? await queue.retryMany(cases.map(([error], n) => ({ job: jobs[n], error })))
      : await Promise.all(cases.map(([error], n) => queue.retry(jobs[n], { error })))
    assert.ok(results.every(({ outcome, retryCount }) => outcome === 'scheduled' && retryCount === 1))
    const infos = await Promise.all(jobs.map((job) => queue.get(job.id)))
    assert.deepEqual(infos.map((info) => info.lastError ?? ''), cases.map(([, text]) => text))
  }
})

test('many jobs give one result each, in order, a lost lease among them', async () => {
  const queue = server.client.queue('many', { retryPolicy: RetryPolicy.fixed({ delay: 60_000 }) })
  const [a, b, c, d, e, f] = await leased(queue, 'a', 'b', 'c', 'd', 'e', 'f')
  const { topic, id, receipt } = b
  assert.deepEqual(await queue.ackMany([a, lost('many'), { topic, id, receipt }, a]), ['acked', 'lease_lost', 'acked', 'already'])

  const retried = await queue.retryMany([c, { job: d, error: 'x', delay: 90_000 }, lost('many'), { job: a }])
  assert.deepEqual(retried.map(({ outcome }) => outcome), ['scheduled', 'scheduled', 'lease_lost', 'done'])
  assert.ok(retried[1].dueAtMs - retried[0].dueAtMs >= 20_000, 'its own delay')
  assert.deepEqual(retried[2], { outcome: 'lease_lost', dueAt: null, dueAtMs: null, retryCount: 0 })

  const extended = await queue.extendMany([e, lost('many'), f], { lease: 90_000 })
  assert.deepEqual(extended[1], { outcome: 'lease_lost', leaseUntil: null, leaseUntilMs: null })
  for (const { outcome, leaseUntil, leaseUntilMs } of [extended[0], extended[2]]) {
    assert.deepEqual([outcome, leaseUntil.getTime()], ['extended', leaseUntilMs])
    assert.ok(leaseUntilMs - e.leaseUntilMs >= 60_000)
  }
  const released = await queue.releaseMany([e, lost('many'), a], { delay: 50_000 })
  assert.deepEqual(released.map(({ outcome }) => outcome), ['released', 'lease_lost', 'done'])
  assert.equal(released[0].dueAt.getTime(), released[0].dueAtMs)
  assert.deepEqual(released[1], { outcome: 'lease_lost', dueAt: null, dueAtMs: null })
  assert.deepEqual(await queue.release(f), await queue.get('f').then(({ dueAt, dueAtMs }) => ({ outcome: 'released', dueAt, dueAtMs })))
  for (const verb of ['ackMany', 'retryMany', 'releaseMany', 'extendMany']) assert.deepEqual(await queue[verb]([]), [])
})

test('a single lost lease rejects, and nobody else\'s job is touched', async () => {
  const queue = server.client.queue('single')
  const [job] = await leased(queue, 'a')
  for (const verb of ['ack', 'retry', 'release', 'extend']) {
    const stale = { ...lost('single', 'a') }
    const error = await queue[verb](stale).then(() => assert.fail(verb), (thrown) => thrown)
    const { code, kind, topic, id, retryable } = error
    assert.deepEqual([code, kind, topic, id, retryable, error.verb], ['DELAYQ_LEASE_LOST', 'lease_lost', 'single', 'a', false, verb])
    await refused(() => queue[verb](lost('another', 'a')), { verb, topic: 'single', id: 'a' })
  }
  assert.equal((await queue.extend(job)).outcome, 'extended')
})

test('a job that is no lease is refused, with its place', async () => {
  const queue = server.client.queue('no-lease')
  const bad = [undefined, null, 5, 'a', [], {}, { topic: 'no-lease', id: 'a' }, { ...lost('no-lease', 'a'), receipt: 5 }]
  for (const wrong of bad) {
    const id = wrong?.id ?? null
    for (const verb of ['ack', 'retry', 'release', 'extend']) {
      await refused(() => queue[verb](wrong), { verb, id })
      const many = `${verb}_many`
      const error = await refused(() => queue[`${verb}Many`]([lost('no-lease'), wrong]), { verb: many, id })
      assert.match(error.message, /^jobs\[1\]: /)
      if (!Array.isArray(wrong)) await refused(() => queue[`${verb}Many`](wrong), { verb: many })
    }
    await refused(() => queue.retryMany([{ job: wrong, error: 'x' }]), { verb: 'retry_many', id })
  }
  await refused(() => queue.retryMany([{ job: lost('no-lease'), eror: 'x' }]), { verb: 'retry_many', id: 'lost' })
  await refused(() => queue.ackMany([, lost('no-lease')]), { verb: 'ack_many' })
})

test('wrong numbers and options are refused', async () => {
  const queue = server.client.queue('numbers')
  const [job] = await leased(queue, 'a')
  for (const wrong of [null, '5', true, {}, 1n, NaN, Infinity, -Infinity, -1]) {
    await refused(() => queue.retry(job, { delay: wrong }), { verb: 'retry', id: 'a' })
    await refused(() => queue.retryMany([{ job, delay: wrong }]), { verb: 'retry_many', id: 'a' })
    await refused(() => queue.release(job, { delay: wrong }), { verb: 'release', id: 'a' })
    await refused(() => queue.releaseMany([job], { delay: wrong }), { verb: 'release_many' })
    await refused(() => queue.extend(job, { lease: wrong }), { verb: 'extend', id: 'a' })
    await refused(() => queue.extendMany([job], { lease: wrong }), { verb: 'extend_many' })
    await refused(() => queue.redrive({ delay: wrong }), { verb: 'redrive' })
    await refused(() => queue.stats({ overdue: wrong }), { verb: 'stats' })
    await refused(() => queue.limit(1, { burst: wrong }), { verb: 'limit' })
    await refused(() => queue.list('dead', { offset: wrong }), { verb: 'list' })
    if (wrong !== null) await refused(() => queue.limit(wrong), { verb: 'limit', topic: 'numbers' })
  }
  for (const limit of [null, '5', NaN, -1, 0, 1.5, 2 ** 60]) {
    await refused(() => queue.list('dead', { limit }), { verb: 'list' })
    await refused(() => queue.redrive({ limit }), { verb: 'redrive' })
    await refused(() => queue.purge('dead', { limit }), { verb: 'purge' })
    if (limit !== 2 ** 60) await refused(() => queue.repair({ limit }), { verb: 'repair' })
  }
  for (const state of [undefined, null, 5, '', 'Dead', 'done', '\ud800']) {
    await refused(() => queue.list(state), { verb: 'list' })
    await refused(() => queue.purge(state), { verb: 'purge' })
  }
  for (const id of [undefined, null, 5, '', '\ud800', 'x'.repeat(513)]) {
    await refused(() => queue.get(id), { verb: 'get', topic: 'numbers', id: typeof id === 'string' ? id : null })
    await refused(() => queue.redrive({ ids: ['a', id] }), { verb: 'redrive' })
  }
  for (const ids of [null, 'a', 5, {}]) await refused(() => queue.redrive({ ids }), { verb: 'redrive' })
  await refused(() => queue.redrive({ ids: ['a'], limit: 5 }), { verb: 'redrive' })
  await refused(() => queue.extend(job, { lease: 0 }), { verb: 'extend', id: 'a' })
  await refused(() => queue.limit(undefined), { verb: 'limit' })
  await refused(() => queue.limit(0), { verb: 'limit' })
  await refused(() => queue.limit(null, { burst: 5 }), { verb: 'limit' })
  const optioned = {
    retry: [job], release: [job], releaseMany: [[job]], extend: [job], extendMany: [[job]], list: ['dead'],
    redrive: [], purge: ['dead'], repair: [], stats: [], limit: [5],
  }
  for (const [method, args] of Object.entries(optioned)) {
    const error = await refused(() => queue[method](...args, { dealy: 5 }), {})
    assert.match(error.message, /"dealy"/, method)
    for (const wrong of [null, 5, 'x', [], true]) await refused(() => queue[method](...args, wrong), {})
  }
  assert.equal(await queue.ack(job), 'acked', 'through all of that it was still ours')
})

test('get and list show a job with dates and exact twins', async () => {
  const queue = server.client.queue('views', { retryPolicy: RetryPolicy.fixed({ delay: 0, maxRetries: 0 }) })
  const at = new Date('9999-12-31T23:59:59.999Z')
  await queue.enqueue({ n: 1 }, { id: 'later', at })
  const later = await queue.get('later')
  assert.ok(later instanceof JobInfo && !(later instanceof Job))
  assert.deepEqual([later.topic, later.state, later.dueAtMs, later.dueAt], ['views', 'scheduled', +at, at])
  assert.deepEqual(later.json(), { n: 1 })
  const never = { pickedAt: null, leaseUntil: null, diedAt: null, orphanedAt: null, retryCount: 0, deliveries: 0, lastError: null }
  for (const [name, value] of Object.entries(never)) assert.equal(later[name], value, name)

  const [job] = await leased(queue, 'now')
  const running = await queue.get('now')
  assert.deepEqual([running.state, running.leaseUntilMs, running.deliveries], ['processing', job.leaseUntilMs, 1])
  assert.equal(running.pickedAtMs, job.leaseUntilMs - 30_000)
  assert.throws(() => running.json(), { ...nothing, id: 'now', topic: 'views' }, 'it is the text now')
  assert.equal((await queue.retry(job, { error: 'no more' })).outcome, 'dead')
  const [dead] = await queue.list('dead')
  assert.deepEqual([dead.id, dead.state, dead.lastError, dead.retryCount], ['now', 'dead', 'no more', 1])
  for (const info of [later, running, dead]) {
    for (const name of ['dueAt', 'createdAt', 'pickedAt', 'leaseUntil', 'diedAt', 'orphanedAt']) {
      assert.equal(info[name] === null ? null : info[name].getTime(), info[`${name}Ms`], name)
    }
  }
  assert.ok(dead.diedAtMs >= running.pickedAtMs)
  assert.deepEqual(await queue.redrive({ ids: ['now', 'later'] }), { redriven: 1, orphaned: 0, notDead: 1 })
  assert.deepEqual(await queue.redrive({ ids: [] }), { redriven: 0, orphaned: 0, notDead: 0 }, 'none, not the oldest')

  await queue.ack((await queue.pop())[0])
  const done = await queue.get('now')
  assert.deepEqual([done.state, done.payload], ['done', null])
  assert.throws(() => done.json(), { ...nothing, message: /no payload/, id: 'now', topic: 'views' })
  const error = await queue.get('nobody').catch((thrown) => thrown)
  assert.deepEqual([error.code, error.kind, error.verb, error.id], ['DELAYQ_NOT_FOUND', 'not_found', 'get', 'nobody'])

  await queue.enqueueMany(Array.from({ length: 120 }, (_, n) => ({ payload: '', id: `${1000 + n}`, delay: 1000 })))
  assert.equal((await queue.list('scheduled')).length, 100, 'by default')
  assert.deepEqual((await queue.list('scheduled', { offset: 119, limit: 5 })).map(({ id }) => id), ['1119', 'later'])
  assert.deepEqual(await queue.purge('scheduled', { limit: 21 }), { purged: 21, remaining: 100 })
  assert.deepEqual(await queue.repair(), { checked: 100 + 100, rescheduled: 0, orphaned: 0, removed: 0 })
})

test('stats are numbers that can be written as JSON, with quantiles', async () => {
  const queue = server.client.queue('stats')
  const empty = await queue.stats()
  assert.deepEqual(Object.values(empty.counters), Object.keys(empty.counters).map(() => 0))
  assert.deepEqual(JSON.parse(JSON.stringify(empty.lateness)), { count: 0, p50Ms: null, p95Ms: null, p99Ms: null, buckets: [] })
  assert.equal(empty.lateness.quantile(0.5), null)
  assert.deepEqual([empty.rate, empty.burst, empty.paused], [null, null, false])

  await queue.ackMany(await leased(queue, 'a', 'b', 'c'))
  await queue.enqueue('x', { delay: 1 })
  const { lateness, processingTime, ...numbers } = await until(async () => {
    const seen = await queue.stats({ overdue: 0 })
    return seen.overdue === 1 && seen
  })
  assert.deepEqual([numbers.backlog, numbers.due, numbers.processing], [1, 1, 0])
  assert.ok(numbers.oldestDueMs >= 1)
  assert.deepEqual([numbers.counters.enqueued, numbers.counters.delivered, numbers.counters.acked], [4, 3, 3])
  assert.deepEqual([lateness.count, processingTime.count], [3, 3])
  assert.equal(processingTime.buckets.reduce((sum, { count }) => sum + count, 0), 3)
  assert.equal(processingTime.quantile(1), processingTime.buckets.at(-1).upToMs)
  assert.equal(processingTime.quantile(0.5), processingTime.p50Ms)
  for (const wrong of [undefined, null, '0.5', {}]) assert.throws(() => lateness.quantile(wrong), nothing)
  assert.equal((await queue.stats()).overdue, 0, 'not for 30 s')
})

test('pause and limit bind the consumers', async () => {
  const queue = server.client.queue('brakes')
  await queue.enqueueMany(Array.from({ length: 20 }, () => ({ payload: '' })))
  assert.equal(await queue.pause(), undefined)
  assert.deepEqual([await queue.pop(), (await queue.stats()).paused], [[], true])
  assert.equal(await queue.resume(), undefined)
  assert.equal(await queue.limit(0.001, { burst: 2 }), undefined)
  assert.equal((await queue.pop(20)).length, 2)
  const { rate, burst } = await queue.stats()
  assert.deepEqual([rate, burst], [0.001, 2])
  assert.equal(await queue.limit(null), undefined)
  assert.equal((await queue.pop(20)).length, 18)
})
