// A host in JavaScript: runs programs with tools of its own, in a process that it starts or,
// given an address, on a daemon. Usage: node examples/host.mjs [ws://127.0.0.1:8080]
import { connect } from '@supolka/cloudflare-codemode-executor'
import { IsolateExecutor } from '@supolka/codemode-executor'

const url = process.argv.at(2)
const executor = url === undefined ? new IsolateExecutor({ outbound: null }) : await connect(url, { outbound: null })

const orders = [{ user: 'ada', euros: 120 }, { user: 'grace', euros: 80 }, { user: 'ada', euros: 50 }]
/** @type {Record<string, (...args: any[]) => unknown>} */
const store = {
  listUsers: () => ['ada', 'grace'],
  listOrders: (/** @type {string} */ user) => orders.filter((order) => order.user === user),
}

const { result, error, logs = [] } = await executor.execute({
  code: `async () => {
    const totals = {}
    for (const user of await store.listUsers()) {
      const found = await store.listOrders(user)
      console.log(user, found.length)
      totals[user] = found.reduce((sum, order) => sum + order.euros, 0)
    }
    return totals
  }`,
  timeout: 1_000,
  providers: [{ name: 'store', tools: Object.keys(store) }],
  dispatch: async (_provider, tool, argsJson) => {
    if (!Object.hasOwn(store, tool)) return JSON.stringify({ error: `There is no tool ${tool}.` })
    return JSON.stringify({ result: await store[tool](...JSON.parse(argsJson)) })
  },
})

for (const { level, text } of logs) console.log(`${level}: ${text}`)
console.log(error ?? result)
await executor.dispose()
