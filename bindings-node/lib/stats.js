'use strict'

const { check } = require('./check.js')
const { explain } = require('./errors.js')
const native = require('./native.js')

const { counters: COUNTERS } = native.words()

class Histogram {
  #native

  constructor(opened) {
    this.#native = opened
    this.count = opened.count()
    this.p50Ms = opened.quantile(0.5)
    this.p95Ms = opened.quantile(0.95)
    this.p99Ms = opened.quantile(0.99)
    const flat = opened.buckets()
    this.buckets = Array.from({ length: flat.length / 2 }, (_, n) => ({ upToMs: flat[2 * n], count: flat[2 * n + 1] }))
  }

  quantile(share) {
    try {
      return this.#native.quantile(check.number('share', share))
    } catch (error) {
      throw explain(error)
    }
  }
}

/** The addon's numbers with named counters and readable histograms. */
function stats({ counters, lateness, processingTime, rate = null, burst = null, ...rest }) {
  return {
    ...rest,
    rate,
    burst,
    counters: Object.fromEntries(COUNTERS.map((name, n) => [name, counters[n]])),
    lateness: new Histogram(lateness),
    processingTime: new Histogram(processingTime),
  }
}

module.exports = { Histogram, stats }
