// The tools of orders.js as a command: one JSON line a call comes in, one JSON
// line an answer goes out. Try it with
//   codemode-executor run orders.js --provider store --provider fx --tool-command 'node orders.tools.mjs'
import { readFileSync } from 'node:fs'

const data = JSON.parse(readFileSync(new URL('orders.tools.json', import.meta.url), 'utf8'))

const tools = {
  'store.listUsers': async () => data['store.listUsers'].result,
  'store.listOrders': async () => data['store.listOrders'].result,
  'fx.rates': async () => data['fx.rates'].result,
  'store.saveReport': async (report) => ({ id: `report-${report.customers.length}` }),
}

async function answer({ id, provider, tool, args }) {
  try {
    const call = tools[`${provider}.${tool}`]
    if (call === undefined) throw new Error(`there is no tool ${provider}.${tool}`)
    return { id, result: await call(...args) }
  } catch (error) {
    return { id, error: { name: error.name, message: error.message } }
  }
}

// Lines end at "\n" only. (node:readline would also end them at U+2028, which is
// text in JSON.)
let rest = ''
process.stdin.setEncoding('utf8')
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    answer(JSON.parse(line)).then((reply) => process.stdout.write(`${JSON.stringify(reply)}\n`))
  }
}
