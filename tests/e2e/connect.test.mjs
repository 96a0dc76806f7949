// The command line through a daemon: `run` and `check` with --connect.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { call, executor, file, run, start } from './harness.mjs'
import { endDaemons, startDaemon } from './daemon.mjs'

let daemon

before(async () => (daemon = await startDaemon()))
after(endDaemons)

const through = (code, args = [], options = {}) => run(code, ['--connect', daemon.url, ...args], options)

test('a program prints what it prints without a daemon', async () => {
  assert.deepEqual(await through(`async () => { console.warn('a'); return { b: 1 } }`),
    { status: 0, signal: null, stdout: '{"b":1}\n', stderr: '[warn] a\n' })
})

test('a program that fails is exit 3', async () => {
  const { status, stderr } = await through('() => { throw new Error("no") }')
  assert.equal(status, 3)
  assert.match(stderr, /^error: no\n {4}at program\.js:1:/)
})

test('tools run where the command line does', async () => {
  const tools = file('connect.tools.json', { 'store.count': { result: 7 } })
  const { stdout } = await through('async () => 6 * await store.count()', ['--tools', tools])
  assert.equal(stdout, '42\n')
})

test('modules, TypeScript and a timeout go along', async () => {
  const lib = file('connect.lib.ts', 'export const six: number = 6')
  const { stdout } = await through('import { six } from "./lib.ts"\nasync () => six * 7',
    ['--module', `lib.ts=${lib}`, '--language', 'typescript', '--timeout', '5000'])
  assert.equal(stdout, '42\n')
  const { stderr } = await through('async () => { for (;;); }', ['--timeout', '300'])
  assert.match(stderr, /^error: Execution timed out at its 300 ms bound\./)
})

test('a signal ends the run', async () => {
  const child = start(['run', '-', '--connect', daemon.url], { input: `async () => { console.log('on'); await new Promise(() => {}) ; for (;;); }` })
  await child.says('on')
  child.child.kill('SIGINT')
  assert.equal((await child.ended).status, 130)
})

test('check asks the daemon', async () => {
  const { status, stdout } = await call(['check', '--json', '--connect', daemon.url])
  const verdict = JSON.parse(stdout)
  assert.equal(status, 0)
  assert.deepEqual([verdict.ok, verdict.answer, verdict.daemon], [true, 42, daemon.url])
  assert.match((await call(['check', '--connect', daemon.url])).stdout, /└ {2}This daemon can run sandboxed code\.\n$/)
})

test('a daemon that does not listen is a fault and exit 1', async () => {
  const url = 'ws://127.0.0.1:9'
  const answer = await run('() => 1', ['--json', '--connect', url])
  assert.equal(answer.status, 1)
  assert.deepEqual(JSON.parse(answer.stdout),
    { fault: { code: 'CONNECTION_REJECTED', message: `Executor handshake failed for ${url}`, retryable: false } })
  const check = await call(['check', '--json', '--connect', url])
  assert.equal(check.status, 1)
  assert.equal(JSON.parse(check.stdout).failure, `Executor handshake failed for ${url}`)
})

test('a daemon that dies breaks the run, which may be tried again', async () => {
  const mortal = await startDaemon()
  const child = start(['run', '-', '--json', '--connect', mortal.url], { input: `async () => { console.log('on'); await new Promise((end) => setTimeout(end, 20000)) }` })
  await child.says('on')
  await mortal.kill()
  const { status, stdout } = await child.ended
  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(stdout).fault, {
    code: 'CONNECTION_BROKEN', retryable: true,
    message: `The connection to ${mortal.url} broke before the execution was answered`,
  })
})

test('a token is an option or a variable', async () => {
  const token = 'a-token-of-the-tests'
  const guarded = await startDaemon({ AUTH_TOKEN: token })
  const to = ['--json', '--connect', guarded.url]
  assert.equal((await run('() => 1', [...to, '--token', token])).status, 0)
  assert.equal((await run('() => 1', to, { env: { AUTH_TOKEN: token } })).status, 0)
  for (const wrong of [[], ['--token', 'another-token-than-that']]) {
    const { status, stdout } = await run('() => 1', [...to, ...wrong])
    assert.equal(status, 1)
    assert.equal(JSON.parse(stdout).fault.code, 'UNAUTHORIZED')
  }
  assert.equal((await call(['check', '--connect', guarded.url])).status, 1)
})

const shared = process.env.CM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url))
const cases = join(shared, 'acceptance', 'run-cases.mjs')

if (!existsSync(cases) && process.env.CM_MUST_WORK !== '1') {
  console.log(`acceptance cases: none at ${cases}, nothing to run (CM_SHARED names their folder)`)
} else {
  test('every acceptance case passes through a daemon', async () => {
    const stdout = await new Promise((resolve) => {
      execFile(process.execPath, [cases, '--exec', `'${executor}' run --connect ${daemon.url}`], (_, out) => resolve(out))
    })
    assert.match(stdout, /^\d+ passed, 0 failed$/m)
  })
}
