// Finds the program in what a model wrote around it in Markdown.

const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`{]*)[^`]*$/
const CLOSING = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?$/
const SCRIPT = /^(?:js|javascript|ecmascript|jsx|mjs|cjs|node|ts|typescript|tsx|mts)$/i

/**
 * @typedef {object} Block
 * @property {string} tag the first word after the opening fence
 * @property {string} body
 */

/**
 * Where the lines are that could open a block.
 *
 * @param {string} text
 * @returns {number[]} offsets
 */
export function fenceOffsets(text) {
  const offsets = []
  let at = 0

  for (const line of text.split('\n')) {
    if (OPENING.test(line)) offsets.push(at)
    at += line.length + 1
  }
  return offsets
}

/**
 * The line that closes a block, or the end of the text where it is cut off.
 *
 * @param {string[]} lines
 * @param {number} from
 * @param {string} fence
 */
function closingLine(lines, from, fence) {
  for (let at = from; at < lines.length; at++) {
    const closing = CLOSING.exec(lines[at])?.[1]
    if (closing?.startsWith(fence)) return at
  }
  return lines.length
}

/**
 * @param {string} text
 * @returns {Block[]}
 */
function blocksOf(text) {
  const lines = text.split('\n')
  const blocks = []

  for (let at = 0; at < lines.length; at++) {
    const opening = OPENING.exec(lines[at])
    if (opening === null) continue
    const [, fence, tag] = opening
    const end = closingLine(lines, at + 1, fence)
    const body = lines.slice(at + 1, end).join('\n')
    // The closing fence may stand behind the last line of code.
    blocks.push({ tag, body: end < lines.length ? body : body.replace(/(?:`{3,}|~{3,})\s*$/, '') })
    at = end
  }
  return blocks
}

/**
 * The blocks that can be the program, the likelier ones first: those that say that they are
 * a script, else those that say nothing, else all.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function candidates(text) {
  const blocks = blocksOf(text)
  const scripts = blocks.filter(({ tag }) => SCRIPT.test(tag))
  const silent = blocks.filter(({ tag }) => tag === '')

  return [scripts, silent, blocks].find((some) => some.length > 0)?.map(({ body }) => body.trim()) ?? []
}
