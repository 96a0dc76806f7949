#!/usr/bin/env node
// The module tests of test262 (in test262/, see its README.md) as entries of a module map.
//
// test262.mjs [--update] [PART OF A PATH]: fails when a test fails that test262.expected.json
// does not list, or passes that it lists. --update writes what it found into the list; what
// is new there gets the reason "?", which is refused.
import { readFileSync, readdirSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { IsolateExecutor } from '../../../packages/codemode-executor/src/index.js'

const here = import.meta.dirname
const root = join(here, 'test262')
const listFile = join(here, 'test262.expected.json')
const update = process.argv[2] === '--update'
const part = process.argv[update ? 3 : 2] ?? ''
const AT_ONCE = 8

const harness = readFileSync(join(here, 'test262.harness.js'), 'utf8')

const read = (file) => readFileSync(join(root, file), 'utf8')

const testsIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.js') && !file.includes('_FIXTURE'))
    .sort()

const valueOf = (text, key) => new RegExp(`^ *${key}: *(.*?) *$`, 'm').exec(text)?.[1]

// What the comment at the head of a test says: flags, and the error that it has to end with.
const headOf = (text) => {
  const head = /\/\*---([^]*?)---\*\//.exec(text)?.[1] ?? ''
  return {
    flags: (valueOf(head, 'flags') ?? '').replace(/[[\],]/g, ' ').split(/\s+/),
    throws: /^negative:/m.test(head) ? valueOf(head, 'type') : undefined,
  }
}

// The file and what it names by a relative path, and so on.
const addTo = (map, file) => {
  if (map[file] !== undefined || !existsSync(join(root, file)) || statSync(join(root, file)).isDirectory()) return map
  const text = read(file)
  map[file] = file.endsWith('.json') ? { json: text } : text
  for (const [, path] of text.matchAll(/['"`](\.{1,2}\/[^'"`\n]+)['"`]/g)) addTo(map, relative(root, join(root, dirname(file), path)))
  return map
}

// What is wrong; undefined: nothing.
const runTest = async (executor, file) => {
  const { flags, throws } = headOf(read(file))
  const { result, error } = await executor.execute({
    code: `import { run } from 'harness.js'\n() => run(() => import('${file}'), ${flags.includes('async')})`,
    modules: addTo({ 'harness.js': harness }, file),
    timeout: 10_000,
  })
  if (error !== undefined) return error
  if (throws !== undefined) return result?.[0] === throws ? undefined : `expected a ${throws}, got ${result?.join(': ') ?? 'none'}`
  return result === null ? undefined : result.join(': ')
}

const list = JSON.parse(readFileSync(listFile, 'utf8'))
const reasonOf = Object.fromEntries(Object.entries(list.tests).flatMap(([reason, files]) => files.map((file) => [file, reason])))

// Sloppy mode is no part of modules: programs and entries are strict.
const files = testsIn('language').filter((file) => file.includes(part) && !headOf(read(file)).flags.some((flag) => ['noStrict', 'raw'].includes(flag)))
const executor = new IsolateExecutor()
const failed = new Map()
const queue = [...files]
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const wrong = await runTest(executor, file)
      if (wrong !== undefined) failed.set(file, wrong)
    }
  }),
)
await executor.dispose()

const unexpected = [...failed].filter(([file]) => reasonOf[file] === undefined)
const passed = files.filter((file) => !failed.has(file) && reasonOf[file] !== undefined)
for (const [file, wrong] of unexpected) console.log(`fails: ${file}\n       ${wrong}`)
for (const file of passed) console.log(`passes though it is listed: ${file}`)
const unexplained = (list.tests['?'] ?? []).length + Object.keys(list.tests).filter((reason) => list.reasons[reason] === undefined).length
if (unexplained > 0) console.log('test262.expected.json: each test needs one of the reasons')
if (update) {
  const tests = {}
  for (const file of [...failed.keys()].sort()) (tests[reasonOf[file] ?? '?'] ??= []).push(file)
  writeFileSync(listFile, `${JSON.stringify({ reasons: list.reasons, tests }, null, 1)}\n`)
}
console.log(`${files.length} tests: ${failed.size} fail, ${failed.size - unexpected.length} of them as listed`)
process.exitCode = unexpected.length > 0 || passed.length > 0 || unexplained > 0 ? 1 : 0
