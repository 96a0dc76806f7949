// Texts and bytes.
const { native, primordials, bytesOf } = internals;
const { uncurryThis, getPrototypeOf, getter } = primordials;
export const { encodeUtf8, decodeUtf8, percentDecode } = native.url;
const Uint8ArrayOf = Uint8Array;
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);

export const lengthOf = getter(TypedArrayPrototype, 'length');
export const bufferOf = getter(TypedArrayPrototype, 'buffer');
export const offsetOf = getter(TypedArrayPrototype, 'byteOffset');
export const fill = uncurryThis(TypedArrayPrototype.set);
export const indexOfByte = uncurryThis(TypedArrayPrototype.indexOf);
export const slice = uncurryThis(String.prototype.slice);
export const indexOf = uncurryThis(String.prototype.indexOf);
export const charCodeAt = uncurryThis(String.prototype.charCodeAt);
export const toLowerCase = uncurryThis(String.prototype.toLowerCase);
export const toUpperCase = uncurryThis(String.prototype.toUpperCase);
export const exec = uncurryThis(RegExp.prototype.exec);

export const test = (pattern, text) => exec(pattern, text) !== null;

// Only A to Z: the method would also change U+212A.
export const lower = (text) => (test(/[^\0-\x7f]/, text) ? lowerAscii(text) : toLowerCase(text));

const lowerAscii = (text) => {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    out += unit >= 'A' && unit <= 'Z' ? toLowerCase(unit) : unit;
  }
  return out;
};

// The bytes from `start` to `end` over the same memory.
export const view = (bytes, start, end) => new Uint8ArrayOf(bufferOf(bytes), offsetOf(bytes) + start, end - start);

// A copy with memory of its own.
export const copy = (bytes) => {
  const made = new Uint8ArrayOf(lengthOf(bytes));
  fill(made, bytes);
  return made;
};

// A copy of a buffer source of the program's.
export const copyOfSource = (source) => copy(bytesOf(source));

// `parts` is a list of Uint8Arrays.
export const concat = (parts) => {
  let length = 0;
  for (let i = 0; i < parts.length; i++) length += lengthOf(parts[i]);
  const made = new Uint8ArrayOf(length);
  let at = 0;
  for (let i = 0; i < parts.length; i++) {
    fill(made, parts[i], at);
    at += lengthOf(parts[i]);
  }
  return made;
};

// `text` with every line break as `end`.
export const withLineEnds = (text, end) => {
  let out = '';
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit !== 13 && unit !== 10) continue;
    out += slice(text, start, i) + end;
    if (unit === 13 && charCodeAt(text, i + 1) === 10) i++;
    start = i + 1;
  }
  return out + slice(text, start);
};
