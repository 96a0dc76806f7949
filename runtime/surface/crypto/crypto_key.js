// CryptoKey: Web Cryptography, 13.
import { copyOf } from '../lib/window.js';
import { pick, USAGES } from './common.js';

const { primordials, exposeClass, descriptor, isObject, registerCloneable } = internals;
const { defineProperty } = primordials;
const TypeErrorOf = TypeError;

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
export const keyOf = (slots) => new CryptoKey(TOKEN, slots);

registerCloneable(isKey, (key) => keyOf(slotsOf(key)));
