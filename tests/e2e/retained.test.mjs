// Retained executions through the packages: handlers that take a Request and give a Response.
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { connect } from '@supolka/cloudflare-codemode-executor'
import { IsolateExecutor } from '@supolka/codemode-executor'
import { WebSocket } from 'ws'
import { startDaemon } from './daemon.mjs'
import { environment, executor as program, nothingLeft } from './harness.mjs'

process.env.CODEMODE_WORKER_PATH = environment.CODEMODE_WORKER_PATH
const ends = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
after(nothingLeft)

const kinds = {
  async IsolateExecutor() {
    const executor = new IsolateExecutor({ path: program, settings: { CM_TEST_MARK: environment.CM_TEST_MARK } })
    ends.push(() => executor.dispose())
    return executor
  },
  async RemoteExecutor(options) {
    const daemon = await startDaemon()
    const executor = await connect(daemon.url, { WebSocket, ...options })
    ends.push(() => daemon.stop(), () => executor.dispose())
    return executor
  },
}

/** Keeps what the program returns; gives the outcome. */
async function keep(executor, code, request) {
  const outcome = await executor.execute({ code, retainHandles: true, ...request })
  assert.equal(outcome.error, undefined)
  return outcome
}

const isGone = (id) => ({ name: 'ExecutorError', code: 'EXECUTION_GONE', retryable: false, message: `Execution ${id} is no longer retained.` })

for (const [kind, open] of Object.entries(kinds)) {
  describe(`retained executions of ${kind}`, () => {
    test('a handler takes a Request and gives a Response', async () => {
      const executor = await open()
      const { executionId, handles, result } = await keep(executor, `async () => async (request) => new Response(
        JSON.stringify([request.method, request.url, request.headers.get('x-a'), await request.text()]),
        { status: 201, statusText: 'Made', headers: { 'x-b': 'c' } })`)

      assert.deepEqual([handles, result], [['default'], undefined])
      const response = await executor.handle(executionId).fetch('https://app/path?q=1', { method: 'POST', headers: { 'x-a': 'b' }, body: 'h\u00e9' })
      assert.deepEqual([response.status, response.statusText, response.headers.get('x-b')], [201, 'Made', 'c'])
      assert.deepEqual(await response.json(), ['POST', 'https://app/path?q=1', 'b', 'h\u00e9'])
    })

    test('bytes cross both ways, and a response need not have a body', async () => {
      const executor = await open()
      const { executionId } = await keep(executor, `async () => ({
        async reverse(request) { return new Response(new Uint8Array(await request.arrayBuffer()).reverse()) },
        async nothing() { return new Response(null, { status: 204 }) },
      })`)
      const bytes = new Uint8Array([0, 1, 2, 254, 255])

      const reversed = await executor.handle(executionId, 'reverse').fetch('https://app/', { method: 'PUT', body: bytes })
      assert.deepEqual([...new Uint8Array(await reversed.arrayBuffer())], [...bytes].reverse())
      const nothing = await executor.handle(executionId, 'nothing').fetch('https://app/')
      assert.deepEqual([nothing.status, nothing.body], [204, null])
    })

    test('its state lives on between calls, and its tools stay at hand', async () => {
      const executor = await open()
      const { executionId } = await keep(executor, `async () => {
        let calls = 0
        return async () => { console.log('call', ++calls); return new Response(await host.name(calls)) }
      }`, { providers: [{ name: 'host' }], dispatch: async (_provider, _tool, args) => JSON.stringify({ result: `call ${JSON.parse(args)[0]}` }) })
      const handle = executor.handle(executionId)

      assert.equal(await (await handle.fetch('https://app/')).text(), 'call 1')
      const { response, error, logs } = await handle.invoke(new Request('https://app/'))
      assert.deepEqual([await response.text(), error, logs], ['call 2', undefined, [{ level: 'log', text: 'call 2' }]])
    })

    test('a handler that fails is a failure of its call alone', async () => {
      const executor = await open()
      const { executionId } = await keep(executor, `async () => async ({ url }) => {
        if (url.endsWith('/bad')) throw new Error('nope')
        return new Response('fine')
      }`)
      const handle = executor.handle(executionId)

      await assert.rejects(handle.fetch('https://app/bad'), { message: 'nope' })
      assert.equal((await handle.invoke(new Request('https://app/bad'))).error, 'nope')
      assert.equal(await (await handle.fetch('https://app/good')).text(), 'fine')
    })

    test('one that is released is gone', async () => {
      const executor = await open()
      const { executionId } = await keep(executor, 'async () => async () => new Response("here")')
      const handle = executor.handle(executionId)

      assert.equal(await (await handle.fetch('https://app/')).text(), 'here')
      await executor.release(executionId)
      await executor.release(executionId)
      await assert.rejects(handle.fetch('https://app/'), isGone(executionId))
      await assert.rejects(executor.handle('nobody').fetch('https://app/'), isGone('nobody'))
    })

    test('a value without a handler is a result like any other', async () => {
      const executor = await open()
      const { result, executionId } = await keep(executor, 'async () => ({ answer: 42 })')

      assert.deepEqual([result, executionId], [{ answer: 42 }, undefined])
    })

    test('the signal of its tools aborts when it is released', async () => {
      const executor = await open()
      let aborted
      const whenAborted = new Promise((resolve) => {
        aborted = resolve
      })
      let asked
      const whenAsked = new Promise((resolve) => {
        asked = resolve
      })
      const { executionId } = await keep(executor, 'async () => async () => new Response(await host.name())', {
        providers: [{ name: 'host' }],
        dispatch: (_provider, _tool, _args, signal) => new Promise(() => {
          signal.addEventListener('abort', aborted)
          asked()
        }),
      })
      const call = assert.rejects(executor.handle(executionId).fetch('https://app/'), { code: 'EXECUTION_GONE' })

      await whenAsked
      await executor.release(executionId)
      await call
      await whenAborted
    })
  })
}

test('a retained execution outlives the rotation of its session', async () => {
  const executor = await kinds.RemoteExecutor({ rotateAfterExecutions: 1 })
  const { executionId } = await keep(executor, 'async () => async () => new Response("here")')

  for (let at = 0; at < 3; at++) assert.equal((await executor.execute({ code: '() => 1' })).result, 1)
  assert.equal(await (await executor.handle(executionId).fetch('https://app/')).text(), 'here')
})
