// Values as the expressions of Cap'n Web, as far as an executor and its hosts exchange them:
// JSON, in which an array has a second layer and what JSON has nothing for is a tagged array.
import { toBase64 } from './values.js'

/** @typedef {(id: number) => void} Release called with each reference of the other end's, which nobody here takes */

const ERRORS = { AggregateError: Error, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }

/** Node.js has one, which is the fastest there.
 * @type {{ from(source: any, at?: any, count?: number): Uint8Array<ArrayBuffer> } | undefined} */
const Buffer = /** @type {any} */ (globalThis).Buffer

/** @param {Uint8Array} bytes */
function base64Of(bytes) {
  if (Buffer === undefined) return toBase64(bytes)
  return /** @type {any} */ (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString('base64')
}

/** @param {string} base64 padded or not */
function bytesOf(base64) {
  if (Buffer !== undefined) return new Uint8Array(Buffer.from(base64, 'base64'))
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))
}

/** @param {number} number */
function encodeNumber(number) {
  if (Number.isFinite(number)) return number
  return [Number.isNaN(number) ? 'nan' : number > 0 ? 'inf' : '-inf']
}

/** @param {object} object */
function encodeObject(object) {
  if (Array.isArray(object)) return [object.map(encode)]
  if (object instanceof ArrayBuffer) return ['bytes', base64Of(new Uint8Array(object)), 'ArrayBuffer']
  if (ArrayBuffer.isView(object)) {
    return ['bytes', base64Of(new Uint8Array(object.buffer, object.byteOffset, object.byteLength))]
  }
  if (object instanceof Date) return ['date', Number.isNaN(object.getTime()) ? null : object.getTime()]
  if (object instanceof Error) return ['error', object.name, object.message]
  const prototype = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`Cannot serialize value: ${Object.prototype.toString.call(object)}`)
  }
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, encode(value)]))
}

/**
 * @param {unknown} value plain data: what JSON has, undefined, bytes, dates, errors, big integers
 * @returns {unknown} what JSON.stringify() takes
 * @throws {TypeError} for anything else
 */
export function encode(value) {
  switch (typeof value) {
    case 'string':
    case 'boolean': return value
    case 'number': return encodeNumber(value)
    case 'undefined': return ['undefined']
    case 'bigint': return ['bigint', String(value)]
    case 'object': return value === null ? null : encodeObject(value)
    default: throw new TypeError(`Cannot serialize value: ${String(value).slice(0, 40)}`)
  }
}

/**
 * @param {unknown[]} form
 * @param {Release} release
 */
function decodeError([, name, message, , properties], release) {
  const kind = Object.hasOwn(ERRORS, String(name)) ? ERRORS[/** @type {keyof typeof ERRORS} */ (name)] : Error
  const { name: _name, message: _message, stack: _stack, ...rest } =
    /** @type {Record<string, unknown>} */ (decode(properties ?? {}, release))

  return Object.assign(new kind(String(message)), rest)
}

/**
 * The tagged forms that are taken.
 *
 * @type {Record<string, (form: any[], release: Release) => unknown>}
 */
const FORMS = {
  undefined: () => undefined,
  inf: () => Infinity,
  '-inf': () => -Infinity,
  nan: () => NaN,
  bigint: ([, digits]) => BigInt(digits),
  date: ([, ms]) => new Date(ms ?? NaN),
  bytes: ([, base64, kind]) => (kind === 'ArrayBuffer' ? bytesOf(base64).buffer : bytesOf(base64)),
  error: decodeError,
  export: ([, id], release) => release(id),
  promise: ([, id], release) => release(id),
  writable: ([, id], release) => release(id),
}

/**
 * The value of an expression, made of the expression itself. Keys of Object.prototype are dropped,
 * as every receiver in JavaScript does. References become undefined.
 *
 * @param {any} expression
 * @param {Release} release
 * @returns {unknown}
 * @throws {TypeError} when it is none
 */
export function decode(expression, release) {
  if (typeof expression !== 'object' || expression === null) return expression
  if (!Array.isArray(expression)) {
    for (const key of Object.keys(expression)) {
      const value = decode(expression[key], release)
      if (key in Object.prototype || key === 'toJSON') delete expression[key]
      else expression[key] = value
    }
    return expression
  }
  const [first] = expression
  if (Array.isArray(first) && expression.length === 1) {
    for (let at = 0; at < first.length; at++) first[at] = decode(first[at], release)
    return first
  }
  if (typeof first === 'string' && Object.hasOwn(FORMS, first)) return FORMS[first](expression, release)
  throw new TypeError(`unknown special value: ${JSON.stringify(expression).slice(0, 80)}`)
}
