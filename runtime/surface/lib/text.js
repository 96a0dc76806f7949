// Texts, bytes and lists, for the chunks of URLs and fetch: each has what it names.
const { native, primordials, descriptor } = internals;
const { apply, defineProperty, getter, setPrototypeOf, uncurryThis } = primordials;
const { iterator, toStringTag } = Symbol;
const ArrayPrototype = Array.prototype;
const IteratorPrototype = Iterator.prototype;
const TypeErrorOf = TypeError;
const Uint8ArrayOf = Uint8Array;

export const { percentDecode } = native.url;
export { decodeUtf8, encodeUtf8 } from './utf_8.js';

// ---- texts and bytes ------------------------------------------------------------------

export const lengthOf = getter(TypedArray.prototype, 'length');
export const bufferOf = getter(TypedArray.prototype, 'buffer');
export const offsetOf = getter(TypedArray.prototype, 'byteOffset');
export const fill = uncurryThis(TypedArray.prototype.set);
export const indexOfByte = uncurryThis(TypedArray.prototype.indexOf);
export const slice = uncurryThis(String.prototype.slice);
export const indexOf = uncurryThis(String.prototype.indexOf);
export const charCodeAt = uncurryThis(String.prototype.charCodeAt);
export const toLowerCase = uncurryThis(String.prototype.toLowerCase);
export const toUpperCase = uncurryThis(String.prototype.toUpperCase);
export const codePointAt = uncurryThis(String.prototype.codePointAt);
export const lastIndexOf = uncurryThis(String.prototype.lastIndexOf);
export const startsWith = uncurryThis(String.prototype.startsWith);
export const padStart = uncurryThis(String.prototype.padStart);
export const toRadix = uncurryThis(Number.prototype.toString);
export const fromBase64 = Uint8Array.fromBase64;
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
export const copyOfSource = (source) => copy(internals.bytesOf(source));

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

export const isToken = (text) => test(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, text);

// HTTP whitespace: tab, newlines, space.
export const isSpace = (unit) => unit === 9 || unit === 10 || unit === 13 || unit === 32;

export const trim = (text) => {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(charCodeAt(text, start))) start++;
  while (end > start && isSpace(charCodeAt(text, end - 1))) end--;
  return slice(text, start, end);
};

// ---- lists ------------------------------------------------------------------------------

const inherit = (array, prototype) => {
  setPrototypeOf(array, prototype);
  return array;
};

// An array without a prototype: a program may have given that one a setter for "0".
export const newList = () => inherit([], null);

export const splice = uncurryThis(Array.prototype.splice);
export const sort = uncurryThis(Array.prototype.sort);

export const listOf = (items) => inherit(items, null);

// What a list of ours becomes when a program gets it.
export const toArray = (list) => inherit(list, ArrayPrototype);

const makeCursor = (name, pairAt) => {
  class Cursor {
    #object;
    #kind;
    #index = 0;

    constructor(object, kind) {
      this.#object = object;
      this.#kind = kind;
    }
    next() {
      const pair = pairAt(this.#object, this.#index);
      if (pair === undefined) return { value: undefined, done: true };
      this.#index++;
      if (this.#kind === 'key') return { value: pair.key, done: false };
      if (this.#kind === 'value') return { value: pair.value, done: false };
      return { value: [pair.key, pair.value], done: false };
    }
  }
  const { prototype } = Cursor;
  delete prototype.constructor;
  setPrototypeOf(prototype, IteratorPrototype);
  defineProperty(prototype, 'next', descriptor(prototype.next, true));
  defineProperty(prototype, toStringTag, descriptor(`${name} Iterator`, false, false));
  return Cursor;
};

// Gives the class the members of `iterable<key, value>`. `pairAt(object, index)` is
// a pair {key, value}, or undefined behind the last; it throws for what is not an
// object of the class.
export const makeIterable = (Class, name, pairAt) => {
  let Cursor;
  const iterate = (object, kind) => {
    pairAt(object, 0);
    Cursor ??= makeCursor(name, pairAt);
    return new Cursor(object, kind);
  };
  const members = {
    entries() {
      return iterate(this, 'entry');
    },
    keys() {
      return iterate(this, 'key');
    },
    values() {
      return iterate(this, 'value');
    },
    forEach(callback, thisArg = undefined) {
      pairAt(this, 0);
      if (typeof callback !== 'function') throw new TypeErrorOf(`${name}.forEach: the callback is not a function`);
      for (let i = 0; ; i++) {
        const pair = pairAt(this, i);
        if (pair === undefined) return;
        apply(callback, thisArg, [pair.value, pair.key, this]);
      }
    },
  };
  const { prototype } = Class;
  defineProperty(prototype, 'entries', descriptor(members.entries, true));
  defineProperty(prototype, 'keys', descriptor(members.keys, true));
  defineProperty(prototype, 'values', descriptor(members.values, true));
  defineProperty(prototype, 'forEach', descriptor(members.forEach, true));
  defineProperty(prototype, iterator, descriptor(members.entries, false));
};
