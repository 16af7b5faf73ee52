// Compiled only: what must be accepted, and what must not.

import { Client, DelayqError, ERROR_KINDS, Job, Queue, VERBS, version } from 'delayq'
import type { Enqueued, ErrorKind, Lease, NewJob, Requeued, Verb } from 'delayq'

interface Order {
  orderId: number
}

const client: Client = await Client.open('redis://127.0.0.1', { prefix: 'p', timeout: 1000, password: undefined })
const queue: Queue = client.queue('orders', { lease: 30_000, doneTtl: 0, maxDeliveries: 3 })

const stored: Enqueued = await queue.enqueue({ orderId: 1 }, { id: 'a', at: new Date(), mode: 'keep' })
const due: Date | null = stored.dueAt
const dueMs: number | null = stored.dueAtMs
await queue.enqueue(Buffer.from('x'))
await queue.enqueue(new Uint8Array(3), { delay: 5 })
await queue.enqueue('text', { ignoreDone: true })
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
const swept: Requeued = await queue.requeue()
if ((await queue.cancel('a')) === 'processing') await client.close()

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
// @ts-expect-error there is no such code
console.log(new Error() instanceof DelayqError && new Error().code === 'DELAYQ_OOPS')
