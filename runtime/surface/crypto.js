// crypto: Web Cryptography, 10. SubtleCrypto is in crypto/.
import { copyOut } from './lib/window.js';
import { subtle } from './crypto/subtle.js';

const { native, primordials, converters, exposeClass, requireArguments, bytesOf, newDOMException } = internals;
const { getter, getPrototypeOf, create } = primordials;
const { random, uuid } = native.crypto;
const TypeErrorOf = TypeError;
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const typedName = getter(TypedArrayPrototype, Symbol.toStringTag);
const typedLength = getter(TypedArrayPrototype, 'length');

const RANDOM_MAX = 65536;
const integers = create(null);
for (const name of ['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32', 'BigInt64', 'BigUint64']) {
  integers[`${name}Array`] = true;
}

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
    const view = converters.view(array, 'Crypto.getRandomValues: the array');
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

export const crypto = Object.getOwnPropertyDescriptor(
  {
    get crypto() {
      return only;
    },
  },
  'crypto',
);
export { CryptoKey } from './crypto/common.js';
export { SubtleCrypto } from './crypto/subtle.js';
