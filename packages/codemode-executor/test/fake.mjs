#!/usr/bin/env node
// A codemode-executor without a sandbox, for tests of its host: `code` says what it does.
import { RpcSession, RpcTarget } from 'capnweb'

class Lines {
  #rest = ''
  #lines = []
  #receiver

  constructor() {
    process.stdin.setEncoding('utf8').on('data', (text) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop()
      for (const line of lines) {
        if (this.#receiver) this.#receiver(line)
        else this.#lines.push(line)
        this.#receiver = undefined
      }
    }).on('end', () => process.exit(0))
  }

  send(line) {
    // In two writes, cut in the middle of a character where there is one.
    const bytes = Buffer.from(`${line}\n`)
    process.stdout.write(bytes.subarray(0, bytes.length >> 1))
    process.stdout.write(bytes.subarray(bytes.length >> 1))
  }

  receive() {
    if (this.#lines.length > 0) return Promise.resolve(this.#lines.shift())
    return new Promise((resolve) => {
      this.#receiver = resolve
    })
  }
}

const answer = (fields) => ({ error: undefined, logs: [], ...fields })
const gate = {}
gate.promise = new Promise((resolve) => {
  gate.open = resolve
})

const acts = {
  arguments: () => answer({ result: JSON.stringify(process.argv.slice(2)) }),
  environment: () => answer({ result: JSON.stringify(process.env) }),
  pid: () => answer({ result: String(process.pid) }),
  text: () => answer({ result: JSON.stringify('h\u00e9\u4e16\u{1F600}\u2028\n'.repeat(20_000)) }),
  nothing: () => answer(),
  fail: () => answer({ error: 'nope', failure: 'thrown', stack: 'at program.js:1' }),
  retain: () => answer({ executionId: 'e1', handles: ['default'] }),
  die: () => process.exit(7),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  stuck: () => new Promise(() => {}),
  wait: async () => {
    await gate.promise
    return answer({ result: '"waited"' })
  },
  open: () => {
    setImmediate(gate.open)
    return answer()
  },
  call: async ({ dispatch }) => answer({ result: JSON.stringify(await dispatch('store', 'list', '[1]')) }),
}

class Main extends RpcTarget {
  hello({ protocol, client }) {
    if (process.env.FAKE_REFUSES) {
      process.stderr.write('MEMORY_LIMIT_MB takes a number, not "much"\n')
      process.exit(1)
    }
    return { protocol, version: '0', runtime: `fake for ${client}`, limits: {} }
  }

  execute({ code }, callbacks) {
    return acts[code](callbacks)
  }

  async release() {
    await new Promise((resolve) => void setImmediate(resolve))
  }

  invoke(_id, _handle, { url }) {
    return { response: { status: 200, headers: [], body: `answer to ${url}` }, error: undefined, logs: [] }
  }
}

new RpcSession(new Lines(), new Main())
