import { ExecutorError } from '@supolka/codemode-executor-protocol'
import { ExecutorSession, RetainedHandle, executionGone, hidden, mergeRequest } from '@supolka/codemode-executor-protocol/client'
import { ExecutorProcess } from './process.js'

/** @typedef {import('@supolka/codemode-executor-protocol').ExecuteRequest} ExecuteRequest */
/** @typedef {import('@supolka/codemode-executor-protocol').ExecuteResult} ExecuteResult */

/**
 * @typedef {object} IsolateFields
 * @property {number} [memoryLimit] MB that one program may hold; 128 when absent
 * @property {string} [path] the codemode-executor program; else CODEMODE_EXECUTOR, else it is looked for in PATH
 * @property {Record<string, string | number>} [settings] settings of the process by the names of their variables
 * @property {number} [drainTimeout] milliseconds that dispose() waits for what still runs; 30,000 when absent
 */

/** @typedef {import('@supolka/codemode-executor-protocol').ExecutorDefaults & IsolateFields} IsolateOptions */

const PROGRAM = 'codemode-executor'
const DRAIN_TIMEOUT_MS = 30_000
const END_TIMEOUT_MS = 5_000

/** @param {unknown} cause */
function messageOf(cause) {
  return cause instanceof Error ? cause.message : String(cause)
}

/** @param {any} fault of a handshake */
function adviceFor(fault) {
  return fault?.cause?.code === 'ENOENT' ? '. Name the program with the option path or in CODEMODE_EXECUTOR.' : ''
}

/** A process with the session over its pipes. */
class Pool {
  #process
  #onQuiet = () => {}

  /**
   * @param {string} path
   * @param {Record<string, string>} settings
   */
  constructor(path, settings) {
    this.#process = new ExecutorProcess(path, settings)
    this.session = new ExecutorSession(this.#process, (cause) =>
      new ExecutorError('CONNECTION_BROKEN', messageOf(cause), { retryable: true, cause }))
    this.session.onActivity = () => this.#noteActivity()
    /** @type {Promise<void>} */
    this.ready = this.#start(path)
  }

  /** @param {string} path */
  async #start(path) {
    try {
      await this.session.hello({ client: PROGRAM })
    } catch (cause) {
      await this.#process.end(END_TIMEOUT_MS)
      throw new ExecutorError('INTERNAL', `${path} could not be started: ${messageOf(cause)}${adviceFor(cause)}`, { cause })
    }
  }

  #noteActivity() {
    const isQuiet = this.session.running === 0

    this.#process.hold(!isQuiet)
    if (isQuiet) this.#onQuiet()
  }

  /**
   * Lets what runs end, for at most `ms`, then ends the process.
   *
   * @param {number} ms
   */
  async drain(ms) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    await new Promise((resolve) => {
      this.#onQuiet = () => resolve(undefined)
      timer = setTimeout(resolve, ms)
      this.#noteActivity()
    })
    clearTimeout(timer)
    await this.#process.end(END_TIMEOUT_MS)
  }
}

/**
 * Runs programs in a process of its own, which the first execution starts and dispose() ends.
 *
 * @implements {AsyncDisposable}
 */
export class IsolateExecutor {
  #path
  #settings
  #drainTimeout
  #defaults
  /** @type {Pool | undefined} */
  #pool
  #closed = false

  /** @param {IsolateOptions} [options] the defaults of every execution, and how to start the process */
  constructor(options = {}) {
    const { memoryLimit, path, settings, drainTimeout, ...defaults } = options
    this.#path = path ?? process.env.CODEMODE_EXECUTOR ?? PROGRAM
    this.#drainTimeout = drainTimeout ?? DRAIN_TIMEOUT_MS
    this.#defaults = mergeRequest({}, /** @type {any} */ (defaults))
    this.#settings = Object.fromEntries(
      Object.entries({ LOG_LEVEL: 'warn', ...settings, ...(memoryLimit !== undefined && { MEMORY_LIMIT_MB: memoryLimit }) })
        .map(([name, value]) => [name, String(value)]))
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
    const session = await this.#session()
    const { result, error, logs, executionId, handles, failure, stack } = await session.execute(merged)

    return Object.defineProperties({
      result,
      ...(error !== undefined && { error }),
      logs,
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
      if (this.#closed) throw this.#isClosed()
      if (!this.#pool?.session.holds(executionId)) throw executionGone(executionId)
      return this.#pool.session.invoke(executionId, name, request)
    })
  }

  /**
   * Ends a retained execution. One that has already ended is no error.
   *
   * @param {string} executionId
   */
  async release(executionId) {
    await this.#pool?.session.release(executionId)
  }

  /** Lets what runs end, ends the process, and takes nothing more. */
  async dispose() {
    this.#closed = true
    await this.#pool?.drain(this.#drainTimeout)
  }

  [Symbol.asyncDispose]() {
    return this.dispose()
  }

  /** The session of the process that runs, started where there is none. */
  async #session() {
    if (this.#closed) throw this.#isClosed()
    if (!this.#pool?.session.alive) this.#pool = new Pool(this.#path, this.#settings)
    const pool = this.#pool
    await pool.ready
    if (this.#closed) throw this.#isClosed()
    return pool.session
  }

  #isClosed() {
    return new ExecutorError('INTERNAL', 'The pool is shutting down.')
  }
}
