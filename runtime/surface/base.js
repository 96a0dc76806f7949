// What every chunk of the surface shares: evaluated in the program's realm before
// the first of them, which is usually before the program. `internals` here is what
// C gives: `native` (families of C functions), `texts`, and `core`, the object that
// runtime/core.js gave. Builds the `internals` of the chunks; see README.md.
//
// A chunk may be evaluated while the program runs, which can have replaced whatever
// it can reach: so all that is used later is captured here, at the top.

const { native, texts, core } = internals;
const global = globalThis;

// ---- primordials -----------------------------------------------------------------

const { apply, construct, defineProperty, deleteProperty, getPrototypeOf, setPrototypeOf, ownKeys } = Reflect;
const ordinaryDescriptor = Reflect.getOwnPropertyDescriptor;
const bindCall = Function.prototype.bind.bind(Function.prototype.call);
// bind() reads the name of what it binds, which a program may have given a getter.
const uncurryThis = (fn) => {
  try {
    return bindCall(fn);
  } catch {
    return (self, ...args) => apply(fn, self, args);
  }
};
const { create, freeze, hasOwn } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const TypeErrorOf = TypeError;
const StringOf = String;
const ProxyOf = Proxy;
const { iterator, toStringTag } = Symbol;
const PromisePrototype = Promise.prototype;
const toWellFormed = uncurryThis(String.prototype.toWellFormed);
const charCodeAt = uncurryThis(String.prototype.charCodeAt);
// Without a prototype: there the program may have put a `get`.
const getOwnPropertyDescriptor = (object, key) => {
  const found = ordinaryDescriptor(object, key);
  if (found !== undefined) setPrototypeOf(found, null);
  return found;
};

const getter = (prototype, key) => uncurryThis(getOwnPropertyDescriptor(prototype, key).get);

// Not one of a class that the program has derived.
const isPromise = (value) => isObject(value) && getPrototypeOf(value) === PromisePrototype;

// Promise.prototype.then(), which would ask the promise for a class to make another of.
// What a callback gives is not asked for its `then`, and takes as many turns as that.
const then = async (promise, onFulfilled, onRejected) => {
  let value;
  let react = onFulfilled;
  try {
    value = await promise;
  } catch (reason) {
    if (onRejected === undefined) throw reason;
    value = reason;
    react = onRejected;
  }
  const result = react === undefined ? value : react(value);
  if (!isPromise(result)) return result;
  await undefined;
  return await result;
};

const primordials = {
  __proto__: null,
  apply,
  construct,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  setPrototypeOf,
  ownKeys,
  uncurryThis,
  getter,
  isPromise,
  then,
  create,
  freeze,
  hasOwn,
  isArray,
  isView,
};

// ---- properties as WebIDL wants them -----------------------------------------------

const descriptor = (value, enumerable, writable = true) => ({
  __proto__: null,
  value,
  writable,
  enumerable,
  configurable: true,
});

// Without asking the prototypes of the list for a setter of its next index.
const push = (list, item) => defineProperty(list, list.length, descriptor(item, true));

const setName = (fn, name) => {
  if (fn.name !== name) defineProperty(fn, 'name', descriptor(name, false, false));
  return fn;
};

const enumerable = { __proto__: null, enumerable: true };

// A class of JavaScript as an interface: its members become enumerable and get the
// names of their keys, its prototype gets the tag. Whoever loads the chunk sets the
// name of the class itself where it is a global.
const setMembers = (target, except) => {
  const keys = ownKeys(target);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== 'symbol' && !(key in except)) defineProperty(target, key, enumerable);
  }
};

const ofClasses = { __proto__: null, prototype: 1, name: 1, length: 1 };
const ofPrototypes = { __proto__: null, constructor: 1 };

// Prototypes of interfaces: their instances are not plain objects to structuredClone().
const interfaces = new WeakSet();
const hasInterface = uncurryThis(WeakSet.prototype.has);
const addInterface = uncurryThis(WeakSet.prototype.add);
const registerInterface = (Class) => addInterface(interfaces, Class.prototype);
const isInterface = (prototype) => hasInterface(interfaces, prototype);

const exposeClass = (Class, name) => {
  setName(Class, name);
  setMembers(Class, ofClasses);
  setMembers(Class.prototype, ofPrototypes);
  registerInterface(Class);
  defineProperty(Class.prototype, toStringTag, descriptor(name, false, false));
  return Class;
};

// Constants of an interface stand on the class and on its prototype.
const exposeConstants = (Class, constants) => {
  const keys = ownKeys(constants);
  for (let i = 0; i < keys.length; i++) {
    const constant = { __proto__: null, value: constants[keys[i]], enumerable: true };
    defineProperty(Class, keys[i], constant);
    defineProperty(Class.prototype, keys[i], constant);
  }
};

// ---- conversions of WebIDL -----------------------------------------------------------
//
// A converter is a function (value, what): `what` begins the sentence of the TypeError.

const fail = (what, sentence) => {
  throw new TypeErrorOf(`${what} ${sentence}`);
};

const requireArguments = (count, needed, what) => {
  if (count < needed) fail(what, `takes at least ${needed} argument${needed === 1 ? '' : 's'}, not ${count}`);
};

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

// Plain arithmetic: to touch Math makes the engine build it.
const isFinite = (number) => number - number === 0;
const truncate = (number) => number - (number % 1) + 0;

const integer = (bits, signed) => {
  const size = 2 ** bits;
  const safe = 2 ** 53 - 1;
  const high = bits === 64 ? safe : signed ? size / 2 - 1 : size - 1;
  const low = !signed ? 0 : bits === 64 ? -safe : -size / 2;
  const convert = (value) => {
    const number = +value;
    if (!isFinite(number)) return 0;
    const whole = truncate(number);
    if (whole >= low && whole <= high) return whole;
    const rest = ((whole % size) + size) % size;
    return signed && rest >= size / 2 ? rest - size : rest;
  };
  convert.enforced = (value, what) => {
    const number = +value;
    const whole = truncate(number);
    if (isFinite(number) && whole >= low && whole <= high) return whole;
    return fail(what, `is outside the range from ${low} to ${high}`);
  };
  convert.clamped = (value) => {
    const number = +value;
    if (!(number > low)) return number <= low ? low : 0; // NaN is 0
    if (number >= high) return high;
    const below = truncate(number) > number ? truncate(number) - 1 : truncate(number);
    const rest = number - below;
    return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
  };
  return convert;
};

const DOMString = (value, what) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'symbol') fail(what, 'is a symbol, which cannot be converted to a string');
  return StringOf(value);
};

const ByteString = (value, what) => {
  const text = DOMString(value, what);
  for (let i = 0; i < text.length; i++) {
    if (charCodeAt(text, i) > 255) fail(what, 'has a character above U+00FF');
  }
  return text;
};

const finite = (number, what) => {
  if (!isFinite(number)) fail(what, 'is not a finite number');
  return number;
};

// The items of an iterable as an array of ours.
const sequence = (item) => (value, what) => {
  if (!isObject(value)) fail(what, 'is not iterable');
  const method = value[iterator];
  if (method === undefined || method === null) fail(what, 'is not iterable');
  return sequenceFrom(value, method, item, what);
};

const sequenceFrom = (value, method, item, what) => {
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
const record = (keyOf, valueOf) => (value, what) => {
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

// members: [[key, converter, default value (a function makes a fresh one), required] ...],
// in the order of WebIDL: inherited dictionaries first, each sorted by key.
const dictionary = (members) => {
  // What a row lacks must not be found in a prototype.
  for (let i = 0; i < members.length; i++) setPrototypeOf(members[i], null);
  return (value, what) => {
    const result = create(null);
    if (value !== undefined && value !== null && !isObject(value)) fail(what, 'is not an object');
    const absent = value === undefined || value === null;
    for (let i = 0; i < members.length; i++) {
      const { 0: key, 1: convert, 2: fallback, 3: required } = members[i];
      const given = absent ? undefined : value[key];
      if (given !== undefined) result[key] = convert(given, `${what}, member ${key},`);
      else if (required) fail(what, `lacks its member ${key}`);
      else if (fallback !== undefined) result[key] = typeof fallback === 'function' ? fallback() : fallback;
    }
    return result;
  };
};

const enumeration = (values) => (value, what) => {
  const text = DOMString(value, what);
  for (let i = 0; i < values.length; i++) if (values[i] === text) return text;
  return fail(what, `is "${text}", which is none of its values`);
};

const nullable = (convert) => (value, what) => (value === undefined || value === null ? null : convert(value, what));

const callback = (value, what) => (typeof value === 'function' ? value : fail(what, 'is not a function'));

const object = (value, what) => (isObject(value) ? value : fail(what, 'is not an object'));

const converters = {
  __proto__: null,
  any: (value) => value,
  undefined: () => undefined,
  boolean: (value) => !!value,
  byte: integer(8, true),
  octet: integer(8, false),
  short: integer(16, true),
  unsignedShort: integer(16, false),
  long: integer(32, true),
  unsignedLong: integer(32, false),
  longLong: integer(64, true),
  unsignedLongLong: integer(64, false),
  double: (value, what) => finite(+value, what),
  unrestrictedDouble: (value) => +value,
  DOMString,
  USVString: (value, what) => toWellFormed(DOMString(value, what)),
  ByteString,
  object,
  callback,
  get bufferSource() {
    return use('buffers').bufferSource;
  },
  get view() {
    return use('buffers').view;
  },
  sequence,
  sequenceFrom,
  record,
  dictionary,
  enumeration,
  nullable,
};

// ---- structured cloning -------------------------------------------------------------
//
// What structuredClone() does with platform objects: is(value) tells them apart,
// clone(value) copies one; transfer(value) moves one into a new object, and
// isDetached(value) tells when that has happened already.

const cloneables = [];
const transferables = [];

const registerCloneable = (is, clone) => push(cloneables, { __proto__: null, is, clone });
const registerTransferable = (is, isDetached, transfer) =>
  push(transferables, { __proto__: null, is, isDetached, transfer });

// ---- chunks ----------------------------------------------------------------------------

const realm = native.realm;
let chunks = create(null);
let prepared = create(null); // evaluated in advance, and not used so far

// What another chunk exports; evaluates it when that has not happened.
export const use = (name) => {
  if (!(name in chunks)) {
    realm.used(name);
    chunks[name] = prepared[name] ?? realm.chunk(name, inner);
  }
  return chunks[name];
};

// The same where it has been evaluated; no object of its classes exists otherwise.
const ifLoaded = (name) => chunks[name] ?? prepared[name];

// prepare(chunk, chunk ...): in a realm that waits for its program, what the last
// program used. It defines no global. To evaluate "report" is to change what becomes
// of an exception.
export const prepare = (...names) => {
  for (let i = 0; i < names.length; i++) if (names[i] !== 'report') use(names[i]);
  prepared = chunks;
  chunks = create(null);
};

// The same as properties, for the identifiers that runtime/build.mjs replaces.
const chunkObject = new ProxyOf({ __proto__: null }, { __proto__: null, get: (target, name) => use(name) });

const newDOMException = (message, name) => new (use('dom_exception').DOMException)(message, name);

const inner = {
  __proto__: null,
  native,
  texts,
  core,
  use,
  ifLoaded,
  chunks: chunkObject,
  scan: realm.scan,
  intrinsic: realm.intrinsic,
  now: realm.now,
  primordials,
  converters,
  descriptor,
  setName,
  exposeClass,
  exposeConstants,
  requireArguments,
  isObject,
  get isArrayBuffer() {
    return use('buffers').isArrayBuffer;
  },
  get isBufferSource() {
    return use('buffers').isBufferSource;
  },
  get bytesOf() {
    return use('buffers').bytesOf;
  },
  push,
  newDOMException,
  isInterface,
  registerInterface,
  cloneables,
  transferables,
  registerCloneable,
  registerTransferable,
};

// ---- globals ------------------------------------------------------------------------------

// The property of one global; its value once the chunk is there.
const finalDescriptor = (name, chunk, kind) => {
  const exported = use(chunk)[name];
  if (kind === 'ATTRIBUTE') return exported;
  if (typeof exported === 'function') setName(exported, name);
  return descriptor(exported, kind === 'FUNCTION');
};

const read = (property) => (property.get === undefined ? property.value : apply(property.get, global, []));

// The getters of globals that are lazy.
const waiting = create(null);

const defineLazy = (name, chunk, kind) => {
  let final;
  const settle = () => {
    if (final !== undefined) return final;
    final = finalDescriptor(name, chunk, kind);
    defineProperty(global, name, final); // does nothing when the program has frozen it
    return final;
  };
  const accessor = {
    get [name]() {
      return read(settle());
    },
    set [name](value) {
      if (kind === 'ATTRIBUTE') apply(settle().set, global, [value]);
      else defineProperty(global, name, descriptor(value, kind === 'FUNCTION'));
    },
  };
  const property = getOwnPropertyDescriptor(accessor, name);
  property.enumerable = kind !== 'INTERFACE';
  waiting[name] = property.get;
  defineProperty(global, name, property);
};

// Whether the program has put something else in the place of a lazy global.
const isReplaced = (name) => name in waiting && getOwnPropertyDescriptor(global, name)?.get !== waiting[name];

// load(name, chunk, kind, name, chunk, kind ...): now.
export const load = (...rows) => {
  for (let i = 0; i < rows.length; i += 3) {
    if (!isReplaced(rows[i])) defineProperty(global, rows[i], finalDescriptor(rows[i], rows[i + 1], rows[i + 2]));
  }
};

// The same rows, on first touch.
export const lazy = (...rows) => {
  use('text'); // it captures what chunks that are evaluated late use
  for (let i = 0; i < rows.length; i += 3) defineLazy(rows[i], rows[i + 1], rows[i + 2]);
};
