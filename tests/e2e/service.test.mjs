// Real daemons, real packages, and what goes wrong between them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { after, afterEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { connect } from '@supolka/cloudflare-codemode-executor'
import { WebSocket } from 'ws'
import { deferred, lastingMb, processMb, startDaemon, startProxy } from './daemon.mjs'
import { nothingLeft } from './harness.mjs'

const ends = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
after(nothingLeft)

async function daemon(settings) {
  const started = await startDaemon(settings)
  ends.push(() => started.stop())
  return started
}

async function connected(url, options) {
  const executor = await connect(url, { WebSocket, ...options })
  ends.push(() => executor.dispose())
  return executor
}

// The long tests can be made shorter where one works on them: CM_SCALE=0.05.
const scale = Number(process.env.CM_SCALE ?? 1)
const asking = { code: 'async () => await host.ask()', providers: [{ name: 'host' }] }
const broken = { name: 'ExecutorError', code: 'CONNECTION_BROKEN', retryable: true }

/** A run whose tool call is never answered, and a promise that its call has come. */
function hanging(executor, request) {
  const asked = deferred()
  const aborted = deferred()
  const run = executor.execute({ ...asking, ...request, dispatch: (_provider, _tool, _args, signal) => {
    signal.addEventListener('abort', aborted.resolve)
    asked.resolve()
    return new Promise(() => {})
  } })
  run.catch(() => {}) // the test looks at it later

  return { run, asked: asked.promise, aborted: aborted.promise }
}

function collectGarbage() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

const nativeNode = ['x64', 'arm64'].map((arch) => fileURLToPath(new URL(`../../node_modules/node-linux-${arch}/bin/node`, import.meta.url)))
  .find(existsSync)

test('a host with a WebSocket of its own connects without being given one', { skip: nativeNode === undefined && process.env.CM_MUST_WORK !== '1' && 'no newer Node.js for this machine' }, async () => {
  const { url } = await daemon()
  const script = `
    import { connect } from '@supolka/cloudflare-codemode-executor'
    const executor = await connect(process.argv[1])
    const dispatch = async (provider, tool, args) => JSON.stringify({ result: [provider, tool, JSON.parse(args)] })
    console.log(JSON.stringify((await executor.execute({ code: 'async () => await store.list(1)', providers: [{ name: 'store' }], dispatch })).result))
    await executor.dispose()`
  const { stdout } = await promisify(execFile)(nativeNode, ['--input-type=module', '-e', script, url], { cwd: fileURLToPath(new URL('.', import.meta.url)) })

  assert.equal(stdout, '["store","list",[1]]\n')
})

test('a token opens a daemon that has one, nothing else does', async () => {
  const { url } = await daemon({ AUTH_TOKEN: 'a-token-of-this-test' })
  const executor = await connected(url, { token: 'a-token-of-this-test' })

  assert.equal((await executor.execute({ code: '() => 42' })).result, 42)
  await assert.rejects(connect(url, { WebSocket }), { code: 'UNAUTHORIZED', retryable: false })
  await assert.rejects(connect(url, { WebSocket, token: 'another-token-than-that' }), { code: 'UNAUTHORIZED' })
})

test('an abort ends the run on the daemon, too', async () => {
  const { url } = await daemon()
  const executor = await connected(url)
  const controller = new AbortController()
  const { run, asked, aborted } = hanging(executor, { signal: controller.signal })

  await asked
  controller.abort()
  await assert.rejects(run, { code: 'CANCELLED', retryable: false })
  await aborted
  const loop = executor.execute({ code: '() => { for (;;); }', timeout: null, signal: AbortSignal.timeout(50) })
  await assert.rejects(loop, { code: 'CANCELLED' })
  assert.equal((await executor.execute({ code: '() => 42' })).result, 42)
})

test('a session rotates while its runs go on', async () => {
  const { url } = await daemon()
  const executor = await connected(url, { rotateAfterExecutions: 3 })
  const answers = []
  const waiting = Array.from({ length: 7 }, () => executor.execute({ ...asking, dispatch: () => new Promise((resolve) => {
    answers.push(resolve)
    if (answers.length === 7) for (const answer of answers) answer('{"result":7}')
  }) }))

  assert.deepEqual((await Promise.all(waiting)).map(({ result }) => result), Array(7).fill(7))
})

test('SIGKILL of the daemon fails what waits as retryable, and another daemon takes over', async () => {
  const first = await startDaemon()
  ends.push(() => first.kill())
  const executors = await Promise.all(Array.from({ length: 5 }, () => connected(first.url)))
  const hangs = executors.flatMap((executor) => Array.from({ length: 4 }, () => hanging(executor)))
  await Promise.all(hangs.map(({ asked }) => asked))

  await first.kill()
  await Promise.all(hangs.map(({ run }) => assert.rejects(run, broken)))
  await Promise.all(hangs.map(({ aborted }) => aborted))
  await assert.rejects(executors[0].execute({ code: '() => 1' }), { code: 'CONNECTION_REJECTED' })
  await daemon({ PORT: first.port })
  const outcomes = await Promise.all(executors.map((executor) => executor.execute({ code: '() => 42' })))
  assert.deepEqual(outcomes.map(({ result }) => result), Array(5).fill(42))
})

test('a network that is cut in the middle of a frame harms nobody else', async () => {
  const { port, url } = await daemon()
  const bystander = await connected(url)
  for (const [direction, request] of [
    ['up', { code: `() => ${JSON.stringify('x'.repeat(100_000))}.length` }],
    ['down', { code: "() => 'x'.repeat(100_000)" }],
  ]) {
    const limits = { [direction]: 50_000 }
    const proxy = await startProxy(port, limits)
    const executor = await connected(proxy.url)
    const { run, asked, aborted } = hanging(executor)
    await asked

    await assert.rejects(executor.execute(request), broken)
    await assert.rejects(run, broken)
    await aborted
    assert.equal((await bystander.execute({ code: '() => 42' })).result, 42)
    proxy.stop()
  }
})

test('a drain lets what runs end and takes nothing new', async () => {
  const { url, child, ended } = await daemon()
  const executor = await connected(url)
  const gates = []
  const asked = deferred()
  const runs = Array.from({ length: 50 }, () => executor.execute({ ...asking, dispatch: () => new Promise((resolve) => {
    gates.push(resolve)
    if (gates.length === 50) asked.resolve()
  }) }))
  await asked.promise

  child.kill('SIGTERM')
  let refusal
  while (refusal === undefined) refusal = await executor.execute({ code: '() => 1' }).then(() => undefined, (fault) => fault)
  assert.deepEqual([refusal.code, refusal.retryable], ['UNAVAILABLE', true])
  for (const open of gates) open('{"result":1}')
  assert.deepEqual((await Promise.all(runs)).map(({ result }) => result), Array(50).fill(1))
  assert.deepEqual(await ended, { status: 0, signal: null })
})

test('1,000 runs wait for tools at once', async () => {
  const count = 1_000 * scale
  const { url } = await daemon({ WORKERS_MAX: 1_100, QUEUE_TIMEOUT_MS: 600_000 })
  const executor = await connected(url)
  const gates = []
  const asked = deferred()
  const runs = Array.from({ length: count }, (_, at) => executor.execute({
    code: `async () => await host.ask(${at})`, providers: [{ name: 'host' }],
    dispatch: (_provider, _tool, args) => new Promise((resolve) => {
      gates.push(() => resolve(JSON.stringify({ result: JSON.parse(args)[0] })))
      if (gates.length === count) asked.resolve()
    }),
  }))
  await Promise.race([asked.promise, Promise.all(runs)])

  assert.equal(gates.length, count)
  for (const open of gates) open()
  assert.deepEqual((await Promise.all(runs)).map(({ result, error }) => error ?? result), runs.map((_, at) => at))
})

test('200 connections are served side by side', async () => {
  const { url } = await daemon()
  const executors = await Promise.all(Array.from({ length: 200 * scale }, () => connected(url)))
  const outcomes = await Promise.all(executors.map((executor, at) => executor.execute({
    ...asking, dispatch: async () => JSON.stringify({ result: at }) })))

  assert.deepEqual(outcomes.map(({ result, error }) => error ?? result), executors.map((_, at) => at))
})

test('20,000 runs with a tool call over one connection leave nothing behind', async () => {
  const { pid, url } = await daemon()
  const executor = await connected(url, { rotateAfterExecutions: Infinity })
  const request = { ...asking, dispatch: async () => '{"result":1}' }
  const run = async (count) => {
    let left = count * scale
    const lane = async () => {
      while (left-- > 0) assert.equal((await executor.execute(request)).result, 1)
    }
    await Promise.all(Array.from({ length: 8 }, lane))
    collectGarbage()
    return { host: process.memoryUsage().heapUsed / 2 ** 20, lasting: lastingMb(pid) }
  }

  await run(4_000)
  const early = await run(4_000)
  const late = await run(12_000)
  assert.ok(late.host - early.host < 2, `heap of the host: ${early.host} MB, then ${late.host} MB`)
  assert.equal(late.lasting.length, 2, 'a daemon and a zygote')
  assert.ok(late.lasting.every((mb, at) => mb - early.lasting[at] < 2), `daemon and zygote: ${early.lasting} MB, then ${late.lasting} MB`)
})

test('a reader that stops reading makes nothing grow and holds up nobody', async () => {
  const { pid, url } = await daemon({ CONNECTION_OUTPUT_BYTES: 4 << 20, WORKERS_MAX: 24 })
  const bystander = await connected(url)
  await bystander.execute({ code: '() => 1' })
  const before = processMb(pid)
  const sockets = []
  class Stopped extends WebSocket {
    constructor(address) {
      super(address)
      sockets.push(this)
    }
  }
  const executor = await connected(url, { WebSocket: Stopped })
  await executor.execute({ code: '() => 1' })
  sockets[0]._socket.pause()
  // 200 MB of results; what the daemon holds is what its workers are writing.
  const runs = Array.from({ length: 200 }, () => executor.execute({ code: "() => 'x'.repeat(1 << 20)" }))
  const settled = Promise.allSettled(runs)

  for (let at = 0; at < 50; at++) {
    assert.equal((await bystander.execute({ code: '() => 42' })).result, 42)
    const grown = processMb(pid) - before
    assert.ok(grown < 100, `the daemon grew by ${grown} MB`)
  }
  sockets[0]._socket.resume()
  const faults = (await settled).flatMap(({ reason }) => reason ?? [])
  assert.deepEqual([...new Set(faults.map(({ code }) => code))], ['CONNECTION_BROKEN'], 'the daemon gave the connection up')
  assert.equal((await executor.execute({ code: '() => 42' })).result, 42)
})
