import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RpcSession, RpcTarget } from 'capnweb'
import { CallTransport } from '../src/client.js'

/** Two transports that end at each other; `sent` has the messages of the first. */
function pair() {
  const sent = []
  const ends = [[], []].map(() => ({ arrived: [], wake: () => {} }))
  const transport = (from, to, note) => ({
    send: (message) => {
      note?.push(message)
      ends[to].arrived.push(message)
      ends[to].wake()
    },
    receive: async () => {
      while (ends[from].arrived.length === 0) await new Promise((resolve) => Object.assign(ends[from], { wake: resolve }))
      return ends[from].arrived.shift()
    },
    abort: () => {},
  })
  return { sent, near: transport(0, 1, sent), far: transport(1, 0) }
}

class Main extends RpcTarget {
  double(n) {
    return 2 * n
  }

  fail() {
    throw new RangeError('no')
  }

  async ask(fn, n) {
    return fn(n)
  }
}

function connected() {
  const { sent, near, far } = pair()
  const calls = new CallTransport(near)
  const session = new RpcSession(calls)

  return { sent, calls, session, main: session.getRemoteMain(), other: new RpcSession(far, new Main()) }
}

/** What both ends still hold, beside their main objects, once all messages have arrived. */
async function left({ session, other, main }) {
  await main.double(0)
  const [{ imports }, { exports }] = [session.getStats(), other.getStats()]
  return { imports: imports - 1, exports: exports - 1 }
}

test('a call travels in one message and leaves nothing behind', async () => {
  const ends = connected()

  assert.equal(await ends.calls.call(() => ends.main.double(21)), 42)
  await assert.rejects(ends.calls.call(() => ends.main.fail()), { name: 'RangeError', message: 'no' })
  assert.deepEqual(ends.sent, [
    '["stream",["pipeline",0,["double"],[21]]]',
    '["stream",["pipeline",0,["fail"],[]]]',
  ])
  assert.deepEqual(await left(ends), { imports: 0, exports: 0 })
})

test('calls at once are answered each with its own answer, others of the session among them', async () => {
  const ends = connected()
  const numbers = Array.from({ length: 50 }, (_, n) => n)

  assert.deepEqual(await Promise.all(numbers.map((n) =>
    n % 3 === 0 ? ends.main.double(n) : ends.calls.call(() => ends.main.double(n)))), numbers.map((n) => 2 * n))
  assert.deepEqual(await left(ends), { imports: 0, exports: 0 })
})

test('a function among the arguments is called back and released', async () => {
  const ends = connected()

  assert.equal(await ends.calls.call(() => ends.main.ask((n) => n + 1, 1)), 2)
  await left(ends)
  assert.deepEqual(ends.session.getStats(), { imports: 1, exports: 1 })
})

test('what cannot be sent throws, and the next call is answered', async () => {
  const { calls, main, sent } = connected()

  assert.throws(() => calls.call(() => main.double(Symbol('x'))), TypeError)
  assert.deepEqual(sent, [])
  assert.equal(await calls.call(() => main.double(1)), 2)
})

test('a call made while the arguments of another are read comes before it', async () => {
  const { calls, main, sent } = connected()
  let inner
  const outer = calls.call(() => main.ask((n) => n, { get late() {
    inner = calls.call(() => main.double(4))
    return 'late'
  } }))

  assert.deepEqual([await inner, await outer], [8, { late: 'late' }])
  assert.deepEqual(sent.map((message) => message.slice(0, 30)).slice(0, 2),
    ['["stream",["pipeline",0,["doub', '["stream",["pipeline",0,["ask"'])
})

test('a call that is not asked for its answer is a push', async () => {
  const { calls, main, sent } = connected()
  const kept = []

  await calls.call(() => {
    kept.push(main.double(1))
    return Promise.resolve()
  })
  assert.deepEqual(sent, ['["push",["pipeline",0,["double"],[1]]]'])
  assert.equal(await kept[0], 2)
})
