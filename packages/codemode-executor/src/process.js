// The executor's process, and the transport of the session with it: one message a line, on
// its standard input and output.
import { spawn } from 'node:child_process'

const NEWLINE = '\n'
const TAIL_CHARS = 2_000 // of what it said on standard error, for the fault that tells its end
// What a child needs of the host's environment. Not all of it: settings such as PORT or
// AUTH_TOKEN may mean something else to the host, and secrets are none of its business.
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'CODEMODE_WORKER_PATH']

/** @returns {Record<string, string>} */
function inherited() {
  return Object.fromEntries(INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }))
}

/**
 * @param {number | null} status
 * @param {NodeJS.Signals | null} signal
 * @param {string} said
 */
function ending(status, signal, said) {
  const how = signal === null ? `exit status ${status}` : signal
  const last = said.split(NEWLINE).findLast((line) => line !== '' && !line.startsWith('{')) // the others are log entries
  return new Error(`The executor process ended (${how})${last ? `: ${last}` : ''}.`)
}

/** @typedef {import('@supolka/codemode-executor-protocol/client').Transport} Transport */
/** @typedef {import('@supolka/codemode-executor-protocol/client').Receiver} Receiver */

/** @implements {Transport} */
export class ExecutorProcess {
  #child
  #said = ''
  /** @type {string[]} pieces of a line that is not complete */
  #pieces = []
  /** @type {Receiver | undefined} */
  #receiver
  /** @type {Error | undefined} */
  #ended

  /**
   * @param {string} path
   * @param {Record<string, string>} settings of the daemon, by the names of their variables
   */
  constructor(path, settings) {
    const child = spawn(path, ['serve', '--stdio'], {
      env: { ...inherited(), ...settings },
      stdio: 'pipe',
      detached: true, // a signal that a terminal sends to the host is the host's to handle
    })
    this.#child = child
    /** Resolves to why, when the process has ended or could not be started.
     * @type {Promise<Error>} */
    this.closed = new Promise((resolve) => {
      child.on('error', (cause) => resolve(this.#end(cause)))
      child.on('close', (status, signal) => resolve(this.#end(ending(status, signal, this.#said))))
    })
    child.stdin.on('error', () => {}) // its end tells more
    child.stdout.setEncoding('utf8').on('data', (text) => this.#take(text))
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#said = (this.#said + text).slice(-TAIL_CHARS)
    })
  }

  /** @param {string} message */
  send(message) {
    this.#child.stdin.write(message + NEWLINE)
  }

  /** @param {Receiver} receiver */
  listen(receiver) {
    this.#receiver = receiver
  }

  abort() {
    this.#child.stdin.end()
  }

  /**
   * Whether the host's event loop goes on for its sake. It ends by itself when the host does.
   *
   * @param {boolean} held
   */
  hold(held) {
    const { stdin, stdout, stderr } = this.#child

    for (const part of [this.#child, stdin, stdout, stderr]) {
      const handle = /** @type {{ ref(): void, unref(): void }} */ (/** @type {unknown} */ (part))
      if (held) handle.ref()
      else handle.unref()
    }
  }

  /** Asks it to end, and makes it when it does not within `ms`. */
  async end(/** @type {number} */ ms) {
    this.hold(true)
    this.#child.stdin.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), ms)
    await this.closed
    clearTimeout(timer)
  }

  /** @param {string} text */
  #take(text) {
    let from = 0

    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, from)) {
      this.#pieces.push(text.slice(from, at))
      this.#receiver?.message(this.#pieces.join(''))
      this.#pieces = []
      from = at + 1
    }
    if (from < text.length) this.#pieces.push(text.slice(from))
  }

  /** @param {Error} reason */
  #end(reason) {
    if (this.#ended !== undefined) return this.#ended
    this.#ended = reason
    this.#receiver?.end(reason)
    return reason
  }
}
