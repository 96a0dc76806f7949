// The admin page in a browser.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { newWebSocketRpcSession } from 'capnweb'
import { WebSocket } from 'ws'
import { openPage } from './browser.mjs'
import { endDaemons, startDaemon } from './daemon.mjs'
import { ask } from './sockets.mjs'

globalThis.WebSocket ??= WebSocket

let daemon
let page
before(async () => {
  daemon = await startDaemon()
  page = await openPage(`http://127.0.0.1:${daemon.adminPort}/`)
})
after(async () => {
  await page.close()
  await endDaemons()
})

const text = (id) => page.evaluate(`document.getElementById('${id}').innerText`)

test('it shows state, version and pool', async () => {
  await page.until(`document.getElementById('state').textContent === 'ready'`)
  assert.match(await text('about'), /^0\.\d+\.\d+, JavaScriptCore/)
  assert.match(await text('pool'), /Ready\s+\d/)
  assert.match(await text('failures'), /None so far/)
})

test('it shows executions, rates and the latest failures by kind', async () => {
  const socket = new WebSocket(daemon.url)
  await once(socket, 'open')
  const main = newWebSocketRpcSession(socket)
  await main.execute({ code: '() => 1' })
  await main.execute({ code: '() => { throw new Error("a secret of the program") }' })
  await page.until(`document.getElementById('failures').innerText.includes('thrown')`)
  assert.match(await text('executions'), /Ended\s+2\b/)
  assert.match(await text('executions'), /Ended a second\s+[\d.]+ \/s/)
  assert.match(await text('connections'), /Open\s+1\b/)
  assert.doesNotMatch(await page.evaluate('document.body.innerText'), /secret/)
  socket.terminate()
})

test('its switch begins and ends maintenance', async () => {
  await page.evaluate(`document.getElementById('maintenance').click()`)
  await page.until(`document.getElementById('state').textContent === 'maintenance'`)
  assert.equal((await ask(daemon.port, 'GET', '/readyz')).text, 'maintenance')
  assert.equal(await text('maintenance'), 'End maintenance')
  await page.evaluate(`document.getElementById('maintenance').click()`)
  await page.until(`document.getElementById('state').textContent === 'ready'`)
  assert.equal((await ask(daemon.port, 'GET', '/readyz')).text, 'ready')
})

test('it lists the settings in force', async () => {
  await page.evaluate(`document.getElementById('settings-box').open = true`)
  await page.until(`document.getElementById('settings').innerText.includes('DRAIN_TIMEOUT_MS')`)
  assert.match(await text('settings'), /ADMIN_PORT\s+0\s+environment/)
})

test('it asks nobody but the daemon, and its policy stops nothing of its own', () => {
  assert.ok(page.requests.length > 0)
  for (const url of page.requests) assert.ok(url.startsWith(`http://127.0.0.1:${daemon.adminPort}/`) || url === 'about:blank', url)
  assert.deepEqual(page.problems, [])
})

test('it is dark where that is preferred', async () => {
  const dark = await openPage(`http://127.0.0.1:${daemon.adminPort}/`, { dark: true })
  await dark.until(`document.getElementById('state')?.textContent === 'ready'`)
  const back = (one) => one.evaluate('getComputedStyle(document.body).backgroundColor')
  assert.notEqual(await back(dark), await back(page))
  await dark.close()
})

test('it says so when the daemon is gone', async () => {
  await daemon.kill()
  await page.until(`document.getElementById('state').textContent === 'unreachable'`)
  assert.notEqual(await text('trouble'), '')
})
