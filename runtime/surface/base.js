// What every chunk of the surface shares: evaluated in the program's realm before
// the first of them, which is before the program. `internals` here is what
// C gives: `native` (families of C functions), `texts`, and `core`, the object that
// runtime/core.js gave. Builds the `internals` of the chunks; see README.md.
//
// What a chunk does later it does while the program runs, which can have replaced whatever
// it can reach: so all that is used then is captured here, at the top.

const { native, texts, core } = internals;
const global = globalThis;

// ---- primordials -----------------------------------------------------------------

const { apply, defineProperty, getPrototypeOf, setPrototypeOf, ownKeys } = Reflect;
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
const { create } = Object;
const TypeErrorOf = TypeError;
const ProxyOf = Proxy;
const { toStringTag } = Symbol;
const PromisePrototype = Promise.prototype;
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
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  setPrototypeOf,
  ownKeys,
  uncurryThis,
  getter,
  isPromise,
  then,
  create,
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

// ---- arguments -----------------------------------------------------------------------

const requireArguments = (count, needed, what) => {
  if (count < needed) throw new TypeErrorOf(`${what} takes at least ${needed} argument${needed === 1 ? '' : 's'}, not ${count}`);
};

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

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
    chunks[name] = prepared[name] ?? realm.chunk(name, inner);
  }
  return chunks[name];
};

// The same where it has been evaluated; no object of its classes exists otherwise.
const ifLoaded = (name) => chunks[name] ?? prepared[name];

// prepare(chunk, chunk ...): in a realm that waits for its program. It defines no
// global. To evaluate "report" is to change what becomes of an exception.
export const prepare = (...names) => {
  for (let i = 0; i < names.length; i++) if (names[i] !== 'report') use(names[i]);
  prepared = chunks;
  chunks = create(null);
};

// The same as properties, for the identifiers that runtime/build.mjs replaces.
const chunkObject = new ProxyOf({ __proto__: null }, { __proto__: null, get: (target, name) => use(name) });

const newDOMException = (message, name) => new (use('dom_exception').DOMException)(message, name);

// What the language has under each of these numbers of build.mjs; under ~number a
// function whose first argument is its `this`.
const intrinsics = (...numbers) => {
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    numbers[i] = number < 0 ? uncurryThis(realm.intrinsic(~number)) : realm.intrinsic(number);
  }
  return numbers;
};

const inner = {
  __proto__: null,
  native,
  texts,
  core,
  use,
  ifLoaded,
  chunks: chunkObject,
  scan: realm.scan,
  intrinsics,
  now: realm.now,
  primordials,
  descriptor,
  setName,
  exposeClass,
  exposeConstants,
  requireArguments,
  isObject,
  isArrayBuffer: (value) => use('buffers').isArrayBuffer(value),
  isBufferSource: (value) => use('buffers').isBufferSource(value),
  bytesOf: (source) => use('buffers').bytesOf(source),
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
  for (let i = 0; i < rows.length; i += 3) defineLazy(rows[i], rows[i + 1], rows[i + 2]);
};
