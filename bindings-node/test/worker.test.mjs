// The worker inside one process: what handlers may say, concurrency, signals, events, and the stop.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'

import { delayq, until, withServer } from './support.mjs'

const { Dead, Fail, Leave, Release, Worker } = delayq
const server = withServer()
const HOUR = 3_600_000

/** A promise and what settles it. */
function gate() {
  let open
  const opened = new Promise((resolve) => (open = resolve))
  return { open, opened }
}

const acked = async (queue) => (await queue.stats()).counters.acked

test('a job is seen by its handler and acknowledged', async () => {
  const queue = server.client.queue('one')
  const seen = []
  const worker = new Worker(queue, async (job, context) => {
    assert.equal(await job.isMine(), true)
    seen.push([job.topic, job.id, job.json(), job.deliveries, job.retryCount, job.dueAt instanceof Date])
    assert.ok(job instanceof delayq.Job && context.signal instanceof AbortSignal && !context.signal.aborted)
  })
  assert.deepEqual(worker.health(), {
    connected: false, lastPopMs: null, running: 0, oldestRunningMs: null, waiting: 0, stopping: false,
  })
  await worker.start()
  await worker.start()
  await queue.enqueue({ n: 1 }, { id: 'a' })
  await until(async () => (await acked(queue)) === 1)
  assert.deepEqual(seen, [['one', 'a', { n: 1 }, 1, 0, true]])
  await worker.stop()
  await worker.stop()
  assert.equal(worker.health().stopping, true)
  await assert.rejects(worker.start(), { code: 'DELAYQ_CLOSED' })
})

test('every end of a delivery has its effect', async () => {
  const queue = server.client.queue('ends')
  const ends = {
    returns: () => 'anything',
    rejects: () => Promise.reject(new Error('broken')),
    throws: () => {
      throw new Error('thrown at once')
    },
    'throws-a-text': () => {
      throw 'just a text'
    },
    release: () => Release({ delay: 3 * HOUR }),
    'release-thrown': () => {
      throw Release({ delay: 3 * HOUR })
    },
    fail: () => Fail('busy', { delay: 2 * HOUR }),
    'fail-thrown': async () => {
      throw Fail(new Error('busy'))
    },
    dead: () => Dead('hopeless'),
    leave: () => Leave(),
    'bad-release': () => Release({ delay: NaN }),
    'bad-fail': () => Fail('busy', { delay: -1 }),
    'bad-option': () => Release({ dely: 5 }),
  }
  const worker = new Worker(queue, (job) => ends[job.id](), { concurrency: 3 })
  await queue.enqueueMany(Object.keys(ends).map((id) => ({ payload: 'x', id })))
  const before = Date.now()
  await worker.start()
  await until(async () => {
    const { backlog, dead, processing, counters } = await queue.stats()
    return backlog === 10 && dead === 1 && processing === 1 && counters.acked === 1
  })
  await worker.stop()
  const info = (id) => queue.get(id)
  const after = async (id) => Math.round(((await info(id)).dueAtMs - before) / HOUR)
  assert.equal((await info('returns')).state, 'done')
  for (const [id, text] of [
    ['rejects', /^broken$/],
    ['throws', /^thrown at once$/],
    ['throws-a-text', /^just a text$/],
    ['fail', /^busy$/],
    ['fail-thrown', /^busy$/],
    ['dead', /^hopeless$/],
    ['bad-release', /^delay is NaN; /],
    ['bad-fail', /^busy \(delay is negative; /],
    ['bad-option', /^there is no option "dely"/],
  ]) {
    const { lastError, retryCount } = await info(id)
    assert.match(lastError, text, id)
    assert.equal(retryCount, 1, id)
  }
  for (const id of ['release', 'release-thrown']) {
    assert.equal(await after(id), 3)
    assert.equal((await info(id)).retryCount, 0)
  }
  assert.equal(await after('fail'), 2)
  assert.equal(await after('fail-thrown'), 0)
  assert.equal((await info('dead')).state, 'dead')
  assert.equal((await info('leave')).state, 'processing')
})

test('no more handlers run at once than allowed, and all do', async () => {
  const queue = server.client.queue('concurrency')
  const { open, opened } = gate()
  let [running, most] = [0, 0]
  const worker = new Worker(queue, async () => {
    most = Math.max(most, ++running)
    await opened
    running--
  }, { concurrency: 3, fetchAhead: 2 })
  await queue.enqueueMany(Array.from({ length: 10 }, () => ({ payload: 'x' })))
  await worker.start()
  await until(() => running === 3 && worker.health().waiting === 2)
  const { running: busy, oldestRunningMs, lastPopMs, connected, stopping } = worker.health()
  assert.deepEqual({ busy, connected, stopping }, { busy: 3, connected: true, stopping: false })
  assert.ok(oldestRunningMs >= 0 && lastPopMs >= 0)
  assert.equal((await queue.stats()).processing, 5)
  open()
  await until(async () => (await acked(queue)) === 10)
  assert.equal(most, 3)
  await worker.stop()
})

test('2,000 jobs are run once each', async () => {
  const queue = server.client.queue('many')
  const ids = Array.from({ length: 2000 }, (_, n) => `${n}`.padStart(4, '0'))
  const seen = []
  const worker = new Worker(queue, async (job) => void seen.push(job.id))
  let done = 0
  worker.on('done', () => done++)
  await worker.start()
  await queue.enqueueMany(ids.map((id) => ({ payload: id, id })))
  await until(async () => (await acked(queue)) === 2000)
  await worker.stop()
  assert.deepEqual(seen.sort(), ids)
  assert.equal(done, 2000, 'all events were told before the stop ended')
})

test('one worker serves several topics', async () => {
  const topics = ['several-a', 'several-b', 'several-c']
  const queues = topics.map((topic) => server.client.queue(topic))
  const seen = []
  const worker = new Worker(queues.map((queue, n) => [queue, (job) => void seen.push(`${n} ${job.topic} ${job.id}`)]), { concurrency: 2 })
  await worker.start()
  for (const queue of queues) await queue.enqueue('x', { id: queue.topic })
  await until(() => seen.length === 3)
  await worker.stop()
  assert.deepEqual(seen.sort(), topics.map((topic, n) => `${n} ${topic} ${topic}`))
})

test('a cancelled job aborts its signal, and its end does not count', async () => {
  const queue = server.client.queue('cancelled', { lease: 300 })
  const begun = gate()
  const ended = gate()
  const worker = new Worker(queue, async (job, { signal }) => {
    begun.open()
    await once(signal, 'abort')
    ended.open({ reason: signal.reason, mine: await job.isMine() })
  })
  const lost = []
  worker.on('leaseLost', (event) => lost.push(event))
  worker.on('done', () => assert.fail('it does not count'))
  await worker.start()
  await queue.enqueue('x', { id: 'a' })
  await begun.opened
  assert.equal(await queue.cancel('a'), 'processing')
  const { reason, mine } = await ended.opened
  assert.ok(reason instanceof delayq.DelayqError)
  assert.deepEqual([reason.kind, reason.topic, reason.id, mine], ['lease_lost', 'cancelled', 'a', false])
  await worker.stop()
  assert.deepEqual(lost[0], { topic: 'cancelled', id: 'a' })
  assert.equal(await acked(queue), 0)
})

test('a signal that is asked for late is aborted already', async () => {
  const queue = server.client.queue('late', { lease: 300 })
  const [begun, lost, ended] = [gate(), gate(), gate()]
  const worker = new Worker(queue, async (_, context) => {
    begun.open()
    await lost.opened
    ended.open(context.signal)
  })
  worker.on('leaseLost', lost.open)
  await worker.start()
  await queue.enqueue('x', { id: 'a' })
  await begun.opened
  await queue.cancel('a')
  const signal = await ended.opened
  assert.equal(signal.aborted, true)
  assert.equal(signal.reason.kind, 'lease_lost')
  await worker.stop()
})

test('a job may take longer than its lease while others sweep', async () => {
  const queue = server.client.queue('long', { lease: 200 })
  let runs = 0
  const { open, opened } = gate()
  const handler = async () => {
    runs++
    await opened
  }
  const workers = [1, 2].map(() => new Worker(queue, handler, { sweepEvery: 50 }))
  await Promise.all(workers.map((worker) => worker.start()))
  const { dueAtMs } = await queue.enqueue('x', { id: 'a' })
  await until(async () => (await queue.get('a')).leaseUntilMs > dueAtMs + 800) // renewed several times
  open()
  await until(async () => (await acked(queue)) === 1)
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.equal(runs, 1)
  assert.equal((await queue.stats()).counters.expired, 0)
})

test('a stop lets handlers finish and hands back what waits', async () => {
  const queue = server.client.queue('stop')
  const { open, opened } = gate()
  let begun = 0
  const worker = new Worker(queue, async () => {
    begun++
    await opened
  }, { concurrency: 2, fetchAhead: 3 })
  await queue.enqueueMany(Array.from({ length: 9 }, () => ({ payload: 'x' })))
  await worker.start()
  await until(() => begun === 2 && worker.health().waiting === 3)
  const stopped = Promise.all([worker.stop({ deadline: 20_000 }), worker.stop()])
  await until(async () => (await queue.stats()).processing === 2)
  open()
  await stopped
  const { processing, backlog, counters } = await queue.stats()
  assert.deepEqual([begun, processing, backlog, counters.acked, counters.retried], [2, 0, 7, 2, 0])
})

test('a handler may hand its job back when the worker begins to stop', async () => {
  const queue = server.client.queue('handback')
  const begun = gate()
  const worker = new Worker(queue, async (job, { signal, stopping }) => {
    assert.equal(stopping.aborted, false)
    begun.open()
    await once(stopping, 'abort')
    assert.deepEqual([signal.aborted, stopping.reason.kind], [false, 'closed'])
    return Release({ delay: HOUR })
  })
  await worker.start()
  await queue.enqueue('x', { id: 'a' })
  await begun.opened
  await worker.stop({ deadline: 1_000_000 })
  const { state, retryCount } = await queue.get('a')
  assert.deepEqual([state, retryCount], ['scheduled', 0])
})

test('past its deadline a stop hands back the rest without a failure, and aborts', async () => {
  const queue = server.client.queue('deadline')
  const begun = gate()
  const ended = gate()
  const worker = new Worker(queue, async (job, { signal }) => {
    begun.open()
    await once(signal, 'abort')
    ended.open(job.id)
    throw new Error('it does not count')
  }, { stopDeadline: 50 })
  const released = []
  worker.on('released', (event) => released.push(event))
  await worker.start()
  await queue.enqueue('x', { id: 'a' })
  await begun.opened
  await worker.stop()
  assert.equal(await ended.opened, 'a')
  assert.deepEqual(released, [{ topic: 'deadline', id: 'a' }])
  const { state, retryCount, lastError } = await queue.get('a')
  assert.deepEqual([state, retryCount, lastError], ['scheduled', 0, null])
})

test('a stop works while Redis is down, and before a start', async () => {
  const client = await delayq.Client.open('redis://127.0.0.1:1', { retryFor: 0 })
  const worker = new Worker(client.queue('down'), () => {})
  const lost = once(worker, 'lost')
  await worker.start()
  const [{ topic, error }] = await lost
  assert.equal(topic, 'down')
  assert.ok(error instanceof delayq.DelayqError)
  assert.equal(error.kind, 'unavailable')
  assert.equal(worker.health().connected, false)
  await worker.stop()
  await new Worker(client.queue('down'), () => {}).stop()
})

test('events tell what happens', async () => {
  const queue = server.client.queue('events')
  const worker = new Worker(queue, (job) => (job.id === 'good' ? undefined : job.id === 'back' ? Release({ delay: HOUR }) : Dead('bad')))
  const told = []
  for (const name of ['started', 'done', 'failed', 'released']) worker.on(name, (event) => told.push([name, event]))
  await worker.start()
  await queue.enqueueMany(['good', 'bad', 'back'].map((id) => ({ payload: 'x', id })))
  await until(() => told.length === 6)
  await worker.stop()
  const topic = 'events'
  const of = (id) => told.filter(([, event]) => event.id === id)
  const started = (id) => ['started', { topic, id, deliveries: 1 }]
  const [{ tookMs }] = of('good').slice(1).map(([, event]) => event)
  assert.ok(Number.isInteger(tookMs) && tookMs >= 0)
  assert.deepEqual(of('good'), [started('good'), ['done', { topic, id: 'good', tookMs }]])
  assert.deepEqual(of('bad'), [started('bad'), ['failed', { topic, id: 'bad', outcome: 'dead', error: 'bad' }]])
  assert.deepEqual(of('back'), [started('back'), ['released', { topic, id: 'back' }]])
})

test('a listener that throws or rejects is reported, and the worker goes on', async () => {
  const queue = server.client.queue('listeners')
  const worker = new Worker(queue, () => {})
  const warnings = []
  const onWarning = (warning) => warnings.push(warning.message)
  process.on('warning', onWarning)
  worker.on('started', () => {
    throw new Error('from started')
  })
  worker.on('done', async () => {
    throw new Error('from done')
  })
  await worker.start()
  await queue.enqueue('x')
  await until(() => warnings.length === 2)
  assert.deepEqual(warnings.sort(), ['from done', 'from started'])
  const errors = []
  worker.on('error', (error) => {
    errors.push(error.message)
    if (errors.length === 1) throw new Error('from error')
  })
  await queue.enqueue('x')
  await until(async () => errors.length === 2 && warnings.length === 3)
  assert.deepEqual(errors.sort(), ['from done', 'from started'])
  assert.equal(warnings[2], 'from error')
  process.off('warning', onWarning)
  worker.removeAllListeners()
  const done = once(worker, 'done')
  await queue.enqueue('x', { id: 'third' })
  assert.equal((await done)[0].id, 'third', 'a listener that comes later is heard')
  await worker.stop()
})

test('what cannot be right is refused', async () => {
  const queue = server.client.queue('refused')
  const nothing = { code: 'DELAYQ_INVALID_ARGUMENT' }
  const handler = () => {}
  for (const make of [
    () => new Worker(),
    () => new Worker('topic', handler),
    () => new Worker(queue),
    () => new Worker(queue, 'handler'),
    () => new Worker([queue, handler]),
    () => new Worker([[queue]]),
    () => new Worker(queue, handler, { concurrency: '8' }),
    () => new Worker(queue, handler, { concurency: 8 }),
    () => new Worker([[queue, handler]], 8),
    () => Release({ delay: '5' }),
    () => Fail('x', 5),
  ]) {
    assert.throws(make, nothing, `${make}`)
  }
  for (const options of [
    { concurrency: 0 }, { concurrency: 1.5 }, { concurrency: -1 }, { concurrency: NaN }, { concurrency: Infinity },
    { fetchAhead: -1 }, { sweepEvery: 0 }, { sweepEvery: NaN },
  ]) {
    await assert.rejects(new Worker(queue, handler, options).start(), nothing, JSON.stringify(options))
  }
  await assert.rejects(new Worker([]).start(), nothing)
  await assert.rejects(new Worker([[queue, handler], [queue, handler]]).start(), nothing)
  const worker = new Worker(queue, handler)
  await worker.start()
  await assert.rejects(worker.stop({ deadline: NaN }), nothing)
  await assert.rejects(worker.stop({ deadline: 'soon' }), nothing)
  await worker.stop({ deadline: 0 })
})
