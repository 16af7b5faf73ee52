// The Node runner: does what it is told over the public API; its language is in `tests/README.md`.

import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(import.meta.url)
const { Client, ERROR_KINDS, VERBS, version } = require('../../../bindings-node')

let client
let queue
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
    return null
  },
  queue(r) {
    queue = client.queue(r.text('topic'), {
      lease: r.number('lease_ms'),
      doneTtl: r.number('done_ttl_ms'),
      jobTtl: r.number('job_ttl_ms'),
      maxPayload: r.number('max_payload'),
      maxDeliveries: r.number('max_deliveries'),
    })
    return null
  },
  async enqueue(r) {
    const { payload, ...options } = newJob(r)
    return enqueued(await queue.enqueue(payload, options))
  },
  async enqueue_many(r) {
    return (await queue.enqueueMany(r.all('job').map((text) => newJob(new Request(text))))).map(enqueued)
  },
  async pop(r) {
    const jobs = await queue.pop(r.number('max'), { lease: r.number('lease_ms'), wait: r.number('wait_ms') })
    kept.set(r.text('as') ?? 'jobs', jobs)
    return jobs.map((job) => ({
      topic: job.topic,
      id: job.id,
      payload_hex: job.payload.toString('hex'),
      retry_count: job.retryCount,
      deliveries: job.deliveries,
      created_at_ms: job.createdAtMs,
      due_at_ms: job.dueAtMs,
      lease_until_ms: job.leaseUntilMs,
      receipt: job.receipt,
    }))
  },
  async ack(r) {
    const [, name, place] = /^(.*)\.(\d+)$/.exec(r.text('job'))
    return queue.ack(kept.get(name)[place])
  },
  async requeue(r) {
    return queue.requeue(r.number('limit'))
  },
  async cancel(r) {
    return queue.cancel(r.text('id'))
  },
  async ping() {
    await client.ping()
    return null
  },
  async close() {
    await client.close()
    return null
  },
  async panic() {
    // Not public: the addon itself can be told to panic.
    await require('../../../bindings-node/lib/native.js').panicOnPurposeLater()
    return null
  },
  about() {
    const kinds = ERROR_KINDS.map(({ number, kind }) => [number, kind])
    return { language: 'node', version, verbs: VERBS, error_kinds: kinds }
  },
}

/** One request: pairs of key and value, the value in bytes. */
class Request {
  #pairs

  constructor(bytes) {
    const parts = bytes.toString('latin1').split('&').filter((pair) => pair !== '')
    this.#pairs = parts.map((pair) => {
      const [, key, value = ''] = /^([^=]*)=?(.*)$/s.exec(pair)
      return [decode(key).toString(), decode(value)]
    })
  }

  all(key) {
    return this.#pairs.filter(([name]) => name === key).map(([, value]) => value)
  }

  /** A text, or for `.wrong` the number that it spells. */
  text(key) {
    const [wrong] = this.all(`${key}.wrong`)
    return wrong === undefined ? this.all(key)[0]?.toString() : Number(wrong.toString())
  }

  /** A number, or for `.wrong` the text that spells it. */
  number(key) {
    const [wrong] = this.all(`${key}.wrong`)
    const text = this.all(key)[0]?.toString()
    if (wrong !== undefined) return wrong.toString()
    return text && Number(text.replace(/^(-?)inf(inity)?$/i, '$1Infinity'))
  }
}

/** Percent-decoded bytes, which need not be UTF-8. */
function decode(text) {
  const unescape = (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))
  return Buffer.from(text.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, unescape), 'latin1')
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
  }
}

function enqueued({ id, dueAtMs, outcome }) {
  return { id, due_at_ms: dueAtMs, outcome }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = new Request(Buffer.from(line))
  let answer
  try {
    answer = { ok: await ops[request.text('op')](request) }
  } catch (error) {
    if (error.kind === undefined) throw error // a bug of this runner
    const { kind, message, verb = null, topic = null, id = null, retryable } = error
    answer = { error: { kind, message, verb, topic, id, retryable } }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
