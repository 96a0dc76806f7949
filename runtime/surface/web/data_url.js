// data: URLs: the Fetch Standard, 6.
import { decodeUtf8, exec, indexOf, percentDecode, slice } from './text.js';
import { parseMime, trim, writeMime } from './mime.js';

const { apply } = internals.primordials;
const Uint8ArrayOf = Uint8Array;
const { fromBase64 } = Uint8Array;
const options = { __proto__: null, alphabet: 'base64', lastChunkHandling: 'loose' };

// What an HTML document may write as base64; undefined when it is none.
const decodeBase64 = (bytes) => {
  try {
    return apply(fromBase64, Uint8ArrayOf, [decodeUtf8(bytes, true), options]);
  } catch {
    return undefined;
  }
};

// {type, bytes} of a URL without its fragment; undefined when it is malformed.
export const readDataURL = (href) => {
  const comma = indexOf(href, ',');
  if (comma < 0) return undefined;
  let type = trim(slice(href, 5, comma));
  let bytes = percentDecode(slice(href, comma + 1));
  const mark = exec(/; *base64$/i, type);
  if (mark !== null) {
    bytes = decodeBase64(bytes);
    if (bytes === undefined) return undefined;
    type = slice(type, 0, mark.index);
  }
  const mime = parseMime(type[0] === ';' ? `text/plain${type}` : type);
  return { __proto__: null, type: mime === null ? 'text/plain;charset=US-ASCII' : writeMime(mime), bytes };
};
