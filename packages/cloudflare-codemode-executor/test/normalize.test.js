import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeCode } from '@supolka/cloudflare-codemode-executor'

const arrow = 'async () => 6 * 7'
const fence = (body, info = 'js', mark = '```', end = '\n') => `${mark}${info}${end}${body}${end}${mark}`

/** Each: what a model wrote, and the program. */
function shapes(rows) {
  for (const [written, program] of rows) assert.equal(normalizeCode(written), program, JSON.stringify(written))
}

/** Runs a program here: it is ours. */
const run = (program) => new Function(`return (\n${program}\n)`)()()

test('what is in the entry form already comes back as it is', () => {
  for (const text of [arrow, `(${arrow})`, '() => 6 * 7', 'x => x', '// why\nasync () => 1', 'async () => 1 // why',
    "import { x } from 'lib'\nasync () => x", 'async () => {\r\n  return 1\r\n}']) assert.equal(normalizeCode(text), text)
})

test('a fenced program is taken out of its fence', () => shapes([
  [fence(arrow), arrow],
  [fence(arrow, 'javascript'), arrow],
  [fence(arrow, ''), arrow],
  [fence(arrow, 'JS'), arrow],
  [fence(arrow, 'js title="orders.js"'), arrow],
  [fence(arrow, 'js', '~~~'), arrow],
  [fence(arrow, 'js', '````'), arrow],
  [fence(arrow, 'js', '```', '\r\n'), arrow],
  [`  ${fence(arrow).replaceAll('\n', '\n  ')}`, arrow],
  [`\n\n${fence(arrow)}\n\n`, arrow],
  [`\`\`\`js\n${arrow}\`\`\``, arrow],
  [`\`\`\`js\n${arrow}`, arrow],
]))

test('prose around a fence is left out', () => shapes([
  [`Here is the program:\n\n${fence(arrow)}\n\nIt multiplies.`, arrow],
  [`Sure:\n${fence(arrow)}`, arrow],
  [`1. First\n   ${fence(arrow).replaceAll('\n', '\n   ')}\n2. Then`, arrow],
]))

test('of several fences, the one that is the program is taken', () => shapes([
  [`${fence('npm install x', 'bash')}\n${fence(arrow)}`, arrow],
  [`${fence(arrow)}\nIt prints:\n${fence('42', '')}`, arrow],
  [`${fence('const x = 1')}\nAll of it:\n${fence(arrow)}`, arrow],
  [`${fence(arrow)}\nor\n${fence('async () => 42')}`, arrow],
  [`${fence('{ "a": 1 }', 'json')}\n${fence(arrow, '')}`, arrow],
]))

test('backticks and fences that belong to the program stay', () => {
  for (const text of [
    'async () => `a ${`b`} c`',
    'async () => "```js"',
    'async () => `\\`\\`\\`js\nx\n\\`\\`\\``',
    'async () => `\n~~~\nx\n~~~\n`',
    'async () => {\n/*\n```js\nno()\n```\n*/\nreturn 1 }',
  ]) {
    assert.equal(normalizeCode(text), text)
    if (!text.includes('/*')) assert.equal(normalizeCode(fence(text, 'js', text.includes('~~~') ? '```' : '~~~')), text)
  }
})

test('a byte-order mark and a trailing semicolon are taken off', () => shapes([
  [`\uFEFF${arrow}`, arrow],
  [`\uFEFF${fence(arrow)}`, arrow],
  [`${arrow};`, arrow],
  [`${arrow} ;;\n`, arrow],
  [`(${arrow});`, `(${arrow})`],
  [`${arrow}; // done`, arrow],
  ["import { x } from 'lib';\nasync () => x;", "import { x } from 'lib';\nasync () => x"],
]))

test('an expression and a list of statements become a function', () => shapes([
  ['6 * 7', 'async () => {\nreturn (6 * 7)\n}'],
  [fence('return 6 * 7', 'javascript'), 'async () => {\nreturn 6 * 7\n}'],
  ['6 * 7 // why\n;', 'async () => {\nreturn (6 * 7)\n}'],
  ['const x = 6; x * 7', 'async () => {\nconst x = 6; return (x * 7)\n}'],
  ['const x = await f()\nreturn x', 'async () => {\nconst x = await f()\nreturn x\n}'],
  ["import { x } from 'lib'\nconst y = x\ny + 1", "import { x } from 'lib'\nasync () => {\nconst y = x\nreturn (y + 1)\n}"],
  ["async () => x\nimport { x } from 'lib'", "import { x } from 'lib'\nasync () => {\nreturn (async () => x)()\n}"],
  ['', 'async () => {}'],
]))

test('declarations and exports become a function that calls them', () => shapes([
  ['async function main() { return 6 * 7 }', 'async () => {\nasync function main() { return 6 * 7 }\nreturn main();\n}'],
  [`export default ${arrow}`, arrow],
  [`export default ${arrow};`, arrow],
  [`export default (${arrow});`, `(${arrow})`],
  ['export default async function () { return 42 }', 'async function () { return 42 }'],
  ['export default function main() { return 42 }', 'async () => {\nfunction main() { return 42 }\nreturn main();\n}'],
  ['export const run = async () => 42', 'async () => {\nconst run = async () => 42\nreturn run();\n}'],
]))

test('what comes out runs', async () => {
  for (const text of [
    fence(arrow), fence('return 6 * 7'), `export default ${arrow}`, '6 * 7', 'async function main() { return 6 * 7 }',
    'const double = (x) => x * 2\nasync function main() { return double(21) }\nfunction unused() {}',
    'const f = async () => 42\nf', 'const f = async () => 42\nexport default f', 'const f = async () => 42\nf()',
    'function main() { return 42 }\nmain()', '(async () => 42)()', 'const g = () => 42; export { g as default }',
    'export default async function () { return 42 }', 'export default { answer: 42 }.answer', "'use strict'; () => 42",
  ]) assert.equal(await run(normalizeCode(text)), 42, text)
})

test('a function that does not parse is left for the executor to judge', () => shapes([
  ['async (): Promise<number> => 42;', 'async (): Promise<number> => 42'],
  [fence('async () => {', 'ts'), 'async () => {'],
  ['export default async (x: number) => 42', 'async (x: number) => 42'],
  ['const x: number = 1', 'async () => {\nconst x: number = 1\n}'],
]))

test('what was normalized once stays as it is', () => {
  for (const text of [fence(arrow), 'return 1', '6 * 7', 'function main() {}', `export default ${arrow};`, '']) {
    assert.equal(normalizeCode(normalizeCode(text)), normalizeCode(text))
  }
})

test('hostile text is bounded by its length', () => {
  for (const text of ['```\n'.repeat(20_000), '('.repeat(200_000), '`'.repeat(100_000), `${'~~~js\n'.repeat(5_000)}x`]) {
    assert.equal(typeof normalizeCode(text), 'string')
  }
})
