// One session with an executor. It knows nothing of sockets and pipes: the packages that
// open those bring the transport.
import { CODES, ExecutorError } from './errors.js'
import { Peer } from './peer.js'
import { PROTOCOL } from './types.js'
import { parseValue } from './values.js'

/** @typedef {import('./errors.js').ExecutorErrorCode} ExecutorErrorCode */
/** @typedef {import('./types.js').ExecuteRequest} ExecuteRequest */
/** @typedef {import('./types.js').Hello} Hello */
/** @typedef {import('./types.js').LogLine} LogLine */
/** @typedef {import('./types.js').OutboundRequest} OutboundRequest */
/** @typedef {import('./types.js').OutboundResponse} OutboundResponse */
/** @typedef {import('./peer.js').Receiver} Receiver */
/** @typedef {import('./peer.js').Transport} Transport */

/**
 * What `execute` answers on the wire; `result` is JSON text.
 *
 * @typedef {object} WireOutcome
 * @property {string} [error]
 * @property {LogLine[]} logs
 * @property {string} [result]
 * @property {import('./types.js').FailureKind} [failure]
 * @property {string} [stack]
 * @property {string} [executionId]
 * @property {string[]} [handles]
 */

const CALLBACKS = /** @type {const} */ (['dispatch', 'outbound', 'onLog'])

/** @param {unknown} value */
function named(value) {
  return value === null || typeof value === 'function' ? String(value).slice(0, 40) : typeof value
}

/**
 * Whether a value thrown by a call is a fault that crossed the wire: only its name is
 * lost on the way.
 *
 * @param {unknown} thrown
 * @returns {thrown is { code: ExecutorErrorCode, message: string, retryable?: boolean }}
 */
function isWireFault(thrown) {
  if (typeof thrown !== 'object' || thrown === null) return false
  const { code, retryable } = /** @type {Record<string, unknown>} */ (thrown)
  return typeof code === 'string' && (typeof retryable === 'boolean' || Object.hasOwn(CODES, code))
}

/**
 * The defaults and the request as one, in which absent and undefined are the same.
 *
 * @param {import('./types.js').ExecutorDefaults} defaults
 * @param {ExecuteRequest} request
 * @returns {ExecuteRequest}
 */
export function mergeRequest(defaults, request) {
  if (typeof request !== 'object' || request === null) {
    throw new ExecutorError('INVALID_REQUEST', `execute takes a request object, not ${named(request)}.`)
  }
  const merged = /** @type {Record<string, unknown>} */ ({ ...defaults })
  for (const [key, value] of Object.entries(request)) {
    if (value !== undefined) merged[key] = value
  }
  return /** @type {any} */ (merged)
}

/**
 * The life of one run as its callbacks see it. The signal is made when a callback first
 * wants it: most runs end without.
 */
class RunLife {
  /** @type {AbortController | undefined} */
  #controller
  #ended = false

  get signal() {
    this.#controller ??= new AbortController()
    if (this.#ended) this.end()
    return this.#controller.signal
  }

  end() {
    this.#ended = true
    this.#controller?.abort(new ExecutorError('CANCELLED', 'Nobody waits for this answer any more: the run has ended.'))
  }
}

/**
 * How many bytes of UTF-8 a text has, where that is more than `limit`; else 0.
 *
 * @param {string} text
 * @param {number} limit
 */
function bytesBeyond(text, limit) {
  if (text.length * 3 <= limit) return 0
  const { length } = new TextEncoder().encode(text)
  return length > limit ? length : 0
}

/**
 * The three that follow refuse what would make a message above the bound: that ends the
 * session, and with it every run.
 *
 * @param {import('./types.js').ExecuteRequest} request
 * @param {number} limit bytes
 */
function checkRequestSize({ code, modules }, limit) {
  const most = () => `${limit.toLocaleString('en-US')} bytes` // costs more than all the rest
  const codeBytes = typeof code === 'string' ? bytesBeyond(code, limit) : 0
  if (codeBytes > 0) {
    throw new ExecutorError('INVALID_REQUEST', `code has ${codeBytes.toLocaleString('en-US')} bytes; it is a string of at most ${most()}`)
  }
  let units = 0
  for (const source of Object.values(modules ?? {})) {
    for (const part of typeof source === 'string' ? [source] : Object.values(source ?? {})) {
      if (typeof part === 'string') units += part.length
      else if (part instanceof ArrayBuffer || ArrayBuffer.isView(part)) units += part.byteLength
    }
  }
  if (units > limit) throw new ExecutorError('INVALID_REQUEST', `modules have more than ${most()} together`)
}

/**
 * @template T
 * @param {T} answer
 * @param {number} limit bytes
 * @param {string} tool
 */
function checkAnswerSize(answer, limit, tool) {
  const bytes = typeof answer === 'string' ? bytesBeyond(answer, limit) : 0
  if (bytes > 0) throw new RangeError(`The answer to ${tool} of ${tooLarge(bytes, limit)} Return less data.`)
  return answer
}

/**
 * @param {string | ArrayBuffer | ArrayBufferView | null} body
 * @param {number} limit bytes
 * @param {string} url
 */
function checkBodySize(body, limit, url) {
  const bytes = typeof body === 'string' ? bytesBeyond(body, limit) : body?.byteLength ?? 0
  if (bytes > limit) throw new RangeError(`The response of ${url} of ${tooLarge(bytes, limit)} Ask for less data.`)
}

/**
 * @param {number} bytes
 * @param {number} limit
 */
function tooLarge(bytes, limit) {
  return `${bytes.toLocaleString('en-US')} bytes exceeds the ${limit.toLocaleString('en-US')} byte bound on one message.`
}

/**
 * A body as it crosses: whole.
 *
 * @param {OutboundResponse['body']} body
 */
async function wholeBody(body) {
  return body instanceof ReadableStream ? new Response(body).arrayBuffer() : body ?? null
}

/**
 * A module map with JSON as text. What is no module is left for the executor to name.
 *
 * @param {import('./types.js').ModuleMap} modules
 */
function wireModules(modules) {
  return Object.fromEntries(Object.entries(modules).map(([specifier, source]) => {
    const { json, data } = /** @type {{ json?: unknown, data?: unknown }} */ (source ?? {})
    if (json !== undefined && typeof json !== 'string') return [specifier, { json: JSON.stringify(json) }]
    return [specifier, data === undefined ? source : { data }]
  }))
}

/**
 * The bytes of a body that came over the wire, in a buffer of their own.
 *
 * @param {unknown} body
 * @returns {ArrayBuffer | null}
 */
function bufferOf(body) {
  if (body instanceof ArrayBuffer) return body
  if (!ArrayBuffer.isView(body)) return null
  return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength)).buffer
}

/**
 * The functions that the other end may call, each live until the run lets go of it: when
 * it is released (or the session ends), the run is over for it.
 *
 * @param {ExecuteRequest} request
 * @param {RunLife} life
 * @param {number} limit bytes of one message
 */
function callbacksOf({ dispatch, outbound, onLog }, life, limit) {
  /** @type {Record<string, import('./peer.js').Callable>} */
  const callbacks = {}
  const released = () => life.end()

  if (typeof dispatch === 'function') {
    callbacks.dispatch = {
      call: async (provider, tool, argsJson) =>
        checkAnswerSize(await dispatch(provider, tool, argsJson, life.signal), limit, `${provider}.${tool}`),
      released,
    }
  }
  if (typeof outbound === 'function') {
    callbacks.outbound = {
      call: async (asked) => {
        const answer = await outbound({ ...asked, body: bufferOf(asked.body) }, life.signal)
        const body = await wholeBody(answer?.body)
        checkBodySize(body, limit, asked.url)
        return { ...answer, body }
      },
      released,
    }
  }
  if (typeof onLog === 'function') callbacks.onLog = { call: (line) => void onLog(line) }
  return callbacks
}

/**
 * What crosses as data, checked as far as it does not cross at all.
 *
 * @param {ExecuteRequest} request
 */
function wireRequest(request) {
  const { dispatch: _dispatch, onLog: _onLog, outbound, signal, ...data } = request

  for (const name of CALLBACKS) {
    const given = request[name]
    if (given === undefined || typeof given === 'function') continue
    if (name === 'outbound' && given === null) continue
    throw new ExecutorError('INVALID_REQUEST', `${name} is ${named(given)}, and a function is accepted.`)
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new ExecutorError('INVALID_REQUEST', `signal is ${named(signal)}, and an AbortSignal is accepted.`)
  }
  const { modules } = data
  return /** @type {Record<string, unknown>} */ ({
    ...data,
    ...(outbound === null && { outbound }),
    ...(typeof modules === 'object' && modules !== null && { modules: wireModules(modules) }),
  })
}

export class ExecutorSession {
  #peer
  #lost
  /** @type {{ cause: unknown } | undefined} */
  #broken
  #messageBytes = Infinity
  #running = 0
  #lastId = 0
  /** @type {Map<string, RunLife>} by execution */
  #retained = new Map()
  #onActivity = () => {}

  /**
   * @param {Transport} transport
   * @param {(cause: unknown) => ExecutorError} lost makes the fault of the calls that end with the session
   */
  constructor(transport, lost) {
    this.#peer = new Peer(transport, (cause) => {
      this.#broken = { cause }
    })
    this.#lost = lost
  }

  /** Ends the session, and with it what runs. */
  close() {
    this.#peer.close()
  }

  get alive() {
    return this.#broken === undefined
  }

  /** Whether something of this session is still wanted: a run, or a retained execution. */
  get busy() {
    return this.#running > 0 || this.#retained.size > 0
  }

  /** How many runs and calls of handlers have begun and not ended. */
  get running() {
    return this.#running
  }

  /** @param {() => void} onActivity called when `running` or `busy` may have changed */
  set onActivity(onActivity) {
    this.#onActivity = onActivity
  }

  /**
   * @param {{ client: string, token?: string }} self
   * @returns {Promise<Hello>}
   */
  async hello({ client, token }) {
    /** @type {Hello} */
    const hello = await this.#call('hello', [{ protocol: PROTOCOL, client, ...(token !== undefined && { token }) }])
    const { messageBytes } = hello.limits
    if (typeof messageBytes === 'number') this.#messageBytes = messageBytes
    return hello
  }

  /**
   * Runs one program. Resolves to what the wire says, the result decoded.
   *
   * @param {ExecuteRequest} request
   * @returns {Promise<Omit<WireOutcome, 'result'> & { result: unknown }>}
   */
  async execute(request) {
    const { signal } = request
    const life = new RunLife()
    const wire = wireRequest(request)
    const callbacks = callbacksOf(request, life, this.#messageBytes)

    checkRequestSize(request, this.#messageBytes)
    if (signal === undefined) return this.#run(wire, callbacks, life)
    if (signal.aborted) throw cancelled(signal)
    wire.requestId = String(++this.#lastId)
    const run = this.#run(wire, callbacks, life)
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#peer.call('cancel', [wire.requestId]).catch(() => {})
        life.end()
        reject(cancelled(signal))
      }
      signal.addEventListener('abort', onAbort, { once: true })
      run.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    })
  }

  /**
   * @param {Record<string, unknown>} wire
   * @param {Record<string, import('./peer.js').Callable>} callbacks
   * @param {RunLife} life
   */
  async #run(wire, callbacks, life) {
    this.#count(1)
    try {
      /** @type {WireOutcome} */
      const outcome = await this.#call('execute', [wire], Object.keys(callbacks).length === 0 ? undefined : callbacks)
      if (outcome.executionId === undefined) life.end()
      else this.#retained.set(outcome.executionId, life)
      return { ...outcome, result: outcome.result === undefined ? undefined : parseValue(outcome.result) }
    } catch (thrown) {
      life.end()
      throw thrown
    } finally {
      this.#count(-1)
    }
  }

  /** @param {string} executionId */
  holds(executionId) {
    return this.#retained.has(executionId)
  }

  /**
   * Calls a handler of a retained execution.
   *
   * @param {string} executionId
   * @param {string} handle
   * @param {Request} request
   * @returns {Promise<import('./types.js').InvokeResult>}
   */
  async invoke(executionId, handle, request) {
    this.#count(1)
    try {
      const wire = await wireOfRequest(request)
      const { response, error, logs } = await this.#call('invoke', [executionId, handle, wire])
      return { ...(response && { response: responseOfWire(response) }), ...(error !== undefined && { error }), logs }
    } catch (thrown) {
      if (thrown instanceof ExecutorError && thrown.code === 'EXECUTION_GONE') this.#forget(executionId)
      throw thrown
    } finally {
      this.#count(-1)
    }
  }

  /** @param {string} executionId */
  async release(executionId) {
    if (!this.#forget(executionId)) return
    await this.#counted('release', [executionId])
  }

  /**
   * Its functions are released by the other end, too, but a host need not wait for that.
   *
   * @param {string} executionId
   * @returns {boolean} whether it was retained
   */
  #forget(executionId) {
    this.#retained.get(executionId)?.end()
    return this.#retained.delete(executionId)
  }

  /** @returns {Promise<Record<string, unknown>>} */
  stats() {
    return this.#counted('stats', [])
  }

  /**
   * A call that counts as running.
   *
   * @param {string} method
   * @param {unknown[]} args
   */
  async #counted(method, args) {
    this.#count(1)
    try {
      return await this.#call(method, args)
    } finally {
      this.#count(-1)
    }
  }

  /** @param {number} change */
  #count(change) {
    this.#running += change
    this.#onActivity()
  }

  /**
   * Every failure of a call as the fault that it is.
   *
   * @param {string} method
   * @param {unknown[]} args
   * @param {Record<string, import('./peer.js').Callable>} [callbacks]
   * @returns {Promise<any>}
   */
  async #call(method, args, callbacks) {
    let answer
    try {
      answer = this.#peer.call(method, args, callbacks)
    } catch (thrown) { // nothing was sent
      throw new ExecutorError('INVALID_REQUEST', `The request cannot be sent: ${messageOf(thrown)}`, { cause: thrown })
    }
    try {
      return await answer
    } catch (thrown) {
      if (isWireFault(thrown)) throw new ExecutorError(thrown.code, thrown.message, { retryable: thrown.retryable })
      if (this.#broken !== undefined) throw this.#lost(this.#broken.cause)
      throw new ExecutorError('INTERNAL', messageOf(thrown), { cause: thrown })
    }
  }
}

/** @param {unknown} thrown */
function messageOf(thrown) {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** @param {AbortSignal} signal */
function cancelled(signal) {
  return new ExecutorError('CANCELLED', 'The host cancelled the execution.', { cause: signal.reason })
}

/**
 * @param {Request} request
 * @returns {Promise<OutboundRequest>}
 */
async function wireOfRequest(request) {
  const body = request.body === null ? null : await request.arrayBuffer()
  return { url: request.url, method: request.method, headers: [...request.headers], body }
}

/** @param {OutboundResponse} response */
function responseOfWire({ status, statusText, headers, body }) {
  return new Response(/** @type {BodyInit | null} */ (hasNoBody(status) ? null : body ?? null),
    { status, statusText, headers })
}

/** @param {number} status */
function hasNoBody(status) {
  return status === 204 || status === 205 || status === 304
}

/**
 * What a result carries beside what its keys say: properties that are not enumerable.
 *
 * @param {Record<string, unknown>} values
 * @returns {PropertyDescriptorMap} for Object.defineProperties; undefined values are left out
 */
export function hidden(values) {
  /** @type {PropertyDescriptorMap} */
  const properties = {}

  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) properties[name] = { value, writable: true, configurable: true }
  }
  return properties
}

/** One request handler of a retained execution. */
export class RetainedHandle {
  #invoke

  /** @param {(request: Request) => Promise<import('./types.js').InvokeResult>} invoke */
  constructor(invoke) {
    this.#invoke = invoke
  }

  /**
   * Calls the handler. Resolves also when the handler failed: then `error` says why.
   *
   * @param {Request} request
   */
  invoke(request) {
    return this.#invoke(request)
  }

  /**
   * Calls the handler like fetch. Rejects with an Error when the handler failed.
   *
   * @param {Request | string | URL} input
   * @param {RequestInit} [init]
   * @returns {Promise<Response>}
   */
  async fetch(input, init) {
    const { response, error } = await this.#invoke(new Request(input, init))

    if (response === undefined) throw new Error(error ?? 'The handler gave no response.')
    return response
  }
}

/**
 * What an executor says of an execution that none of its sessions keeps.
 *
 * @param {string} executionId
 */
export function executionGone(executionId) {
  return new ExecutorError('EXECUTION_GONE', `Execution ${executionId} is no longer retained.`)
}
