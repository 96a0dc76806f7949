// IsolateExecutor with the real program, and values and limits that both executors share.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, afterEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connect } from '@supolka/cloudflare-codemode-executor'
import { IsolateExecutor } from '@supolka/codemode-executor'
import { parseValue, stringifyValue } from '@supolka/codemode-executor-protocol'
import { WebSocket } from 'ws'
import { startDaemon } from './daemon.mjs'
import { environment, executor as program, leftovers, nothingLeft } from './harness.mjs'

process.env.CODEMODE_WORKER_PATH = environment.CODEMODE_WORKER_PATH
const marked = { path: program, settings: { CM_TEST_MARK: environment.CM_TEST_MARK } }
const ends = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
after(nothingLeft)

function isolate(options = {}) {
  const executor = new IsolateExecutor({ ...marked, ...options, settings: { ...marked.settings, ...options.settings } })
  ends.push(() => executor.dispose())
  return executor
}

async function remote({ memoryLimit = 128 } = {}) {
  const daemon = await startDaemon({ MEMORY_LIMIT_MB: memoryLimit })
  const executor = await connect(daemon.url, { WebSocket })
  ends.push(() => daemon.stop(), () => executor.dispose())
  return executor
}

const memory = 'async () => { const kept = []; for (;;) kept.push(new Array(100_000).fill(1)) }'
const exceeded = (limit) => `Execution exceeded its ${limit} MB memory bound. Hold less data at once and return the part that is already finished.`

for (const [kind, open] of Object.entries({ IsolateExecutor: isolate, RemoteExecutor: remote })) {
  describe(`values and limits with ${kind}`, () => {
    test('16 MB of bytes and of text cross in both directions', async () => {
      const executor = await open({ memoryLimit: 512 })
      const bytes = new Uint8Array(16 << 20).map((_, at) => at * 7)
      const text = 'h\u00e9\u2028\u{1F600}'.repeat(1 << 20)
      const dispatch = async (_provider, tool, args) => {
        const [given] = parseValue(args)
        return stringifyValue({ result: tool === 'bytes' ? bytes : given === text })
      }
      const run = (code) => executor.execute({ code, providers: [{ name: 'host' }], dispatch })

      const { result, error } = await run('async () => await host.bytes()')
      assert.equal(error, undefined)
      assert.equal(Buffer.compare(result, bytes), 0)
      assert.equal((await run(`async () => await host.text('h\u00e9\\u2028\u{1F600}'.repeat(1 << 20))`)).result, true)
    })

    test('what is larger than one message is a failure, and the next run works', async () => {
      const executor = await open()
      const { error, failure } = await executor.execute({ code: "() => 'x'.repeat(40 << 20)" })

      assert.equal(error, 'The result of 41,943,042 bytes exceeds the 33,554,432 byte bound on one message. Return less data.')
      assert.equal(failure, 'too_large')
      const refused = await executor.execute({ code: "async () => await host.ask().catch(({ message }) => message)",
        providers: [{ name: 'host' }], dispatch: async () => JSON.stringify({ result: 'x'.repeat(40 << 20) }) })
      assert.equal(refused.result, 'The answer to host.ask of 41,943,053 bytes exceeds the 33,554,432 byte bound on one message. Return less data.')
    })

    test('a failure says its kind, and where in the program it was', async () => {
      const executor = await open()
      const outcome = await executor.execute({ code: 'async () => {\n  throw new TypeError("nope")\n}' })

      assert.deepEqual([outcome.error, outcome.failure], ['nope', 'thrown'])
      assert.match(outcome.stack, /program\.js:2:\d+/)
      assert.deepEqual(Object.keys(outcome).filter((key) => key === 'failure' || key === 'stack'), [])
    })

    test('a tool can say more than a message of its error', async () => {
      const executor = await open()
      const { result } = await executor.execute({
        code: 'async () => { try { await host.ask() } catch ({ name, message, code, data }) { return [name, message, code, data] } }',
        providers: [{ name: 'host' }],
        dispatch: async () => JSON.stringify({ error: { name: 'StockError', message: 'none left', code: 'E_STOCK', data: { left: 0 } } }),
      })

      assert.deepEqual(result, ['StockError', 'none left', 'E_STOCK', { left: 0 }])
    })

    test('log lines come while the program runs', async () => {
      const executor = await open()
      const lines = []
      let release
      const logged = new Promise((resolve) => {
        release = resolve
      })
      const outcome = await executor.execute({
        code: "async () => { console.warn('before'); await host.ask() }", providers: [{ name: 'host' }],
        onLog: (line) => {
          lines.push(line)
          release()
        },
        dispatch: async () => {
          await logged // the call is answered only because the line came
          return '{}'
        },
      })

      assert.deepEqual(lines, [{ level: 'warn', text: 'before' }])
      assert.deepEqual(outcome.logs, lines)
    })

    test('modules of every kind can be imported, and a program can be TypeScript', async () => {
      const executor = await open()
      const { result, error } = await executor.execute({
        code: `import { two } from 'lib/index.js'
          import cjs from 'old.cjs'
          import data from 'numbers.json' with { type: 'json' }
          import text from 'note.txt'
          import bytes from 'raw.bin'
          async (): Promise<unknown> => [two, cjs.three, data.four, text, bytes]`,
        language: 'typescript',
        modules: {
          'lib/index.js': "import { one } from './one.js'\nexport const two = one + 1", 'lib/one.js': { js: 'export const one = 1' },
          'old.cjs': { cjs: 'module.exports = { three: 3 }' }, 'numbers.json': { json: { four: 4 } }, 'note.txt': { text: 'five' },
          'raw.bin': { data: new Uint8Array([6, 7]) },
        },
      })

      assert.equal(error, undefined)
      assert.deepEqual(result.slice(0, 4), [2, 3, 4, 'five'])
      assert.deepEqual([...new Uint8Array(result[4])], [6, 7])
      const unknown = await executor.execute({ code: "import x from 'lodash'\nasync () => x", modules: { 'a.js': '' } })
      assert.deepEqual([unknown.error, unknown.failure], ['Module "lodash" is not in the module map. It offers: a.js.', 'module'])
    })

    test('a request that is wrong is a fault that names the field', async () => {
      const executor = await open()

      await assert.rejects(executor.execute({}), { name: 'ExecutorError', code: 'INVALID_REQUEST', message: /^code / })
      await assert.rejects(executor.execute({ code: '() => 1', timeout: -1 }), { code: 'INVALID_REQUEST', message: /^timeout / })
      await assert.rejects(executor.execute({ code: '() => 1', providers: [{ name: 'not a name' }] }), { code: 'INVALID_REQUEST' })
      assert.equal((await executor.execute({ code: '() => 42' })).result, 42)
    })

    test('100 programs with tools run side by side', async () => {
      const executor = await open()
      const outcomes = await Promise.all(Array.from({ length: 100 }, (_, at) => executor.execute({
        code: `async () => (await Promise.all([host.ask(${at}), host.ask(1)])).reduce((sum, x) => sum + x)`,
        providers: [{ name: 'host' }], dispatch: async (_provider, _tool, args) => JSON.stringify({ result: JSON.parse(args)[0] }),
      })))

      assert.deepEqual(outcomes.map(({ result, error }) => error ?? result), outcomes.map((_, at) => at + 1))
    })
  })
}

test('the memory limit is that of the executor', async () => {
  assert.equal((await isolate({ memoryLimit: 48 }).execute({ code: memory, timeout: null })).error, exceeded(48))
})

test('a setting that is wrong is told when the first program comes', () => assert.rejects(
  isolate({ settings: { MAX_WALL_MS: 'soon' } }).execute({ code: '() => 1' }),
  (fault) => fault.code === 'INTERNAL' && /could not be started: .*exit status 1.*MAX_WALL_MS/.test(fault.message)))

test('a process that is killed takes its workers along, and the next program gets another', async () => {
  const executor = isolate()
  await executor.execute({ code: '() => 1' })
  const run = executor.execute({ code: 'async () => await host.ask()', providers: [{ name: 'host' }], dispatch: () => {
    process.kill(processOf(), 'SIGKILL')
    return new Promise(() => {})
  } })

  await assert.rejects(run, { code: 'CONNECTION_BROKEN', retryable: true, message: 'The executor process ended (SIGKILL).' })
  await nothingLeft()
  assert.equal((await executor.execute({ code: '() => 42' })).result, 42)
})

test('a host that is killed leaves no process behind', async () => {
  const script = `
    import { IsolateExecutor } from '@supolka/codemode-executor'
    const executor = new IsolateExecutor({ settings: { CM_TEST_MARK: process.env.CM_TEST_MARK } })
    await executor.execute({ code: '() => 1' })
    console.log('ready')
    await executor.execute({ code: '() => { for (;;); }', timeout: null })`
  const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)), env: { ...environment, CODEMODE_EXECUTOR: program }, stdio: ['ignore', 'pipe', 'inherit'] })

  await new Promise((resolve) => host.stdout.once('data', resolve))
  host.kill('SIGKILL')
  await nothingLeft()
})

/** The process of the only executor that runs: of all that are marked, the one whose parent this is. */
function processOf() {
  return Number(leftovers().find((pid) => readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`)))
}
