// A headless Chromium of Debian's, driven through its debugging protocol.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--remote-debugging-port=0', 'about:blank']

async function endpoint(child) {
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = line.match(/^DevTools listening on (ws:\S+)/) ?? []
    if (url !== undefined) return url
  }
  throw new Error('Chromium did not start')
}

// A page at `url`; `evaluate` runs an expression in it, `until` waits for one to be true.
export async function openPage(url, { dark = false } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'codemode-browser-'))
  const child = spawn('chromium', [`--user-data-dir=${profile}`, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  const socket = new WebSocket(await endpoint(child))
  const waiting = new Map()
  const problems = []
  let last = 0
  child.stderr.resume()
  await once(socket, 'open')
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject })
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
  })
  socket.on('message', (data) => {
    const { id, result, error, method, params } = JSON.parse(data)
    if (id === undefined) {
      if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') problems.push(JSON.stringify(params))
      return
    }
    const { resolve, reject } = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) resolve(result)
    else reject(new Error(error.message))
  })
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  for (const domain of ['Runtime', 'Log', 'Page', 'Network']) await send(`${domain}.enable`, {}, sessionId)
  const requests = []
  socket.on('message', (data) => {
    const { method, params } = JSON.parse(data)
    if (method === 'Network.requestWillBeSent') requests.push(params.request.url)
  })
  if (dark) await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] }, sessionId)
  await send('Page.navigate', { url }, sessionId)
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId)
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
    return result.value
  }

  return {
    problems,
    requests,
    evaluate,
    until: async (expression) => {
      while (!await evaluate(expression).catch(() => false)) await evaluate('new Promise(requestAnimationFrame)').catch(() => {})
    },
    close: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
