// The package that connects, inside a Worker.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import workerd from 'workerd'
import { startDaemon } from './daemon.mjs'
import { directory, file, nothingLeft } from './harness.mjs'

after(nothingLeft)

const worker = `
  import { connect, normalizeCode } from '@supolka/cloudflare-codemode-executor'

  const told = ({ name, code, message }) => [name, code, message]

  export default {
    async fetch(request) {
      const executor = await connect(new URL(request.url).searchParams.get('daemon'))
      const seen = []
      const { result, error } = await executor.execute({
        code: normalizeCode('\`\`\`js\\nasync () => await host.double(21);\\n\`\`\`'),
        providers: [{ name: 'host' }],
        signal: AbortSignal.timeout(10_000),
        dispatch: async (provider, tool, args, signal) => {
          seen.push(provider, tool, signal.aborted)
          return JSON.stringify({ result: JSON.parse(args)[0] * 2 })
        },
      })
      await executor.dispose()
      const closed = await executor.execute({ code: '() => 1' }).catch(told)
      const nobody = await connect('ws://127.0.0.1:9').catch(told)
      return Response.json({ result, error, seen, closed, nobody })
    },
  }`

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed "bundle.mjs")],
      compatibilityDate = "2026-01-01", globalOutbound = "network")),
    (name = "network", network = (allow = ["private", "public", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`

/** Starts workerd; gives the address of its socket. */
async function startWorkerd() {
  const child = spawn(workerd.default, ['serve', file('config.capnp', config), '--control-fd=3'],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  const [line] = await Promise.race([once(child.stdio[3], 'data'), once(child, 'close').then(([status]) => {
    throw new Error(`workerd ended (${status})`)
  })])

  return { child, url: `http://127.0.0.1:${JSON.parse(String(line).split('\n')[0]).port}` }
}

test('a Worker connects, runs a program with a tool, and gets its faults', async () => {
  await build({
    stdin: { contents: worker, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile: join(directory, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd'],
    external: ['cloudflare:workers'],
    logLevel: 'error',
  })
  assert.doesNotMatch(readFileSync(join(directory, 'bundle.mjs'), 'utf8'), /from "node:|require\("/)
  const daemon = await startDaemon()
  const { child, url } = await startWorkerd()
  const answer = await (await fetch(`${url}/?daemon=${encodeURIComponent(daemon.url)}`)).json()
  child.kill()
  await once(child, 'close')
  await daemon.stop()

  assert.deepEqual(answer, {
    result: 42,
    seen: ['host', 'double', false],
    closed: ['ExecutorError', 'CONNECTION_BROKEN', 'RemoteExecutor is closed'],
    nobody: ['ExecutorError', 'CONNECTION_REJECTED', 'Executor handshake failed for ws://127.0.0.1:9'],
  })
})
