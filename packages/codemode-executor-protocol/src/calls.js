// Fewer messages for the same calls. capnweb makes three of a call: a push, a pull of its
// answer, and a release when that has come. The protocol has one that says all three,
// `stream`, which capnweb itself keeps for what is written to streams.

const PUSH = '["push",'
const PULL = '["pull",'
const RELEASE = '["release",'
const STREAM = '["stream",'

/**
 * @typedef {object} Transport what capnweb asks of one
 * @property {(message: string) => void} send
 * @property {() => Promise<string>} receive
 * @property {(reason: any) => void} abort
 */

/**
 * A transport before another one. Calls made with call() travel in one message each; whatever
 * else a session sends passes as it is, and so does all that it receives.
 *
 * @implements {Transport}
 */
export class CallTransport {
  #under
  #depth = 0
  /** @type {string | undefined} the push that waits for its pull */
  #push
  /** @type {Set<string>} the calls that the other end releases when it has answered */
  #single = new Set()

  /** @param {Transport} under */
  constructor(under) {
    this.#under = under
  }

  /**
   * Makes a call whose answer is data: references in it are released before anybody has them.
   * Letting go of the call does not reach the other end.
   *
   * @template T
   * @param {() => PromiseLike<T>} start calls a method of the other end, and does nothing else
   * @returns {Promise<T>}
   */
  call(start) {
    this.#depth++
    try {
      const answer = start()
      return new Promise((resolve, reject) => answer.then(resolve, reject)) // capnweb pulls it here
    } finally {
      this.#depth--
      this.#flush()
    }
  }

  /** @param {string} message */
  send(message) {
    const push = this.#push

    if (push !== undefined && message.startsWith(PULL)) { // of the push: nothing came in between
      this.#push = undefined
      this.#single.add(message.slice(PULL.length, -1))
      this.#under.send(STREAM + push.slice(PUSH.length))
      return
    }
    this.#flush()
    if (this.#depth > 0 && message.startsWith(PUSH)) this.#push = message
    else if (!this.#isNeedless(message)) this.#under.send(message)
  }

  receive() {
    return this.#under.receive()
  }

  /** @param {unknown} reason */
  abort(reason) {
    this.#under.abort(reason)
  }

  #flush() {
    const push = this.#push
    if (push === undefined) return
    this.#push = undefined
    this.#under.send(push)
  }

  /**
   * Whether it releases a call that the other end releases by itself.
   *
   * @param {string} message
   */
  #isNeedless(message) {
    return message.startsWith(RELEASE) &&
      this.#single.delete(message.slice(RELEASE.length, message.indexOf(',', RELEASE.length)))
  }
}
