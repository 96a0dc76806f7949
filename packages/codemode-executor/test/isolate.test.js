import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect, promisify } from 'node:util'
import { IsolateExecutor } from '@supolka/codemode-executor'

const path = fileURLToPath(new URL('fake.mjs', import.meta.url))
const PATH = dirname(process.execPath) + delimiter + process.env.PATH
process.env.PATH = PATH // for the interpreter that the fake's first line names

/** A test with an executor of its own. */
function isolated(name, options, body) {
  test(name, async () => {
    const executor = new IsolateExecutor({ path, ...options })
    try {
      await body(executor, async (code, request) => (await executor.execute({ code, ...request })).result)
    } finally {
      await executor.dispose()
    }
  })
}

const isGone = (pid) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

isolated('a result always has result, and error only when there is one', {}, async (executor) => {
  assert.equal(inspect(await executor.execute({ code: 'nothing' })), '{ result: undefined, logs: [] }')
  const failed = await executor.execute({ code: 'fail' })
  assert.equal(inspect(failed), "{ result: undefined, error: 'nope', logs: [] }")
  assert.deepEqual([failed.failure, failed.stack], ['thrown', 'at program.js:1'])
})

isolated('one process serves every execution', {}, async (_executor, run) => {
  const pids = await Promise.all([run('pid'), run('pid')])

  assert.deepEqual(await run('arguments'), ['serve', '--stdio'])
  assert.deepEqual([pids[1], await run('pid')], [pids[0], pids[0]])
})

isolated('the process gets its settings, and of the host\'s environment only what it needs',
  { memoryLimit: 64, settings: { WORKERS_MAX: 2 } }, async (_executor, run) => {
    process.env.AUTH_TOKEN = 'the secret of the host'
    const environment = await run('environment')
    delete process.env.AUTH_TOKEN

    assert.equal(environment.MEMORY_LIMIT_MB, '64')
    assert.equal(environment.WORKERS_MAX, '2')
    assert.equal(environment.PATH, PATH)
    assert.equal(environment.AUTH_TOKEN, undefined)
  })

isolated('text of every kind crosses in pieces', {}, async (_executor, run) => {
  assert.equal(await run('text'), 'h\u00e9\u4e16\u{1F600}\u2028\n'.repeat(20_000))
})

isolated('tools are called live', {}, async (_executor, run) => {
  const dispatch = async (provider, tool, args) => JSON.stringify({ provider, tool, args })

  assert.equal(await run('call', { dispatch }), '{"provider":"store","tool":"list","args":"[1]"}')
})

isolated('a process that dies fails what runs as retryable, and is replaced', {}, async (executor, run) => {
  const first = await run('pid')

  await assert.rejects(executor.execute({ code: 'die' }),
    { code: 'CONNECTION_BROKEN', retryable: true, message: 'The executor process ended (exit status 7).' })
  await assert.rejects(executor.execute({ code: 'kill' }),
    { code: 'CONNECTION_BROKEN', retryable: true, message: 'The executor process ended (SIGKILL).' })
  assert.notEqual(await run('pid'), first)
})

isolated('retained executions take and give Request and Response', {}, async (executor) => {
  const { executionId, handles } = await executor.execute({ code: 'retain' })

  assert.deepEqual(handles, ['default'])
  assert.equal(await (await executor.handle(executionId).fetch('https://app/a')).text(), 'answer to https://app/a')
  await assert.rejects(executor.handle('other').fetch('https://app/'), { code: 'EXECUTION_GONE' })
})

test('dispose lets what runs end, ends the process, and takes nothing more', async () => {
  const executor = new IsolateExecutor({ path })
  const { result: pid } = await executor.execute({ code: 'pid' })
  const waiting = executor.execute({ code: 'wait' })
  await executor.execute({ code: 'open' })

  await executor.dispose()
  assert.equal((await waiting).result, 'waited')
  assert.equal(isGone(pid), true)
  await assert.rejects(executor.execute({ code: 'pid' }), { code: 'INTERNAL', message: 'The pool is shutting down.' })
  await executor.dispose()
})

test('dispose does not wait longer than it is told', async () => {
  const executor = new IsolateExecutor({ path, drainTimeout: 1 })
  const rejected = assert.rejects(executor.execute({ code: 'stuck' }), { code: 'CONNECTION_BROKEN' })

  await executor.execute({ code: 'nothing' })
  await executor.dispose()
  await rejected
})

test('an executor that never ran starts nothing', async () => {
  const executor = new IsolateExecutor({ path: '/nonexistent' })

  await executor.dispose()
  await assert.rejects(executor.execute({ code: 'pid' }), { message: 'The pool is shutting down.' })
})

test('a program that is not there, and one that refuses its settings, are told', async () => {
  const missing = new IsolateExecutor({ path: '/nonexistent/codemode-executor' })
  const refusing = new IsolateExecutor({ path, settings: { FAKE_REFUSES: '1' } })

  await assert.rejects(missing.execute({ code: 'pid' }), (thrown) => thrown.code === 'INTERNAL'
    && /^\/nonexistent\/codemode-executor could not be started: .*ENOENT/.test(thrown.message))
  await assert.rejects(refusing.execute({ code: 'pid' }), (thrown) => thrown.code === 'INTERNAL'
    && /could not be started: .*exit status 1.*MEMORY_LIMIT_MB takes a number/.test(thrown.message))
  await Promise.all([missing.dispose(), refusing.dispose()])
})

test('a host that forgets to dispose still ends', async () => {
  const program = `
    import { IsolateExecutor } from '@supolka/codemode-executor'
    console.log((await new IsolateExecutor().execute({ code: 'pid' })).result)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program],
    { cwd: dirname(path), env: { PATH, CODEMODE_EXECUTOR: path } })

  assert.match(stdout, /^\d+\n$/)
})

test('a host goes on while it waits for an execution to be released', async () => {
  const program = `
    import { IsolateExecutor } from '@supolka/codemode-executor'
    const executor = new IsolateExecutor()
    await executor.release((await executor.execute({ code: 'retain' })).executionId)
    console.log('released')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program],
    { cwd: dirname(path), env: { PATH, CODEMODE_EXECUTOR: path } })

  assert.equal(stdout, 'released\n')
})

test('the program is found in PATH', async () => {
  const program = `
    import { IsolateExecutor } from '@supolka/codemode-executor'
    try { await new IsolateExecutor().execute({ code: 'pid' }) } catch (fault) { console.log(fault.message) }`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program],
    { cwd: dirname(path), env: { PATH: '/nonexistent' } })

  assert.match(stdout, /^codemode-executor could not be started: spawn codemode-executor ENOENT/)
})
