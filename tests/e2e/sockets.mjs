// Starts the built daemon on free ports, and asks it over plain sockets.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { directory, environment, executor } from './harness.mjs'

const running = new Set()

// The end of a test: nothing of it is left.
export async function endDaemons() {
  await Promise.all([...running].map((daemon) => daemon.stop()))
}

// Resolves once the log has said "ready", or with `stdio` at once.
export async function startDaemon(args = [], env = {}) {
  const child = spawn(executor, args, {
    cwd: directory,
    env: { ...environment, PORT: '0', ADMIN_PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const daemon = {
    child,
    lines: [],
    stderr: '',
    ended: once(child, 'close').then(([status, signal]) => ({ status, signal })),
    // The first log line, so far or to come, that has these values.
    logged: (wanted) => new Promise((resolve, reject) => {
      const check = () => {
        const line = daemon.lines.find((entry) => Object.entries(wanted).every(([key, value]) => entry[key] === value))
        if (line !== undefined) resolve(line)
        return line !== undefined
      }
      if (check()) return
      waiting.push(check)
      daemon.ended.then(() => reject(new Error(`the daemon ended without logging ${JSON.stringify(wanted)}: ${daemon.stderr}`)))
    }),
    stop: async (signal = 'SIGKILL') => {
      child.kill(signal)
      return daemon.ended
    },
  }
  const waiting = []
  let rest = ''
  running.add(daemon)
  daemon.ended.then(() => running.delete(daemon))
  const log = args.includes('--stdio') ? child.stderr : child.stdout
  log.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      daemon.lines.push(JSON.parse(line))
      for (let i = waiting.length; i-- > 0;) if (waiting[i]()) waiting.splice(i, 1)
    }
  })
  if (log !== child.stderr) child.stderr.setEncoding('utf8').on('data', (text) => (daemon.stderr += text))
  if (args.includes('--stdio')) return daemon
  await daemon.logged({ msg: 'ready' })
  daemon.port = (await daemon.logged({ msg: 'listening', listener: 'callers' })).port
  daemon.adminPort = (await daemon.logged({ msg: 'listening', listener: 'admin' })).port
  daemon.url = `ws://127.0.0.1:${daemon.port}/`
  return daemon
}

// Starts it where it is not to come up; resolves to how it ended.
export async function failDaemon(args = [], env = {}) {
  const child = spawn(executor, args, {
    cwd: directory, env: { ...environment, PORT: '0', ADMIN_PORT: '0', HOST: '127.0.0.1', ...env }, stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const [status] = await once(child, 'close')
  return { status, stderr }
}

// Sends bytes to a port and resolves to all that comes back until the end of it.
export function exchange(port, bytes) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const parts = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })
}

// One request with exactly these headers.
export async function ask(port, method, path, { headers = { Host: '127.0.0.1' }, body = '' } = {}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const text = await exchange(port, `${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`)
  const [head, ...rest] = text.split('\r\n\r\n')
  const [status, ...fields] = head.split('\r\n')
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)])),
    text: rest.join('\r\n\r\n'),
  }
}

export const handshake = {
  Host: '127.0.0.1',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
}
