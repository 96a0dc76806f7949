// Modules that are read without a parser of ours: they are compiled to what the parser
// makes of them, and do in the isolate what they do in Node.js.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { file, start } from './harness.mjs'
import { importingTexts, plainTexts } from './modules.plain.mjs'

const askNode = (texts, ...how) => {
  const oracle = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', join(import.meta.dirname, 'modules.plain.oracle.mjs'), ...how],
    { input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  assert.equal(oracle.status, 0, oracle.stderr)
  return JSON.parse(oracle.stdout)
}

const said = askNode(plainTexts, 'run')

test('a module is the same with the parser and without', () => {
  const texts = [...plainTexts, ...importingTexts]
  for (const [i, { same }] of askNode(texts).entries()) assert.ok(same, texts[i])
})

const areFound = (texts) => {
  for (const [i, { plain }] of askNode(texts).entries()) assert.ok(plain, texts[i])
}

test('each form of an export is found without the parser', () =>
  areFound([
    'export function f() {}\nexport async function* g() {}\n',
    'export class C extends Object {\n}\nexport default class D {}\n',
    'export const a = 1;\nexport let b = [\n  1,\n];\nexport var c = async () => {\n  await (b);\n};\nexport let d;\n',
    'export const a = [1, 2], b = (c, d = 1) => {\n  return `${c}, ${d}`\n}, e = 1\n\n// f\nexport let g\n',
    'const a = {};\nexport const { b, c: d } = a;\n',
    'export default function f() {\n}\n',
    'export default function () {}\n',
    'export default {\n  a: 1,\n};\n',
    'const a = 1;export{a as b,a as default};\n',
    'export * from "a";\nexport * as b from "b";\nexport { c, d as default } from "c";\n',
    'export const a = "export", b = "\\u0041"; // import, await and arguments are words\n',
    'export function f() { return [() => arguments[0], import("a"), import.meta.url]; }\n',
  ]))

test('each form of an import is found without the parser, and what refers to it', () =>
  areFound(
    [
      'x(); new x(); x.y; [x, ...x]; ({ x, a: x }); `${x}`; class A extends x {}',
      'a\nx()\n;[1].map(x)\nif (a)\n  x()\nelse\n  x()',
      '// x\n/* x */ a = "x" + \'x\' + `x` + /x/.test(a.x) + { x: 1 }.x / x',
    ].flatMap((use) => [
      `import x from "a"\n${use}`,
      `import * as x from "a";\n${use}`,
      `import "b";import b, { x, /* c */ c as d } from "a" with { type: "json" };\n${use}`,
    ]),
  ))

test('a name that is declared anew is left to the parser', () => {
  const texts = ['(x) => 1', '{ let x }', '({ x }) => 1', 'class A { m(...[x]) {} }', 'x: for (;;) break x', '({ x() {} })']
  const said = askNode(texts.map((text) => `import { x } from "a";\n${text}`))
  assert.deepEqual(said, texts.map(() => ({ plain: false, same: true })))
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
