// What packages publish as modules, and the modules of test262, are compiled to the same
// without the compiler's own parser as with it. Nearly all of the former need none.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const oracle = join(import.meta.dirname, '../../e2e/modules.plain.oracle.mjs')

const textsBelow = (directory) =>
  readdirSync(join(import.meta.dirname, directory), { recursive: true })
    .filter((name) => /\.m?js$/.test(name))
    .sort()
    .map((name) => join(import.meta.dirname, directory, name))
    .filter((file) => statSync(file).isFile())

const askNode = (files) => {
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--experimental-vm-modules', '--no-warnings', oracle], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

const isModule = (file) => /^(?:import|export)\b/m.test(readFileSync(file, 'utf8'))

test('modules of packages are the same with the parser and without, which nearly all are read', () => {
  const files = textsBelow('node_modules').filter(isModule).filter((_, i) => i % 5 === 0)
  const said = askNode(files)
  said.forEach(({ same }, i) => assert.ok(same, files[i]))
  assert.ok(said.filter(({ plain }) => plain).length > 0.95 * files.length)
})

test('modules of test262 are the same with the parser and without', () => {
  const files = textsBelow('test262')
  askNode(files).forEach(({ same }, i) => assert.ok(same, files[i]))
})
