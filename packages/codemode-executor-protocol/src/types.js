/** The number of the wire's version, which both ends of a connection must speak. */
export const PROTOCOL = 1

/**
 * @typedef {object} ProviderDescriptor
 * @property {string} name the name under which the program finds it: an identifier, unique
 * @property {string[]} [tools] the tools that the model is told about; every name is callable
 */

/**
 * Receives every tool call of a program, and answers with JSON text: `{"result": …}`, or
 * `{"error": "message"}` to have the call reject. `error` may also be an object with `name`,
 * `message`, `code` and `data`.
 *
 * @callback ToolDispatchFn
 * @param {string} provider
 * @param {string} tool
 * @param {string} argsJson the arguments as the JSON text of an array; see parseValue()
 * @param {AbortSignal} signal aborts when nobody waits for an answer any more
 * @returns {string | Promise<string>}
 */

/**
 * @typedef {object} OutboundRequest
 * @property {string} url
 * @property {string} method
 * @property {Array<[name: string, value: string]>} headers
 * @property {ArrayBuffer | null} body
 */

/**
 * @typedef {object} OutboundResponse
 * @property {number} status
 * @property {string} [statusText]
 * @property {Array<[name: string, value: string]>} [headers]
 * @property {ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array> | string | null} [body] a stream is read to its end first
 */

/**
 * Performs, or refuses by throwing, one request that a program makes with fetch.
 *
 * @callback OutboundFetchFn
 * @param {OutboundRequest} request
 * @param {AbortSignal} signal aborts when nobody waits for the response any more
 * @returns {OutboundResponse | Promise<OutboundResponse>}
 */

/**
 * A string is the text of an ES module; `json` is JSON text, or a value that becomes it.
 *
 * @typedef {string | { js: string } | { cjs: string } | { json: unknown } | { text: string } | { data: ArrayBuffer | ArrayBufferView }} ModuleSource
 */

/** @typedef {Record<string, ModuleSource>} ModuleMap */

/**
 * What an executor takes as defaults; the same fields on a request win.
 *
 * @typedef {object} ExecutorDefaults
 * @property {number | null} [timeout] milliseconds of the run clock; null: no deadline; 30,000 when absent
 * @property {boolean} [countHostWaits] whether time spent waiting on the host counts; false when absent
 * @property {OutboundFetchFn | null} [outbound] who performs fetch; null: nobody; absent: the executor
 * @property {ModuleMap} [modules] what the program may import
 * @property {'javascript' | 'typescript'} [language] what programs are written in; JavaScript when absent
 * @property {boolean} [retainHandles] whether a program that returns request handlers keeps its isolate
 */

/**
 * @typedef {object} RequestFields
 * @property {string} code one expression that evaluates to a function
 * @property {ProviderDescriptor[]} [providers]
 * @property {ToolDispatchFn} [dispatch]
 * @property {(line: LogLine) => void} [onLog] gets each line while the program still runs
 * @property {AbortSignal} [signal] cancels the run
 */

/** @typedef {ExecutorDefaults & RequestFields} ExecuteRequest */

/**
 * @typedef {object} LogLine
 * @property {'log' | 'warn' | 'error'} level
 * @property {string} text
 */

/** @typedef {'syntax' | 'thrown' | 'result' | 'too_large' | 'timeout' | 'wall' | 'memory' | 'module'} FailureKind */

/**
 * Read `error` first: when it is undefined, the run produced `result`. Test values, never
 * whether a key exists. `failure` and `stack` are not enumerable.
 *
 * @typedef {object} ExecuteResult
 * @property {unknown} [result]
 * @property {string} [error] what the program did wrong, as a sentence for the model
 * @property {LogLine[]} [logs]
 * @property {string} [executionId] names a retained execution
 * @property {string[]} [handles] the request handlers of a retained execution
 * @property {FailureKind} [failure]
 * @property {string} [stack]
 */

/**
 * @typedef {object} InvokeResult
 * @property {Response} [response]
 * @property {string} [error] what the handler did wrong
 * @property {LogLine[]} logs
 */

/**
 * What RemoteExecutor and IsolateExecutor have in common.
 *
 * @typedef {object} Executor
 * @property {(request: ExecuteRequest) => Promise<ExecuteResult>} execute
 * @property {() => Promise<void>} dispose
 */

/**
 * What the other end says of itself when a session begins.
 *
 * @typedef {object} Hello
 * @property {number} protocol
 * @property {string} version
 * @property {string} runtime
 * @property {Record<string, unknown>} limits
 */
