// SubtleCrypto: the methods of Web Cryptography, 14. What an algorithm does is in the
// files beside this one. Everything happens before a method returns its promise.
import { algorithmOf, bytes, contains, failAccess, failSupport, failSyntax, isKey, keyConverter, normalize, slotsOf, supports, USAGES } from './common.js';
import { encodeUtf8, decodeUtf8 } from '../lib/utf_8.js';
import { jwkText, parseJwk, toJwk } from './jwk.js';
import { boolean, bufferSource, enumeration, nullable, sequence, unsignedLong } from '../lib/webidl.js';
import './symmetric.js';
import './rsa.js';
import './curves.js';
import './derive.js';

const { exposeClass, requireArguments, isBufferSource, isObject, bytesOf } = internals;
const TypeErrorOf = TypeError;
const Uint8ArrayOf = Uint8Array;

const formatOf = enumeration(['raw', 'spki', 'pkcs8', 'jwk']);
const usagesOf = sequence(enumeration(USAGES));
const lengthOf = nullable(unsignedLong);

// (BufferSource or JsonWebKey)
const keyData = (value, what) => {
  if (isBufferSource(value)) return { __proto__: null, bytes: bytes(value, what) };
  if (!isObject(value) && value !== undefined && value !== null) throw new TypeErrorOf(`${what} is not an object`);
  return { __proto__: null, jwk: toJwk(value, what) };
};

const requireUse = (params, key, usage) => {
  if (params.name !== key.algorithm.name) failAccess(`The key is one of ${key.algorithm.name}, not of ${params.name}`);
  if (!contains(key.usages, usage)) failAccess(`The key cannot be used for "${usage}"`);
};

// What was made is of no use without usages.
const requireUsages = (made) => {
  const key = slotsOf(isKey(made) ? made : made.privateKey);
  if (key.type !== 'public' && key.usages.length === 0) failSyntax('The key needs at least one usage');
  return made;
};

const importAs = (params, format, data, extractable, usages) =>
  requireUsages(params.of.importKey(params, format, data, extractable, usages));

const exportAs = (format, key) => {
  const algorithm = algorithmOf(key);
  if (!('exportKey' in algorithm.parameters)) failSupport(`Keys of ${algorithm.name} cannot be exported`);
  if (!key.extractable) failAccess('The key is not extractable');
  return algorithm.exportKey(format, key);
};

// What encrypt(), decrypt(), sign() and verify() have in common. The bytes are looked
// for last: the getters of `algorithm` may have taken the buffer away.
const prepare = (operation, algorithm, key, data) => {
  const what = `SubtleCrypto.${operation}`;
  const slots = slotsOf(keyConverter(key, `${what}: the key`));
  const given = bufferSource(data, `${what}: the data`);
  const params = normalize(algorithm, operation, `${what}: the algorithm`);
  requireUse(params, slots, operation);
  return { __proto__: null, of: params.of, params, slots, input: bytesOf(given) };
};

const TOKEN = {};

export class SubtleCrypto {
  #brand;

  constructor() {
    if (arguments[0] !== TOKEN) throw new TypeErrorOf('SubtleCrypto cannot be constructed: use crypto.subtle');
  }
  async encrypt(algorithm, key, data) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.encrypt');
    const { of, params, slots, input } = prepare('encrypt', algorithm, key, data);
    return of.encrypt(params, slots, input);
  }
  async decrypt(algorithm, key, data) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.decrypt');
    const { of, params, slots, input } = prepare('decrypt', algorithm, key, data);
    return of.decrypt(params, slots, input);
  }
  async sign(algorithm, key, data) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.sign');
    const { of, params, slots, input } = prepare('sign', algorithm, key, data);
    return of.sign(params, slots, input);
  }
  async verify(algorithm, key, signature, data) {
    this.#brand;
    requireArguments(arguments.length, 4, 'SubtleCrypto.verify');
    keyConverter(key, 'SubtleCrypto.verify: the key');
    const given = bytes(signature, 'SubtleCrypto.verify: the signature');
    const { of, params, slots, input } = prepare('verify', algorithm, key, data);
    return of.verify(params, slots, given, input);
  }
  async digest(algorithm, data) {
    this.#brand;
    requireArguments(arguments.length, 2, 'SubtleCrypto.digest');
    const given = bufferSource(data, 'SubtleCrypto.digest: the data');
    const params = normalize(algorithm, 'digest', 'SubtleCrypto.digest: the algorithm');
    return params.of.digest(params, bytesOf(given));
  }
  async generateKey(algorithm, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 3, 'SubtleCrypto.generateKey');
    const usages = usagesOf(keyUsages, 'SubtleCrypto.generateKey: the usages');
    const params = normalize(algorithm, 'generateKey', 'SubtleCrypto.generateKey: the algorithm');
    return requireUsages(params.of.generateKey(params, boolean(extractable), usages));
  }
  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 5, 'SubtleCrypto.deriveKey');
    const key = slotsOf(keyConverter(baseKey, 'SubtleCrypto.deriveKey: the key'));
    const usages = usagesOf(keyUsages, 'SubtleCrypto.deriveKey: the usages');
    const params = normalize(algorithm, 'deriveBits', 'SubtleCrypto.deriveKey: the algorithm');
    const what = 'SubtleCrypto.deriveKey: the type of the derived key';
    const importing = normalize(derivedKeyType, 'importKey', what);
    const sizing = normalize(derivedKeyType, 'getKeyLength', what);
    requireUse(params, key, 'deriveKey');
    const secret = params.of.deriveBits(params, key, sizing.of.getKeyLength(sizing));
    return importAs(importing, 'raw', new Uint8ArrayOf(secret), boolean(extractable), usages);
  }
  async deriveBits(algorithm, baseKey, length = null) {
    this.#brand;
    requireArguments(arguments.length, 2, 'SubtleCrypto.deriveBits');
    const key = slotsOf(keyConverter(baseKey, 'SubtleCrypto.deriveBits: the key'));
    const bits = lengthOf(length, 'SubtleCrypto.deriveBits: the length');
    const params = normalize(algorithm, 'deriveBits', 'SubtleCrypto.deriveBits: the algorithm');
    requireUse(params, key, 'deriveBits');
    return params.of.deriveBits(params, key, bits);
  }
  async importKey(format, keyDataGiven, algorithm, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 5, 'SubtleCrypto.importKey');
    const kind = formatOf(format, 'SubtleCrypto.importKey: the format');
    const data = keyData(keyDataGiven, 'SubtleCrypto.importKey: the key');
    const usages = usagesOf(keyUsages, 'SubtleCrypto.importKey: the usages');
    const params = normalize(algorithm, 'importKey', 'SubtleCrypto.importKey: the algorithm');
    const given = kind === 'jwk' ? data.jwk : data.bytes;
    if (given === undefined) throw new TypeErrorOf(`SubtleCrypto.importKey: the key does not fit the format "${kind}"`);
    return importAs(params, kind, given, boolean(extractable), usages);
  }
  async exportKey(format, key) {
    this.#brand;
    requireArguments(arguments.length, 2, 'SubtleCrypto.exportKey');
    const kind = formatOf(format, 'SubtleCrypto.exportKey: the format');
    return exportAs(kind, slotsOf(keyConverter(key, 'SubtleCrypto.exportKey: the key')));
  }
  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    this.#brand;
    requireArguments(arguments.length, 4, 'SubtleCrypto.wrapKey');
    const kind = formatOf(format, 'SubtleCrypto.wrapKey: the format');
    const slots = slotsOf(keyConverter(key, 'SubtleCrypto.wrapKey: the key'));
    const wrapping = slotsOf(keyConverter(wrappingKey, 'SubtleCrypto.wrapKey: the wrapping key'));
    const operation = supports(wrapAlgorithm, 'wrapKey') ? 'wrapKey' : 'encrypt';
    const params = normalize(wrapAlgorithm, operation, 'SubtleCrypto.wrapKey: the algorithm');
    requireUse(params, wrapping, 'wrapKey');
    const exported = exportAs(kind, slots);
    const plain = kind === 'jwk' ? encodeUtf8(jwkText(exported)) : new Uint8ArrayOf(exported);
    return params.of[operation](params, wrapping, plain);
  }
  async unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages) {
    this.#brand;
    requireArguments(arguments.length, 7, 'SubtleCrypto.unwrapKey');
    const kind = formatOf(format, 'SubtleCrypto.unwrapKey: the format');
    const wrapped = bytes(wrappedKey, 'SubtleCrypto.unwrapKey: the wrapped key');
    const unwrapping = slotsOf(keyConverter(unwrappingKey, 'SubtleCrypto.unwrapKey: the unwrapping key'));
    const usages = usagesOf(keyUsages, 'SubtleCrypto.unwrapKey: the usages');
    const operation = supports(unwrapAlgorithm, 'unwrapKey') ? 'unwrapKey' : 'decrypt';
    const params = normalize(unwrapAlgorithm, operation, 'SubtleCrypto.unwrapKey: the algorithm');
    const importing = normalize(unwrappedKeyAlgorithm, 'importKey', 'SubtleCrypto.unwrapKey: the algorithm of the key');
    requireUse(params, unwrapping, 'unwrapKey');
    const plain = new Uint8ArrayOf(params.of[operation](params, unwrapping, wrapped));
    const data = kind === 'jwk' ? parseJwk(decodeUtf8(plain), 'SubtleCrypto.unwrapKey: the key') : plain;
    return importAs(importing, kind, data, boolean(extractable), usages);
  }
}
exposeClass(SubtleCrypto, 'SubtleCrypto');

export const subtle = new SubtleCrypto(TOKEN);
