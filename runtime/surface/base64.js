// atob() and btoa(): the HTML standard, 8.3. The engine's base64 is the forgiving one.
import { PIECE, copyOut, pass } from './lib/window.js';
import { DOMString } from './lib/webidl.js';

const { native, primordials, requireArguments, newDOMException } = internals;
const { uncurryThis } = primordials;
const { toBinary, fromBinary } = native.encoding;
const Uint8ArrayOf = Uint8Array;
const { fromBase64 } = Uint8Array;
const toBase64 = uncurryThis(Uint8Array.prototype.toBase64);
const slice = uncurryThis(String.prototype.slice);
const SyntaxErrorOf = SyntaxError;
const hasInstance = uncurryThis(Function.prototype[Symbol.hasInstance]);
const loose = { __proto__: null, alphabet: 'base64', lastChunkHandling: 'loose' };
const padded = { __proto__: null, alphabet: 'base64', omitPadding: false };

const invalid = (sentence) => newDOMException(sentence, 'InvalidCharacterError');

const decode = (text) => {
  try {
    return fromBase64(text, loose);
  } catch (thrown) {
    throw hasInstance(SyntaxErrorOf, thrown) ? invalid('atob: the text is not base64') : thrown;
  }
};

const operations = {
  atob(data) {
    requireArguments(arguments.length, 1, 'atob');
    let text = '';
    pass(decode(DOMString(data, 'atob: the text')), (size) => {
      text += toBinary(size);
    });
    return text;
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
