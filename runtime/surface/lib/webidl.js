// Conversions of WebIDL: a converter is a function (value, what), where `what` begins the
// sentence of the TypeError. Each chunk has those that it names (runtime/build.mjs).
const { primordials, descriptor, isObject, push, use } = internals;
const { apply, create, defineProperty, getOwnPropertyDescriptor, ownKeys, uncurryThis } = primordials;
const { iterator } = Symbol;
const TypeErrorOf = TypeError;
const StringOf = String;
const toWellFormed = uncurryThis(String.prototype.toWellFormed);
const charCodeAt = uncurryThis(String.prototype.charCodeAt);

const fail = (what, sentence) => {
  throw new TypeErrorOf(`${what} ${sentence}`);
};

// Plain arithmetic: to touch Math makes the engine build it.
const isFiniteNumber = (number) => number - number === 0;
const truncate = (number) => number - (number % 1) + 0;

const LARGEST = 2 ** 53 - 1;

const integer = (bits, signed) => {
  const size = 2 ** bits;
  const high = bits === 64 ? LARGEST : signed ? size / 2 - 1 : size - 1;
  const low = !signed ? 0 : bits === 64 ? -LARGEST : -size / 2;
  return (value) => {
    const number = +value;
    if (!isFiniteNumber(number)) return 0;
    const whole = truncate(number);
    if (whole >= low && whole <= high) return whole;
    const rest = ((whole % size) + size) % size;
    return signed && rest >= size / 2 ? rest - size : rest;
  };
};

// An unsigned integer, [EnforceRange].
const enforced = (bits) => {
  const high = bits === 64 ? LARGEST : 2 ** bits - 1;
  return (value, what) => {
    const number = +value;
    const whole = truncate(number);
    if (isFiniteNumber(number) && whole >= 0 && whole <= high) return whole;
    return fail(what, `is outside the range from 0 to ${high}`);
  };
};

export const unsignedShort = /* @__PURE__ */ integer(16, false);
export const unsignedLong = /* @__PURE__ */ integer(32, false);
export const longLong = /* @__PURE__ */ integer(64, true);
export const enforcedOctet = /* @__PURE__ */ enforced(8);
export const enforcedUnsignedShort = /* @__PURE__ */ enforced(16);
export const enforcedUnsignedLong = /* @__PURE__ */ enforced(32);
export const enforcedUnsignedLongLong = /* @__PURE__ */ enforced(64);

// [Clamp] long long
export const clampedLongLong = (value) => {
  const number = +value;
  if (!(number > -LARGEST)) return number <= -LARGEST ? -LARGEST : 0; // NaN is 0
  if (number >= LARGEST) return LARGEST;
  const below = truncate(number) > number ? truncate(number) - 1 : truncate(number);
  const rest = number - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
};

export const DOMString = (value, what) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'symbol') fail(what, 'is a symbol, which cannot be converted to a string');
  return StringOf(value);
};

export const ByteString = (value, what) => {
  const text = DOMString(value, what);
  for (let i = 0; i < text.length; i++) {
    if (charCodeAt(text, i) > 255) fail(what, 'has a character above U+00FF');
  }
  return text;
};

// The items of an iterable as an array of ours.
export const sequence = (item) => (value, what) => {
  if (!isObject(value)) fail(what, 'is not iterable');
  const method = value[iterator];
  if (method === undefined || method === null) fail(what, 'is not iterable');
  return sequenceFrom(value, method, item, what);
};

export const sequenceFrom = (value, method, item, what) => {
  if (typeof method !== 'function') fail(what, 'has an iterator that is not a function');
  const iterating = apply(method, value, []);
  if (!isObject(iterating)) fail(what, 'is not iterable');
  const { next } = iterating;
  const items = [];
  for (;;) {
    const step = apply(next, iterating, []);
    if (!isObject(step)) fail(what, 'has an iterator result that is not an object');
    if (step.done) return items;
    push(items, item(step.value, `${what}, item ${items.length},`));
  }
};

// [[key, value] ...]
export const record = (keyOf, valueOf) => (value, what) => {
  if (!isObject(value)) fail(what, 'is not an object');
  const keys = ownKeys(value);
  const entries = [];
  const seen = create(null);
  for (let i = 0; i < keys.length; i++) {
    const property = getOwnPropertyDescriptor(value, keys[i]);
    if (property === undefined || !property.enumerable) continue;
    const key = keyOf(keys[i], `${what}, a key,`);
    const entry = [key, valueOf(value[keys[i]], `${what}, "${key}",`)];
    const at = key in seen ? seen[key] : (seen[key] = entries.length);
    defineProperty(entries, at, descriptor(entry, true));
  }
  return entries;
};

// members: [[key, converter, default value (a function makes a fresh one), true where required] ...],
// in the order of WebIDL: inherited dictionaries first, each sorted by key.
export const dictionary =
  (members) =>
  (value, what) => {
    const result = create(null);
    if (value !== undefined && value !== null && !isObject(value)) fail(what, 'is not an object');
    const absent = value === undefined || value === null;
    for (let i = 0; i < members.length; i++) {
      const { 0: key, 1: convert, length } = members[i];
      // What a row lacks must not be found in a prototype.
      const fallback = length > 2 ? members[i][2] : undefined;
      const given = absent ? undefined : value[key];
      if (given !== undefined) result[key] = convert(given, `${what}, member ${key},`);
      else if (length > 3) fail(what, `lacks its member ${key}`);
      else if (fallback !== undefined) result[key] = typeof fallback === 'function' ? fallback() : fallback;
    }
    return result;
  };

export const enumeration = (values) => (value, what) => {
  const text = DOMString(value, what);
  for (let i = 0; i < values.length; i++) if (values[i] === text) return text;
  return fail(what, `is "${text}", which is none of its values`);
};

export const nullable = (convert) => (value, what) => (value === undefined || value === null ? null : convert(value, what));

export const object = (value, what) => (isObject(value) ? value : fail(what, 'is not an object'));

export const any = (value) => value;

export const boolean = (value) => !!value;

export const USVString = (value, what) => toWellFormed(DOMString(value, what));

export const bufferSource = (value, what) => use('buffers').bufferSource(value, what);

export const arrayBufferView = (value, what) => use('buffers').view(value, what);
