// Evaluates module graphs with Node's own implementation (--experimental-vm-modules):
// reads [{ code, modules }], prints [{ result } or { failed: true }].
import { readFileSync } from 'node:fs'
import vm from 'node:vm'

const PROGRAM = 'program.js'
const IMPORTS = /^(?:\s*import\b(?!\s*[(.])[^;\n]*[;\n])*/

const evaluate = async ({ code, modules }) => {
  const context = vm.createContext({ setTimeout, queueMicrotask })
  const made = new Map()
  const imports = IMPORTS.exec(code)[0]
  const texts = { ...modules, [PROGRAM]: `${imports}\nexport default (${code.slice(imports.length)}\n)` }
  const resolve = (specifier, referrer) =>
    specifier.startsWith('.') ? new URL(specifier, `map:/${referrer}`).pathname.slice(1) : specifier
  const get = (name) => {
    if (!made.has(name)) made.set(name, make(name))
    return made.get(name)
  }
  const link = (specifier, referrer) => get(resolve(specifier, referrer.identifier))
  const make = (name) =>
    new vm.SourceTextModule(texts[name], {
      context,
      identifier: name,
      initializeImportMeta: (meta) => {
        meta.url = `codemode:/${name}`
      },
      importModuleDynamically: async (specifier) => {
        const module = get(resolve(specifier, name))
        if (module.status === 'unlinked') await module.link(link)
        await module.evaluate()
        return module
      },
    })
  const program = get(PROGRAM)
  await program.link(link)
  await program.evaluate()
  return program.namespace.default()
}

const outcomes = []
for (const graph of JSON.parse(readFileSync(0, 'utf8'))) {
  const outcome = await evaluate(graph).then(
    (result) => ({ result }),
    () => ({ failed: true }),
  )
  outcomes.push(outcome)
}
console.log(JSON.stringify(outcomes))
