// What the algorithms of SubtleCrypto have in common: errors, keys, parameters, data.
import { copyOf, pass } from '../lib/window.js';
import { bufferSource, object } from '../lib/webidl.js';

const { native, primordials, bytesOf, push, newDOMException, use } = internals;
const { uncurryThis, getter, create } = primordials;
const { update, end, exportPart } = native.crypto;
const TypeErrorOf = TypeError;
const Uint8ArrayOf = Uint8Array;
const toLowerCase = uncurryThis(String.prototype.toLowerCase);
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

export const newKey = (type, extractable, algorithm, usages, handle) =>
  use('crypto').keyOf({ __proto__: null, type, extractable, algorithm, usages: pick(usages, USAGES), handle });

export const slotsOf = (key) => use('crypto').slotsOf(key);

export const keyConverter = (value, what) => {
  if (!use('crypto').isKey(value)) throw new TypeErrorOf(`${what} is not a CryptoKey`);
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
// supports, and a function for each of them. A chunk of algorithms exports its own.
export const algorithms = /* @__PURE__ */ create(null);

export const register = (algorithm) => {
  algorithms[toLowerCase(algorithm.name)] = algorithm;
};

// ---- parameters -------------------------------------------------------------------------

export const bytes = (value, what) => copyOf(bytesOf(bufferSource(value, what)));

export const hash = (value, what) => use('subtle').normalize(value, 'digest', what).name;

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
