// Sessions of the daemon, spoken to with the capnweb package and with plain sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { RpcSession, newWebSocketRpcSession } from 'capnweb'
import { WebSocket } from 'ws'
import { endDaemons, startDaemon } from './daemon.mjs'
import { nothingLeft } from './harness.mjs'
import { ask, handshake } from './sockets.mjs'

globalThis.WebSocket ??= WebSocket // capnweb looks at its constants

let shared
before(async () => {
  shared = await startDaemon()
})
after(async () => {
  await endDaemons()
  await nothingLeft()
})

const open = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate()
})

async function dial(daemon, headers = {}) {
  const socket = new WebSocket(daemon.url, { headers })
  open.push(socket)
  await once(socket, 'open')
  socket.closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  return socket
}

async function session(daemon, headers) {
  const socket = await dial(daemon ?? shared, headers)
  return { socket, main: newWebSocketRpcSession(socket) }
}

const fault = async (promise) => {
  const error = await promise.then(() => assert.fail('it was not refused'), (reason) => reason)
  const { code, retryable, message } = error
  return { code, retryable, message }
}

const waiting = { code: 'async () => await host.ask()', providers: [{ name: 'host' }] }

// An execution that waits for the tool call which `answer` answers.
async function hanging(main, request = {}) {
  const ends = {}
  const asked = new Promise((resolve) => (ends.asked = resolve))
  const answered = new Promise((resolve) => (ends.answer = resolve))
  const outcome = main.execute({ ...waiting, ...request }, { dispatch: () => (ends.asked(), answered) })
  outcome.then(() => {}, () => {})
  await asked
  return { outcome, answer: (value) => ends.answer(JSON.stringify({ result: value })) }
}

// A metric, once it has the value.
async function metric(daemon, line) {
  for (;;) {
    const { text } = await ask(daemon.port, 'GET', '/metrics')
    if (text.split('\n').includes(line)) return
  }
}

// A megabyte and more waits for a caller: nothing is read of it.
async function outputWaits(daemon) {
  while (!/^codemode_output_bytes \d{7,}$/m.test((await ask(daemon.port, 'GET', '/metrics')).text));
}

// ---- methods ----

test('hello tells protocol, version, runtime and limits', async () => {
  const { main } = await session()
  const hello = await main.hello({ protocol: 1, client: 'test' })
  assert.deepEqual(Object.keys(hello), ['protocol', 'version', 'runtime', 'limits'])
  assert.equal(hello.protocol, 1)
  assert.match(hello.runtime, /^JavaScriptCore \d/)
})

test('another protocol is refused with both numbers', async () => {
  const { main } = await session()
  assert.deepEqual(await fault(main.hello({ protocol: 7 })),
    { code: 'INVALID_REQUEST', retryable: false, message: 'This executor speaks protocol 1, not 7.' })
  assert.equal((await main.execute({ code: '() => 1' })).result, '1', 'and the session goes on')
})

test('an answer has error, logs and the result as text', async () => {
  const { main } = await session()
  assert.deepEqual(await main.execute({ code: 'async () => { console.log("a"); return { constructor: 1 } }' }),
    { error: undefined, logs: [{ level: 'log', text: 'a' }], result: '{"constructor":1}' })
  const failed = await main.execute({ code: '() => { throw new Error("no") }' })
  assert.deepEqual([failed.error, failed.failure, 'result' in failed], ['no', 'thrown', false])
  assert.match(failed.stack, /program\.js:1/)
})

for (const [name, request, message] of [
  ['no request', undefined, /^the request is null/],
  ['a request that is a text', '() => 1', /^the request is "\(\) => 1"/],
  ['no code', {}, /^code is missing/],
  ['code that is a number', { code: 1 }, /^code is 1; it is/],
  ['a timeout without an end', { code: '() => 1', timeout: Infinity }, /^timeout is "Infinity"; it is a finite number/],
  ['a provider that is no identifier', { code: '() => 1', providers: [{ name: 'a b' }] }, /^providers\[0\]\.name is "a b"/],
  ['a requestId that is a number', { code: '() => 1', requestId: 5 }, /^requestId is 5; it is a string/],
  ['a function as code', { code: () => 1 }, /^code is a function; it is plain data$/],
])
  test(`${name} is an INVALID_REQUEST that says so`, async () => {
    const { main } = await session()
    const { code, retryable, message: text } = await fault(main.execute(request))
    assert.deepEqual([code, retryable], ['INVALID_REQUEST', false])
    assert.match(text, message)
  })

test('callbacks that are none are refused', async () => {
  const { main } = await session()
  assert.match((await fault(main.execute({ code: '() => 1' }, 5))).message, /^callbacks is no object/)
  assert.match((await fault(main.execute({ code: '() => 1' }, { dispatch: 'x' }))).message, /^callbacks\.dispatch is no function/)
})

test('an unknown method is a TypeError, and the session goes on', async () => {
  const { main } = await session()
  await assert.rejects(async () => main.destroy(), TypeError)
  assert.equal((await main.stats()).state, 'ready')
})

test('log lines come as they are written', async () => {
  const { main } = await session()
  const lines = []
  const { logs } = await main.execute({ code: 'async () => { console.log("one"); await host.ask(); console.warn("two") }', providers: waiting.providers },
    { onLog: (line) => { lines.push(line) }, dispatch: () => {
      assert.deepEqual(lines, [{ level: 'log', text: 'one' }])
      return '{}'
    } })
  assert.deepEqual(lines, logs)
})

// ---- outbound ----

const fetching = `async () => { try { const r = await fetch('https://api.internal/a', { method: 'POST', headers: { 'x-a': 'b' }, body: 'hi' }); return [r.status, r.statusText, r.headers.get('x-b'), await r.text()] } catch (error) { return error.name + ': ' + error.message } }`

test('an outbound function gets requests as plain data with native bytes and answers them', async () => {
  const { main } = await session()
  const seen = []
  const { result } = await main.execute({ code: fetching }, { outbound: (request) => {
    seen.push(request)
    return { status: 201, statusText: 'Made', headers: [['x-b', 'c']], body: new TextEncoder().encode('served').buffer }
  } })
  assert.deepEqual(JSON.parse(result), [201, 'Made', 'c', 'served'])
  const [{ url, method, headers, body }] = seen
  assert.deepEqual([url, method, Buffer.from(body).toString()], ['https://api.internal/a', 'POST', 'hi'])
  assert.ok(headers.some(([name, value]) => name === 'x-a' && value === 'b'))
})

for (const [name, answer, says] of [
  ['a text', 'ok', /no response: it is no object\.$/],
  ['no status', { body: 'x' }, /no response: status is no whole number/],
  ['headers that are an object', { status: 200, headers: { a: 'b' } }, /no response: headers is no array/],
  ['a header without a value', { status: 200, headers: [['a']] }, /no response: headers\[0\] is no \[name, value\]/],
  ['a body that is a number', { status: 200, body: 5 }, /no response: body is neither/],
  ['a status out of range', { status: 99 }, /99|status/],
])
  test(`an outbound function that answers with ${name} makes fetch reject`, async () => {
    const { main } = await session()
    const { result } = await main.execute({ code: fetching }, { outbound: () => answer })
    assert.match(JSON.parse(result), says)
  })

test('an outbound function that throws makes fetch reject with its message', async () => {
  const { main } = await session()
  const { result } = await main.execute({ code: fetching }, { outbound: () => { throw new Error('policy says no') } })
  assert.equal(JSON.parse(result), 'TypeError: policy says no')
})

test('outbound null closes the network also where a function is given', async () => {
  const { main } = await session()
  const { result } = await main.execute({ code: fetching, outbound: null }, { outbound: () => ({ status: 200 }) })
  assert.equal(JSON.parse(result), 'TypeError: Outbound network access is disabled for this execution.')
})

// ---- ends ----

test('cancel ends the execution of that id and says whether there was one', async () => {
  const { main } = await session()
  const { outcome } = await hanging(main, { requestId: 'mine' })
  assert.match((await fault(main.execute({ ...waiting, requestId: 'mine' }))).message, /^requestId is that of an execution/)
  assert.equal(await main.cancel('other'), false)
  assert.equal(await main.cancel('mine'), true)
  assert.deepEqual(await fault(outcome), { code: 'CANCELLED', retryable: false, message: 'The host cancelled the execution.' })
  assert.equal((await fault(main.cancel(5))).code, 'INVALID_REQUEST')
})

test('an execution whose call is dropped ends', async () => {
  const { main } = await session()
  const { outcome } = await hanging(main)
  outcome[Symbol.dispose]()
  await metric(shared, 'codemode_executions_running 0')
})

// ---- retained executions ----

const serving = {
  retainHandles: true,
  providers: waiting.providers,
  code: `() => ({
    async hello(request) { console.log('asked'); return new Response('hello ' + await request.text() + ' ' + await host.ask(), { status: 203, headers: { 'x-a': 'b' } }) },
    async away() { return fetch('https://api.internal/') },
  })`,
}

test('a retained execution answers requests and goes on asking its caller', async () => {
  const { main } = await session()
  let asked = 0
  const kept = await main.execute(serving, {
    dispatch: () => `{"result":${++asked}}`, outbound: () => ({ status: 200, body: 'from outside' }),
  })
  assert.deepEqual([kept.error, kept.handles, 'result' in kept], [undefined, ['hello', 'away'], false])
  const request = { url: 'https://self/', method: 'POST', headers: [], body: new TextEncoder().encode('you') }
  const { response, logs, error } = await main.invoke(kept.executionId, 'hello', request)
  assert.deepEqual([response.status, Buffer.from(response.body).toString(), error], [203, 'hello you 1', undefined])
  assert.ok(response.headers.some(([name, value]) => name === 'x-a' && value === 'b'))
  assert.deepEqual(logs, [{ level: 'log', text: 'asked' }])
  const away = await main.invoke(kept.executionId, 'away', { url: 'https://self/' })
  assert.equal(Buffer.from(away.response.body).toString(), 'from outside')
  assert.equal((await fault(main.invoke(kept.executionId, 'nothing', request))).code, 'INVALID_REQUEST')
  assert.equal((await fault(main.invoke(kept.executionId, 'hello', { url: 5 }))).message, 'url is no text; it is an absolute URL')
  assert.equal(await main.release(kept.executionId), true)
  assert.deepEqual(await fault(main.invoke(kept.executionId, 'hello', request)),
    { code: 'EXECUTION_GONE', retryable: false, message: `Execution ${kept.executionId} is no longer retained.` })
})

test('a retained execution is its connection\'s own and ends with it', async () => {
  const daemon = await startDaemon()
  const { main, socket } = await session(daemon)
  const { executionId } = await main.execute(serving)
  const other = await session(daemon)
  assert.equal((await fault(other.main.invoke(executionId, 'hello', { url: 'https://self/' }))).code, 'EXECUTION_GONE')
  assert.equal(await other.main.release(executionId), false)
  await metric(daemon, 'codemode_retained 1')
  socket.terminate()
  await metric(daemon, 'codemode_retained 0')
  await daemon.kill()
})

test('a response above its limit is refused with the sizes', async () => {
  const daemon = await startDaemon({ RESPONSE_LIMIT_BYTES: '4096' })
  const { main } = await session(daemon)
  assert.deepEqual(await fault(main.execute({ code: `async () => 'x'.repeat(20_000)` })), {
    code: 'RESPONSE_TOO_LARGE', retryable: false,
    message: 'The execution response of 20,031 bytes exceeds the response limit of 4,096 bytes. Return less data, or raise the response limit on the server.' })
  assert.equal((await main.execute({ code: '() => 1' })).result, '1')
  await metric(daemon, 'codemode_executions_total{outcome="RESPONSE_TOO_LARGE"} 1')
  await daemon.kill()
})

test('the cap of the daemon wins over the request', async () => {
  const daemon = await startDaemon({ MAX_TIMEOUT_MS: '100' })
  const { main } = await session(daemon)
  assert.match((await main.execute({ code: '() => { for (;;); }', timeout: 60_000 })).error, /^Execution timed out at its 100 ms bound/)
  await metric(daemon, 'codemode_kills_total{bound="timeout"} 1')
  await daemon.kill()
})

// ---- limits of a connection ----

test('a connection has a bound on its executions and on those that wait behind them', async () => {
  const daemon = await startDaemon({ CONNECTION_RUNS: '1', CONNECTION_QUEUE: '1' })
  const { main } = await session(daemon)
  const first = await hanging(main)
  const second = main.execute({ code: '() => 2' })
  assert.deepEqual(await fault(main.execute({ code: '() => 3' })), {
    code: 'OVERLOADED', retryable: true,
    message: 'The executor is overloaded: its queue is full, with 1 waiting for a worker. Try again later.' })
  const other = await session(daemon)
  assert.equal((await other.main.execute({ code: '() => 4' })).result, '4', 'of another connection')
  first.answer(1)
  assert.equal((await first.outcome).result, '1')
  assert.equal((await second).result, '2')
  await daemon.kill()
})

test('a wait behind others of the connection runs out', async () => {
  const daemon = await startDaemon({ CONNECTION_RUNS: '1', QUEUE_TIMEOUT_MS: '20' })
  const { main } = await session(daemon)
  await hanging(main)
  assert.deepEqual(await fault(main.execute({ code: '() => 2' })), {
    code: 'OVERLOADED', retryable: true,
    message: 'The executor is overloaded: no worker became free within 20 ms. Try again later.' })
  await daemon.kill()
})

test('connections above the bound are refused with 503', async () => {
  const daemon = await startDaemon({ MAX_CONNECTIONS: '1' })
  await dial(daemon)
  const { status, text } = await ask(daemon.port, 'GET', '/', { headers: handshake })
  assert.deepEqual([status, text], [503, 'MAX_CONNECTIONS connections are open. Try again later.\n'])
  await daemon.kill()
})

test('a caller that does not read loses its connection and nothing else', async () => {
  const daemon = await startDaemon({ CONNECTION_OUTPUT_BYTES: '1048576' })
  const { main, socket } = await session(daemon)
  main.execute({ code: `() => 'x'.repeat(30 << 20)` }).then(() => {}, () => {})
  socket._socket.pause()
  const line = await daemon.logged({ msg: 'connection ended', level: 'warn' })
  assert.match(line.reason, /^CONNECTION_OUTPUT_BYTES are unsent/)
  const other = await session(daemon)
  assert.equal((await other.main.execute({ code: '() => 1' })).result, '1')
  await metric(daemon, 'codemode_output_bytes 0')
  await daemon.kill()
})

test('log lines of answers that nobody asks for count as output while nothing is read', async () => {
  const gated = []
  const gate = createServer((request, response) => {
    if (gated.push(response) === 6) gate.emit('full')
  }).listen(0, '127.0.0.1')
  const full = once(gate, 'full')
  await once(gate, 'listening')
  const daemon = await startDaemon({ CONNECTION_OUTPUT_BYTES: String(22 << 20), CONSOLE_BYTES: String(4 << 20), OUTBOUND_MODE: 'open', WORKERS_MAX: '8' })
  const { main, socket } = await session(daemon)
  const logs = `async () => { await fetch('http://127.0.0.1:${gate.address().port}'); console.log('x'.repeat((4 << 20) - 1)) }`
  const unasked = Array.from({ length: 6 }, () => main.execute({ code: logs })) // sent, not pulled
  await full
  main.execute({ code: `() => 'x'.repeat(16 << 20)` }).then(() => {}, () => {})
  socket._socket.pause()
  await outputWaits(daemon)
  gated.forEach((response) => response.end())
  const line = await daemon.logged({ msg: 'connection ended', level: 'warn' })
  assert.match(line.reason, /^CONNECTION_OUTPUT_BYTES are unsent/)
  assert.equal(unasked.length, 6)
  await daemon.kill()
  gate.close()
})

test('a caller that reads slowly gets everything', async () => {
  const { main, socket } = await session()
  const results = [1, 2, 3].map((n) => main.execute({ code: `() => '${n}'.repeat(3 << 20)` }))
  socket._socket.pause()
  await metric(shared, 'codemode_executions_running 0')
  socket._socket.resume()
  for (const { result } of await Promise.all(results)) assert.equal(result.length, (3 << 20) + 2)
})

// ---- tokens ----

const token = 'a-token-of-the-tests'

test('with a token calls are refused until it is presented', async () => {
  const daemon = await startDaemon({ AUTH_TOKEN: token })
  const { main } = await session(daemon)
  for (const call of [main.execute({ code: '() => 1' }), main.stats(), main.cancel('x'), main.hello({ protocol: 1 }), main.hello({ protocol: 1, token: 'wrong' })]) {
    const { code, retryable } = await fault(call)
    assert.deepEqual([code, retryable], ['UNAUTHORIZED', false])
  }
  await main.hello({ protocol: 1, token })
  assert.equal((await main.execute({ code: '() => 1' })).result, '1')
  const bearer = await session(daemon, { Authorization: `Bearer ${token}` })
  assert.equal((await bearer.main.execute({ code: '() => 2' })).result, '2')
  assert.doesNotMatch(JSON.stringify(daemon.lines), new RegExp(token))
  await daemon.kill()
})

test('without a token in time the connection ends', async () => {
  const daemon = await startDaemon({ AUTH_TOKEN: token, HELLO_TIMEOUT_MS: '50' })
  const socket = await dial(daemon)
  await socket.closed
  await daemon.logged({ msg: 'connection closed', reason: 'no token was presented in time' })
  await daemon.kill()
})

test('before the token a long message ends the session', async () => {
  const daemon = await startDaemon({ AUTH_TOKEN: token })
  const socket = await dial(daemon)
  socket.send(JSON.stringify(['push', 'x'.repeat(70_000)]))
  const { code, reason } = await socket.closed
  assert.deepEqual([code, reason], [3000, 'A message has at most 65,536 bytes here.'])
  await daemon.kill()
})

// ---- what breaks a session ----

for (const [name, message] of [['text that is no JSON', 'hello'], ['an unknown message', '["dance"]'], ['a binary frame', Buffer.from([1])], ['an empty message', '']])
  test(`${name} ends that session with an abort, a close and a line in the log`, async () => {
    const daemon = await startDaemon()
    const socket = await dial(daemon)
    const messages = []
    socket.on('message', (data) => messages.push(JSON.parse(data)))
    socket.send(message)
    assert.equal((await socket.closed).code, 3000)
    assert.deepEqual(messages.map(([type]) => type), ['abort'])
    await daemon.logged({ msg: 'session ended', level: 'warn' })
    const other = await session(daemon)
    assert.equal((await other.main.execute({ code: '() => 1' })).result, '1')
    await daemon.kill()
  })

test('a frame that is no WebSocket frame ends that connection', async () => {
  const socket = connect(shared.port, '127.0.0.1')
  const head = Object.entries(handshake).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`GET / HTTP/1.1\r\n${head}\r\n`)
  await once(socket, 'data')
  socket.write(Buffer.from([0xff, 0x05, 1, 2, 3])) // reserved bits, no mask
  await once(socket, 'close')
  const { main } = await session()
  assert.equal((await main.execute({ code: '() => 1' })).result, '1')
})

const breaks = {
  'is reset': ({ _socket }) => _socket.resetAndDestroy(),
  'ends without a close frame': ({ _socket }) => _socket.end(),
  'is destroyed': (socket) => socket.terminate(),
  'is closed': (socket) => socket.close(),
  'sends what is no frame': ({ _socket }) => _socket.write(Buffer.from([0xff, 0x05, 1, 2, 3])),
  'sends what is no message': (socket) => socket.send('hello'),
}
for (const [how, end] of Object.entries(breaks))
  test(`a connection that ${how} ends its executions and frees what they held`, async () => {
    const daemon = await startDaemon({ CONNECTION_RUNS: '2' })
    const { main, socket } = await session(daemon)
    socket.on('error', () => {})
    await hanging(main)
    await hanging(main)
    main.execute({ code: '() => 1' }).then(() => {}, () => {}) // waits behind them
    await metric(daemon, 'codemode_executions_waiting 1')
    end(socket)
    await metric(daemon, 'codemode_executions_running 0')
    await metric(daemon, 'codemode_executions_waiting 0')
    await metric(daemon, 'codemode_kills_total{bound="cancelled"} 2')
    await metric(daemon, 'codemode_workers{state="running"} 0')
    await metric(daemon, 'codemode_connections 0')
    await daemon.kill()
  })

for (const [how, end] of [['is reset', (tcp) => tcp.resetAndDestroy()], ['ends', (tcp) => tcp.end()]])
  test(`a connection that ${how} while nothing is read of it ends its executions`, async () => {
    const daemon = await startDaemon()
    const { main, socket } = await session(daemon)
    socket.on('error', () => {})
    await hanging(main)
    main.execute({ code: `() => 'x'.repeat(16 << 20)` }).then(() => {}, () => {})
    socket._socket.pause()
    await outputWaits(daemon)
    end(socket._socket)
    await metric(daemon, 'codemode_executions_running 0')
    await metric(daemon, 'codemode_connections 0')
    await metric(daemon, 'codemode_output_bytes 0')
    await daemon.kill()
  })

test('a caller that does not answer pings loses its connection', async () => {
  const daemon = await startDaemon({ PING_INTERVAL_MS: '30' })
  const head = Object.entries(handshake).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const deaf = connect(daemon.port, '127.0.0.1', () => deaf.write(`GET / HTTP/1.1\r\n${head}\r\n`))
  const frames = []
  deaf.on('data', (data) => frames.push(data)).on('error', () => {})
  await daemon.logged({ msg: 'connection closed', reason: 'the caller did not answer a ping' })
  assert.ok(Buffer.concat(frames).includes(Buffer.from([0x89, 0])), 'it was pinged')
  await daemon.kill()
})

// ---- maintenance and the end ----

const maintenance = (daemon, on) => {
  const body = JSON.stringify({ on })
  return ask(daemon.adminPort, 'PUT', '/maintenance', { headers: { Host: '127.0.0.1', 'Content-Length': body.length }, body })
}

test('under maintenance new executions are unavailable and running ones go on', async () => {
  const daemon = await startDaemon()
  const { main } = await session(daemon)
  const before = await hanging(main)
  await maintenance(daemon, true)
  assert.deepEqual(await fault(main.execute({ code: '() => 1' })), {
    code: 'UNAVAILABLE', retryable: true, message: 'The executor takes no executions now: it is under maintenance.' })
  before.answer('done')
  assert.equal((await before.outcome).result, '"done"')
  await maintenance(daemon, false)
  assert.equal((await main.execute({ code: '() => 1' })).result, '1')
  await daemon.kill()
})

test('a drain is unready, takes nothing new, lets what runs finish and closes with 1001', async () => {
  const daemon = await startDaemon()
  const { main, socket } = await session(daemon)
  const before = await hanging(main)
  daemon.child.kill('SIGTERM')
  await daemon.logged({ msg: 'draining' })
  const { status, text } = await ask(daemon.port, 'GET', '/readyz')
  assert.deepEqual([status, text], [503, 'draining'])
  assert.equal((await fault(main.execute({ code: '() => 1' }))).message, 'The executor takes no executions now: it is draining.')
  before.answer('done')
  assert.equal((await before.outcome).result, '"done"')
  assert.equal((await socket.closed).code, 1001)
  assert.deepEqual(await daemon.ended, { status: 0, signal: null })
})

test('a drain that runs out ends what still runs', async () => {
  const daemon = await startDaemon({ DRAIN_TIMEOUT_MS: '50' })
  const { main } = await session(daemon)
  const { outcome } = await hanging(main)
  daemon.child.kill('SIGTERM')
  await assert.rejects(async () => outcome)
  await daemon.logged({ msg: 'drain timed out', executions: 1 })
  assert.deepEqual(await daemon.ended, { status: 0, signal: null })
})

test('a second signal ends at once', async () => {
  const daemon = await startDaemon({ DRAIN_TIMEOUT_MS: '86400000' })
  const { main } = await session(daemon)
  const { outcome } = await hanging(main)
  daemon.child.kill('SIGTERM')
  await daemon.logged({ msg: 'draining' })
  daemon.child.kill('SIGINT')
  await assert.rejects(async () => outcome)
  assert.deepEqual(await daemon.ended, { status: 0, signal: null })
})

test('programs, arguments, results and lines are in no log line', async () => {
  const daemon = await startDaemon({ LOG_LEVEL: 'debug' })
  const { main } = await session(daemon)
  await main.execute({ code: 'async () => { console.log("secret-1"); throw new Error(await host.ask("secret-2")) }', providers: waiting.providers },
    { dispatch: () => '{"result":"secret-3"}' })
  await daemon.logged({ msg: 'execution ended', outcome: 'thrown' })
  assert.doesNotMatch(JSON.stringify(daemon.lines), /secret/)
  await daemon.kill()
})

// ---- standard input and output ----

// The transport of capnweb: a message a line, which ends at \n only (for readline of Node 24
// also at U+2028, which is text here).
function lines(child) {
  const waiting = []
  const arrived = []
  let rest = ''
  let ended
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const whole = (rest + text).split('\n')
    rest = whole.pop()
    for (const line of whole) waiting.length > 0 ? waiting.shift().resolve(line) : arrived.push(line)
  })
    .on('close', () => {
      ended = new Error('standard output ended')
      for (const { reject } of waiting.splice(0)) reject(ended)
    })
  return {
    send: async (message) => { child.stdin.write(`${message}\n`) },
    receive: () => new Promise((resolve, reject) => {
      if (arrived.length > 0) resolve(arrived.shift())
      else if (ended !== undefined) reject(ended)
      else waiting.push({ resolve, reject })
    }),
    abort: () => {},
  }
}

test('serve --stdio speaks the same on standard input and output, and logs to standard error', async () => {
  const daemon = await startDaemon({}, ['serve', '--stdio'])
  const main = new RpcSession(lines(daemon.child)).getRemoteMain()
  assert.equal((await main.hello({ protocol: 1 })).protocol, 1)
  assert.equal((await main.execute(waiting, { dispatch: () => '{"result":"caf\u00e9\u2028"}' })).result, JSON.stringify('caf\u00e9\u2028'))
  assert.equal((await main.execute({ code: `() => 'x'.repeat(5 << 20)` })).result.length, (5 << 20) + 2)
  daemon.child.stdin.end()
  assert.deepEqual(await daemon.ended, { status: 0, signal: null })
  assert.ok(daemon.lines.some(({ msg }) => msg === 'draining'))
})

test('serve --stdio ends what runs when standard input ends', async () => {
  const daemon = await startDaemon({}, ['serve', '--stdio'])
  const main = new RpcSession(lines(daemon.child)).getRemoteMain()
  const { outcome } = await hanging(main)
  daemon.child.stdin.end()
  await assert.rejects(async () => outcome)
  assert.deepEqual(await daemon.ended, { status: 0, signal: null })
})

test('serve --stdio ends when nobody reads standard output', async () => {
  const daemon = await startDaemon({}, ['serve', '--stdio'])
  daemon.child.stdout.destroy()
  daemon.child.stdin.write('["push",["pipeline",0,["stats"],[]]]\n["pull",1]\n')
  assert.deepEqual(await daemon.ended, { status: 0, signal: null })
})

test('serve --stdio takes a line that is no message as the end of the session', async () => {
  const daemon = await startDaemon({}, ['serve', '--stdio'])
  let output = ''
  daemon.child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  daemon.child.stdin.write('nonsense\n')
  assert.deepEqual(await daemon.ended, { status: 0, signal: null })
  assert.match(output, /^\["abort",[^\n]*\]\n$/)
})
