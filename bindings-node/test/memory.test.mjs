import assert from 'node:assert/strict'
import { test } from 'node:test'

import { child, withServer } from './support.mjs'

const server = withServer()

test('memory stays flat over 20,000 good and 20,000 failing calls', async () => {
  const { lines, ended } = child('memory.mjs', [server.url, '20000'], { flags: ['--expose-gc'] })
  assert.deepEqual(await ended, { code: 0, signal: null, errors: '' })
  const { failed, grown } = JSON.parse(lines.at(-1))
  assert.equal(failed, 20_000)
  assert.ok(grown < 12 * 1024 * 1024, `grown by ${grown} bytes`)
})
