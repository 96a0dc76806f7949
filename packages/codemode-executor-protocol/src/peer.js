// The host's end of a Cap'n Web session, as far as an executor and its hosts use the protocol:
// calls of the other end's main object, one message each way, and functions that the other
// end calls meanwhile. It does for them what the package capnweb does, in a third of the time:
// a tool call is answered in the turn in which it arrives.
import { decode, encode } from './wire.js'

/**
 * @typedef {object} Receiver
 * @property {(text: string) => void} message
 * @property {(reason: unknown) => void} end called once; nothing comes after it
 */

/**
 * @typedef {object} Transport
 * @property {(message: string) => void} send
 * @property {(receiver: Receiver) => void} listen called once, before anything can have come
 * @property {(reason: unknown) => void} abort ends it
 */

/**
 * A function that the other end may call.
 *
 * @typedef {object} Callable
 * @property {(...args: any[]) => unknown} call
 * @property {() => void} [released] the other end has let go of it, or the session has ended
 */

/** @typedef {{ resolve: (value: any) => void, reject: (reason: unknown) => void }} Waiting */

const MESSAGE_CHARS_MAX = 2 ** 28

/**
 * @param {'resolve' | 'reject'} how
 * @param {number} id
 * @param {unknown} value
 */
function settlement(how, id, value) {
  try {
    return JSON.stringify([how, id, encode(value)])
  } catch (reason) {
    return JSON.stringify(['reject', id, encode(reason)])
  }
}

/**
 * @param {number} id
 * @param {Promise<unknown>} outcome
 * @returns {Promise<string>} the message that answers a call
 */
function answerOf(id, outcome) {
  return outcome.then((value) => settlement('resolve', id, value), (reason) => settlement('reject', id, reason))
}

export class Peer {
  #transport
  #onEnd
  /** @type {Map<number, Waiting>} by the number that the other end counts, too */
  #calls = new Map()
  #lastCall = 0
  /** @type {Map<number, Callable>} */
  #callables = new Map()
  #lastCallable = 0
  /** @type {Map<number, Promise<string>>} what answers the calls of the other end that it has not released */
  #answers = new Map()
  #lastAnswer = 0
  /** @type {{ reason: unknown } | undefined} */
  #ended

  /**
   * @param {Transport} transport
   * @param {(reason: unknown) => void} onEnd called once, before the calls that are open reject
   */
  constructor(transport, onEnd) {
    this.#transport = transport
    this.#onEnd = onEnd
    transport.listen({ message: (text) => this.#take(text), end: (reason) => this.#end(reason) })
  }

  /**
   * Calls a method of the other end's main object. References in the answer are released before
   * anybody has them.
   *
   * @param {string} method
   * @param {unknown[]} args plain data
   * @param {Record<string, Callable>} [callables] an object of functions, the last argument
   * @returns {Promise<any>}
   * @throws {TypeError} when an argument is no plain data; nothing was sent
   */
  call(method, args, callables) {
    const expressions = args.map(encode)

    if (this.#ended !== undefined) return Promise.reject(this.#ended.reason)
    if (callables !== undefined) {
      expressions.push(Object.fromEntries(
        Object.entries(callables).map(([name, callable]) => [name, ['export', this.#give(callable)]])))
    }
    return new Promise((resolve, reject) => {
      this.#calls.set(++this.#lastCall, { resolve, reject })
      this.#send(JSON.stringify(['stream', ['pipeline', 0, [method], expressions]]))
    })
  }

  /** Ends the session; what is open rejects. */
  close() {
    this.#fail(new Error('The host closed the session.'))
  }

  /** @param {Callable} callable */
  #give(callable) {
    this.#callables.set(--this.#lastCallable, callable)
    return this.#lastCallable
  }

  /** @param {string} message */
  #send(message) {
    if (this.#ended !== undefined) return
    try {
      this.#transport.send(message)
    } catch (reason) {
      this.#fail(reason)
    }
  }

  /** @param {string} text */
  #take(text) {
    if (this.#ended !== undefined) return
    try {
      if (text.length > MESSAGE_CHARS_MAX) throw new RangeError(`A message has at most ${MESSAGE_CHARS_MAX} characters here.`)
      this.#handle(JSON.parse(text))
    } catch (reason) {
      this.#send(JSON.stringify(['abort', encode(reason)]))
      this.#fail(reason)
    }
  }

  /** @param {any} message */
  #handle(message) {
    const [type, first, second] = Array.isArray(message) ? message : []

    switch (type) {
      case 'stream': return void this.#answer(++this.#lastAnswer, first).then((answer) => this.#send(answer))
      case 'resolve':
      case 'reject': return this.#settle(type, first, this.#decode(second))
      case 'push': return this.#keep(++this.#lastAnswer, first)
      case 'pull': return void this.#answers.get(first)?.then((answer) => this.#send(answer))
      case 'release': return this.#release(first)
      case 'abort': return this.#fail(this.#decode(first))
      default: throw new TypeError(`bad RPC message: ${JSON.stringify(message).slice(0, 80)}`)
    }
  }

  /** @param {unknown} expression */
  #decode(expression) {
    return decode(expression, (id) => this.#send(`["release",${Number(id)},1]`))
  }

  /**
   * @param {'resolve' | 'reject'} how
   * @param {number} id
   * @param {unknown} value
   */
  #settle(how, id, value) {
    const call = this.#calls.get(id)

    this.#calls.delete(id)
    call?.[how](value)
  }

  /**
   * @param {number} id
   * @param {unknown} expression
   */
  #keep(id, expression) {
    this.#answers.set(id, this.#answer(id, expression))
  }

  /** @param {number} id */
  #release(id) {
    const callable = this.#callables.get(id)

    this.#answers.delete(id)
    this.#callables.delete(id)
    callable?.released?.()
  }

  /**
   * @param {number} id
   * @param {any} expression of a call
   */
  #answer(id, expression) {
    const [form, target, path, args] = Array.isArray(expression) ? expression : []

    if (form !== 'pipeline' || !Array.isArray(path) || !Array.isArray(args)) {
      throw new TypeError(`only calls are taken here: ${JSON.stringify(expression)?.slice(0, 80)}`)
    }
    return answerOf(id, this.#called(target, path, /** @type {unknown[]} */ (this.#decode([args]))))
  }

  /**
   * @param {number} target
   * @param {unknown[]} path
   * @param {unknown[]} args
   * @returns {Promise<unknown>}
   */
  #called(target, path, args) {
    const callable = this.#callables.get(target)

    try {
      if (target === 0) throw new Error('This connection has no main object.')
      if (callable === undefined || path.length > 0) throw new TypeError('There is no such function here.')
      return Promise.resolve(callable.call(...args))
    } catch (reason) {
      return Promise.reject(reason)
    }
  }

  /** @param {unknown} reason */
  #fail(reason) {
    this.#end(reason)
    this.#transport.abort(reason)
  }

  /** @param {unknown} reason */
  #end(reason) {
    if (this.#ended !== undefined) return
    this.#ended = { reason }
    this.#onEnd(reason)
    for (const { reject } of this.#calls.values()) reject(reason)
    for (const { released } of this.#callables.values()) released?.()
    this.#calls.clear()
    this.#callables.clear()
    this.#answers.clear()
  }
}
