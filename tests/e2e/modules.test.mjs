// Modules from the command line, and module graphs that have to do in the isolate what
// they do in Node.js.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { file, start } from './harness.mjs'
import { graphs } from './modules.graphs.mjs'

const run = async (...args) => {
  const { status, stdout, stderr } = await start(['run', ...args]).ended
  return { status, stdout, stderr }
}

test('--module gives files by the name that the program imports', async () => {
  file('twice.js', 'export const twice = (n) => n * 2')
  file('table.json', '{"rate":21}')
  file('old.cjs', 'exports.ten = 10')
  file('note.txt', 'hello')
  file('bytes.bin', Buffer.from([0, 255]))
  file('uses.js', `import { twice } from 'lib'
import table from './table.json'
import { ten } from 'old'
import note from 'note'
import bytes from 'bytes'
() => [twice(table.rate), ten, note, bytes.length]`)
  const modules = ['lib=twice.js', 'table.json=table.json', 'old=old.cjs', 'note=note.txt', 'bytes=bytes.bin']
  const got = await run('uses.js', ...modules.flatMap((module) => ['--module', module]))
  assert.deepEqual(got, { status: 0, stdout: '[42,10,"hello",2]\n', stderr: '' })
})

test('a program in a .ts file is TypeScript, others are when --language says so', async () => {
  file('program.ts', '(): number => (1 as number)')
  file('typed.js', '(): number => (2 as number)')
  assert.equal((await run('program.ts')).stdout, '1\n')
  assert.equal((await run('typed.js', '--language', 'typescript')).stdout, '2\n')
  assert.equal((await run('program.ts', '--language=javascript')).status, 3)
})

// ---- the same in Node.js ----

const oracle = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--no-warnings', join(import.meta.dirname, 'modules.oracle.mjs')],
  { input: JSON.stringify(graphs), encoding: 'utf8', maxBuffer: 1 << 24 },
)
assert.equal(oracle.status, 0, oracle.stderr)
const wanted = JSON.parse(oracle.stdout)

describe('a graph does what it does in Node.js', { concurrency: 2 }, () => {
  for (const [i, { name, code, modules }] of graphs.entries())
    test(name, async () => {
      const request = file(`graph${i}.json`, { code, modules })
      const outcome = JSON.parse((await run('--request', request, '--json')).stdout)
      if (wanted[i].failed) assert.notEqual(outcome.error, undefined)
      else assert.deepEqual({ error: outcome.error, result: outcome.result }, { error: undefined, result: wanted[i].result })
    })
})
