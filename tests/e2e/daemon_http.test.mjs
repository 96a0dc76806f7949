// The daemon over plain HTTP: routes, refusals, settings, log, exit codes. Sessions are
// in daemon_session.test.mjs.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { endDaemons, failDaemon, startDaemon } from './daemon.mjs'
import { call, environment, file, nothingLeft } from './harness.mjs'
import { ask, exchange, handshake } from './sockets.mjs'

let daemon
before(async () => {
  daemon = await startDaemon()
})
after(async () => {
  await endDaemons()
  await nothingLeft()
})

const admin = { Host: '127.0.0.1' }

// ---- routes ----

test('the caller port answers health, readiness and metrics', async () => {
  assert.equal((await ask(daemon.port, 'GET', '/healthz')).text, 'ok')
  assert.equal((await ask(daemon.port, 'GET', '/readyz')).text, 'ready')
  assert.match((await ask(daemon.port, 'GET', '/metrics')).text, /^# HELP codemode_/)
})

test('HEAD has the headers of GET and no body', async () => {
  const { status, headers, text } = await ask(daemon.port, 'HEAD', '/healthz')
  assert.deepEqual([status, headers['content-length'], text], [200, '2', ''])
})

test('metrics are what promtool accepts', async () => {
  const { text } = await ask(daemon.port, 'GET', '/metrics')
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  assert.deepEqual([status, stdout, stderr], [0, '', ''])
})

test('the admin port answers status, settings and maintenance', async () => {
  const status = JSON.parse((await ask(daemon.adminPort, 'GET', '/status')).text)
  assert.equal(status.state, 'ready')
  assert.deepEqual(Object.keys(status.pool), ['starting', 'ready', 'running', 'ending', 'started', 'killed', 'lost'])
  const settings = JSON.parse((await ask(daemon.adminPort, 'GET', '/settings')).text)
  assert.deepEqual(settings.find(({ name }) => name === 'PORT'), { name: 'PORT', value: '0', source: 'environment' })
  assert.equal((await ask(daemon.adminPort, 'GET', '/maintenance')).text, '{"on":false}')
})

test('the page for people is one document with a strict policy', async () => {
  const { status, headers, text } = await ask(daemon.adminPort, 'GET', '/')
  assert.equal(status, 200)
  assert.match(headers['content-security-policy'], /^default-src 'none';/)
  assert.doesNotMatch(headers['content-security-policy'], /unsafe-inline/)
  assert.doesNotMatch(text, /\b(https?:)?\/\/[a-z]/, 'nothing from elsewhere')
})

// ---- refusals ----

const put = (body) => ({ headers: { ...admin, 'Content-Length': String(body.length) }, body })
const without = (name) => ({ headers: Object.fromEntries(Object.entries(handshake).filter(([key]) => key !== name)) })
const as = (name, value) => ({ headers: { ...handshake, [name]: value } })

const refusals = [
  ['a wrong path', 'port', 'GET', '/nothing', {}, 404, /^There is nothing at this path\. There are \/healthz, \/readyz, \/metrics, \/\.\n$/],
  ['a path of the admin port', 'port', 'GET', '/status', {}, 404],
  ['a wrong method', 'port', 'DELETE', '/healthz', {}, 405, /^This path takes GET and HEAD\.\n$/, 'GET, HEAD'],
  ['a method that nobody has', 'port', 'BREW', '/healthz', {}, 405, /^This path takes GET and HEAD\.\n$/, 'GET, HEAD'],
  ['a wrong method with a body', 'port', 'POST', '/metrics', put('x'.repeat(300)), 405, undefined, 'GET, HEAD'],
  ['a wrong method where PUT is right', 'adminPort', 'DELETE', '/maintenance', {}, 405, /GET, HEAD and PUT/, 'GET, HEAD, PUT'],
  ['GET of the WebSocket', 'port', 'GET', '/', {}, 400, /^This is no WebSocket handshake/],
  ['a handshake without a key', 'port', 'GET', '/', without('Sec-WebSocket-Key'), 400, /^This is no WebSocket handshake/],
  ['a handshake with a key that is none', 'port', 'GET', '/', as('Sec-WebSocket-Key', 'short'), 400],
  ['a handshake without a version', 'port', 'GET', '/', without('Sec-WebSocket-Version'), 400],
  ['a handshake of another version', 'port', 'GET', '/', as('Sec-WebSocket-Version', '8'), 400],
  ['a handshake without Connection', 'port', 'GET', '/', without('Connection'), 400],
  ['a handshake with a subprotocol', 'port', 'GET', '/', as('Sec-WebSocket-Protocol', 'soap'), 400],
  ['a handshake to HTTP/2', 'port', 'GET', '/', as('Upgrade', 'h2c'), 400],
  ['a handshake by POST', 'port', 'POST', '/', { headers: handshake }, 400],
  ['a handshake at a wrong path', 'port', 'GET', '/socket', { headers: handshake }, 404, /^There is no WebSocket here/],
  ['a handshake at the admin port', 'adminPort', 'GET', '/', { headers: handshake }, 404, /^There is no WebSocket here/],
  ['a handshake of a web page', 'port', 'GET', '/', as('Origin', 'https://evil.example'), 403, /^This origin is not allowed/],
  ['a request of a web page', 'port', 'GET', '/metrics', { headers: { ...admin, Origin: 'null' } }, 403],
  ['a request of a web page to the admin port', 'adminPort', 'GET', '/status', { headers: { ...admin, Origin: 'http://evil.example' } }, 403],
  ['a rebound name at the admin port', 'adminPort', 'GET', '/status', { headers: { Host: 'evil.example' } }, 403, /^The Host header/],
  ['a rebound name with its own origin', 'adminPort', 'GET', '/status', { headers: { Host: 'evil.example', Origin: 'http://evil.example' } }, 403],
  ['no Host at the admin port', 'adminPort', 'GET', '/status', { headers: {} }, 403],
  ['maintenance that is no JSON', 'adminPort', 'PUT', '/maintenance', put('on'), 400, /^The body is \{"on": true\} or \{"on": false\}\.\n$/],
  ['maintenance that is no boolean', 'adminPort', 'PUT', '/maintenance', put('{"on": 1}'), 400],
  ['maintenance with more than it takes', 'adminPort', 'PUT', '/maintenance', put('{"on": true, "for": 1}'), 400],
  ['maintenance without a body', 'adminPort', 'PUT', '/maintenance', put(''), 400],
  ['maintenance without a length', 'adminPort', 'PUT', '/maintenance', { headers: admin }, 411],
  ['maintenance that is too long', 'adminPort', 'PUT', '/maintenance', put(' '.repeat(5000)), 413],
]

for (const [name, port, method, path, options, status, text, allow] of refusals)
  test(`${name} is refused with ${status}, a line of text and a line in the log`, async () => {
    const before = daemon.lines.length
    const answer = await ask(daemon[port], method, path, options)
    assert.equal(answer.status, status)
    assert.match(answer.headers['content-type'], /^text\/plain/)
    assert.match(answer.text, text ?? /^[^\n]+\n$/)
    assert.equal(answer.headers.allow, allow)
    if (daemon.lines.length > before) assert.equal(daemon.lines.at(-1).level, 'info')
    assert.equal((await ask(daemon.port, 'GET', '/readyz')).text, 'ready', 'the daemon goes on')
  })

test('what is no HTTP is refused with 400', async () => {
  for (const bytes of ['garbage\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])
    assert.match(await exchange(daemon.port, bytes), /^HTTP\/1\.1 400 Bad Request\r\n/)
})

for (const [name, head] of [['a header', `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['a cookie', `GET /healthz HTTP/1.1\r\nCookie: ${'x'.repeat(9000)}\r\n\r\n`],
  ['a path', `GET /${'x'.repeat(60_000)} HTTP/1.1\r\n\r\n`]])
  test(`${name} above the bound ends the connection with a line in the log`, async () => {
    await exchange(daemon.port, head).catch(() => {})
    assert.equal((await ask(daemon.port, 'GET', '/healthz')).text, 'ok')
    assert.deepEqual([daemon.lines.at(-1).msg, daemon.lines.at(-1).reason], ['request refused', 'the headers exceed 8,192 bytes: closed without an answer'])
  })

test('a connection that asks nothing is no refusal', async () => {
  const before = daemon.lines.length
  const probe = connect(daemon.port, '127.0.0.1').resume().end()
  await once(probe, 'close')
  assert.equal((await ask(daemon.port, 'GET', '/healthz')).text, 'ok')
  assert.equal(daemon.lines.length, before)
})

test('an upgrade to what there is not is refused with 403', async () => {
  for (const path of ['/', '/healthz'])
    assert.match(await exchange(daemon.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: soap\r\n\r\n`), /^HTTP\/1\.[01] 403 /)
  assert.equal((await ask(daemon.port, 'GET', '/healthz')).text, 'ok')
})

test('a Host of the caller port does not lead to the admin port', async () => {
  assert.equal((await ask(daemon.port, 'GET', '/status', { headers: { Host: 'admin' } })).status, 404)
})

test('the admin port takes its own name with a forwarded port, and its own page', async () => {
  assert.equal((await ask(daemon.adminPort, 'GET', '/status', { headers: { Host: 'localhost:9999' } })).status, 200)
  const own = { Host: `127.0.0.1:${daemon.adminPort}`, Origin: `http://127.0.0.1:${daemon.adminPort}` }
  assert.equal((await ask(daemon.adminPort, 'GET', '/status', { headers: own })).status, 200)
})

test('an admin port on every address of both protocols knows itself by an IPv4 address', async () => {
  const other = await startDaemon({ ADMIN_HOST: '::' })
  assert.equal((await ask(other.adminPort, 'GET', '/status')).status, 200)
  assert.equal((await ask(other.adminPort, 'GET', '/status', { headers: { Host: 'evil.example' } })).status, 403)
  await other.kill()
})

// ---- settings ----

const bad = [
  ['PORT', '70000', 'PORT is \'70000\', but takes a whole number from 0 to 65,535'],
  ['ADMIN_PORT', '-1', 'ADMIN_PORT is \'-1\', but takes a whole number from 0 to 65,535'],
  ['HOST', 'no such host', 'HOST is \'no such host\', but takes an address or a name of this machine'],
  ['ADMIN_HOST', '192.0.2.1', 'ADMIN_HOST is \'192.0.2.1\', but takes an address or a name of this machine'],
  ['AUTH_TOKEN', 'short', 'AUTH_TOKEN is \'********\', but takes 16 to 1,024 visible ASCII characters'],
  ['ALLOWED_ORIGINS', 'example.org', 'ALLOWED_ORIGINS is \'example.org\', but takes origins like https://example.org, separated by commas'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL is \'loud\', but takes debug, info, warn or error'],
  ['DRAIN_TIMEOUT_MS', '1.5', 'DRAIN_TIMEOUT_MS is \'1.5\', but takes a whole number of ms from 0 to 86,400,000'],
  ['RESPONSE_LIMIT_BYTES', '1', 'RESPONSE_LIMIT_BYTES is \'1\', but takes a whole number of bytes from 64 to 1,073,741,824, or none'],
  ['MEMORY_LIMIT_MB', '1', 'MEMORY_LIMIT_MB is \'1\', but takes a whole number of MB from 16 to 65,536'],
]
for (const [name, value, line] of bad)
  test(`a bad ${name} is one line and exit code 1, from the environment and as a flag`, async () => {
    const flag = `--${name.toLowerCase().replaceAll('_', '-')}`
    assert.deepEqual(await failDaemon({ [name]: value }), { status: 1, stderr: `error: ${line}\n` })
    assert.deepEqual(await failDaemon({ [name]: undefined }, ['serve', flag, value]), { status: 1, stderr: `error: ${flag}: ${line}\n` })
  })

test('a sandbox that does not start the first time is started anew', async () => {
  const real = environment.CODEMODE_WORKER_PATH
  const worker = file('late-worker', `#!/bin/sh\n[ -e '${real}.tried' ] && exec '${real}' "$@"\n: >'${real}.tried'\nexit 1\n`)
  chmodSync(worker, 0o755)
  const late = await startDaemon({ CODEMODE_WORKER_PATH: worker }) // it says "ready"
  assert.ok(late.lines.some(({ level, msg }) => level === 'warn' && msg === 'the sandbox did not start: trying again'))
  assert.equal((await ask(late.port, 'GET', '/readyz')).status, 200)
  await late.kill()
})

test('a flag wins over the environment, and both are told', async () => {
  const other = await startDaemon({ DRAIN_TIMEOUT_MS: '8', MAX_CONNECTIONS: '9' }, ['--drain-timeout-ms', '7'])
  const settings = JSON.parse((await ask(other.adminPort, 'GET', '/settings')).text)
  const told = (wanted) => settings.find(({ name }) => name === wanted)
  assert.deepEqual(told('DRAIN_TIMEOUT_MS'), { name: 'DRAIN_TIMEOUT_MS', value: '7', source: 'flag' })
  assert.deepEqual(told('MAX_CONNECTIONS'), { name: 'MAX_CONNECTIONS', value: '9', source: 'environment' })
  assert.deepEqual(told('QUEUE_LIMIT'), { name: 'QUEUE_LIMIT', value: '1000', source: 'default' })
  await other.kill()
})

test('a token comes from a file, is masked and is in no log line', async () => {
  const token = 'a-token-that-nobody-may-see'
  const other = await startDaemon({ AUTH_TOKEN_FILE: file('token', `${token}\n`), LOG_LEVEL: 'debug' }, ['serve'])
  const { text } = await ask(other.adminPort, 'GET', '/settings')
  assert.deepEqual(JSON.parse(text).find(({ name }) => name === 'AUTH_TOKEN'), { name: 'AUTH_TOKEN', value: '********', source: 'environment' })
  const refused = await ask(other.port, 'GET', '/', as('Authorization', 'Bearer another-token-of-some-length'))
  assert.deepEqual([refused.status, refused.headers['www-authenticate']], [401, 'Bearer'])
  assert.doesNotMatch(text + JSON.stringify(other.lines), /a-token-that|another-token/)
  await other.kill()
})

test('a file that holds no token is one line and exit code 1', async () => {
  for (const env of [{ AUTH_TOKEN_FILE: '/nonexistent' }, { AUTH_TOKEN_FILE: file('empty', '') },
    { AUTH_TOKEN_FILE: file('both', 'x'.repeat(20)), AUTH_TOKEN: 'y'.repeat(20) }]) {
    const { status, stderr } = await failDaemon(env)
    assert.equal(status, 1)
    assert.match(stderr, /^error: AUTH_TOKEN_FILE is '[^\n]*', but [^\n]*\n$/)
  }
})

test('allowed origins may connect', async () => {
  const other = await startDaemon({ ALLOWED_ORIGINS: 'https://one.example,https://two.example:8443' })
  const { status } = await ask(other.port, 'GET', '/healthz', { headers: { ...admin, Origin: 'https://two.example:8443' } })
  assert.equal(status, 200)
  assert.equal((await ask(other.port, 'GET', '/healthz', { headers: { ...admin, Origin: 'https://two.example' } })).status, 403)
  await other.kill()
})

test('an address that is taken is one line and exit code 2', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address()
  const taken = await failDaemon({ PORT: String(port) })
  assert.deepEqual(taken, { status: 2, stderr: `error: HOST 127.0.0.1 with PORT ${port} is taken already: another program listens there\n` })
  assert.equal((await failDaemon({ ADMIN_PORT: String(port) })).status, 2)
  blocker.close()
})

test('help lists the settings of serve and the exit code of a taken address', async () => {
  const { stdout } = await call(['--help'])
  assert.match(stdout, /--allowed-origins TEXT/)
  assert.match(stdout, /^ {2}2 +The address to listen on was already taken\.$/m)
})

// ---- maintenance and the end ----

test('maintenance makes the daemon unready until it ends', async () => {
  assert.equal((await ask(daemon.adminPort, 'PUT', '/maintenance', put('{"on": true}'))).text, '{"on":true}')
  const unready = await ask(daemon.port, 'GET', '/readyz')
  assert.deepEqual([unready.status, unready.text], [503, 'maintenance'])
  assert.equal((await ask(daemon.port, 'GET', '/healthz')).text, 'ok')
  assert.match((await ask(daemon.port, 'GET', '/metrics')).text, /^codemode_maintenance 1$/m)
  await ask(daemon.adminPort, 'PUT', '/maintenance', put('{"on": false}'))
  assert.equal((await ask(daemon.port, 'GET', '/readyz')).text, 'ready')
})

for (const signal of ['SIGTERM', 'SIGINT'])
  test(`${signal} ends an idle daemon with exit code 0`, async () => {
    const other = await startDaemon()
    assert.deepEqual(await other.stop(signal), { status: 0, signal: null })
    assert.deepEqual(other.lines.slice(-2).map(({ msg }) => msg), ['draining', 'ended'])
    assert.deepEqual(other.lines.at(-2).reason, signal)
  })

test('every log line has time, level and message', () => {
  for (const line of daemon.lines) {
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(line.level, /^(debug|info|warn|error)$/)
    assert.equal(typeof line.msg, 'string')
  }
})

afterEach(() => assert.equal(daemon.child.exitCode, null, 'the daemon went on'))
