// Starts daemons for tests: each on ports of its own, and none is left behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer, connect as connectTcp } from 'node:net'
import { directory, environment, executor as program } from './harness.mjs'

/** A promise with its ends outside. */
export function deferred() {
  const ends = {}

  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }))
  return ends
}

const running = new Set()

/** The end of a test: nothing of it is left. */
export async function endDaemons() {
  await Promise.all([...running].map((daemon) => daemon.kill()))
}

function spawnDaemon(settings, args) {
  return spawn(program, args, {
    cwd: directory,
    env: { ...environment, PORT: '0', ADMIN_PORT: '0', HOST: '127.0.0.1', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/**
 * Starts a daemon and waits until its log has said "ready"; one with --stdio is waited for by nobody.
 *
 * @param {Record<string, string | number | undefined>} [settings] by the names of their variables
 * @param {string[]} [args]
 */
export async function startDaemon(settings = {}, args = []) {
  const child = spawnDaemon(settings, args)
  const daemon = {
    child,
    pid: child.pid,
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
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return daemon.ended
    },
    kill: () => daemon.stop('SIGKILL'),
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
  daemon.url = `ws://127.0.0.1:${daemon.port}`
  return daemon
}

/** Starts it where it is not to come up; resolves to how it ended. */
export async function failDaemon(settings = {}, args = []) {
  const child = spawnDaemon(settings, args)
  let stderr = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const [status] = await once(child, 'close')
  return { status, stderr }
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
