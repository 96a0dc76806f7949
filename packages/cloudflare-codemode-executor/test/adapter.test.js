import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CodemodeAdapter } from '@supolka/cloudflare-codemode-executor'
import { ExecutorError, parseValue, stringifyValue } from '@supolka/codemode-executor-protocol'

/** An executor that runs `script` as the program would be, with its dispatch. */
function scripted(script) {
  const requests = []
  const execute = async (request) => {
    requests.push(request)
    const call = async (provider, tool, ...args) => {
      const answer = parseValue(await request.dispatch(provider, tool, stringifyValue(args), new AbortController().signal))
      if ('error' in answer) throw Object.assign(new Error(), typeof answer.error === 'string' ? { message: answer.error } : answer.error)
      return answer.result
    }
    try {
      return { result: await script(call, request), logs: [] }
    } catch (thrown) {
      return { result: undefined, error: thrown.message, logs: [] }
    }
  }
  return { execute, requests }
}

test('functions and providers are called with values, and give values', async () => {
  const adapter = new CodemodeAdapter(scripted(async (call) => [
    await call('codemode', 'add', 1, 2), await call('codemode', 'bytes', new Uint8Array([1, 2])),
  ]))
  const fns = { add: async (a, b) => a + b, bytes: async (bytes) => bytes.buffer }

  const expected = { result: [3, new Uint8Array([1, 2]).buffer], logs: [] }
  assert.deepEqual(await adapter.execute('async () => 1', fns), expected)
  assert.deepEqual(await adapter.execute('async () => 1', [{ name: 'codemode', fns }]), expected)
})

test('tools are called by the identifiers that the model is told', async () => {
  const executor = scripted((call) => call('github', 'list_issues', {}))
  const fns = { 'list-issues': async () => 'issues', delete: async () => 1, '2fa': async () => 2, '???': async () => 3 }

  assert.equal((await new CodemodeAdapter(executor).execute('x', [{ name: 'github', fns }])).result, 'issues')
  assert.deepEqual(executor.requests[0].providers, [{ name: 'github', tools: ['list_issues', 'delete_', '_2fa', '_'] }])
})

test('two tools of one identifier are refused', async () => {
  const { error } = await new CodemodeAdapter(scripted(() => 1))
    .execute('x', [{ name: 'p', fns: { 'a-b': async () => 1, a_b: async () => 2 } }])

  assert.equal(error, 'Provider "p" has two tools that the program would call "a_b".')
})

test('a tool that throws, and one that is not there, fail the call', async () => {
  const adapter = new CodemodeAdapter(scripted((call) => call('p', 'fail')))
  const failing = { fail: async () => {
    throw Object.assign(new RangeError('out of stock'), { code: 'E_STOCK' })
  } }

  assert.equal((await adapter.execute('x', [{ name: 'p', fns: failing }])).error, 'out of stock')
  assert.equal((await adapter.execute('x', [{ name: 'p', fns: {} }])).error, 'Tool "fail" not found')
  assert.equal((await adapter.execute('x', [{ name: 'p', fns: { fail: () => ({ big: 1n }) } }])).error, 'Do not know how to serialize a BigInt')
})

test('log lines are text with their level in front', async () => {
  const adapter = new CodemodeAdapter({ execute: async () => ({ result: 1, logs: [
    { level: 'log', text: 'a' }, { level: 'warn', text: 'b' }, { level: 'error', text: 'c' }] }) })

  assert.deepEqual((await adapter.execute('x', {})).logs, ['a', '[warn] b', '[error] c'])
})

test('it never rejects: a fault is an error too', async () => {
  const adapter = new CodemodeAdapter({ execute: async () => {
    throw new ExecutorError('OVERLOADED', 'The executor is overloaded.')
  } })

  assert.deepEqual(await adapter.execute('x', {}), { result: undefined, error: 'The executor is overloaded.', logs: [] })
})

test('the code is normalized and the fields of the adapter go with every request', async () => {
  const executor = scripted(() => 1)

  await new CodemodeAdapter(executor, { timeout: 5, outbound: null }).execute('```js\nasync () => 1;\n```', {})
  const [{ code, timeout, outbound }] = executor.requests
  assert.deepEqual([code, timeout, outbound], ['async () => 1', 5, null])
})

test('connectors answer every name, pause and fail', async () => {
  const answers = { ok: { a: 1 }, wait: { __codemode_control__: 'pause' }, no: { __codemode_control__: 'error', message: 'refused' } }
  const seen = []
  const binding = { callTool: async (method, args) => {
    seen.push([method, args])
    return answers[method]
  } }
  const run = (method) => new CodemodeAdapter(scripted((call) => call('mail', method, { to: 'ada' })))
    .execute('x', [{ name: 'mail', fns: {} }], { connectors: [{ name: 'mail', binding }] })

  assert.deepEqual((await run('ok')).result, { a: 1 })
  assert.equal((await run('wait')).error, '__CODEMODE_PAUSE__')
  assert.equal((await run('no')).error, 'refused')
  assert.deepEqual(seen[0], ['ok', { to: 'ada' }])
})

test('a prelude puts functions on its provider, and what it leaves is dispatched', async () => {
  const executor = scripted((call, { code }) => {
    const codemode = Object.freeze({ add: (a, b) => call('codemode', 'add', a, b) })
    return new Function('codemode', `return (${code}\n)()`)(codemode)
  })
  const outcome = await new CodemodeAdapter(executor).execute('async () => await codemode.twice(await codemode.add(1, 2))', [
    { name: 'codemode', fns: { add: async (a, b) => a + b }, prelude: 'codemode.twice = (x) => x * 2' }])

  assert.deepEqual(outcome, { result: 6, logs: [] })
})
