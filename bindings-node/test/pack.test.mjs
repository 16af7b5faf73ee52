// The packed package, installed into an empty folder without a network.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

test('the tarball installs offline, and loads by require and by import', () => {
  const root = new URL('..', import.meta.url).pathname
  const dir = mkdtempSync(join(tmpdir(), 'delayq with space-'))
  const run = (file, args, cwd) => execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', dir], root))
    const names = files.map(({ path }) => path)
    for (const name of ['index.js', 'index.d.ts', 'lib/native.js', 'README.md', 'LICENSE']) assert.ok(names.includes(name), name)
    assert.ok(names.some((name) => name.endsWith('.node')), 'the addon of this platform')
    assert.ok(!names.some((name) => /^(src|test)\//.test(name)), 'and no sources')

    writeFileSync(join(dir, 'package.json'), '{ "private": true }')
    run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`], dir)
    const licence = (path) => readFileSync(path, 'utf8')
    assert.equal(licence(join(dir, 'node_modules/delayq/LICENSE')), licence(join(root, '../LICENSE')))
    const version = run(process.execPath, ['-p', "require('delayq').version"], dir)
    writeFileSync(join(dir, 'main.mjs'), "import { Client, version } from 'delayq'\nconsole.log(Client.open.name, version)\n")
    assert.equal(run(process.execPath, ['main.mjs'], dir), `open ${version}`)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
