// Drives the built codemode-executor: CODEMODE_EXECUTOR names it. Each test file
// has a directory and a copy of the worker of its own, so that it can tell which
// processes are its.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export const executor = process.env.CODEMODE_EXECUTOR
if (executor === undefined) throw new Error('CODEMODE_EXECUTOR must name the built codemode-executor')

export const directory = mkdtempSync(join(tmpdir(), 'codemode-e2e-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const mark = randomUUID()
const worker = join(directory, 'codemode-worker')
const beside = join(dirname(executor), 'codemode-worker')
if (existsSync(beside)) copyFileSync(beside, worker)

export const environment = {
  PATH: process.env.PATH,
  CM_TEST_MARK: mark,
  ...(existsSync(worker) ? { CODEMODE_WORKER_PATH: worker } : {}),
}

export function file(name, content) {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'object' && !Buffer.isBuffer(content) ? JSON.stringify(content) : content)
  return path
}

// Starts it; `ended` resolves to what it printed and how it exited.
export function start(args, { input, env = {}, stdout = 'pipe' } = {}) {
  const child = spawn(executor, args, {
    cwd: directory, env: { ...environment, ...env }, stdio: ['pipe', stdout, 'pipe'],
  })
  const seen = { stdout: '', stderr: '' }
  const waiting = []
  for (const name of ['stdout', 'stderr']) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      seen[name] += text
      for (const check of waiting) check()
    })
  }
  child.stdin.on('error', () => {}) // it need not read what it is given
  child.stdin.end(input ?? '')

  return {
    child,
    // Resolves when the text has come on standard error.
    says: (text) => new Promise((resolve) => {
      const check = () => seen.stderr.includes(text) && resolve()
      waiting.push(check)
      check()
    }),
    ended: new Promise((resolve) => {
      child.on('close', (status, signal) => resolve({ status, signal, ...seen }))
    }),
  }
}

export const call = (args, options) => start(args, options).ended
export const run = (code, args = [], options = {}) => call(['run', '-', ...args], { input: code, ...options })

// Processes that these tests have started and that still run. One that has ended
// and waits for a negligent init process to notice does not count: it has no
// environment and no program any more.
export function leftovers() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => isOurs(`/proc/${pid}`))
}

// What a host that has ended leaves is gone within a second; a loaded machine may take
// a few to say so.
export async function nothingLeft() {
  const end = Date.now() + 5000
  while (leftovers().length > 0 && Date.now() < end) await setTimeout(10)
  assert.deepEqual(leftovers(), [], 'processes are left behind')
}

function isOurs(path) {
  try {
    return readFileSync(join(path, 'environ'), 'utf8').includes(mark) ||
      readlinkSync(join(path, 'exe')).startsWith(worker)
  } catch {
    return false // it ended while we looked, or is somebody else's
  }
}
