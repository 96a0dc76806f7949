import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { ExecutorError } from '@supolka/codemode-executor-protocol'
import { connect, RemoteExecutor } from '@supolka/cloudflare-codemode-executor'
import { WebSocket } from 'ws'
import { deferred, startDaemon, wireFault } from './daemon.js'

const ends = []
after(() => Promise.all(ends.map((end) => end())))

/** A daemon and an executor that is connected to it, both ended after the tests. */
async function connected(main, options = {}) {
  const daemon = await startDaemon(main)
  const executor = await connect(daemon.url, { WebSocket, ...options })
  ends.push(async () => {
    await executor.dispose()
    await daemon.stop()
  })
  return { daemon, executor }
}

const fault = (code, message, retryable = false) => (thrown) => {
  assert.ok(thrown instanceof ExecutorError, inspect(thrown))
  assert.deepEqual([thrown.code, thrown.message, thrown.retryable], [code, message, retryable])
  return true
}
const answer = (fields) => ({ error: undefined, logs: [], ...fields })
const closing = (connection) => new Promise((resolve) => {
  if (!connection.isOpen) return resolve()
  connection.socket.once('close', resolve)
})

test('the handshake says what it speaks, who it is, and its token', async () => {
  const { daemon } = await connected({}, { token: 'secret', client: 'a host' })

  assert.deepEqual(daemon.seen.hello, [{ protocol: 1, client: 'a host', token: 'secret' }])
})

test('the result has the keys that the wire has, in its order', async () => {
  const answers = [
    answer({ result: '42' }),
    answer({ logs: [{ level: 'log', text: 'x' }] }),
    answer({ error: 'nope', failure: 'thrown', stack: 'at program.js:1:1' }),
    answer({ result: '{"b":{"__codemode_binary_v1__":"Uint8Array","data":"AQI="}}' }),
    answer({ executionId: 'e', handles: ['default'] }),
  ]
  const { executor } = await connected({ execute: () => answers.shift() })
  const run = () => executor.execute({ code: 'x' })

  assert.equal(inspect(await run()), '{ error: undefined, logs: [], result: 42 }')
  assert.equal(inspect(await run()), "{ error: undefined, logs: [ { level: 'log', text: 'x' } ] }")
  const failed = await run()
  assert.equal(inspect(failed), "{ error: 'nope', logs: [] }")
  assert.deepEqual([failed.failure, failed.stack], ['thrown', 'at program.js:1:1'])
  assert.deepEqual((await run()).result, { b: new Uint8Array([1, 2]) })
  assert.deepEqual(Object.entries(await run()), [['error', undefined], ['logs', []], ['executionId', 'e'], ['handles', ['default']]])
})

test('what is undefined on the request is absent, what is given wins over the defaults', async () => {
  const seen = []
  const { executor } = await connected({ execute: (_connection, request, callbacks) => {
    seen.push([request, Object.keys(callbacks ?? {})])
    return answer()
  } }, { timeout: 5, outbound: null, countHostWaits: undefined })

  await executor.execute({ code: 'a', timeout: undefined })
  await executor.execute({ code: 'b', timeout: null, outbound: async () => ({ status: 200 }) })
  assert.deepEqual(seen, [
    [{ code: 'a', timeout: 5, outbound: null }, []],
    [{ code: 'b', timeout: null }, ['outbound']],
  ])
})

test('modules cross as text and bytes', async () => {
  let seen
  const { executor } = await connected({ execute: (_connection, request) => {
    seen = request.modules
    return answer()
  } })
  const modules = { a: 'export {}', b: { json: { x: [1] } }, c: { json: '[2]' }, d: { data: new Uint16Array([513]) }, e: { data: new ArrayBuffer(1) }, f: 5 }

  await executor.execute({ code: 'x', modules })
  const { d, e, ...texts } = seen
  assert.deepEqual(texts, { a: 'export {}', b: { json: '{"x":[1]}' }, c: { json: '[2]' }, f: 5 })
  assert.deepEqual([[...d.data], e.data.byteLength], [[1, 2], 1])
})

test('dispatch is called live, with a signal, and can throw', async () => {
  const calls = []
  const { executor } = await connected({ execute: async (_connection, _request, { dispatch }) => {
    const first = await dispatch('store', 'list', '["ada"]')
    const second = await dispatch('store', 'fail', '[]').catch((error) => error.message)
    return answer({ result: JSON.stringify([first, second]) })
  } })
  const dispatch = async (provider, tool, args, signal) => {
    calls.push([provider, tool, args, signal instanceof AbortSignal])
    if (tool === 'fail') throw new RangeError('out of stock')
    return '{"result":1}'
  }

  assert.deepEqual((await executor.execute({ code: 'x', dispatch })).result, ['{"result":1}', 'out of stock'])
  assert.deepEqual(calls, [['store', 'list', '["ada"]', true], ['store', 'fail', '[]', true]])
})

test('the signal of a tool call aborts when the run ends without it', async () => {
  const aborted = deferred()
  const { executor } = await connected({ execute: (_connection, _request, { dispatch }) => {
    dispatch('a', 'b', '[]').then(() => {}, () => {})
    return new Promise((resolve) => setImmediate(() => resolve(answer({ error: 'Execution timed out' }))))
  } })
  const dispatch = (_provider, _tool, _args, signal) => new Promise(() => {
    signal.addEventListener('abort', () => aborted.resolve(signal.reason))
  })

  await executor.execute({ code: 'x', dispatch })
  assert.equal((await aborted.promise).code, 'CANCELLED')
})

test('the signal of a tool call aborts when the connection breaks', async () => {
  const aborted = deferred()
  const { daemon, executor } = await connected({ execute: async (_connection, _request, { dispatch }) => {
    await dispatch('a', 'b', '[]')
  } })
  const run = executor.execute({ code: 'x', dispatch: (_provider, _tool, _args, signal) => new Promise(() => {
    signal.addEventListener('abort', aborted.resolve)
    daemon.connections[0].socket.terminate()
  }) })

  await assert.rejects(run, { code: 'CONNECTION_BROKEN', retryable: true })
  await aborted.promise
})

test('outbound takes and gives plain data and bytes', async () => {
  const { executor } = await connected({ execute: async (_connection, _request, { outbound }) => {
    const response = await outbound({ url: 'https://a/', method: 'POST', headers: [['x', 'y']], body: new Uint8Array([1, 2]) })
    return answer({ result: JSON.stringify([response.status, response.headers, [...response.body]]) })
  } })
  let seen
  const outbound = async (request, signal) => {
    seen = [request, signal instanceof AbortSignal]
    return { status: 201, headers: [['a', 'b']], body: new Uint16Array([513]) }
  }

  assert.deepEqual((await executor.execute({ code: 'x', outbound })).result, [201, [['a', 'b']], [1, 2]])
  assert.deepEqual(seen, [{ url: 'https://a/', method: 'POST', headers: [['x', 'y']], body: new Uint8Array([1, 2]).buffer }, true])
})

test('a body that outbound gives as a stream is read to its end', async () => {
  const { executor } = await connected({ execute: async (_connection, _request, { outbound }) => {
    const { body } = await outbound({ url: 'https://a/', method: 'GET', headers: [], body: null })
    return answer({ result: JSON.stringify([...new Uint8Array(body)]) })
  } })
  const outbound = async () => ({ status: 200, body: new Response(new Uint8Array([1, 2, 3])).body })

  assert.deepEqual((await executor.execute({ code: 'x', outbound })).result, [1, 2, 3])
})

test('log lines come live where they are asked for', async () => {
  const lines = []
  const gate = deferred()
  const { executor } = await connected({ execute: async (_connection, _request, { onLog }) => {
    await onLog({ level: 'warn', text: 'half way' })
    await gate.promise
    return answer({ logs: [{ level: 'warn', text: 'half way' }] })
  } })
  const run = executor.execute({ code: 'x', onLog: (line) => {
    lines.push(line)
    gate.resolve()
  } })

  assert.deepEqual((await run).logs, lines)
})

test('an abort rejects at once, cancels the run and aborts its tool calls', async () => {
  const controller = new AbortController()
  const stopped = deferred()
  const { daemon, executor } = await connected({ execute: async (_connection, _request, { dispatch }) => {
    await dispatch('a', 'b', '[]')
    return answer()
  } })
  const run = executor.execute({ code: 'x', signal: controller.signal, dispatch: (_provider, _tool, _args, signal) => {
    signal.addEventListener('abort', stopped.resolve)
    controller.abort(new Error('the user left'))
    return new Promise(() => {})
  } })

  await assert.rejects(run, (thrown) => fault('CANCELLED', 'The host cancelled the execution.')(thrown)
    && thrown.cause.message === 'the user left')
  await stopped.promise
  await executor.stats().catch(() => {}) // a round trip
  assert.deepEqual(daemon.seen.cancel, ['1'])
})

test('a signal that is aborted already sends nothing', async () => {
  let runs = 0
  const { executor } = await connected({ execute: () => ++runs })

  await assert.rejects(executor.execute({ code: 'x', signal: AbortSignal.abort() }), { code: 'CANCELLED' })
  assert.equal(runs, 0)
})

test('a fault crosses as an ExecutorError', async () => {
  const { executor } = await connected({ execute: () => {
    throw wireFault('RESPONSE_TOO_LARGE', 'too much', false)
  } })

  await assert.rejects(executor.execute({ code: 'x' }), fault('RESPONSE_TOO_LARGE', 'too much'))
})

test('an error that is no fault is INTERNAL, and a request that cannot be sent is INVALID_REQUEST', async () => {
  const { executor } = await connected({ execute: () => {
    throw new TypeError('a defect')
  } })

  await assert.rejects(executor.execute({ code: 'x' }), fault('INTERNAL', 'a defect'))
  await assert.rejects(executor.execute({ code: 'x', providers: new WeakMap() }), { code: 'INVALID_REQUEST' })
  await assert.rejects(executor.execute(), { code: 'INVALID_REQUEST', message: 'execute takes a request object, not undefined.' })
  await assert.rejects(executor.execute({ code: 'x', dispatch: 5 }), { code: 'INVALID_REQUEST', message: 'dispatch is number, and a function is accepted.' })
  await assert.rejects(executor.execute({ code: 'x', dispatch: null }), { code: 'INVALID_REQUEST' })
  await assert.rejects(executor.execute({ code: 'x', signal: {} }), { code: 'INVALID_REQUEST' })
})

test('what would break the bound on one message is refused before it breaks the session', async () => {
  const { daemon, executor } = await connected({
    hello: () => ({ protocol: 1, version: '0', runtime: '', limits: { messageBytes: 1_000 } }),
    execute: async (_connection, { code }, { dispatch, outbound } = {}) => {
      if (dispatch) return answer({ error: await dispatch('store', 'list', '[]').catch(({ message }) => message) })
      if (outbound) return answer({ error: await outbound({ url: 'https://a/', method: 'GET', headers: [], body: null }).catch(({ message }) => message) })
      return answer({ result: String(code.length) })
    },
  })
  const dispatch = (text) => async () => text

  assert.equal((await executor.execute({ code: 'x'.repeat(1_000) })).result, 1_000)
  await assert.rejects(executor.execute({ code: '\u00e9'.repeat(501) }),
    fault('INVALID_REQUEST', 'code has 1,002 bytes; it is a string of at most 1,000 bytes'))
  await assert.rejects(executor.execute({ code: 'x', modules: { a: 'x'.repeat(500), b: { text: 'y'.repeat(400) }, c: { data: new Uint8Array(101) } } }),
    fault('INVALID_REQUEST', 'modules have more than 1,000 bytes together'))
  assert.equal((await executor.execute({ code: 'x', dispatch: dispatch('x'.repeat(1_000)) })).error.length, 1_000)
  assert.equal((await executor.execute({ code: 'x', dispatch: dispatch('x'.repeat(1_001)) })).error,
    'The answer to store.list of 1,001 bytes exceeds the 1,000 byte bound on one message. Return less data.')
  assert.equal((await executor.execute({ code: 'x', outbound: async () => ({ status: 200, body: new ArrayBuffer(1_001) }) })).error,
    'The response of https://a/ of 1,001 bytes exceeds the 1,000 byte bound on one message. Ask for less data.')
  assert.equal(daemon.connections.length, 1)
})

test('nothing that listens, no WebSocket and no such address are CONNECTION_REJECTED', async () => {
  await assert.rejects(connect('ws://127.0.0.1:9', { WebSocket }), fault('CONNECTION_REJECTED', 'Executor handshake failed for ws://127.0.0.1:9'))
  await assert.rejects(connect('nonsense', { WebSocket }), fault('CONNECTION_REJECTED', 'Executor handshake failed for nonsense'))
  const http = createServer((socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n')).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `ws://127.0.0.1:${http.address().port}`
  await assert.rejects(connect(url, { WebSocket }), fault('CONNECTION_REJECTED', `Executor handshake failed for ${url}`))
  http.close()
})

test('a peer that never answers is given up', async () => {
  const sockets = []
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')

  await assert.rejects(connect(`ws://127.0.0.1:${silent.address().port}`, { WebSocket, connectTimeout: 50 }), { code: 'CONNECTION_REJECTED' })
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('a handshake that the daemon refuses says why', async () => {
  const daemon = await startDaemon({ hello: () => {
    throw wireFault('UNAUTHORIZED', 'The token is missing.', false)
  } })

  await assert.rejects(connect(daemon.url, { WebSocket }), fault('UNAUTHORIZED', 'The token is missing.'))
  await daemon.stop()
})

test('a session retires after its executions, and closes when its last one has ended', async () => {
  const gate = deferred()
  const { daemon, executor } = await connected({ execute: async (connection, { code }) => {
    if (code === 'slow') await gate.promise
    return answer({ result: String(daemon.connections.indexOf(connection)) })
  } }, { rotateAfterExecutions: 2 })

  const slow = executor.execute({ code: 'slow' })
  const results = []
  for (let at = 0; at < 4; at++) results.push((await executor.execute({ code: 'fast' })).result)
  assert.deepEqual(results, [0, 1, 1, 2])
  await closing(daemon.connections[1])
  assert.equal(daemon.connections[0].isOpen, true)
  gate.resolve()
  assert.equal((await slow).result, 0)
  await closing(daemon.connections[0])
  assert.equal(daemon.connections.length, 3)
})

test('many calls at once share the sessions that are opened', async () => {
  const { daemon, executor } = await connected({ execute: () => answer({ result: '1' }) }, { rotateAfterExecutions: 10 })

  const outcomes = await Promise.all(Array.from({ length: 100 }, () => executor.execute({ code: 'x' })))
  assert.equal(outcomes.filter(({ result }) => result === 1).length, 100)
  assert.equal(daemon.connections.length, 10)
})

test('a running execution rejects as retryable when the socket breaks, and the next one reconnects', async () => {
  const { daemon, executor } = await connected({ execute: (connection, { code }) => {
    if (code === 'break') connection.socket.terminate()
    return answer({ result: '7' })
  } })

  await assert.rejects(executor.execute({ code: 'break' }), (thrown) =>
    fault('CONNECTION_BROKEN', `The connection to ${daemon.url} broke before the execution was answered`, true)(thrown))
  assert.equal((await executor.execute({ code: 'x' })).result, 7)
  assert.equal(daemon.connections.length, 2)
})

test('a session that breaks while nothing runs is replaced unseen', async () => {
  const { daemon, executor } = await connected({ execute: () => answer({ result: '7' }) })
  const [{ socket }] = daemon.connections

  await new Promise((resolve) => {
    socket.on('close', resolve)
    socket.close(1001, 'going away')
  })
  assert.equal((await executor.execute({ code: 'x' })).result, 7)
})

test('a daemon that goes silent while something runs is given up', async () => {
  const { daemon, executor } = await connected({ execute: (connection) => {
    connection.socket.pause()
    return new Promise(() => {})
  } }, { heartbeat: 20 })

  await assert.rejects(executor.execute({ code: 'x' }), (thrown) =>
    fault('CONNECTION_BROKEN', `The connection to ${daemon.url} broke before the execution was answered`, true)(thrown)
      && thrown.cause.message === 'The daemon said nothing for 20 ms.')
})

test('a daemon that answers is not given up, however long a run takes', async () => {
  const gate = deferred()
  let beats = 0
  const { executor } = await connected({
    hello: () => {
      if (++beats === 4) gate.resolve()
      return { protocol: 1, version: '0', runtime: '', limits: {} }
    },
    execute: async () => {
      await gate.promise
      return answer({ result: '7' })
    },
  }, { heartbeat: 200 })

  assert.equal((await executor.execute({ code: 'x' })).result, 7)
})

test('a message that is not of the protocol ends the session, not the executor', async () => {
  const { daemon, executor } = await connected({ execute: (connection, { code }) => {
    if (code === 'break') connection.socket.send(Buffer.from([1, 2, 3]))
    if (code === 'lie') connection.socket.send('not JSON')
    return code === 'x' ? answer({ result: '7' }) : new Promise(() => {})
  } })

  await assert.rejects(executor.execute({ code: 'break' }), { code: 'CONNECTION_BROKEN', retryable: true })
  await assert.rejects(executor.execute({ code: 'lie' }), { code: 'CONNECTION_BROKEN', retryable: true })
  assert.equal((await executor.execute({ code: 'x' })).result, 7)
  assert.equal(daemon.connections.length, 3)
})

test('a disposed executor does not come back', async () => {
  const { daemon, executor } = await connected({ execute: () => new Promise(() => {}) })
  const running = executor.execute({ code: 'x' })
  const rejected = assert.rejects(running, fault('CONNECTION_BROKEN', 'RemoteExecutor is closed'))

  await executor.stats().catch(() => {}) // a round trip
  await executor.dispose()
  await rejected
  await assert.rejects(executor.execute({ code: 'x' }), fault('CONNECTION_BROKEN', 'RemoteExecutor is closed'))
  await closing(daemon.connections[0])
  await executor.dispose()
})

test('an executor can be disposed while it connects', async () => {
  const daemon = await startDaemon()
  const executor = new RemoteExecutor(daemon.url, { WebSocket })
  const opened = assert.rejects(executor.open(), fault('CONNECTION_BROKEN', 'RemoteExecutor is closed'))

  await executor.dispose()
  await opened
  await daemon.stop()
})

test('a retained execution takes and gives Request and Response, and keeps its session', async () => {
  const invoked = []
  const { daemon, executor } = await connected({
    execute: (_connection, { retainHandles }) => answer(retainHandles ? { executionId: 'e1', handles: ['default', 'admin'] } : { result: '1' }),
    invoke: (_connection, id, handle, request) => {
      invoked.push([id, handle, request])
      if (handle === 'admin') return { error: 'not allowed', logs: [{ level: 'log', text: 'no' }] }
      return { response: { status: 201, statusText: 'Made', headers: [['x-a', 'b']], body: new TextEncoder().encode('hello').buffer }, error: undefined, logs: [] }
    },
  }, { rotateAfterExecutions: 1 })
  const { executionId, handles } = await executor.execute({ code: 'x', retainHandles: true })

  assert.deepEqual(handles, ['default', 'admin'])
  await executor.execute({ code: 'x' }) // another session by now
  const response = await executor.handle(executionId).fetch('https://app/path?q=1', { method: 'POST', body: 'hi', headers: { 'x-b': 'c' } })
  assert.deepEqual([response.status, response.statusText, response.headers.get('x-a'), await response.text()], [201, 'Made', 'b', 'hello'])
  const [id, handle, request] = invoked[0]
  assert.deepEqual([id, handle, request.url, request.method, new TextDecoder().decode(request.body)], ['e1', 'default', 'https://app/path?q=1', 'POST', 'hi'])
  assert.ok(request.headers.some(([name, value]) => name === 'x-b' && value === 'c'))
  assert.deepEqual(await executor.handle(executionId, 'admin').invoke(new Request('https://app/')), { error: 'not allowed', logs: [{ level: 'log', text: 'no' }] })
  await assert.rejects(executor.handle(executionId, 'admin').fetch('https://app/'), { message: 'not allowed' })
  assert.equal(invoked[1][2].body, null)

  assert.equal(daemon.connections[0].isOpen, true)
  await executor.release(executionId)
  await closing(daemon.connections[0])
  assert.deepEqual(daemon.seen.release, ['e1'])
  await executor.release(executionId)
  await assert.rejects(executor.handle(executionId).fetch('https://app/'), fault('EXECUTION_GONE', 'Execution e1 is no longer retained.'))
})

test('a response without a body is one', async () => {
  const { executor } = await connected({
    execute: () => answer({ executionId: 'e1', handles: ['default'] }),
    invoke: () => ({ response: { status: 204, headers: [], body: new ArrayBuffer(0) }, error: undefined, logs: [] }),
  })
  const { executionId } = await executor.execute({ code: 'x' })
  const response = await executor.handle(executionId).fetch('https://app/')

  assert.deepEqual([response.status, response.body], [204, null])
})

test('an execution that is gone frees its session', async () => {
  const { daemon, executor } = await connected({
    execute: () => answer({ executionId: 'e1', handles: ['default'] }),
    invoke: () => {
      throw wireFault('EXECUTION_GONE', 'Execution e1 is no longer retained.', false)
    },
  }, { rotateAfterExecutions: 1 })
  const { executionId } = await executor.execute({ code: 'x' })

  await assert.rejects(executor.handle(executionId).fetch('https://app/'), { code: 'EXECUTION_GONE' })
  await closing(daemon.connections[0])
})
