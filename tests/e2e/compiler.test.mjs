// Modules whose exports are found by their form, without a parser: they are compiled to
// what the parser makes of them, and do in the isolate what they do in Node.js.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { file, start } from './harness.mjs'
import { plainTexts } from './modules.plain.mjs'

const askNode = (texts) => {
  const oracle = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', join(import.meta.dirname, 'modules.plain.oracle.mjs')],
    { input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  assert.equal(oracle.status, 0, oracle.stderr)
  return JSON.parse(oracle.stdout)
}

const said = askNode(plainTexts)

test('a module is the same with the parser and without', () => {
  for (const [i, text] of plainTexts.entries()) assert.ok(said[i].same, text)
})

test('each form of an export is found without the parser', () => {
  const found = askNode([
    'export function f() {}\nexport async function* g() {}\n',
    'export class C extends Object {\n}\nexport default class D {}\n',
    'export const a = 1;\nexport let b = [\n  1,\n];\nexport var c = async () => {\n  await b;\n};\nexport let d;\n',
    'export default function f() {\n}\n',
    'export default {\n  a: 1,\n};\n',
    'const a = 1;export{a as b,a as default};\n',
  ])
  assert.deepEqual(found.map(({ plain }) => plain), found.map(() => true))
})

test('what looks like an export is one where it is one in Node.js', async () => {
  const code = `async () => {
    const keysOf = (name) => import(name).then(Object.keys,
      (error) => (error instanceof SyntaxError ? 'SyntaxError' : 'Error'))
    return Promise.all(Array.from({ length: ${plainTexts.length} }, (_, i) => keysOf('m' + i)))
  }`
  const modules = Object.fromEntries(plainTexts.map((text, i) => ['m' + i, text]))
  const request = file('plain.json', { code, modules: { ...modules, other: 'export const x = 1' } })
  const { stdout } = await start(['run', '--request', request, '--json']).ended
  const outcome = JSON.parse(stdout)
  assert.equal(outcome.error, undefined)
  for (const [i, text] of plainTexts.entries()) assert.deepEqual(outcome.result[i], said[i].keys, text)
})
