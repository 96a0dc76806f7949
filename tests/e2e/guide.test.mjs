// The programs of the two guides, on both executors: what comes back is what they print.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { connect, normalizeCode } from '@supolka/cloudflare-codemode-executor'
import { IsolateExecutor } from '@supolka/codemode-executor'
import { ExecutorError } from '@supolka/codemode-executor-protocol'
import { WebSocket } from 'ws'
import { startDaemon } from './daemon.mjs'
import { environment, executor as program, nothingLeft } from './harness.mjs'

const daemons = []
const executors = []
async function daemon(settings) {
  const started = await startDaemon(settings)
  daemons.push(started)
  return started
}
after(async () => {
  await Promise.all(executors.map((executor) => executor.dispose()))
  await Promise.all(daemons.map((started) => started.stop()))
  await nothingLeft()
})

const isolate = (options) => {
  process.env.CODEMODE_WORKER_PATH = environment.CODEMODE_WORKER_PATH
  const executor = new IsolateExecutor({ path: program, settings: { CM_TEST_MARK: environment.CM_TEST_MARK }, ...options })
  executors.push(executor)
  return executor
}
async function remote(settings, options) {
  const executor = await connect((await daemon(settings)).url, { WebSocket, ...options })
  executors.push(executor)
  return executor
}
const policy = async ({ url }) => ({ status: 200, body: `policy for ${url}` })
const fetching = "async () => await (await fetch('https://api.internal/ping')).text()"
const refused = /^Outbound network access is disabled for this execution\.$/

/** Each executor with how its results look: the keys that are always there. */
const kinds = {
  IsolateExecutor: {
    open: async (options) => isolate(options),
    ok: (result, logs = []) => ({ result, logs }),
    failed: (error, logs = []) => ({ result: undefined, error, logs }),
  },
  RemoteExecutor: {
    open: async (options) => remote({}, options),
    ok: (result, logs = []) => ({ error: undefined, logs, ...(result !== undefined && { result }) }),
    failed: (error, logs = []) => ({ error, logs }),
  },
}

for (const [kind, { open, ok, failed }] of Object.entries(kinds)) {
  describe(`executing code with ${kind}`, () => {
    let executor
    const prints = async (code, expected, request) => {
      const outcome = await executor.execute({ code, ...request })
      assert.equal(inspect(outcome, { depth: 9 }), inspect(expected, { depth: 9 }))
    }
    before(async () => {
      executor = await open()
    })

    test('every expression that is a function runs', async () => {
      for (const code of ['async () => 6 * 7', '() => 6 * 7', '() => Promise.resolve(42)', '(async () => 6 * 7)',
        'async function main() { return 42 }', '// Plan: multiply.\n    async () => 6 * 7']) await prints(code, ok(42))
    })

    test('tools give the program its data', async () => {
      const users = [{ name: 'ada' }, { name: 'grace' }]
      await prints('async () => {\n  const users = await store.listUsers()\n\n  return users.map((user) => user.name)\n}',
        ok(['ada', 'grace']), { providers: [{ name: 'store', tools: ['listUsers'] }], dispatch: async () => JSON.stringify({ result: users }) })
    })

    test('what does not fit the form is an error with a place in the text', async () => {
      for (const [code, word] of [['async () => 6 * 7;', "';'"], ['const x = 1; x + 1', "'const'"], ["async () => 1\nimport x from 'x'", 'import']]) {
        const { result, error, failure } = await executor.execute({ code })
        assert.deepEqual([result, failure], [undefined, 'syntax'])
        assert.ok(error.includes(word), error)
        assert.match(error, / \[program\.js:\d+(:\d+)?\]$/)
      }
      assert.match((await executor.execute({ code: 'let served = 0\n\n    async () => served' })).error, /\[program\.js:1(:\d+)?\]$/)
    })

    test('a fenced block is taken as it is, and runs once it is normalized', async () => {
      const fenced = '```js\nasync () => 6 * 7\n```'
      assert.match((await executor.execute({ code: fenced })).error, /^"" is not a function/)
      for (const written of [fenced, '```javascript\nreturn 6 * 7\n```', 'export default async () => 6 * 7', '6 * 7',
        'async function main() { return 6 * 7 }']) await prints(normalizeCode(written), ok(42))
    })

    test('a throw reports its own message', async () => {
      await prints('async () => { throw new Error("nope") }', failed('nope'))
      await prints('async () => { throw "just text" }', failed('just text'))
      await prints('async () => { throw { a: 1 } }', failed('[object Object]'))
    })

    test('values cross as data', async () => {
      await prints(`async () => ({
        n: 1, s: 'a', b: true, nul: null, u: undefined,
        arr: [1, 2],
        bytes: new Uint8Array([1, 2, 3]),
        buf: new ArrayBuffer(2),
        f32: new Float32Array([1.5]),
        d: new Date(0),
        m: new Map([['a', 1]]),
        set: new Set([1]),
        fn: () => 1,
        re: /x/g,
      })`, ok({
        n: 1, s: 'a', b: true, nul: null, arr: [1, 2], bytes: new Uint8Array([1, 2, 3]), buf: new ArrayBuffer(2),
        f32: new Uint8Array([0, 0, 192, 63]), d: '1970-01-01T00:00:00.000Z', m: {}, set: {}, re: {},
      }))
      await prints('async () => { class Point { constructor() { this.x = 1 } get y() { return 2 } } return [new Point(), { toJSON: () => 3 }] }',
        ok([{ x: 1 }, 3]))
    })

    test('bytes cross in both directions of a tool call', async () => {
      const { parseValue, stringifyValue } = await import('@supolka/codemode-executor-protocol')
      await prints('async () => await store.reverse(new Uint8Array([1, 2, 3]))', ok(new Uint8Array([3, 2, 1])), {
        providers: [{ name: 'store' }],
        dispatch: async (_provider, _tool, args) => stringifyValue({ result: parseValue(args)[0].reverse() }),
      })
    })

    test('what has no representation ends the run', async () => {
      await prints('async () => ({ big: 1n })', failed('Do not know how to serialize a BigInt'))
      await prints('async () => { const o = {}; o.self = o; return o }', failed('Converting circular structure to JSON\n'
        + "    --> starting at object with constructor 'Object'\n    --- property 'self' closes the circle"))
    })

    test('log lines are the arguments as text', async () => {
      await prints(`async () => {
        console.log('rows', [1, 2, 3])
        console.log({ a: 1 })
        console.log(null, undefined, true)
        console.log(JSON.stringify({ a: 1 }))
        console.error(new Error('boom'))
        return 'done'
      }`, ok('done', [
        { level: 'log', text: 'rows 1,2,3' }, { level: 'log', text: '[object Object]' }, { level: 'log', text: 'null undefined true' },
        { level: 'log', text: '{"a":1}' }, { level: 'error', text: 'Error: boom' },
      ]))
    })

    test('absent names are absent, and caches explains itself', async () => {
      await prints(`async () => ({
        WebSocket: typeof WebSocket, XMLHttpRequest: typeof XMLHttpRequest, EventSource: typeof EventSource,
        sendBeacon: typeof navigator.sendBeacon, process: typeof process, require: typeof require,
        WebAssembly: typeof WebAssembly, caches: typeof caches,
      })`, ok({
        WebSocket: 'undefined', XMLHttpRequest: 'undefined', EventSource: 'undefined', sendBeacon: 'undefined',
        process: 'undefined', require: 'undefined', WebAssembly: 'undefined', caches: 'object',
      }))
      await prints("async () => { try { await caches.open('v1') } catch (failure) { return failure.message } }",
        ok('Cache storage is absent from this runtime because nothing survives an execution. Return what should persist in the result and take it back as an input on the next call.'))
    })

    test('nothing of one program is left for the next', async () => {
      await prints('async () => { globalThis.left = "behind"; return 1 }', ok(1))
      await prints('async () => typeof globalThis.left', ok('undefined'))
    })

    test('the bounds say what to do', async () => {
      const sentence = 'Execution timed out at its 300 ms bound. Do less work per run and return the part that is already finished.'
      await prints('async () => { while (true) {} }', failed(sentence), { timeout: 300 })
      await prints("async () => { console.log('before'); while (true) {} }", failed(sentence, [{ level: 'log', text: 'before' }]), { timeout: 300 })
    })

    test('a request opens the network that its executor has closed', async () => {
      const closed = await open({ timeout: 30_000, outbound: null })
      assert.match((await closed.execute({ code: fetching })).error, refused)
      assert.equal((await closed.execute({ code: fetching, outbound: policy })).result, 'policy for https://api.internal/ping')
      assert.match((await closed.execute({ code: fetching, outbound: undefined })).error, refused)
    })

    test('modules of the map can be imported', async () => {
      await prints("import { x } from 'lib'\nasync () => x + 1", ok(42), { modules: { lib: 'export const x = 41' } })
    })
  })
}

test('one executor runs many programs and is disposed', async () => {
  const executor = isolate({ timeout: 10_000, memoryLimit: 128 })
  const seen = []
  for (const code of ['async () => 1', 'async () => { throw new Error("two") }']) {
    const { result, error } = await executor.execute({ code })
    seen.push({ result, error })
  }
  await executor.dispose()

  assert.deepEqual(seen, [{ result: 1, error: undefined }, { result: undefined, error: 'two' }])
  await assert.rejects(executor.execute({ code: 'async () => 1' }), { code: 'INTERNAL', message: 'The pool is shutting down.' })
})

test('connect, run, dispose', async () => {
  const executor = await connect((await daemon()).url, { WebSocket })
  const outcome = await executor.execute({ code: 'async () => 6 * 7' })
  assert.equal(outcome.result, 42)
  await executor.dispose()
  await assert.rejects(executor.execute({ code: 'async () => 1' }), { code: 'CONNECTION_BROKEN', message: 'RemoteExecutor is closed' })
})

test('nothing that listens', () => assert.rejects(connect('ws://127.0.0.1:9', { WebSocket }),
  { name: 'ExecutorError', code: 'CONNECTION_REJECTED', message: 'Executor handshake failed for ws://127.0.0.1:9' }))

test('the remote result has the keys of the wire, in its order', async () => {
  const executor = await remote()
  assert.equal(inspect(await executor.execute({ code: "async () => { console.log('over the wire'); return 1 }" }), { breakLength: Infinity }),
    "{ error: undefined, logs: [ { level: 'log', text: 'over the wire' } ], result: 1 }")
})

test('tools and outbound functions stay in the host', async () => {
  const executor = await remote()
  const database = { orders: async (user) => [user, user, user] }

  assert.equal((await executor.execute({
    code: 'async () => (await store.listOrders("ada")).length',
    providers: [{ name: 'store', tools: ['listOrders'] }],
    dispatch: async (_provider, _tool, argsJson) => {
      const [user] = JSON.parse(argsJson)
      return JSON.stringify({ result: await database.orders(user) })
    },
    outbound: null,
  })).result, 3)
  assert.equal((await executor.execute({
    code: fetching,
    outbound: async (request) => ({
      status: 200, statusText: 'OK', headers: [['content-type', 'text/plain']],
      body: new TextEncoder().encode(`served in the host process for ${request.url}`).buffer,
    }),
  })).result, 'served in the host process for https://api.internal/ping')
})

test('settings of the daemon overrule the caller', async () => {
  const executor = await remote({ MAX_TIMEOUT_MS: 1000, RESPONSE_LIMIT_BYTES: 4096 })

  assert.equal((await executor.execute({ code: 'async () => { while (true) {} }', timeout: 60_000 })).error,
    'Execution timed out at its 1000 ms bound. Do less work per run and return the part that is already finished.')
  await assert.rejects(executor.execute({ code: "async () => 'x'.repeat(20_000)" }), (failure) => {
    assert.ok(failure instanceof ExecutorError)
    assert.equal(`${failure.name} | ${failure.code} | retryable ${String(failure.retryable)}`, 'ExecutorError | RESPONSE_TOO_LARGE | retryable false')
    assert.equal(failure.message, 'The execution response of 20,031 bytes exceeds the response limit of 4,096 bytes. Return less data, or raise the response limit on the server.')
    return true
  })
})

test('a daemon can close the network for those who name none of their own', async () => {
  const executor = await remote({ OUTBOUND_MODE: 'null' })

  assert.match((await executor.execute({ code: fetching })).error, refused)
  assert.equal((await executor.execute({ code: fetching, outbound: policy })).result, 'policy for https://api.internal/ping')
})
