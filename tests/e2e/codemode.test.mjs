// The adapter as the executor of the real @cloudflare/codemode, with the real ai package and
// a model that answers what it is told to.
import assert from 'node:assert/strict'
import { register } from 'node:module'
import { after, test } from 'node:test'
import { CodemodeAdapter } from '@supolka/cloudflare-codemode-executor'
import { IsolateExecutor } from '@supolka/codemode-executor'
import { generateText, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import { environment, executor as program, nothingLeft } from './harness.mjs'

// The package imports a module that only Workers have, for parts that are not used here.
const workers = 'export class RpcTarget {}; export class DurableObject {}; export class WorkerEntrypoint {}'
register(`data:text/javascript,${encodeURIComponent(`
  export async function resolve(specifier, context, next) {
    if (specifier !== 'cloudflare:workers') return next(specifier, context)
    return { url: 'data:text/javascript,${workers}', shortCircuit: true }
  }`)}`)
const { createCodeTool } = await import('@cloudflare/codemode/ai')

process.env.CODEMODE_WORKER_PATH = environment.CODEMODE_WORKER_PATH
const executor = new IsolateExecutor({ path: program, settings: { CM_TEST_MARK: environment.CM_TEST_MARK } })
const adapter = new CodemodeAdapter(executor, { timeout: 5_000, outbound: null })
after(async () => {
  await executor.dispose()
  await nothingLeft()
})

const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, celsius: city.length }),
})
const remove = tool({ description: 'Removes', inputSchema: z.object({}), needsApproval: true, execute: async () => 'removed' })
const codemode = createCodeTool({ tools: { 'get-weather': weather, remove }, executor: adapter })

/** What the tool gives for a program. */
const run = (code) => codemode.execute({ code }, { toolCallId: 'call', messages: [] })

test('a program calls the tools of the ai package', async () => {
  assert.deepEqual(await run(`async () => {
    const cities = await Promise.all(['Rome', 'Oslo!'].map((city) => codemode.get_weather({ city })))
    return cities.map(({ celsius }) => celsius)
  }`), { result: [4, 5] })
})

test('its log lines come with the result', async () => {
  assert.deepEqual(await run("async () => { console.log('a', 1); console.warn('b'); return 1 }"), { result: 1, logs: ['a 1', '[warn] b'] })
})

test('every shape that the package normalizes runs', async () => {
  for (const code of ['```js\nasync () => 42\n```', 'return 42', '42', 'const x = 42\nx', 'async function main() { return 42 }',
    'export default async () => 42']) assert.deepEqual(await run(code), { result: 42 }, code)
})

test('what a program throws, and input that a tool refuses, reach the model as an error', async () => {
  await assert.rejects(run("async () => { throw new Error('nope') }"), { message: 'Code execution failed: nope' })
  await assert.rejects(run("async () => { console.log('first'); throw new Error('nope') }"),
    { message: 'Code execution failed: nope\n\nConsole output:\nfirst' })
  await assert.rejects(run('async () => await codemode.get_weather({ city: 5 })'), /^Error: Code execution failed: .*expected string/s)
  await assert.rejects(run('async () => await codemode.remove({})'), { message: 'Code execution failed: Tool "remove" not found' })
  await assert.rejects(run("async () => await fetch('https://example.org/')"), /Outbound network access is disabled/)
})

test('a model writes a program, reads its result and answers', async () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const turns = [
    { finishReason: { unified: 'tool-calls' }, content: [{ type: 'tool-call', toolCallId: '1', toolName: 'codemode',
      input: JSON.stringify({ code: "async () => (await codemode.get_weather({ city: 'Rome' })).celsius * 10" }) }] },
    { finishReason: { unified: 'stop' }, content: [{ type: 'text', text: 'It is 40.' }] },
  ]
  const model = new MockLanguageModelV3({ doGenerate: async () => ({ ...turns.shift(), usage, warnings: [] }) })
  const { text, steps } = await generateText({ model, tools: { codemode }, prompt: 'How warm is Rome?', stopWhen: stepCountIs(3) })

  assert.equal(text, 'It is 40.')
  assert.deepEqual(steps[0].toolResults.map(({ output }) => output), [{ result: 40 }])
})
