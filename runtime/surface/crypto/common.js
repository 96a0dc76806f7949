// What the algorithms of SubtleCrypto have in common: errors, keys, parameters, data.
import { copyOf, pass } from '../lib/window.js';
import { bufferSource, DOMString, object } from '../lib/webidl.js';

const { native, primordials, exposeClass, descriptor, isObject, bytesOf, push, newDOMException, registerCloneable } = internals;
const { uncurryThis, getter, defineProperty, create } = primordials;
const { update, end, exportPart } = native.crypto;
const TypeErrorOf = TypeError;
const Uint8ArrayOf = Uint8Array;
const toLowerCase = uncurryThis(String.prototype.toLowerCase);
const toUpperCase = uncurryThis(String.prototype.toUpperCase);
const typedName = getter(TypedArray.prototype, Symbol.toStringTag);

// ---- errors -----------------------------------------------------------------------------

const thrower = (name) => (sentence) => {
  throw newDOMException(sentence, name);
};

export const failOperation = thrower('OperationError');
export const failData = thrower('DataError');
export const failAccess = thrower('InvalidAccessError');
export const failSyntax = thrower('SyntaxError');
export const failSupport = thrower('NotSupportedError');

// What a native gave; undefined is its failure.
export const orFail = (result, fail, sentence) => (result === undefined ? fail(sentence) : result);

// ---- keys -------------------------------------------------------------------------------

export const USAGES = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];

export const contains = (list, item) => {
  for (let i = 0; i < list.length; i++) if (list[i] === item) return true;
  return false;
};

// Those of `usages` that are `allowed`, each once and in the order of the standard.
export const pick = (usages, allowed) => {
  const picked = [];
  for (let i = 0; i < USAGES.length; i++) {
    if (contains(usages, USAGES[i]) && contains(allowed, USAGES[i])) push(picked, USAGES[i]);
  }
  return picked;
};

export const checkUsages = (usages, allowed) => {
  for (let i = 0; i < usages.length; i++) {
    if (!contains(allowed, usages[i])) failSyntax(`A key of this kind cannot be used for "${usages[i]}"`);
  }
};

const TOKEN = {};

// The object that a program sees for the inner `algorithm` of a key.
const shown = (algorithm) => {
  const result = {};
  for (const key in algorithm) {
    const value = algorithm[key];
    let copy = value;
    if (key === 'publicExponent') copy = copyOf(value);
    else if (key === 'hash') copy = { name: value };
    defineProperty(result, key, descriptor(copy, true));
  }
  return result;
};

export let slotsOf;
export let isKey;

// #slots: type, extractable, algorithm, usages, and handle, the key of C.
export class CryptoKey {
  #slots;
  #algorithm;
  #usages;

  constructor() {
    if (arguments[0] !== TOKEN) throw new TypeErrorOf('CryptoKey cannot be constructed: use crypto.subtle');
    this.#slots = arguments[1];
  }
  get type() {
    return this.#slots.type;
  }
  get extractable() {
    return this.#slots.extractable;
  }
  get algorithm() {
    return (this.#algorithm ??= shown(this.#slots.algorithm));
  }
  get usages() {
    return (this.#usages ??= pick(this.#slots.usages, USAGES));
  }
  static {
    slotsOf = (key) => key.#slots;
    isKey = (value) => isObject(value) && #slots in value;
  }
}
exposeClass(CryptoKey, 'CryptoKey');
registerCloneable(isKey, (key) => new CryptoKey(TOKEN, slotsOf(key)));

export const newKey = (type, extractable, algorithm, usages, handle) =>
  new CryptoKey(TOKEN, { __proto__: null, type, extractable, algorithm, usages: pick(usages, USAGES), handle });

export const keyConverter = (value, what) => {
  if (!isKey(value)) throw new TypeErrorOf(`${what} is not a CryptoKey`);
  return value;
};

// The public half can always be exported.
export const newPair = (extractable, algorithm, usages, publicUsages, privateUsages, handle) => ({
  publicKey: newKey('public', true, algorithm, pick(usages, publicUsages), handle),
  privateKey: newKey('private', extractable, algorithm, pick(usages, privateUsages), handle),
});

export const requireType = (key, type) => {
  if (key.type !== type) failAccess(`The key is a ${key.type} key, and this takes a ${type} one`);
};

// The part of a key that JSON Web Keys call `name`, as bytes.
export const partOf = (key, name) =>
  new Uint8ArrayOf(orFail(exportPart(key.handle, name), failOperation, 'The key cannot be exported'));

// ---- algorithms -------------------------------------------------------------------------

// Each has `name`, `parameters`, a converter (or null) for each operation that it
// supports, and a function for each of them.
const algorithms = create(null);

export const register = (algorithm) => {
  algorithms[toLowerCase(algorithm.name)] = algorithm;
};

const findAlgorithm = (name, operation) => {
  const found = algorithms[toLowerCase(name)];
  if (found === undefined || toUpperCase(found.name) !== toUpperCase(name)) return undefined;
  return operation in found.parameters ? found : undefined;
};

// "Normalize an algorithm": name, the parameters, and `of`, the algorithm.
export const normalize = (given, operation, what) => {
  const isName = !isObject(given);
  const source = isName ? { __proto__: null, name: DOMString(given, what) } : given;
  const name = source.name;
  if (name === undefined) throw new TypeErrorOf(`${what} lacks its member name`);
  const text = DOMString(name, `${what}, member name,`);
  const found = findAlgorithm(text, operation);
  if (found === undefined) failSupport(`${what} "${text}" does not support ${operation}`);
  const convert = found.parameters[operation];
  const params = convert === null ? create(null) : convert(source, what);
  params.name = found.name;
  params.of = found;
  return params;
};

export const supports = (given, operation) => {
  const name = isObject(given) ? given.name : given;
  return findAlgorithm(DOMString(name, 'The name of an algorithm'), operation) !== undefined;
};

export const algorithmOf = (key) => algorithms[toLowerCase(key.algorithm.name)];

// ---- parameters -------------------------------------------------------------------------

export const bytes = (value, what) => copyOf(bytesOf(bufferSource(value, what)));

export const hash = (value, what) => normalize(value, 'digest', what).name;

export const bigInteger = (value, what) => {
  object(value, what);
  let name;
  try {
    name = typedName(value);
  } catch {
    // not a typed array
  }
  if (name !== 'Uint8Array') throw new TypeErrorOf(`${what} is not a Uint8Array`);
  return bytes(value, what);
};

// ---- data -------------------------------------------------------------------------------

// Begun by a native that gave true or undefined; feeds it all of `data`.
export const feed = (begun, data) => {
  orFail(begun, failOperation, 'The operation failed');
  pass(data, (size) => orFail(update(size), failOperation, 'The operation failed'));
};

export const finish = () => orFail(end(), failOperation, 'The operation failed');
