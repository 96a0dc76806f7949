// The transport of one session: a WebSocket that carries one message a text frame. Ours,
// because capnweb's own reads constants of a global WebSocket, which Node.js 20 has not.

const NORMAL_END = 3000 // the code that capnweb peers close with
const REASON_BYTES = 123 // RFC 6455: what a close frame has room for
const OPEN = 1

/** @param {unknown} reason */
function closeReason(reason) {
  const bytes = new TextEncoder().encode(reason instanceof Error ? reason.message : String(reason))
  return new TextDecoder().decode(bytes.subarray(0, REASON_BYTES), { stream: true })
}

/** @typedef {import('capnweb').RpcTransport} RpcTransport */

/** @implements {RpcTransport} */
export class SocketTransport {
  #socket
  /** @type {string[]} */
  #waiting = []
  /** @type {{ resolve: (message: string) => void, reject: (reason: unknown) => void } | undefined} */
  #receiver
  /** @type {unknown} */
  #ended

  /** @param {WebSocket} socket one that is still connecting */
  constructor(socket) {
    this.#socket = socket
    /** Resolves when the connection is open, rejects when it cannot be.
     * @type {Promise<void>} */
    this.opened = new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', (event) => {
        const cause = /** @type {ErrorEvent} */ (event).error ?? new Error('The WebSocket failed.')
        reject(cause)
        this.#end(cause)
      })
      socket.addEventListener('close', ({ code, reason }) => {
        const cause = new Error(`The peer closed the WebSocket: ${code} ${reason}`.trimEnd())
        reject(cause)
        this.#end(cause)
      })
    })
    this.opened.catch(() => {}) // it is told to those who wait for it
    /** Resolves when the connection has ended, however it did.
     * @type {Promise<void>} */
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', () => resolve())
    })
    socket.addEventListener('message', ({ data }) => this.#take(data))
  }

  /** Whether what is sent now can arrive: a socket that closes takes it and drops it. */
  get isOpen() {
    return this.#ended === undefined && this.#socket.readyState === OPEN
  }

  /** @param {string} message */
  send(message) {
    this.#socket.send(message)
  }

  receive() {
    const message = this.#waiting.shift()

    if (message !== undefined) return Promise.resolve(message)
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    return /** @type {Promise<string>} */ (new Promise((resolve, reject) => {
      this.#receiver = { resolve, reject }
    }))
  }

  /** @param {unknown} reason */
  abort(reason) {
    this.#end(reason)
    if (this.#socket.readyState <= OPEN) this.#socket.close(NORMAL_END, closeReason(reason))
  }

  /** @param {unknown} data */
  #take(data) {
    if (this.#ended !== undefined) return
    if (typeof data !== 'string') {
      this.#end(new TypeError('The peer sent a binary message.'))
    } else if (this.#receiver === undefined) {
      this.#waiting.push(data)
    } else {
      this.#receiver.resolve(data)
      this.#receiver = undefined
    }
  }

  /** @param {unknown} reason */
  #end(reason) {
    this.#ended ??= reason
    this.#receiver?.reject(this.#ended)
    this.#receiver = undefined
  }
}
