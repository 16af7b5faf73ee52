// What is exported: to require, to import, to TypeScript and from the core must all be the same.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import ts from 'typescript'

import { child, delayq, native, withServer } from './support.mjs'

const server = withServer()
const here = (path) => new URL(path, import.meta.url).pathname
const types = ts.createSourceFile('index.d.ts', readFileSync(here('../index.d.ts'), 'utf8'), ts.ScriptTarget.Latest)

/** The exported declarations of index.d.ts of these kinds, by name. */
function declared(...kinds) {
  const found = types.statements
    .filter((statement) => kinds.includes(statement.kind))
    .flatMap((statement) => statement.declarationList?.declarations ?? [statement])
  return new Map(found.map((declaration) => [declaration.name.text, declaration]))
}

/** The words of a union type. */
function words(name) {
  const { type } = declared(ts.SyntaxKind.TypeAliasDeclaration).get(name)
  return (type.types ?? [type]).map((member) => member.literal.text)
}

test('require, import and index.d.ts give the same names', async () => {
  const required = Object.keys(delayq).sort()
  const { default: whole, 'module.exports': _, ...imported } = await import('../index.js')
  assert.deepEqual(Object.keys(imported).sort(), required)
  assert.equal(whole, delayq)
  const { ClassDeclaration, FunctionDeclaration, VariableStatement } = ts.SyntaxKind
  assert.deepEqual([...declared(ClassDeclaration, FunctionDeclaration, VariableStatement).keys()].sort(), required)
})

test('classes have the members that index.d.ts says', async () => {
  const queue = server.client.queue('members')
  await queue.enqueue('x')
  const [job] = await queue.pop()
  const error = await queue.cancel('').catch((thrown) => thrown)
  const info = await queue.get(job.id)
  const worker = new delayq.Worker(queue, () => {})
  const objects = { Client: server.client, Queue: queue, Job: job, JobInfo: info, DelayqError: error, Worker: worker }
  for (const [name, declaration] of declared(ts.SyntaxKind.ClassDeclaration)) {
    const members = declaration.members.filter((member) => member.kind !== ts.SyntaxKind.Constructor)
    const isStatic = (member) => member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false
    const said = members.filter((member) => !isStatic(member)).map((member) => member.name.text)
    const object = objects[name]
    const inherited = object instanceof EventEmitter ? Object.getOwnPropertyNames(new EventEmitter()) : []
    const own = Object.getOwnPropertyNames(object).filter((key) => !inherited.includes(key))
    const has = [...own, ...Object.getOwnPropertyNames(delayq[name].prototype)]
    const builtIn = ['constructor', 'message', 'stack']
    assert.deepEqual(new Set(has.filter((key) => !builtIn.includes(key))), new Set(said), name)
    for (const member of members.filter(isStatic)) assert.equal(typeof delayq[name][member.name.text], 'function')
  }
})

test('index.d.ts is strict TypeScript and refuses what must be refused', () => {
  const tsc = here('../node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', here('types/tsconfig.json')], { stdio: 'pipe', encoding: 'utf8' })
})

test('error kinds are those of the core', () => {
  const core = native.errorKinds()
  assert.ok(core.length > 0)
  assert.deepEqual(words('ErrorKind'), core.map(({ kind }) => kind))
  assert.deepEqual(delayq.ERROR_KINDS.map(({ code, ...row }) => row), core)
  assert.deepEqual(delayq.ERROR_KINDS.map(({ code }) => code), core.map(({ kind }) => `DELAYQ_${kind.toUpperCase()}`))
})

test('verbs are those of the core, and each is a method', () => {
  assert.deepEqual(delayq.VERBS, native.verbs())
  assert.deepEqual(words('Verb'), native.verbs())
  const method = (verb) => verb.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
  const methods = Object.getOwnPropertyNames(delayq.Queue.prototype).filter((name) => !['constructor', 'topic'].includes(name))
  assert.deepEqual(new Set(methods), new Set(delayq.VERBS.map(method)))
})

test('modes, states, counters, events and outcomes are those of the core', () => {
  const core = native.words()
  assert.deepEqual(words('Mode'), core.modes)
  assert.deepEqual(words('State'), core.states)
  assert.deepEqual(words('Counter'), core.counters)
  const camel = (word) => word.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
  assert.deepEqual(words('WorkerEvent'), core.events.map(camel))
  const told = declared(ts.SyntaxKind.InterfaceDeclaration).get('WorkerEvents').members.map((member) => member.name.text)
  assert.deepEqual(told, [...words('WorkerEvent'), 'error'])
  assert.deepEqual(words('EnqueueOutcome'), core.enqueue)
  assert.deepEqual(words('CancelOutcome'), core.cancel)
  const [lost] = words('LeaseLost')
  for (const verb of ['Ack', 'Retry', 'Release', 'Extend']) {
    const outcomes = core[verb.toLowerCase()]
    assert.ok(outcomes.includes(lost), verb)
    assert.deepEqual(words(`${verb}Outcome`), outcomes.filter((word) => word !== lost), 'which a single job throws')
  }
})

test('the version is that of the package and of the workspace', () => {
  const workspace = /^version = "([^"]+)"/m.exec(readFileSync(here('../../Cargo.toml'), 'utf8'))[1]
  const { version } = JSON.parse(readFileSync(here('../package.json'), 'utf8'))
  assert.deepEqual([delayq.version, version], [workspace, workspace])
})

test('a panic becomes an internal error, in a synchronous call and on a thread', async () => {
  const run = child('panic.cjs', [])
  const { code } = await run.ended
  assert.equal(code, 0)
  assert.deepEqual(run.lines, ['now internal', 'later internal', 'alive'])
})

test('an error shows what it is about, and no password', async () => {
  const url = 'redis://someone:s3cret-of-url@127.0.0.1:1/0'
  const client = await delayq.Client.open(url, { retryFor: 0, password: 's3cret-of-option' })
  const queue = client.queue('t')
  const error = await queue.enqueue('x', { id: 'a' }).catch((thrown) => thrown)
  assert.ok(error instanceof delayq.DelayqError && error instanceof Error)
  const { code, kind, verb, topic, id, retryable, name } = error
  assert.deepEqual(
    { code, kind, verb, topic, id, retryable, name },
    { code: 'DELAYQ_UNAVAILABLE', kind: 'unavailable', verb: 'enqueue', topic: 't', id: 'a', retryable: true, name: 'DelayqError' },
  )
  assert.match(error.stack, /^DelayqError: .*\n(.*\n)*.*api\.test\.mjs/, 'the stack leads to the caller')
  const { inspect } = await import('node:util')
  const shown = [inspect(error, { showHidden: true, depth: 9 }), inspect(client), inspect(queue), client.address].join()
  assert.doesNotMatch(shown, /s3cret/)
})
