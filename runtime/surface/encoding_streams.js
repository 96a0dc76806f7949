// TextEncoderStream and TextDecoderStream: the Encoding Standard, 8.
import { makeTransform } from './lib/transform.js';
import { bufferSource, DOMString } from './lib/webidl.js';

const { use, primordials, exposeClass, bytesOf } = internals;
const { uncurryThis } = primordials;
const { encodeUtf8, Decoding, decodeSome } = use('encoding');
const Uint8ArrayOf = Uint8Array;
const charCodeAt = uncurryThis(String.prototype.charCodeAt);
const slice = uncurryThis(String.prototype.slice);
const toWellFormed = uncurryThis(String.prototype.toWellFormed);

export class TextDecoderStream {
  #decoding;
  #transform;

  constructor(label = 'utf-8', options = undefined) {
    const decoding = new Decoding(label, options, 'TextDecoderStream');
    const give = (bytes, last, enqueue) => {
      const text = decodeSome(decoding, bytes, last);
      if (text !== '') enqueue(text);
    };
    this.#decoding = decoding;
    this.#transform = makeTransform(
      (chunk, enqueue) => give(bytesOf(bufferSource(chunk, 'TextDecoderStream: a chunk')), false, enqueue),
      (enqueue) => give(new Uint8ArrayOf(0), true, enqueue),
    );
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
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
exposeClass(TextDecoderStream, 'TextDecoderStream');

const isLead = (text) => {
  const unit = charCodeAt(text, text.length - 1);
  return unit >= 0xd800 && unit < 0xdc00;
};

export class TextEncoderStream {
  #transform;

  constructor() {
    let lead = ''; // half a surrogate pair, when the last chunk ended with it
    this.#transform = makeTransform(
      (chunk, enqueue) => {
        const given = DOMString(chunk, 'TextEncoderStream: a chunk');
        if (given === '') return;
        const text = lead + given;
        lead = isLead(text) ? slice(text, -1) : '';
        const whole = lead === '' ? text : slice(text, 0, -1);
        if (whole !== '') enqueue(encodeUtf8(toWellFormed(whole)));
      },
      (enqueue) => {
        if (lead !== '') enqueue(encodeUtf8('\ufffd'));
      },
    );
  }
  get encoding() {
    this.#transform;
    return 'utf-8';
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
exposeClass(TextEncoderStream, 'TextEncoderStream');
