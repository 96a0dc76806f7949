// Puts what a model wrote into the entry form: one expression that evaluates to a function.
import { parse as acornParse } from 'acorn'
import { candidates, fenceOffsets } from './fences.js'

/** @typedef {import('acorn').Program['body'][number]} Statement */
/** @typedef {import('acorn').AnyNode} Node */
/** @typedef {{ start: number, end: number }} Range */

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])
const DECLARATIONS = new Set(['FunctionDeclaration', 'VariableDeclaration', 'ClassDeclaration'])
const STARTS_A_FUNCTION = /^(?:import\b[^\n]*\n\s*)*(?:async\b|function\b|\(|[\w$]+\s*=>)/
const EXPORT_DEFAULT = /^export\s+default\b\s*/
const ENTRY_NAME = 'main' // what a model calls the function to begin with

/**
 * @param {string} source
 * @returns {{ body: Statement[], texts: Range[] } | undefined} `texts`: comments and pieces of
 *   template literals; undefined when it is not JavaScript
 */
function parse(source) {
  /** @type {Range[]} */
  const texts = []

  try {
    const { body } = acornParse(source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      preserveParens: true,
      onComment: (_block, _text, start, end) => texts.push({ start, end }),
      onToken: ({ type, start, end }) => type.label === 'template' && texts.push({ start, end }),
    })
    return { body: body.filter(({ type }) => type !== 'EmptyStatement'), texts }
  } catch {
    return undefined
  }
}

/**
 * Whether a text without anything around it is a program already. Three backticks parse, as
 * template literals one after the other, and make no program.
 *
 * @param {string} text
 */
function isBare(text) {
  const fences = fenceOffsets(text)
  if (fences.length === 0) return true
  if (fences[0] === 0) return false
  const texts = parse(text)?.texts ?? []
  return fences.every((at) => texts.some(({ start, end }) => start < at && at < end))
}

/**
 * @param {Node} node
 * @returns {boolean}
 */
function isFunction(node) {
  return node.type === 'ParenthesizedExpression' ? isFunction(node.expression) : FUNCTIONS.has(node.type)
}

/** @param {Statement} statement */
function isImport({ type }) {
  return type === 'ImportDeclaration'
}

/**
 * How near a block is to being the program.
 *
 * @param {string} source
 */
function rank(source) {
  const rest = parse(source)?.body.filter((statement) => !isImport(statement))

  if (rest === undefined) return 0
  if (rest.length !== 1) return 1
  const [only] = rest
  if (only.type === 'ExpressionStatement') return isFunction(only.expression) ? 2 : 1
  return only.type === 'FunctionDeclaration' || only.type === 'ExportDefaultDeclaration' ? 2 : 1
}

/** @param {string} text */
function unfenced(text) {
  if (isBare(text)) return text
  const [first, ...others] = candidates(text)
  if (first === undefined) return text
  return others.reduce((best, other) => (rank(other) > rank(best) ? other : best), first)
}

/** @param {string} body */
function asFunction(body) {
  return `async () => {\n${body}\n}`
}

/**
 * The names of the functions that statements declare, in order.
 *
 * @param {Statement[]} statements
 */
function functionNames(statements) {
  return statements.flatMap((statement) => {
    if (statement.type === 'FunctionDeclaration') return [statement.id.name]
    if (statement.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init && isFunction(init) ? [id.name] : [])
  })
}

/**
 * An expression as the last thing that a function does: what it evaluates to is returned, and
 * called first where it is a function.
 *
 * @param {string} source
 * @param {Node} node
 * @param {string[]} functions
 */
function returned(source, node, functions) {
  const isCallable = isFunction(node) || (node.type === 'Identifier' && functions.includes(node.name))
  const text = source.slice(node.start, node.end)
  return `return ${node.type === 'ParenthesizedExpression' ? text : `(${text})`}${isCallable ? '()' : ''}`
}

/** Text made of the statements of a source, with changes. */
class Rewriter {
  #source
  #at
  #out = ''

  /**
   * @param {string} source
   * @param {number} start
   */
  constructor(source, start) {
    this.#source = source
    this.#at = start
  }

  /**
   * @param {Range} range
   * @param {string} text
   */
  replace({ start, end }, text) {
    this.#out += this.#source.slice(this.#at, start) + text
    this.#at = end
  }

  get text() {
    return (this.#out + this.#source.slice(this.#at)).trim()
  }
}

/**
 * A list of statements as the body of a function: exports lose their keyword, and what the
 * last statement evaluates to is returned. Where there are declarations only, the entry is
 * called: `main`, or the last function.
 *
 * @param {string} source
 * @param {Statement[]} body
 */
function statementsOf(source, body) {
  const declared = body.map((statement) =>
    (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration')
      && statement.declaration && DECLARATIONS.has(statement.declaration.type)
      ? /** @type {Statement} */ (statement.declaration) : statement)
  const functions = functionNames(declared)
  const rewriter = new Rewriter(source, 0)
  const last = declared.findLast(({ type }) => type !== 'ImportDeclaration' && type !== 'ExportNamedDeclaration')
  let hasReturn = false

  body.forEach((statement, index) => {
    if (declared[index] !== statement) {
      rewriter.replace({ start: statement.start, end: declared[index].start }, '')
    } else if (statement.type === 'ExportDefaultDeclaration') {
      rewriter.replace(statement, returned(source, statement.declaration, functions))
      hasReturn = true
    } else if (isImport(statement) || statement.type === 'ExportNamedDeclaration') {
      rewriter.replace(statement, '')
    } else if (statement.type === 'ExpressionStatement' && statement === last) {
      rewriter.replace(statement, returned(source, statement.expression, functions))
      hasReturn = true
    }
  })

  const entry = functions.includes(ENTRY_NAME) ? ENTRY_NAME : functions.at(-1)
  const onlyDeclares = declared.every(({ type }) => DECLARATIONS.has(type) || type.startsWith('Export') || type === 'ImportDeclaration')
  if (hasReturn || !onlyDeclares || entry === undefined) return rewriter.text
  return `${rewriter.text}\nreturn ${entry}();`
}

/**
 * One statement that is a function already, as it stands.
 *
 * @param {string} source
 * @param {Statement} statement
 * @returns {string | undefined}
 */
function functionOf(source, statement) {
  if (statement.type === 'ExpressionStatement' && isFunction(statement.expression)) {
    return source[statement.end - 1] === ';' ? source.slice(0, statement.end - 1).trimEnd() : source
  }
  if (statement.type !== 'ExportDefaultDeclaration') return undefined
  const { start, declaration } = statement
  if (!isFunction(declaration) || (declaration.type === 'FunctionDeclaration' && declaration.id)) return undefined
  return source.slice(0, start) + source.slice(declaration.start, declaration.end)
}

/**
 * Puts what a model wrote into the entry form: takes the program out of Markdown, and makes
 * one expression that evaluates to a function of a list of statements, of an expression, of a
 * declaration or of a default export. What has the form already comes back as it is, and so
 * does a function that does not parse: the executor says why.
 *
 * @param {string} text
 * @returns {string}
 */
export function normalizeCode(text) {
  const source = unfenced(text.trim()).trim() // which takes a byte-order mark off, too
  const body = parse(source)?.body

  if (source === '') return 'async () => {}'
  if (body === undefined) {
    const bare = source.replace(EXPORT_DEFAULT, '')
    return STARTS_A_FUNCTION.test(bare) ? bare.replace(/[;\s]+$/, '') : asFunction(bare)
  }
  const imports = body.filter(isImport)
  const rest = body.filter((statement) => !isImport(statement))
  if (rest.length === 1 && body.at(-1) === rest[0]) {
    const form = functionOf(source, rest[0])
    if (form !== undefined) return form
  }
  return [...imports.map(({ start, end }) => source.slice(start, end)), asFunction(statementsOf(source, body))].join('\n')
}
