// Compiled only: what must be accepted, and what must not.

import {
  Client, Dead, DelayqError, ERROR_KINDS, Fail, Job, JobInfo, Leave, Queue, Release, RetryPolicy, VERBS, Worker, version,
} from 'delayq'
import type {
  Enqueued, ErrorKind, Failure, Handler, Health, Lease, NewJob, Requeued, Retried, Stats, Verb, Verdict, WorkerEvent,
} from 'delayq'

interface Order {
  orderId: number
}

const client: Client = await Client.open('redis://127.0.0.1', { prefix: 'p', timeout: 1000, password: undefined })
const retryPolicy: RetryPolicy = RetryPolicy.exponential({ base: 1000, jitter: 0.1 })
const queue: Queue = client.queue('orders', { lease: 30_000, doneTtl: 0, maxDeliveries: 3, retryPolicy })
client.queue('orders', { retryPolicy: RetryPolicy.exponential() })
client.queue('orders', { retryPolicy: { kind: 'linear', step: 5, cap: 100 } })

const stored: Enqueued = await queue.enqueue({ orderId: 1 }, { id: 'a', at: new Date(), mode: 'keep' })
const due: Date | null = stored.dueAt
const dueMs: number | null = stored.dueAtMs
await queue.enqueue(Buffer.from('x'))
await queue.enqueue(new Uint8Array(3), { delay: 5 })
await queue.enqueue('text', { ignoreDone: true, retryPolicy: RetryPolicy.fixed({ delay: 5, maxRetries: 1 }) })
await queue.enqueue([1, null, { when: new Date() }])
const many: readonly NewJob[] = [{ payload: 'x' }, { payload: { a: 1 }, delay: 1 }]
const all: Enqueued[] = await queue.enqueueMany(many)

const jobs: Job[] = await queue.pop(10, { wait: 5, signal: AbortSignal.timeout(5) })
for (const job of jobs) {
  const order = job.json<Order>()
  const bytes: Buffer = job.payload
  const lease: Lease = { topic: job.topic, id: job.id, receipt: job.receipt }
  const outcome: 'acked' | 'already' = await queue.ack(lease)
  console.log(order.orderId, bytes, job.leaseUntil.getTime() - job.leaseUntilMs, outcome)
}
const acked: ('acked' | 'already' | 'lease_lost')[] = await queue.ackMany(jobs)
const [first] = jobs
if (first !== undefined) {
  const retried: Retried = await queue.retry(first, { error: new Error('boom'), delay: 5 })
  const fate: 'scheduled' | 'dead' | 'done' = retried.outcome
  const failure: Failure = { job: first, error: 'boom' }
  const fates: string[] = (await queue.retryMany([first, failure])).map((result) => result.outcome)
  const back: 'released' | 'done' = (await queue.release(first, { delay: 5 })).outcome
  const until: Date = (await queue.extend(first, { lease: 5 })).leaseUntil
  for (const lease of await queue.extendMany(jobs)) {
    const end: number | null = lease.outcome === 'lease_lost' ? lease.leaseUntilMs : lease.leaseUntil.getTime()
    console.log(end)
  }
  console.log(fate, fates, back, until, (await queue.releaseMany(jobs)).length)
}
const info: JobInfo = await queue.get('a')
const bytes: Buffer | null = info.payload
const dead: JobInfo[] = await queue.list('dead', { offset: 5, limit: 5 })
const { redriven, notDead } = await queue.redrive({ ids: dead.map(({ id }) => id), delay: 5 })
while ((await queue.purge('orphan')).remaining > 0) await queue.repair({ limit: 5 })
const stats: Stats = await queue.stats({ overdue: 5 })
const p99: number | null = stats.lateness.p99Ms ?? stats.processingTime.quantile(0.999)
const count: number = stats.counters.cancelled
await queue.pause()
await queue.resume()
await queue.limit(100, { burst: 5 })
await queue.limit(null)
console.log(acked, bytes, info.json<Order>().orderId, redriven, notDead, p99, count)
const swept: Requeued = await queue.requeue()
if ((await queue.cancel('a')) === 'processing') await client.close()

const worker = new Worker(queue, async (job, { signal, stopping }) => {
  const order = job.json<Order>()
  if (signal.aborted || stopping.aborted || !(await job.isMine())) return Leave()
  if (order.orderId === 1) return Release({ delay: 5 })
  if (order.orderId === 2) throw Fail(new Error('boom'), { delay: 5 })
  if (order.orderId === 3) return Dead('hopeless')
})
const handler: Handler = (job) => console.log(job.id)
const both = new Worker([[queue, handler], [client.queue('other'), () => {}]], { concurrency: 4, stopDeadline: 5 })
worker.on('done', ({ id, tookMs }) => console.log(id, tookMs.toFixed()))
worker.once('lost', ({ error }) => console.log(error.kind))
worker.on('error', (error) => console.log(error))
const event: WorkerEvent = 'leaseLost'
worker.off(event, () => {})
await both.start()
const health: Health = both.health()
const verdict: Verdict = Release()
await both.stop({ deadline: 5 })
await worker.run()
console.log(health.lastPopMs, health.running, verdict)

try {
  await client.ping()
} catch (error) {
  if (error instanceof DelayqError && error.code === 'DELAYQ_LEASE_LOST') {
    const kind: ErrorKind = error.kind
    const verb: Verb | null = error.verb
    console.log(kind, verb, error.retryable, error.topic, error.id)
  }
}
console.log(due, dueMs, all, swept, version, VERBS.length, ERROR_KINDS[0]?.summary, client.address, queue.topic)

// @ts-expect-error a client is opened, not made
new Client()
// @ts-expect-error undefined has no JSON form
await queue.enqueue(undefined)
// @ts-expect-error neither has a BigInt
await queue.enqueue({ n: 1n })
// @ts-expect-error nor a function
await queue.enqueue(() => 1)
// @ts-expect-error a delay is a number
await queue.enqueue('x', { delay: '5' })
// @ts-expect-error a time is a Date
await queue.enqueue('x', { at: 5 })
// @ts-expect-error there is no such mode
await queue.enqueue('x', { mode: 'first' })
// @ts-expect-error a typo
await queue.enqueue('x', { dely: 5 })
// @ts-expect-error a job has a payload
await queue.enqueueMany([{ id: 'a' }])
// @ts-expect-error an id alone is no proof of a lease
await queue.ack('a')
// @ts-expect-error a done job is in no index
await queue.list('done')
// @ts-expect-error nothing to burst from
await queue.limit(null, { burst: 5 })
// @ts-expect-error a linear policy has a step
RetryPolicy.linear({ cap: 5 })
// @ts-expect-error of which an exponential one knows nothing
client.queue('orders', { retryPolicy: { kind: 'exponential', step: 5 } })
// @ts-expect-error a made policy does not change
RetryPolicy.fixed({ delay: 5 }).delay = 6
// @ts-expect-error there is no such counter
console.log(stats.counters.oops)
// @ts-expect-error a lost lease of one job is an error, not an outcome
console.log((await queue.ack(jobs[0]!)) === 'lease_lost')
// @ts-expect-error there is no such code
console.log(new Error() instanceof DelayqError && new Error().code === 'DELAYQ_OOPS')
// @ts-expect-error a worker has a handler
new Worker(queue)
// @ts-expect-error a typo
new Worker(queue, handler, { concurency: 4 })
// @ts-expect-error a delay is a number
Release({ delay: '5' })
// @ts-expect-error there is no such field
worker.on('done', ({ took }) => console.log(took))
