// A daemon without a sandbox, for tests of the client: what it answers is scripted.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { RpcSession, RpcTarget } from 'capnweb'
import { WebSocketServer } from 'ws'

/** What capnweb asks of a transport, over a socket of `ws`. */
class ServerTransport {
  #socket
  #messages = []
  #wake = () => {}

  constructor(socket) {
    this.#socket = socket
    this.closed = once(socket, 'close')
    socket.on('message', (data, isBinary) => {
      this.#messages.push(isBinary ? data : String(data))
      this.#wake()
    })
  }

  send(message) {
    this.#socket.send(message)
  }

  async receive() {
    while (this.#messages.length === 0) {
      await Promise.race([
        new Promise((resolve) => {
          this.#wake = resolve
        }),
        this.closed.then(() => {
          throw new Error('The socket was closed.')
        }),
      ])
    }
    return this.#messages.shift()
  }

  abort() {
    this.#socket.close()
  }
}

/**
 * Starts it on a port of its own. `main` has the methods of the main object, called with the
 * connection first; `hello` and `cancel` have defaults.
 */
export async function startDaemon(main = {}) {
  const connections = []
  const seen = { hello: [], cancel: [], release: [] }
  const methods = {
    hello: (_connection, hello) => {
      seen.hello.push(hello)
      return { protocol: 1, version: '0', runtime: 'scripted', limits: {} }
    },
    cancel: (_connection, id) => void seen.cancel.push(id),
    release: (_connection, id) => void seen.release.push(id),
    ...main,
  }
  const http = createServer((_request, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ server: http })

  sockets.on('connection', (socket) => {
    class Main extends RpcTarget {}
    for (const [name, method] of Object.entries(methods)) {
      Main.prototype[name] = (...args) => method(connection, ...args)
    }
    const transport = new ServerTransport(socket)
    const session = new RpcSession(transport, new Main())
    const connection = { socket, session, isOpen: true }
    session.getRemoteMain().onRpcBroken(() => {})
    transport.closed.then(() => {
      connection.isOpen = false
    })
    connections.push(connection)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  return {
    url: `ws://127.0.0.1:${http.address().port}`,
    connections,
    seen,
    async stop() {
      for (const { socket } of connections) socket.terminate()
      sockets.close()
      http.close()
      await once(http, 'close')
    },
  }
}

/** A promise with its ends outside. */
export function deferred() {
  const ends = {}

  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }))
  return ends
}

/** A fault as it crosses. */
export function wireFault(code, message, retryable) {
  return Object.assign(new Error(message), { name: 'ExecutorError', code, retryable })
}
