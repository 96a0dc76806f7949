import { parseValue, stringifyValue } from '@supolka/codemode-executor-protocol'
import { normalizeCode } from './normalize.js'

/** @typedef {(...args: any[]) => unknown} ToolFn */

/**
 * @typedef {object} ResolvedProvider
 * @property {string} name
 * @property {Record<string, ToolFn>} fns
 * @property {string} [prelude] statements that run before the program and may put functions on the provider
 */

/**
 * @typedef {object} ConnectorBinding
 * @property {string} name
 * @property {{ callTool(method: string, args: unknown): Promise<unknown> }} binding
 */

/**
 * @typedef {object} CodemodeResult
 * @property {unknown} result
 * @property {string} [error]
 * @property {string[]} logs
 */

const RAW_FUNCTIONS = 'codemode' // the provider that functions without one are under
const CONTROL = '__codemode_control__' // how a connector says that it gives no result
const PAUSE = '__CODEMODE_PAUSE__'
const PREFIX = { log: '', warn: '[warn] ', error: '[error] ' }
const RESERVED = new Set(['abstract', 'arguments', 'await', 'boolean', 'break', 'byte', 'case', 'catch', 'char', 'class',
  'const', 'continue', 'debugger', 'default', 'delete', 'do', 'double', 'else', 'enum', 'eval', 'export', 'extends',
  'false', 'final', 'finally', 'float', 'for', 'function', 'goto', 'if', 'implements', 'import', 'in', 'instanceof',
  'int', 'interface', 'let', 'long', 'native', 'new', 'null', 'package', 'private', 'protected', 'public', 'return',
  'short', 'static', 'super', 'switch', 'synchronized', 'this', 'throw', 'throws', 'transient', 'true', 'try',
  'typeof', 'undefined', 'var', 'void', 'volatile', 'while', 'with', 'yield'])

/**
 * The identifier that @cloudflare/codemode tells the model for a tool of that name.
 *
 * @param {string} name
 */
function toolIdentifier(name) {
  const word = name.replace(/[-.\s]/g, '_').replace(/[^a-zA-Z0-9_$]/g, '')

  if (word === '') return '_'
  if (/^[0-9]/.test(word)) return `_${word}`
  return RESERVED.has(word) ? `${word}_` : word
}

/** @param {ResolvedProvider} provider */
function toolsOf({ name: provider, fns }) {
  /** @type {Map<string, ToolFn>} */
  const tools = new Map()

  for (const [name, fn] of Object.entries(fns)) {
    const identifier = toolIdentifier(name)
    if (tools.has(identifier)) {
      throw new TypeError(`Provider "${provider}" has two tools that the program would call "${identifier}".`)
    }
    tools.set(identifier, fn)
  }
  return tools
}

/**
 * A connector has no list of its tools: it answers to every name.
 *
 * @param {ConnectorBinding} connector
 * @returns {(tool: string) => ToolFn}
 */
function connectorTool({ binding }) {
  return (tool) => async (args) => {
    const answer = /** @type {any} */ (await binding.callTool(tool, args))
    const control = answer?.[CONTROL]

    if (control === 'pause') throw new Error(PAUSE)
    if (control === 'error') throw new Error(String(answer.message))
    return answer
  }
}

/**
 * How an error of a tool crosses to the program.
 *
 * @param {any} thrown
 */
function errorOf(thrown) {
  if (!(thrown instanceof Error)) return String(thrown)
  const { name, message, code } = /** @type {Error & { code?: unknown }} */ (thrown)
  return { name, message, ...((typeof code === 'string' || typeof code === 'number') && { code }) }
}

/**
 * The program with what providers want to run before it. A provider in the isolate cannot be
 * changed, so each is given as an object that the prelude may add to.
 *
 * @param {string} code
 * @param {ResolvedProvider[]} providers
 */
function withPreludes(code, providers) {
  const changed = providers.filter(({ prelude }) => prelude !== undefined)
  if (changed.length === 0) return code
  const names = changed.map(({ name }) => name).join(', ')

  return `async () => await (async (${names}) => {
${changed.map(({ prelude }) => prelude).join('\n')}
return await (${code}
)()
})(...[${names}].map((provider) => new Proxy({}, {
  get: (own, name) => (Object.hasOwn(own, name) ? own[name] : provider[name]),
})))`
}

/**
 * An executor of ours as the `Executor` of @cloudflare/codemode: what a model wrote is put
 * into the entry form, tools are functions that take and give values, log lines are text, and
 * execute() never rejects: what the executor could not do is an `error` too.
 */
export class CodemodeAdapter {
  #executor
  #options

  /**
   * @param {Pick<import('@supolka/codemode-executor-protocol').Executor, 'execute'>} executor
   * @param {import('@supolka/codemode-executor-protocol').ExecutorDefaults} [options] fields of every request
   */
  constructor(executor, options = {}) {
    this.#executor = executor
    this.#options = options
  }

  /**
   * @param {string} code
   * @param {ResolvedProvider[] | Record<string, ToolFn>} providersOrFns
   * @param {{ connectors?: ConnectorBinding[] }} [options]
   * @returns {Promise<CodemodeResult>}
   */
  async execute(code, providersOrFns, { connectors = [] } = {}) {
    try {
      const given = Array.isArray(providersOrFns) ? providersOrFns : [{ name: RAW_FUNCTIONS, fns: providersOrFns }]
      const { result, error, logs = [] } = await this.#executor.execute(this.#request(code, given, connectors))

      return {
        result,
        ...(error !== undefined && { error }),
        logs: logs.map(({ level, text }) => PREFIX[level] + text),
      }
    } catch (thrown) {
      return { result: undefined, error: thrown instanceof Error ? thrown.message : String(thrown), logs: [] }
    }
  }

  /**
   * @param {string} code
   * @param {ResolvedProvider[]} given
   * @param {ConnectorBinding[]} connectors
   */
  #request(code, given, connectors) {
    const names = new Set(connectors.map(({ name }) => name))
    const providers = given.filter(({ name }) => !names.has(name)) // a connector of the same name wins
    const tools = new Map(providers.map((provider) => [provider.name, toolsOf(provider)]))
    /** @type {Map<string, (tool: string) => ToolFn | undefined>} */
    const finders = new Map(connectors.map((connector) => [connector.name, connectorTool(connector)]))
    for (const [name, fns] of tools) finders.set(name, (tool) => fns.get(tool))

    return {
      ...this.#options,
      code: withPreludes(normalizeCode(code), providers),
      providers: [
        ...providers.map(({ name }) => ({ name, tools: [...tools.get(name)?.keys() ?? []] })),
        ...connectors.map(({ name }) => ({ name })),
      ],
      /** @type {import('@supolka/codemode-executor-protocol').ToolDispatchFn} */
      dispatch: async (provider, tool, argsJson) => {
        const fn = finders.get(provider)?.(tool)
        if (fn === undefined) return JSON.stringify({ error: `Tool "${tool}" not found` })
        try {
          const args = /** @type {unknown[]} */ (parseValue(argsJson))
          return stringifyValue({ result: await fn(...args) }) ?? '{}'
        } catch (thrown) {
          return JSON.stringify({ error: errorOf(thrown) })
        }
      },
    }
  }
}
