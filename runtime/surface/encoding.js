// TextEncoder and TextDecoder: the Encoding Standard, 7.
import { PIECE, copyOut, pieceEnd } from './lib/window.js';
import { encodeUtf8, decodeUtf8, decodeBytes } from './lib/utf_8.js';
import { boolean, bufferSource, dictionary, DOMString, USVString } from './lib/webidl.js';

const { native, primordials, exposeClass, requireArguments, bytesOf } = internals;
const { uncurryThis, getter } = primordials;
const { find, name, decoder, encodeInto } = native.encoding;
const TypeErrorOf = TypeError;
const RangeErrorOf = RangeError;
const { floor } = Math;
const slice = uncurryThis(String.prototype.slice);
const typedLength = getter(TypedArray.prototype, 'length');
const typedName = getter(TypedArray.prototype, Symbol.toStringTag);

const noBytes = new Uint8Array(0);

export class TextEncoder {
  #brand;

  get encoding() {
    this.#brand;
    return 'utf-8';
  }
  encode(input = '') {
    this.#brand;
    return encodeUtf8(USVString(input, 'TextEncoder.encode: the text'));
  }
  encodeInto(source, destination) {
    this.#brand;
    requireArguments(arguments.length, 2, 'TextEncoder.encodeInto');
    const text = USVString(source, 'TextEncoder.encodeInto: the text');
    if (!isUint8Array(destination)) throw new TypeErrorOf('TextEncoder.encodeInto: the destination is not a Uint8Array');
    return fill(text, bytesOf(bufferSource(destination, 'TextEncoder.encodeInto: the destination')));
  }
}
exposeClass(TextEncoder, 'TextEncoder');

const isUint8Array = (value) => {
  try {
    return typedName(value) === 'Uint8Array';
  } catch {
    return false;
  }
};

const fill = (text, bytes) => {
  const room = typedLength(bytes);
  let read = 0;
  let written = 0;
  while (read < text.length && written < room) {
    const end = pieceEnd(text, read);
    const left = room - written;
    const both = encodeInto(slice(text, read, end), left < 2 * PIECE ? left : 2 * PIECE);
    const units = floor(both / (4 * PIECE));
    const size = both % (4 * PIECE);
    copyOut(size, bytes, written);
    written += size;
    read += units;
    if (read < end && left < 2 * PIECE) break;
  }
  return { read, written };
};

const decoderOptions = dictionary([
  ['fatal', boolean, false],
  ['ignoreBOM', boolean, false],
]);
const decodeOptions = dictionary([['stream', boolean, false]]);

// What TextDecoder and TextDecoderStream have in common.
export class Decoding {
  encoding; // fields: an assignment would ask the prototypes for a setter
  fatal;
  ignoreBOM;
  state;

  constructor(label, options, what) {
    const text = DOMString(label, `${what}: the label`);
    const { fatal, ignoreBOM } = decoderOptions(options, `${what}: the options`);
    const encoding = find(text);
    if (encoding < 0) throw new RangeErrorOf(`${what}: "${text}" is not the label of an encoding`);
    this.encoding = name(encoding);
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
    this.state = decoder(encoding, fatal, ignoreBOM);
  }
}

export const decodeSome = (decoding, bytes, last) => {
  const text = decodeBytes(decoding.state, bytes, last);
  if (text === undefined) throw new TypeErrorOf(`The bytes are not well-formed ${decoding.encoding}`);
  return text;
};

export class TextDecoder {
  #decoding;

  constructor(label = 'utf-8', options = undefined) {
    this.#decoding = new Decoding(label, options, 'TextDecoder');
  }
  get encoding() {
    return this.#decoding.encoding;
  }
  get fatal() {
    return this.#decoding.fatal;
  }
  get ignoreBOM() {
    return this.#decoding.ignoreBOM;
  }
  decode(input = undefined, options = undefined) {
    const decoding = this.#decoding;
    const source = input === undefined ? noBytes : bufferSource(input, 'TextDecoder.decode: the bytes');
    const { stream } = decodeOptions(options, 'TextDecoder.decode: the options');
    return decodeSome(decoding, bytesOf(source), !stream);
  }
}
exposeClass(TextDecoder, 'TextDecoder');

export { encodeUtf8, decodeUtf8 };
