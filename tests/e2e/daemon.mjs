// Starts daemons for tests: each on ports of its own, and none is left behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer, connect as connectTcp } from 'node:net'
import { createInterface } from 'node:readline'
import { environment, executor as program } from './harness.mjs'

/** A promise with its ends outside. */
export function deferred() {
  const ends = {}

  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }))
  return ends
}

/**
 * Starts a daemon and waits until it listens.
 *
 * @param {Record<string, string | number>} [settings] by the names of their variables
 */
export async function startDaemon(settings = {}) {
  const env = { ...environment, HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' }
  for (const [name, value] of Object.entries(settings)) env[name] = String(value)
  const child = spawn(program, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = []
  const listening = deferred()
  const ended = once(child, 'close').then(([status, signal]) => {
    listening.reject(new Error(`the daemon ended (${status ?? signal}): ${JSON.stringify(lines)}`))
    return { status, signal }
  })
  listening.promise.catch(() => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line)
    lines.push(entry)
    if (entry.msg === 'listening' && entry.listener !== 'admin') listening.resolve(entry.port)
  })
  const port = Number(await listening.promise)

  return {
    port,
    url: `ws://127.0.0.1:${port}`,
    pid: child.pid,
    lines,
    ended,
    signal: (name) => child.kill(name),
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
    async kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

/** What stays while workers come and go, the daemon and its zygote: resident memory of each, in MB. */
export function lastingMb(pid) {
  const parent = (name) => Number(/^PPid:\s*(\d+)/m.exec(statusOf(name))?.[1])
  const zygotes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parent(name) === pid)

  return [pid, ...zygotes].map((member) => Number(/^VmRSS:\s*(\d+)/m.exec(statusOf(member))[1]) / 1024)
}

// Empty for one that has ended.
function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

/** Resident memory of one process in MB; what it shares counts in part. */
export function processMb(pid) {
  try {
    return Number(/^Pss:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) / 1024
  } catch {
    return 0
  }
}

/**
 * A TCP proxy to a port. `limits` says after how many bytes of each direction it cuts the
 * connection, both ways and at once.
 *
 * @param {number} port
 * @param {{ up?: number, down?: number }} limits
 */
export async function startProxy(port, limits = {}) {
  const server = createServer((near) => {
    const far = connectTcp(port, '127.0.0.1')
    const cut = () => {
      near.destroy()
      far.destroy()
    }
    const pass = (from, to, limit = Infinity) => {
      let passed = 0
      from.on('data', (bytes) => {
        const rest = limits.armed === false ? bytes : bytes.subarray(0, limit - passed)
        if (limits.armed !== false) passed += bytes.length
        to.write(rest)
        if (passed > limit) setImmediate(cut)
      })
      from.on('close', cut)
      from.on('error', cut)
    }
    pass(near, far, limits.up)
    pass(far, near, limits.down)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    stop: () => server.close(),
  }
}
