// wss://: the client of the library with a TLS proxy in front of a daemon.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createServer } from 'node:tls'
import { directory, run } from './harness.mjs'
import { endDaemons, startDaemon } from './daemon.mjs'

// A certificate of its own, for these names.
function certificate(name, names) {
  const [key, cert] = ['key', 'cert'].map((kind) => join(directory, `${name}.${kind}.pem`))
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
    '-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { file: cert, key: readFileSync(key), cert: readFileSync(cert) }
}

let daemon
const servers = []

// In front of the daemon, as in production; resolves to its URL.
async function front({ key, cert }) {
  const server = createServer({ key, cert }, (near) => {
    const far = connect(daemon.port, '127.0.0.1')
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  }).on('tlsClientError', () => {}).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `wss://127.0.0.1:${server.address().port}`
}

before(async () => (daemon = await startDaemon()))
after(async () => {
  for (const server of servers) server.close()
  await endDaemons()
})

const through = (url, code, trusted) => run(code, ['--json', '--connect', url], { env: trusted && { SSL_CERT_FILE: trusted } })

test('a program runs over TLS with a server whose certificate is trusted', async () => {
  const own = certificate('own', 'IP:127.0.0.1')
  const url = await front(own)
  const { status, stdout } = await through(url, 'async () => 6 * 7', own.file)
  assert.deepEqual([status, JSON.parse(stdout).result], [0, 42])
})

test('large messages cross TLS both ways', async () => {
  const own = certificate('large', 'IP:127.0.0.1')
  const url = await front(own)
  const { stdout } = await through(url, `async () => { const text = '${'é'.repeat(1 << 20)}'; return text + text }`, own.file)
  assert.equal(JSON.parse(stdout).result, 'é'.repeat(2 << 20))
})

for (const [name, names, trusts] of [['nobody vouches for', 'IP:127.0.0.1', false], ['is of another host', 'DNS:other.example', true]])
  test(`a certificate that ${name} is a fault that says so`, async () => {
    const wrong = certificate(`wrong ${trusts}`, names)
    const url = await front(wrong)
    const { status, stdout } = await through(url, '() => 1', trusts ? wrong.file : undefined)
    assert.equal(status, 1)
    assert.deepEqual(JSON.parse(stdout).fault, { code: 'CONNECTION_REJECTED', retryable: false,
      message: `Executor handshake failed for ${url}: its certificate is not trusted` })
  })

test('a server without TLS is a fault', async () => {
  const url = `wss://127.0.0.1:${daemon.port}`
  const { stdout } = await through(url, '() => 1')
  assert.deepEqual(JSON.parse(stdout).fault, { code: 'CONNECTION_REJECTED', message: `Executor handshake failed for ${url}`, retryable: false })
})
