// crypto: Web Cryptography, 10. What SubtleCrypto does is in subtle.js.
import { copyOut } from './lib/window.js';
import { subtle } from './crypto/subtle_crypto.js';
import { arrayBufferView } from './lib/webidl.js';

const { native, primordials, exposeClass, requireArguments, bytesOf, newDOMException } = internals;
const { getter, getOwnPropertyDescriptor } = primordials;
const { random, uuid } = native.crypto;
const TypeErrorOf = TypeError;
const typedName = getter(TypedArray.prototype, Symbol.toStringTag);
const typedLength = getter(TypedArray.prototype, 'length');

const RANDOM_MAX = 65536;
const integers = {
  __proto__: null,
  Int8Array: true,
  Uint8Array: true,
  Uint8ClampedArray: true,
  Int16Array: true,
  Uint16Array: true,
  Int32Array: true,
  Uint32Array: true,
  BigInt64Array: true,
  BigUint64Array: true,
};

const TOKEN = {};

export class Crypto {
  #brand;

  constructor() {
    if (arguments[0] !== TOKEN) throw new TypeErrorOf('Crypto cannot be constructed: use crypto');
  }
  get subtle() {
    this.#brand;
    return subtle;
  }
  getRandomValues(array) {
    this.#brand;
    requireArguments(arguments.length, 1, 'Crypto.getRandomValues');
    const view = arrayBufferView(array, 'Crypto.getRandomValues: the array');
    if (!(typedName(view) in integers)) {
      throw newDOMException('Crypto.getRandomValues takes a typed array of integers', 'TypeMismatchError');
    }
    const bytes = bytesOf(view);
    const size = typedLength(bytes);
    if (size > RANDOM_MAX) {
      throw newDOMException(`Crypto.getRandomValues gives at most ${RANDOM_MAX} bytes, not ${size}`, 'QuotaExceededError');
    }
    random(size);
    copyOut(size, bytes, 0);
    return array;
  }
  randomUUID() {
    this.#brand;
    return uuid();
  }
}
exposeClass(Crypto, 'Crypto');

const only = new Crypto(TOKEN);

export const crypto = getOwnPropertyDescriptor(
  {
    get crypto() {
      return only;
    },
  },
  'crypto',
);
export { CryptoKey, isKey, keyOf, slotsOf } from './crypto/crypto_key.js';
export { SubtleCrypto } from './crypto/subtle_crypto.js';
