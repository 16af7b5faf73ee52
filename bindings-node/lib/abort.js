'use strict'

// Cancels waiting pops when their AbortSignal fires. One listener per signal serves all of them: a listener for
// each pop would make Node warn of a leak from the eleventh on.

const followers = new WeakMap()

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

module.exports = { follow }
