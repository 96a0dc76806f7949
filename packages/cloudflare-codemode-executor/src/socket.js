// The transport of one session: a WebSocket that carries one message a text frame.

const NORMAL_END = 3000 // the code that capnweb peers close with
const REASON_BYTES = 123 // RFC 6455: what a close frame has room for
const OPEN = 1

/** @param {unknown} reason */
function closeReason(reason) {
  const bytes = new TextEncoder().encode(reason instanceof Error ? reason.message : String(reason))
  return new TextDecoder().decode(bytes.subarray(0, REASON_BYTES), { stream: true })
}

/** @typedef {import('@supolka/codemode-executor-protocol/client').Transport} Transport */
/** @typedef {import('@supolka/codemode-executor-protocol/client').Receiver} Receiver */

/** @implements {Transport} */
export class SocketTransport {
  #socket
  /** @type {Receiver | undefined} */
  #receiver
  /** @type {{ reason: unknown } | undefined} */
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

  /** @param {Receiver} receiver */
  listen(receiver) {
    this.#receiver = receiver
    if (this.#ended !== undefined) receiver.end(this.#ended.reason)
  }

  /** @param {unknown} reason */
  abort(reason) {
    this.#end(reason)
    if (this.#socket.readyState <= OPEN) this.#socket.close(NORMAL_END, closeReason(reason))
  }

  /** @param {unknown} data */
  #take(data) {
    if (this.#ended !== undefined) return
    if (typeof data === 'string') this.#receiver?.message(data)
    else this.abort(new TypeError('The peer sent a binary message.'))
  }

  /** @param {unknown} reason */
  #end(reason) {
    if (this.#ended !== undefined) return
    this.#ended = { reason }
    this.#receiver?.end(reason)
  }
}
