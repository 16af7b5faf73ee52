'use strict'

// Cancels waiting pops when their AbortSignal fires. One listener per signal serves all of them: a listener for
// each pop would make Node warn of a leak from the eleventh on.

const native = require('./native.js')

const followers = new WeakMap()

/** Runs `take` with a token that the signal cancels; rejects with the signal's reason if there are no jobs then. */
async function abortable(signal, take) {
  if (signal.aborted) throw signal.reason
  const token = new native.CancelToken()
  const release = follow(signal, token)
  try {
    const popped = await take(token)
    // Jobs that came back in spite of the abort are ours; thrown away, they would wait for the end of their lease.
    if (popped.length === 0 && signal.aborted) throw signal.reason
    return popped
  } finally {
    release()
  }
}

/** Cancels the token when the signal fires. Call what it returns when that is no longer wanted. */
function follow(signal, token) {
  let follower = followers.get(signal)
  if (follower === undefined) {
    follower = { tokens: new Set(), cancelAll: () => follower.tokens.forEach((token) => token.cancel()) }
    followers.set(signal, follower)
    signal.addEventListener('abort', follower.cancelAll, { once: true })
  }
  follower.tokens.add(token)
  return () => {
    follower.tokens.delete(token)
    if (follower.tokens.size === 0 && followers.get(signal) === follower) {
      followers.delete(signal)
      signal.removeEventListener('abort', follower.cancelAll)
    }
  }
}

module.exports = { abortable }
