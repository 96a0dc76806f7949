// atob() and btoa(): the HTML standard, 8.3. The engine's base64 is the forgiving one.
import { PIECE, copyOut, triples } from './lib/window.js';
import { DOMString } from './lib/webidl.js';

const { native, primordials, requireArguments, newDOMException } = internals;
const { uncurryThis } = primordials;
const { toBinary, fromBinary } = native.encoding;
const Uint8ArrayOf = Uint8Array;
const setFromBase64 = uncurryThis(Uint8Array.prototype.setFromBase64);
const toBase64 = uncurryThis(Uint8Array.prototype.toBase64);
const slice = uncurryThis(String.prototype.slice);
const SyntaxErrorOf = SyntaxError;
const hasInstance = uncurryThis(Function.prototype[Symbol.hasInstance]);
const loose = { __proto__: null, alphabet: 'base64', lastChunkHandling: 'loose' };
const padded = { __proto__: null, alphabet: 'base64', omitPadding: false };

const invalid = (sentence) => newDOMException(sentence, 'InvalidCharacterError');

// Fills the window with what the text says from `at` on; says how much it has read.
const decode = (text, at) => {
  try {
    return setFromBase64(triples, slice(text, at), loose);
  } catch (thrown) {
    throw hasInstance(SyntaxErrorOf, thrown) ? invalid('atob: the text is not base64') : thrown;
  }
};

const operations = {
  atob(data) {
    requireArguments(arguments.length, 1, 'atob');
    const text = DOMString(data, 'atob: the text');
    let binary = '';
    for (let at = 0; at < text.length; ) {
      const { read, written } = decode(text, at);
      binary += toBinary(written);
      at += read;
    }
    return binary;
  },
  btoa(data) {
    requireArguments(arguments.length, 1, 'btoa');
    const text = DOMString(data, 'btoa: the text');
    const bytes = new Uint8ArrayOf(text.length);
    for (let at = 0; at < text.length; at += PIECE) {
      const piece = slice(text, at, at + PIECE);
      if (!fromBinary(piece)) throw invalid('btoa: the text has a character above U+00FF');
      copyOut(piece.length, bytes, at);
    }
    return toBase64(bytes, padded);
  },
};
export const { atob, btoa } = operations;
