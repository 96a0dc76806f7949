// SubtleCrypto: Web Cryptography, 14. What its methods do is in subtle.js, which is
// evaluated when the first of them is called.
const { exposeClass, requireArguments, use } = internals;
const TypeErrorOf = TypeError;

const TOKEN = {};

export class SubtleCrypto {
  #brand;

  constructor() {
    if (arguments[0] !== TOKEN) throw new TypeErrorOf('SubtleCrypto cannot be constructed: use crypto.subtle');
  }
  async encrypt(algorithm, key, data) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.encrypt');
    return use('subtle').encrypt(algorithm, key, data);
  }
  async decrypt(algorithm, key, data) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.decrypt');
    return use('subtle').decrypt(algorithm, key, data);
  }
  async sign(algorithm, key, data) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.sign');
    return use('subtle').sign(algorithm, key, data);
  }
  async verify(algorithm, key, signature, data) {
    this.#brand;
    requireArguments(arguments.length, 4, 'SubtleCrypto.verify');
    return use('subtle').verify(algorithm, key, signature, data);
  }
  async digest(algorithm, data) {
    this.#brand;
    requireArguments(arguments.length, 2, 'SubtleCrypto.digest');
    return use('subtle').digest(algorithm, data);
  }
  async generateKey(algorithm, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.generateKey');
    return use('subtle').generateKey(algorithm, extractable, keyUsages);
  }
  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 5, 'SubtleCrypto.deriveKey');
    return use('subtle').deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages);
  }
  async deriveBits(algorithm, baseKey, length = null) {
    this.#brand;
    requireArguments(arguments.length, 2, 'SubtleCrypto.deriveBits');
    return use('subtle').deriveBits(algorithm, baseKey, length);
  }
  async importKey(format, keyDataGiven, algorithm, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 5, 'SubtleCrypto.importKey');
    return use('subtle').importKey(format, keyDataGiven, algorithm, extractable, keyUsages);
  }
  async exportKey(format, key) {
    this.#brand;
    requireArguments(arguments.length, 2, 'SubtleCrypto.exportKey');
    return use('subtle').exportKey(format, key);
  }
  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    this.#brand;
    requireArguments(arguments.length, 4, 'SubtleCrypto.wrapKey');
    return use('subtle').wrapKey(format, key, wrappingKey, wrapAlgorithm);
  }
  async unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 7, 'SubtleCrypto.unwrapKey');
    return use('subtle').unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages);
  }
}
exposeClass(SubtleCrypto, 'SubtleCrypto');

export const subtle = new SubtleCrypto(TOKEN);
