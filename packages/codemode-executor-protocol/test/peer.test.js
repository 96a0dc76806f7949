import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RpcSession, RpcTarget } from 'capnweb'
import { Peer } from '../src/peer.js'
import { decode, encode } from '../src/wire.js'

class Main extends RpcTarget {
  echo(value) {
    return value
  }

  fail() {
    throw Object.assign(new RangeError('no'), { code: 'NO', retryable: false })
  }

  async ask({ fn }, ...args) {
    return fn(...args)
  }

  async askTwice({ fn }) {
    return Promise.all([fn(1), fn(2)])
  }

  keep({ fn }) {
    this.kept = fn.dup()
  }

  giveBack() {
    this.kept[Symbol.dispose]()
  }

  reference() {
    return { n: 1, fn: () => 5 }
  }

  never() {
    return new Promise(() => {})
  }
}

/** A peer at a session of the reference implementation; `sent` and `heard` have the messages. */
function connected() {
  const sent = []
  const heard = []
  const arrived = []
  let receiver
  let wake = () => {}
  const ends = []
  const transport = {
    send: (message) => {
      sent.push(message)
      arrived.push(message)
      wake()
    },
    listen: (given) => {
      receiver = given
    },
    abort: (reason) => ends.push(`aborted: ${reason.message}`),
  }
  const main = new Main()
  const session = new RpcSession({
    send: (message) => {
      heard.push(message)
      queueMicrotask(() => receiver.message(message))
    },
    receive: async () => {
      while (arrived.length === 0) {
        await new Promise((resolve) => {
          wake = resolve
        })
      }
      return arrived.shift()
    },
    abort: () => {},
  }, main)
  const peer = new Peer(transport, (reason) => ends.push(`ended: ${reason.message}`))

  session.getRemoteMain().onRpcBroken(() => {})
  return { peer, sent, heard, ends, session, tell: (text) => receiver.message(text), lose: (reason) => receiver.end(reason) }
}

/** What the session of the reference still holds, beside the main objects. */
async function left({ peer, session }) {
  await peer.call('echo', [0])
  const { imports, exports } = session.getStats()
  return { imports: imports - 1, exports: exports - 1 }
}

test('a call travels in one message and leaves nothing behind', async () => {
  const ends = connected()

  assert.equal(await ends.peer.call('echo', [21]), 21)
  await assert.rejects(ends.peer.call('fail', []), { name: 'RangeError', message: 'no', code: 'NO', retryable: false })
  assert.deepEqual(ends.sent, ['["stream",["pipeline",0,["echo"],[21]]]', '["stream",["pipeline",0,["fail"],[]]]'])
  assert.deepEqual(await left(ends), { imports: 0, exports: 0 })
})

test('calls at once are answered each with its own answer', async () => {
  const { peer } = connected()
  const numbers = Array.from({ length: 50 }, (_, n) => n)

  assert.deepEqual(await Promise.all(numbers.map((n) => peer.call('echo', [n]))), numbers)
})

test('plain data comes back from the reference as it went', async () => {
  const { peer } = connected()
  const value = {
    text: 'h\u00e9"\u2028', list: [[], [1, [2]]], none: null, absent: undefined, flags: [true, false],
    numbers: [0.1, 1e21, Infinity, -Infinity, NaN], big: 2n ** 70n, date: new Date(86_400_000),
    bytes: new Uint8Array([1, 2, 255]), buffer: new Uint8Array([7]).buffer, empty: {}, nothing: new Uint8Array(0),
  }

  assert.deepEqual(await peer.call('echo', [value]), value)
  assert.deepEqual(await peer.call('echo', [new Uint16Array([513])]), new Uint8Array([1, 2]))
  assert.ok(Number.isNaN((await peer.call('echo', [new Date(NaN)])).getTime()))
  assert.deepEqual(await peer.call('echo', [new TypeError('odd')]), new TypeError('odd'))
})

test('a large piece of bytes crosses whole in either direction', async () => {
  const bytes = Uint8Array.from({ length: 1_000_001 }, (_, at) => at * 7)

  assert.deepEqual(await connected().peer.call('echo', [bytes]), bytes)
})

test('bytes cross the same where there is no Buffer', async () => {
  const { Buffer } = globalThis
  globalThis.Buffer = undefined
  const plain = await import('../src/wire.js?plain').finally(() => {
    globalThis.Buffer = Buffer
  })

  for (const bytes of [new Uint8Array(0), new Uint8Array([1]), Uint8Array.from({ length: 5000 }, (_, at) => at * 7)]) {
    assert.deepEqual(plain.decode(encode(bytes), () => {}), bytes)
    assert.deepEqual(decode(plain.encode(bytes.buffer), () => {}), bytes.buffer)
  }
  assert.deepEqual(plain.decode(['bytes', 'AQI'], () => {}), new Uint8Array([1, 2])) // the reference does not pad
})

test('what is no plain data throws, sends nothing, and the next call is answered', async () => {
  const { peer, sent } = connected()

  for (const odd of [Symbol('x'), () => 1, new Map(), new WeakMap(), /x/]) {
    assert.throws(() => peer.call('echo', [{ list: [odd] }]), TypeError)
  }
  assert.deepEqual(sent, [])
  assert.equal(await peer.call('echo', [1]), 1)
})

test('keys that a receiver in JavaScript drops are dropped, and no prototype is touched', () => {
  const decoded = decode(JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"toJSON":2,"a":3}'), () => {})

  assert.deepEqual(Object.entries(decoded), [['a', 3]])
  assert.equal(decoded.polluted, undefined)
  const error = decode(JSON.parse('["error","Odd","m",null,{"name":"x","message":"y","stack":"z","__proto__":{"polluted":1},"code":"C"}]'), () => {})
  assert.deepEqual([error.name, error.message, error.code, error.polluted], ['Error', 'm', 'C', undefined])
  assert.deepEqual(encode({ ['__proto__']: 1 }), JSON.parse('{"__proto__":1}'))
})

test('a function among the arguments is called back, and told when it is let go of', async () => {
  const ends = connected()
  let released = 0
  const fn = { call: (n) => n + 1, released: () => released++ }

  assert.deepEqual(await ends.peer.call('ask', [], { fn }), NaN)
  assert.deepEqual(await ends.peer.call('askTwice', [], { fn }), [2, 3])
  await left(ends)
  assert.equal(released, 2)
  assert.deepEqual(ends.session.getStats(), { imports: 1, exports: 1 })
})

test('a function that throws, rejects or answers what cannot be sent rejects the call', async () => {
  const { peer } = connected()
  const says = (call) => peer.call('ask', [], { fn: { call } }).catch(({ name, message }) => `${name}: ${message}`)

  assert.equal(await says(() => {
    throw new RangeError('thrown')
  }), 'RangeError: thrown')
  assert.equal(await says(async () => {
    throw new TypeError('rejected')
  }), 'TypeError: rejected')
  assert.match(await says(() => new Map()), /^TypeError: Cannot serialize value/)
  assert.equal(await says(() => 'fine'), 'fine')
})

test('a function is called for as long as it is kept', async () => {
  const ends = connected()
  let released = 0

  await ends.peer.call('keep', [], { fn: { call: () => 1, released: () => released++ } })
  await left(ends)
  assert.equal(released, 0)
  await ends.peer.call('giveBack', [])
  await left(ends)
  assert.equal(released, 1)
})

test('a stream that calls a function is answered without a pull', async () => {
  const { peer, sent, tell } = connected()
  const called = []

  void peer.call('never', [], { fn: { call: (...args) => (called.push(args), 'done') } }).catch(() => {})
  tell('["stream",["pipeline",-1,[],["store",[["a"]],["undefined"]]]]')
  assert.deepEqual(called, [['store', ['a'], undefined]]) // in the same turn
  await new Promise((resolve) => void setImmediate(resolve))
  assert.deepEqual(sent.slice(1), ['["resolve",1,"done"]'])
})

test('a reference in an answer is released, and is nothing here', async () => {
  const ends = connected()

  assert.deepEqual(await ends.peer.call('reference', []), { n: 1, fn: undefined })
  assert.deepEqual(await left(ends), { imports: 0, exports: 0 })
})

test('what is called here and is not there rejects, and the session goes on', async () => {
  const { peer, session } = connected()

  await assert.rejects(async () => {
    await session.getRemoteMain().anything()
  }, { message: 'This connection has no main object.' })
  assert.equal(await peer.call('echo', [1]), 1)
})

test('a message that is not of the protocol ends the session and says why', async () => {
  for (const text of ['not JSON', '{}', '["bogus"]', '["push",["pipeline"]]', '["push",5]', '["pipe"]', '["resolve",1,["odd"]]', '["resolve",1,[1,2]]', 'null']) {
    const { peer, ends, sent, tell } = connected()
    const open = assert.rejects(peer.call('never', []))

    tell(text)
    await open
    assert.match(sent.at(-1), /^\["abort",\["error",/, text)
    assert.equal(ends.length, 2, text)
    await assert.rejects(peer.call('echo', [1]))
  }
})

test('the end of the other end rejects what is open and lets go of functions', async () => {
  let released = 0
  const [aborted, lost, closed] = [connected(), connected(), connected()]
  const open = [aborted, lost, closed].map(({ peer }) =>
    peer.call('never', [], { fn: { call: () => {}, released: () => released++ } }).catch(({ message }) => message))

  aborted.tell('["abort",["error","Error","enough"]]')
  lost.lose(new Error('gone'))
  closed.peer.close()
  assert.deepEqual(await Promise.all(open), ['enough', 'gone', 'The host closed the session.'])
  assert.equal(released, 3)
  assert.deepEqual(lost.ends, ['ended: gone'])
  assert.deepEqual(closed.ends, ['ended: The host closed the session.', 'aborted: The host closed the session.'])
  assert.equal(aborted.sent.length, 1)
})

test('an answer that nobody waits for is no fault', async () => {
  const { peer, tell } = connected()

  tell('["resolve",99,1]')
  tell('["reject",98,["error","Error","late"]]')
  tell('["pull",97]')
  assert.equal(await peer.call('echo', [1]), 1)
})
