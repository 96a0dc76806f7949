// What only few programs need: bytes, large texts, the sentences about circles.
// Evaluated on first use, in a realm of its own beside the program's: no program
// can reach that one, so nothing here has been patched and nothing has to be
// captured. What crosses is looked at by runtime/core.js: only texts, numbers and
// values of the program's go back, and an error thrown here never does.
//
// `this` is `native` and `texts`, as for the core; gives its functions.
'use strict';

{
  const { native, texts } = this;

  const ENVELOPE = '__codemode_binary_v1__';
  // Strings and bytes above this leave the isolate in pieces, so that a large
  // result does not need a multiple of its size while it is encoded.
  const PIECE = 65536;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const TypedArray = Object.getPrototypeOf(Uint8Array);
  const getter = (prototype, key) => uncurry(Object.getOwnPropertyDescriptor(prototype, key).get);
  const typedName = getter(TypedArray.prototype, Symbol.toStringTag);
  const typedBuffer = getter(TypedArray.prototype, 'buffer');
  const typedOffset = getter(TypedArray.prototype, 'byteOffset');
  const typedLength = getter(TypedArray.prototype, 'byteLength');
  const viewBuffer = getter(DataView.prototype, 'buffer');
  const viewOffset = getter(DataView.prototype, 'byteOffset');
  const viewLength = getter(DataView.prototype, 'byteLength');
  const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
  const bigIntValue = uncurry(BigInt.prototype.valueOf);

  // ---- bytes and large texts, on their way out ------------------------------

  // The bytes under a view or in a buffer of the program's, whose own accessors
  // and prototype may be anything; undefined for what only inherits from one.
  const bytesOf = (value) => {
    try {
      if (!ArrayBuffer.isView(value)) {
        bufferLength(value);
        return new Uint8Array(value);
      }
      return typedName(value) === undefined
        ? new Uint8Array(viewBuffer(value), viewOffset(value), viewLength(value))
        : new Uint8Array(typedBuffer(value), typedOffset(value), typedLength(value));
    } catch {
      return undefined;
    }
  };

  const kindOf = (value) => {
    if (!ArrayBuffer.isView(value)) return 'ArrayBuffer';
    return typedName(value) === 'Uint8Array' ? 'Uint8Array' : 'ArrayBufferView';
  };

  // What one encoding sets aside while the engine stringifies the rest.
  const newAside = () => ({ __proto__: null, mark: `large-${native.nonce()}-`, values: [] });

  // The text that stands in for `value` until append() puts it back.
  const setAside = (aside, value) => {
    aside.values.push(value);
    return aside.mark + (aside.values.length - 1);
  };

  const setBytesAside = (aside, value) => {
    const bytes = bytesOf(value);
    if (bytes === undefined) return value;
    return setAside(aside, { kind: kindOf(value), bytes });
  };

  // Never between the halves of a surrogate pair.
  const endOfPiece = (text, at) => {
    const end = at + PIECE;
    if (end >= text.length) return text.length;
    const unit = text.charCodeAt(end - 1);
    return unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end;
  };

  const appendText = (text) => {
    for (let at = 0; at < text.length; ) {
      const end = endOfPiece(text, at);
      native.append(text.slice(at, end));
      at = end;
    }
  };

  // Quoted in C: what the engine makes for that would be garbage of the text's size.
  const appendString = (text) => {
    native.append('"');
    for (let at = 0; at < text.length; ) {
      const end = endOfPiece(text, at);
      native.appendQuoted(text.slice(at, end), text.length - at);
      at = end;
    }
    native.append('"');
  };

  const appendBytes = ({ kind, bytes }) => {
    const step = 49152; // divisible by 3: no padding but at the end
    native.append(`{"${ENVELOPE}":"${kind}","data":"`);
    for (let at = 0; at < bytes.length; at += step) native.append(bytes.subarray(at, at + step).toBase64());
    native.append('"}');
  };

  // Appends `text`, with what was set aside where its marks stand.
  const append = (text, aside) => {
    let at = 0;
    while (aside !== undefined) {
      const found = text.indexOf(`"${aside.mark}`, at);
      if (found < 0) break;
      appendText(text.slice(at, found));
      const end = text.indexOf('"', found + 1);
      const value = aside.values[text.slice(found + 1 + aside.mark.length, end)];
      if (typeof value === 'string') appendString(value);
      else appendBytes(value);
      at = end + 1;
    }
    appendText(text.slice(at));
  };

  // ---- bytes, on their way in -----------------------------------------------

  // The bytes of an envelope, still of this realm; undefined when it only looks
  // like one.
  const decode = (kind, data) => {
    if (kind !== 'Uint8Array' && kind !== 'ArrayBuffer' && kind !== 'ArrayBufferView') return undefined;
    if (typeof data !== 'string') return undefined;
    try {
      return Uint8Array.fromBase64(data, { alphabet: 'base64', lastChunkHandling: 'strict' });
    } catch {
      return undefined;
    }
  };

  // ---- the serializer's sentences --------------------------------------------

  const nameOfConstructor = (object) => {
    const tag = Object.getOwnPropertyDescriptor(object, Symbol.toStringTag);
    if (typeof tag?.value === 'string') return tag.value;
    for (let at = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at)) {
      const made = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
      if (typeof made !== 'function') continue;
      const name = Object.getOwnPropertyDescriptor(made, 'name')?.value;
      if (typeof name === 'string' && name !== '') return name;
    }
    return 'Object';
  };

  const keyText = (holder, key) =>
    Array.isArray(holder) ? `index ${key}` : key === '' ? '<anonymous>' : `property '${key}'`;

  const circleText = (circle, holder, key) => {
    const lines = circle
      .slice(1)
      .map((step) => `    |     ${keyText(step.holder, step.key)} -> object with constructor '${nameOfConstructor(step.value)}'`);
    if (lines.length > 3) lines.splice(2, lines.length - 3, '    |     ...');
    return [
      'Converting circular structure to JSON',
      `    --> starting at object with constructor '${nameOfConstructor(circle[0].value)}'`,
      ...lines,
      `    --- ${keyText(holder, key)} closes the circle`,
    ].join('\n');
  };

  const isBoxedBigInt = (value) => {
    try {
      bigIntValue(value);
      return true;
    } catch {
      return false;
    }
  };

  // The engine has refused `value` without saying where its circle is: walks it
  // again, keeping the path, for the sentence that names it. A BigInt in an object
  // shows only here: looking for one in every object would cost every run.
  const explain = (value) => {
    const path = [];
    let sentence;
    const say = (text) => {
      sentence = text;
      throw new Error(text);
    };
    const visit = function (key, inner) {
      if (typeof inner !== 'object' || inner === null || ArrayBuffer.isView(inner)) return 0;
      if (isBoxedBigInt(inner)) say(texts.BIGINT);
      while (path.length > 0 && path.at(-1).value !== this) path.pop();
      const start = path.findIndex((step) => step.value === inner);
      if (start >= 0) say(circleText(path.slice(start), this, key));
      path.push({ holder: this, key, value: inner });
      return inner;
    };
    try {
      JSON.stringify(value, visit);
    } catch {
      // either `sentence` is set, or code of the program's threw once more
    }
    return sentence;
  };

  ({ newAside, setAside, setBytesAside, append, decode, explain });
}
