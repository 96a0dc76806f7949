// Widely used packages of npm do in the isolate what they do in Node.js, as one bundle
// each in the module map; lodash-es also as it is published, a module a file.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from '../../../runtime/node_modules/esbuild/lib/main.js'
import { packages } from './packages.mjs'

const executor = process.env.CODEMODE_EXECUTOR
const here = import.meta.dirname
const directory = mkdtempSync(join(tmpdir(), 'codemode-modules-'))
process.env.TZ = 'UTC'
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const wholeModule = (entry) => `export * from '${entry}'
import * as all from '${entry}'
export default all.default`

const bundle = async ({ entry, as }) => {
  const result = await build({
    stdin: { contents: as === 'js' ? wholeModule(entry) : `module.exports = require('${entry}')`, resolveDir: here },
    bundle: true,
    write: false,
    format: as === 'js' ? 'esm' : 'cjs',
    platform: 'browser',
    mainFields: as === 'js' ? ['browser', 'module', 'main'] : ['browser', 'main'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
  return result.outputFiles[0].text
}

const execute = (name, request) => {
  const path = join(directory, `${name}.json`)
  writeFileSync(path, JSON.stringify(request))
  return new Promise((resolve, reject) => {
    execFile(executor, ['run', '--request', path, '--json', '--no-network'], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr))
      else resolve(JSON.parse(stdout))
    })
  })
}

const inNode = async (name, source, { as, run }) => {
  const path = join(directory, `${name}.${as === 'js' ? 'mjs' : 'cjs'}`)
  writeFileSync(path, source)
  const module = await import(pathToFileURL(path))
  const result = await run(as === 'js' ? module : module.default)
  return JSON.parse(JSON.stringify(result))
}

for (const [i, row] of packages.entries()) {
  test(row.name, async () => {
    const source = await bundle(row)
    const binding = row.as === 'js' ? '* as m' : 'm'
    const outcome = await execute(`p${i}`, {
      code: `import ${binding} from 'library'\nasync () => (${row.use})(m)`,
      modules: { library: { [row.as]: source } },
    })
    assert.equal(outcome.error, undefined)
    assert.deepEqual(outcome.result, await inNode(`p${i}`, source, row))
  })
}

test('lodash-es, a module a file', async () => {
  const folder = join(here, 'node_modules/lodash-es')
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const modules = Object.fromEntries(files.map((file) => [`lodash-es/${file}`, readFileSync(join(folder, file), 'utf8')]))
  const use = (m) => [m.default.chain([3, 1, 2]).sortBy().reverse().value(), m.partition([1, 2, 3], (x) => x % 2), Object.keys(m).length]
  const outcome = await execute('lodash-es', { code: `import * as m from 'lodash-es/lodash.js'\n() => (${use})(m)`, modules })
  assert.equal(outcome.error, undefined)
  assert.deepEqual(outcome.result, JSON.parse(JSON.stringify(use(await import('lodash-es')))))
})
