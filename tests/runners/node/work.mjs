// A worker whose handlers end their deliveries by rules, and what it and they have told.

import { createRequire } from 'node:module'

import { event, handled, health } from './answers.mjs'

const require = createRequire(import.meta.url)
const { Dead, Fail, Leave, Release, Worker } = require('../../../bindings-node')

// Longer than any scenario waits for what happens at once.
const WAIT_MS = 20_000
const KINDS = ['started', 'done', 'failed', 'leaseLost', 'released', 'lost', 'back']

export class Work {
  #worker
  #events = new Log()
  #ended = new Log()

  static async start(queues, r) {
    const work = new Work()
    const rules = r.parts('end').map((part) => new Rule(part))
    const routes = queues.map((queue) => [queue, (job, context) => work.#handle(rules, job, context)])
    work.#worker = new Worker(routes, {
      concurrency: r.number('concurrency'),
      fetchAhead: r.number('fetch_ahead'),
      sweepEvery: r.number('sweep_every_ms'),
    })
    for (const kind of KINDS) work.#worker.on(kind, (told) => work.#events.add(event(kind, told)))
    await work.#worker.start()
    return work
  }

  async #handle(rules, job, { signal }) {
    const rule = rules.find((rule) => rule.isFor(job))
    if (rule?.hold !== undefined) await revoked(signal, rule.hold)
    this.#ended.add(handled(job, signal))
    return rule?.verdict()
  }

  worked(r) {
    const wanted = r.text('kind')
    return this.#events.wait(r, ({ kind }) => kind === wanted)
  }

  handled(r) {
    return this.#ended.wait(r, () => true)
  }

  health() {
    return health(this.#worker.health())
  }

  async stop(deadline) {
    await this.#worker.stop({ deadline })
  }
}

/** Waits for the signal, at most so long. */
async function revoked(signal, ms) {
  if (signal.aborted) return
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()))
  })
}

/** How handlers end the deliveries of one id, or of all. */
class Rule {
  #id
  #times
  #end
  #error
  #delay

  constructor(part) {
    this.#id = part.text('id')
    this.#times = part.number('times') ?? Infinity
    this.#end = part.text('end') ?? 'done'
    this.#error = part.text('error') ?? ''
    this.#delay = part.number('delay_ms')
    this.hold = part.number('hold_ms')
  }

  isFor({ id, deliveries }) {
    return (this.#id === undefined || this.#id === id) && deliveries <= this.#times
  }

  verdict() {
    return {
      done: () => undefined,
      fail: () => Fail(this.#error, { delay: this.#delay }),
      release: () => Release({ delay: this.#delay }),
      dead: () => Dead(this.#error),
      leave: () => Leave(),
    }[this.#end]()
  }
}

/** What was told, in its order. */
class Log {
  #entries = []
  #waiting = new Set()

  add(entry) {
    this.#entries.push(entry)
    for (const look of this.#waiting) look()
  }

  /** Waits until so many entries count, and gives all that there are then, or when the time is over. */
  async wait(r, counts) {
    const count = r.number('count') ?? 1
    let look
    await new Promise((resolve) => {
      look = () => this.#entries.filter(counts).length >= count && resolve()
      this.#waiting.add(look)
      const timer = setTimeout(resolve, r.number('wait_ms') ?? WAIT_MS)
      const done = resolve
      resolve = () => (clearTimeout(timer), done())
      look()
    })
    this.#waiting.delete(look)
    return [...this.#entries]
  }
}
