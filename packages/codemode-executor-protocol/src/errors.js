/**
 * Every code of a fault, and whether running the same request again may help
 * where the fault does not say so itself.
 */
export const CODES = Object.freeze({
  INVALID_REQUEST: Object.freeze({ retryable: false }),
  RESPONSE_TOO_LARGE: Object.freeze({ retryable: false }),
  OVERLOADED: Object.freeze({ retryable: true }),
  CANCELLED: Object.freeze({ retryable: false }),
  EXECUTION_GONE: Object.freeze({ retryable: false }),
  WORKER_LOST: Object.freeze({ retryable: true }),
  UNAUTHORIZED: Object.freeze({ retryable: false }),
  CONNECTION_REJECTED: Object.freeze({ retryable: false }),
  CONNECTION_BROKEN: Object.freeze({ retryable: false }),
  UNAVAILABLE: Object.freeze({ retryable: true }),
  INTERNAL: Object.freeze({ retryable: false }),
})

/** @typedef {keyof typeof CODES} ExecutorErrorCode */

/**
 * A fault: what the executor could not do. What a program did wrong is no fault
 * and comes back in the `error` of its result.
 */
export class ExecutorError extends Error {
  /**
   * @param {ExecutorErrorCode} code the one thing to branch on
   * @param {string} message a sentence for people
   * @param {{ retryable?: boolean, cause?: unknown }} [options] `retryable` where it
   *   differs from the code's own
   */
  constructor(code, message, options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    /** @readonly */
    this.code = code
    /** @readonly */
    this.retryable = options.retryable ?? CODES[code]?.retryable ?? false
  }
}

Object.defineProperty(ExecutorError.prototype, 'name',
  { value: 'ExecutorError', writable: true, configurable: true })
