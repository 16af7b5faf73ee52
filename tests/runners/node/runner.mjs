// The Node runner: does what it is told over the public API; its language is in `tests/README.md`.

import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

import { enqueued, extended, failure, info, popped, redriven, released, retried, stats } from './answers.mjs'
import { Request } from './request.mjs'
import { Work } from './work.mjs'

const require = createRequire(import.meta.url)
const { Client, ERROR_KINDS, RetryPolicy, VERBS, version } = require('../../../bindings-node')

let client
let queue
let queueOptions
let work
const kept = new Map()

const ops = {
  async open(r) {
    client = await Client.open(r.text('url'), {
      prefix: r.text('prefix'),
      username: r.text('username'),
      password: r.text('password'),
      connectTimeout: r.number('connect_timeout_ms'),
      timeout: r.number('timeout_ms'),
      retryFor: r.number('retry_for_ms'),
    })
  },
  queue(r) {
    queueOptions = {
      lease: r.number('lease_ms'),
      doneTtl: r.number('done_ttl_ms'),
      jobTtl: r.number('job_ttl_ms'),
      maxPayload: r.number('max_payload'),
      maxDeliveries: r.number('max_deliveries'),
      retryPolicy: policy(r),
    }
    queue = client.queue(r.text('topic'), queueOptions)
  },
  async enqueue(r) {
    const { payload, ...options } = newJob(r)
    return enqueued(await queue.enqueue(payload, options))
  },
  async enqueue_many(r) {
    return (await queue.enqueueMany(r.parts('job').map(newJob))).map(enqueued)
  },
  async pop(r) {
    const jobs = await queue.pop(r.number('max'), { lease: r.number('lease_ms'), wait: r.number('wait_ms') })
    kept.set(r.text('as') ?? 'jobs', jobs)
    return jobs.map(popped)
  },
  async ack(r) {
    return queue.ack(job(r))
  },
  async ack_many(r) {
    return queue.ackMany(jobs(r))
  },
  async retry(r) {
    const { job, ...options } = failed(r)
    return retried(await queue.retry(job, options))
  },
  async retry_many(r) {
    return (await queue.retryMany(r.parts('job').map(failed))).map(retried)
  },
  async release(r) {
    return released(await queue.release(job(r), { delay: r.number('delay_ms') }))
  },
  async release_many(r) {
    return (await queue.releaseMany(jobs(r), { delay: r.number('delay_ms') })).map(released)
  },
  async extend(r) {
    return extended(await queue.extend(job(r), { lease: r.number('lease_ms') }))
  },
  async extend_many(r) {
    return (await queue.extendMany(jobs(r), { lease: r.number('lease_ms') })).map(extended)
  },
  async requeue(r) {
    return queue.requeue(r.number('limit'))
  },
  async cancel(r) {
    return queue.cancel(r.text('id'))
  },
  async get(r) {
    return info(await queue.get(r.text('id')))
  },
  async list(r) {
    return (await queue.list(r.text('state'), { offset: r.number('offset'), limit: r.number('limit') })).map(info)
  },
  async redrive(r) {
    return redriven(await queue.redrive({ ids: r.texts('id'), limit: r.number('limit'), delay: r.number('delay_ms') }))
  },
  async purge(r) {
    return queue.purge(r.text('state'), { limit: r.number('limit') })
  },
  async repair(r) {
    return queue.repair({ limit: r.number('limit') })
  },
  async stats(r) {
    return stats(await queue.stats({ overdue: r.number('overdue_ms') }))
  },
  async pause() {
    await queue.pause()
  },
  async resume() {
    await queue.resume()
  },
  async limit(r) {
    const rate = r.number('rate')
    await queue.limit(rate === '' && r.text('rate') === '' ? null : rate, { burst: r.number('burst') })
  },
  async work(r) {
    await work?.stop(0)
    const queues = (r.texts('topic') ?? []).map((topic) => client.queue(topic, queueOptions))
    work = await Work.start(queues.length === 0 ? [queue] : queues, r)
  },
  async worked(r) {
    return work.worked(r)
  },
  async handled(r) {
    return work.handled(r)
  },
  health() {
    return work.health()
  },
  async stop(r) {
    await work.stop(r.number('deadline_ms'))
  },
  async ping() {
    await client.ping()
  },
  async close() {
    await client.close()
  },
  async panic() {
    // Not public: the addon itself can be told to panic.
    await require('../../../bindings-node/lib/native.js').panicOnPurposeLater()
  },
  about() {
    const kinds = ERROR_KINDS.map(({ number, kind }) => [number, kind])
    return { language: 'node', version, verbs: VERBS, error_kinds: kinds }
  },
}

/** The kept job of that name and place, `jobs.0`. */
function find(text) {
  const [, name, place] = /^(.*)\.(\d+)$/.exec(text)
  return kept.get(name)[place]
}

function job(r) {
  return find(r.text('job'))
}

function jobs(r) {
  return r.all('job').map((bytes) => find(bytes.toString()))
}

function failed(r) {
  return { job: job(r), error: r.text('error'), delay: r.number('delay_ms') }
}

function newJob(r) {
  const at = r.number('at_ms')
  return {
    payload: r.all('payload')[0] ?? Buffer.alloc(0),
    id: r.text('id'),
    delay: r.number('delay_ms'),
    at: typeof at === 'number' ? new Date(at) : at,
    mode: r.text('mode'),
    ignoreDone: r.text('ignore_done') === '1' || undefined,
    retryPolicy: policy(r),
  }
}

function policy(r) {
  const [part] = r.parts('policy')
  if (part === undefined) return undefined
  const kind = part.text('kind')
  const first = { exponential: 'base', linear: 'step', fixed: 'delay' }[kind]
  const options = {
    [first]: part.number('base_ms'),
    factor: part.number('factor'),
    cap: part.number('cap_ms'),
    jitter: part.number('jitter'),
    maxRetries: part.number('max_retries'),
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return RetryPolicy[kind](Object.fromEntries(given))
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = new Request(Buffer.from(line))
  let answer
  try {
    answer = { ok: (await ops[request.text('op')](request)) ?? null }
  } catch (error) {
    if (error.kind === undefined) throw error // a bug of this runner
    answer = { error: failure(error) }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await work?.stop(0)
