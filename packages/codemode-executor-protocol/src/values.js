// Values cross as JSON text, in which bytes travel in an envelope:
// { "__codemode_binary_v1__": KIND, "data": base64 }.

const TAG = '__codemode_binary_v1__'
const KINDS = new Set(['Uint8Array', 'ArrayBuffer', 'ArrayBufferView'])
const NOT_BASE64 = /[^A-Za-z0-9+/=]/
const CHUNK = 0x600 // bytes; a multiple of three, so that the pieces join; larger ones are slower

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  const pieces = []

  for (let at = 0; at < bytes.length; at += CHUNK) {
    const piece = /** @type {any} */ (bytes.subarray(at, at + CHUNK))
    pieces.push(btoa(String.fromCharCode.apply(null, piece)))
  }
  return pieces.join('')
}

/**
 * @param {string} base64
 * @returns {Uint8Array<ArrayBuffer> | undefined} undefined when it is not base64, padded
 */
function fromBase64(base64) {
  if (base64.length % 4 !== 0 || NOT_BASE64.test(base64)) return undefined
  let text
  try {
    text = atob(base64)
  } catch {
    return undefined // padding in the middle
  }
  const bytes = new Uint8Array(text.length)

  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/**
 * The JSON text of a value in which bytes are enveloped.
 *
 * @param {unknown} value
 * @returns {string | undefined} undefined where JSON has nothing for it
 * @throws {TypeError} for a BigInt or a circle
 */
export function stringifyValue(value) {
  // `this[key]`, because a Buffer has a toJSON() that has run by now.
  return JSON.stringify(value, function (/** @type {string} */ key, /** @type {unknown} */ shown) {
    const own = this[key]

    if (own instanceof Uint8Array) return { [TAG]: 'Uint8Array', data: toBase64(own) }
    if (own instanceof ArrayBuffer) return { [TAG]: 'ArrayBuffer', data: toBase64(new Uint8Array(own)) }
    if (!ArrayBuffer.isView(own)) return shown
    return {
      [TAG]: 'ArrayBufferView',
      data: toBase64(new Uint8Array(own.buffer, own.byteOffset, own.byteLength)),
    }
  })
}

/**
 * The bytes of an envelope. What only looks like one is data of the program's.
 *
 * @param {object} value
 */
function opened(value) {
  const { [TAG]: kind, data } = /** @type {Record<string, unknown>} */ (value)

  if (typeof kind !== 'string' || !KINDS.has(kind) || typeof data !== 'string') return undefined
  if (Object.keys(value).length !== 2) return undefined
  const bytes = fromBase64(data)
  return kind === 'ArrayBuffer' ? bytes?.buffer : bytes
}

/**
 * The value of such a text. Without recursion: a text may be nested deeply.
 *
 * @param {string} text
 * @returns {unknown}
 * @throws {SyntaxError} when it is not JSON
 */
export function parseValue(text) {
  const holder = { value: JSON.parse(text) }
  if (!text.includes(TAG)) return holder.value

  /** @type {Array<Record<string, unknown>>} */
  const waiting = [holder]
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    for (const key of Object.keys(container)) {
      const value = container[key]
      if (typeof value !== 'object' || value === null) continue
      const bytes = opened(value)
      if (bytes === undefined) waiting.push(/** @type {Record<string, unknown>} */ (value))
      else Object.defineProperty(container, key,
        { value: bytes, writable: true, enumerable: true, configurable: true })
    }
  }
  return holder.value
}
