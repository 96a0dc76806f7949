// What Node.js says of modules, and what the compiler makes of them where Node.js stands in
// for the engine (--experimental-vm-modules): reads texts, prints [{ plain, same, keys }]. With
// `run` it evaluates them.
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { plainModule } from '../../runtime/compiler/plain.js'
import { rewrite } from '../../runtime/compiler/rewrite.js'

const parsed = (make) => {
  try {
    make()
    return true
  } catch {
    return false
  }
}
const engine = {
  parses: (text) => parsed(() => new vm.Script(text)),
  isModule: (text) => parsed(() => new vm.SourceTextModule(text)),
}

const rewritten = (...args) => {
  try {
    return JSON.stringify(rewrite('esm', ...args))
  } catch (error) {
    return error.message
  }
}

const context = vm.createContext()
const other = new vm.SourceTextModule('export const x = 1', { context })

const keysOf = async (text) => {
  const module = new vm.SourceTextModule(text, { context })
  await module.link(() => other)
  await module.evaluate()
  return Object.keys(module.namespace)
}

const compare = (text) => ({
  plain: plainModule(text, '$unused', engine) !== undefined,
  same: rewritten(text) === rewritten(text, engine),
})

// The names of the exports, or which kind of error there is.
const run = (text) => keysOf(text).catch((error) => (error.name === 'SyntaxError' ? 'SyntaxError' : 'Error'))

const runs = process.argv[2] === 'run'
const said = []
for (const text of JSON.parse(readFileSync(0, 'utf8'))) said.push({ ...compare(text), keys: runs ? await run(text) : undefined })
console.log(JSON.stringify(said))
