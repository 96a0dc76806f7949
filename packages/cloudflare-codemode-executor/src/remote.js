import { ExecutorError } from '@supolka/codemode-executor-protocol'
import { ExecutorSession, RetainedHandle, executionGone, hidden, mergeRequest } from '@supolka/codemode-executor-protocol/client'
import { SocketTransport } from './socket.js'

/** @typedef {import('@supolka/codemode-executor-protocol').ExecuteRequest} ExecuteRequest */
/** @typedef {import('@supolka/codemode-executor-protocol').ExecuteResult} ExecuteResult */

/**
 * @typedef {object} ConnectFields
 * @property {string} [token] the daemon's AUTH_TOKEN
 * @property {string} [client] how this host calls itself to the daemon
 * @property {number} [rotateAfterExecutions] how many executions one session starts; 10,000 when absent
 * @property {number} [connectTimeout] milliseconds that connecting and the handshake may take; 10,000 when absent
 * @property {number} [heartbeat] milliseconds after which a daemon that says nothing while something runs is asked for
 *   a sign of life, and as long again after which it is given up; 60,000 when absent; Infinity: never
 * @property {new (url: string) => any} [WebSocket] the class to connect with; the global one when absent
 */

/** @typedef {import('@supolka/codemode-executor-protocol').ExecutorDefaults & ConnectFields} ConnectOptions */

const ROTATE_AFTER_EXECUTIONS = 10_000
const CONNECT_TIMEOUT_MS = 10_000
const HEARTBEAT_MS = 60_000
const CLOSE_TIMEOUT_MS = 1_000

/** One WebSocket with the session over it. */
class Connection {
  started = 0
  #transport
  #self
  #heartbeat
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  #isRetired = false

  /**
   * @param {SocketTransport} transport
   * @param {{ client: string, token?: string, heartbeat: number }} options
   * @param {(cause: unknown) => ExecutorError} lost
   */
  constructor(transport, { heartbeat, ...self }, lost) {
    this.#transport = transport
    this.#heartbeat = heartbeat
    this.#self = self
    this.session = new ExecutorSession(transport, lost)
    this.session.onActivity = () => this.#noteActivity()
  }

  async greet() {
    await this.session.hello(this.#self)
  }

  get isLive() {
    return this.session.alive && this.#transport.isOpen
  }

  get closed() {
    return this.#transport.closed
  }

  /** Closes once nothing of it is wanted any more. */
  retire() {
    this.#isRetired = true
    this.#noteActivity()
  }

  #noteActivity() {
    const { running, busy } = this.session

    if (running === 0) this.#watch(undefined)
    else if (this.#timer === undefined) this.#watch(() => this.#probe())
    if (this.#isRetired && !busy) void this.close()
  }

  /** @param {(() => void) | undefined} late called when the heartbeat's time is over */
  #watch(late) {
    clearTimeout(this.#timer)
    this.#timer = late === undefined || this.#heartbeat === Infinity ? undefined : setTimeout(late, this.#heartbeat)
  }

  /** A network can go without a word. Any answer will do. */
  async #probe() {
    this.#watch(() => this.#transport.abort(new Error(`The daemon said nothing for ${this.#heartbeat} ms.`)))
    await this.greet().catch(() => {})
    this.#watch(undefined)
    this.#noteActivity()
  }

  /** Ends the session and what runs in it; resolves when the socket is closed, or soon. */
  async close() {
    this.session.close()
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    await Promise.race([this.closed, new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)
    })])
    clearTimeout(timer)
  }
}

/**
 * Runs programs on a daemon. Made by connect().
 *
 * Opens a new session by itself where none is live. An execution that runs when its session
 * breaks rejects with CONNECTION_BROKEN, retryable: its tool calls may have happened.
 *
 * @implements {AsyncDisposable}
 */
export class RemoteExecutor {
  #url
  #options
  #defaults
  /** @type {Connection | undefined} the one that takes new executions */
  #connection
  /** @type {Promise<void> | undefined} */
  #opening
  /** @type {Set<Connection>} every one that is not closed, retired ones too */
  #connections = new Set()
  #closed = false

  /**
   * @param {string | URL} url
   * @param {ConnectOptions} [options]
   */
  constructor(url, options = {}) {
    const { token, client, rotateAfterExecutions, connectTimeout, heartbeat, WebSocket, ...defaults } = options
    this.#url = String(url)
    this.#options = {
      token,
      client: client ?? 'cloudflare-codemode-executor',
      rotateAfterExecutions: rotateAfterExecutions ?? ROTATE_AFTER_EXECUTIONS,
      heartbeat: heartbeat ?? HEARTBEAT_MS,
      connectTimeout: connectTimeout ?? CONNECT_TIMEOUT_MS,
      WebSocket: WebSocket ?? globalThis.WebSocket,
    }
    this.#defaults = mergeRequest({}, /** @type {any} */ (defaults))
  }

  /**
   * Opens the first session.
   *
   * @throws {ExecutorError}
   */
  async open() {
    while (this.#live() === undefined) await this.#reopened()
  }

  /**
   * Runs one program. The promise rejects with an ExecutorError where the executor could not
   * run it; what the program did wrong is in `error`.
   *
   * @param {ExecuteRequest} request
   * @returns {Promise<ExecuteResult>}
   */
  async execute(request) {
    const merged = mergeRequest(this.#defaults, request)
    let connection
    while ((connection = this.#live()) === undefined) await this.#reopened()
    const { error, logs, result, executionId, handles, failure, stack } = await this.#start(connection, merged)

    return Object.defineProperties({
      error,
      logs,
      ...(result !== undefined && { result }),
      ...(executionId !== undefined && { executionId, handles }),
    }, hidden({ failure, stack }))
  }

  /**
   * A request handler of a retained execution.
   *
   * @param {string} executionId
   * @param {string} [name]
   */
  handle(executionId, name = 'default') {
    return new RetainedHandle(async (request) => {
      const session = this.#holder(executionId)

      if (session === undefined) throw this.#closed ? this.#isClosed() : executionGone(executionId)
      return session.invoke(executionId, name, request)
    })
  }

  /**
   * Ends a retained execution. One that has already ended is no error.
   *
   * @param {string} executionId
   */
  async release(executionId) {
    await this.#holder(executionId)?.release(executionId)
  }

  /** What the daemon counts. */
  async stats() {
    let connection
    while ((connection = this.#live()) === undefined) await this.#reopened()
    return connection.session.stats()
  }

  /** Closes the connection. What still runs rejects, and so does every later call. */
  async dispose() {
    this.#closed = true
    this.#connection = undefined
    await Promise.all([...this.#connections].map((connection) => connection.close()))
  }

  [Symbol.asyncDispose]() {
    return this.dispose()
  }

  /** @param {string} executionId */
  #holder(executionId) {
    for (const { session } of this.#connections) {
      if (session.holds(executionId)) return session
    }
  }

  /** The connection that takes the next execution, if there is one now. */
  #live() {
    if (this.#closed) throw this.#isClosed()
    return this.#connection?.isLive ? this.#connection : undefined
  }

  /** Resolves when there is, or was, another connection; everybody waits for the same one. */
  #reopened() {
    this.#opening ??= this.#reopen().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #reopen() {
    const connection = await this.#connect()

    this.#connections.add(connection)
    void connection.closed.then(() => this.#connections.delete(connection))
    if (this.#closed) await connection.close()
    else this.#connection = connection
  }

  async #connect() {
    const { WebSocket, connectTimeout, client, token, heartbeat } = this.#options
    /** @type {SocketTransport | undefined} */
    let transport
    const timer = setTimeout(() => transport?.abort(
      new Error(`There was no handshake within ${connectTimeout} ms.`)), connectTimeout)

    try {
      transport = new SocketTransport(new WebSocket(this.#url))
      await transport.opened
      const connection = new Connection(transport, { client, token, heartbeat }, (cause) => this.#lost(cause))
      await connection.greet()
      return connection
    } catch (cause) {
      transport?.abort(cause)
      if (cause instanceof ExecutorError && cause.code !== 'CONNECTION_BROKEN') throw cause
      throw new ExecutorError('CONNECTION_REJECTED', `Executor handshake failed for ${this.#url}`, { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * @param {Connection} connection
   * @param {ExecuteRequest} request
   */
  #start(connection, request) {
    const outcome = connection.session.execute(request)

    if (++connection.started >= this.#options.rotateAfterExecutions) {
      this.#connection = undefined
      connection.retire()
    }
    return outcome
  }

  #isClosed() {
    return new ExecutorError('CONNECTION_BROKEN', 'RemoteExecutor is closed')
  }

  /** @param {unknown} cause */
  #lost(cause) {
    if (this.#closed) return this.#isClosed()
    return new ExecutorError('CONNECTION_BROKEN',
      `The connection to ${this.#url} broke before the execution was answered`, { retryable: true, cause })
  }
}

/**
 * Connects to a daemon and shakes hands with it.
 *
 * @param {string | URL} url such as ws://127.0.0.1:8080
 * @param {ConnectOptions} [options] how to connect, and the defaults of every execution
 * @returns {Promise<RemoteExecutor>}
 */
export async function connect(url, options) {
  const executor = new RemoteExecutor(url, options)

  await executor.open()
  return executor
}
