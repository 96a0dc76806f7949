// Texts as UTF-8 and back. The decoders are src/worker/decoder.c.
import { PIECE, copyIn, pieceEnd } from './window.js';

const { native, primordials } = internals;
const { uncurryThis, getter } = primordials;
const { find, decoder, decode, encode } = native.encoding;
const slice = uncurryThis(String.prototype.slice);
const typedLength = getter(TypedArray.prototype, 'length');

const UTF_8 = /* @__PURE__ */ find('utf-8');

// The well-formed `text` as UTF-8 in a Uint8Array.
export const encodeUtf8 = (text) => {
  if (text.length <= PIECE) return encode(text, true, true);
  for (let at = 0; ; ) {
    const end = pieceEnd(text, at);
    const bytes = encode(slice(text, at, end), at === 0, end === text.length);
    if (end === text.length) return bytes;
    at = end;
  }
};

// What `state`, made by decoder(), says of a Uint8Array of ours; undefined when it
// is malformed and the decoder is fatal.
export const decodeBytes = (state, bytes, last) => {
  const length = typedLength(bytes);
  if (length <= PIECE) {
    copyIn(bytes, 0, length);
    return decode(state, length, last);
  }
  let text = '';
  for (let at = 0; at < length; at += PIECE) {
    const size = length - at < PIECE ? length - at : PIECE;
    copyIn(bytes, at, size);
    const piece = decode(state, size, last && at + size === length);
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
};

// "UTF-8 decode" of the standards: a byte order mark is left out unless `keepMark`,
// errors become U+FFFD.
export const decodeUtf8 = (bytes, keepMark) => decodeBytes(decoder(UTF_8, false, keepMark), bytes, true);
