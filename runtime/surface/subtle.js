// What the methods of SubtleCrypto do: Web Cryptography, 14. The algorithms are in
// chunks of their own. Everything happens before a method returns its promise.
import { bytes, contains, failAccess, failSupport, failSyntax, feed, finish, keyConverter, slotsOf, USAGES } from './crypto/common.js';
import { encodeUtf8, decodeUtf8 } from './lib/utf_8.js';
import { jwkText, parseJwk, toJwk } from './crypto/jwk.js';
import { boolean, bufferSource, DOMString, enumeration, nullable, sequence, unsignedLong } from './lib/webidl.js';

const { native, primordials, isBufferSource, isObject, bytesOf, use } = internals;
const { create, uncurryThis } = primordials;
const toLowerCase = uncurryThis(String.prototype.toLowerCase);
const toUpperCase = uncurryThis(String.prototype.toUpperCase);
const TypeErrorOf = TypeError;
const Uint8ArrayOf = Uint8Array;

// ---- algorithms -------------------------------------------------------------------------

const newDigest = (name) => ({
  __proto__: null,
  name,
  parameters: { __proto__: null, digest: null },
  digest(params, data) {
    feed(native.crypto.digest(name), data);
    return finish();
  },
});

// By name: an algorithm, or the chunk that has it.
const algorithms = {
  __proto__: null,
  'sha-1': newDigest('SHA-1'),
  'sha-256': newDigest('SHA-256'),
  'sha-384': newDigest('SHA-384'),
  'sha-512': newDigest('SHA-512'),
  'aes-cbc': 'subtle_aes',
  'aes-ctr': 'subtle_aes',
  'aes-gcm': 'subtle_aes',
  'aes-kw': 'subtle_aes',
  hmac: 'subtle_hmac',
  'rsassa-pkcs1-v1_5': 'subtle_rsa',
  'rsa-pss': 'subtle_rsa',
  'rsa-oaep': 'subtle_rsa',
  ecdsa: 'subtle_curves',
  ecdh: 'subtle_curves',
  ed25519: 'subtle_curves',
  ed448: 'subtle_curves',
  x25519: 'subtle_curves',
  x448: 'subtle_curves',
  hkdf: 'subtle_derive',
  pbkdf2: 'subtle_derive',
};

const algorithmNamed = (name) => {
  const key = toLowerCase(name);
  const found = algorithms[key];
  return typeof found === 'string' ? use(found).algorithms[key] : found;
};

const findAlgorithm = (name, operation) => {
  const found = algorithmNamed(name);
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

const supports = (given, operation) => {
  const name = isObject(given) ? given.name : given;
  return findAlgorithm(DOMString(name, 'The name of an algorithm'), operation) !== undefined;
};

const algorithmOf = (key) => algorithmNamed(key.algorithm.name);

// ---- arguments --------------------------------------------------------------------------

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
  const key = slotsOf(use('crypto').isKey(made) ? made : made.privateKey);
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

// ---- methods ----------------------------------------------------------------------------

export const encrypt = (algorithm, key, data) => {
  const { of, params, slots, input } = prepare('encrypt', algorithm, key, data);
  return of.encrypt(params, slots, input);
};

export const decrypt = (algorithm, key, data) => {
  const { of, params, slots, input } = prepare('decrypt', algorithm, key, data);
  return of.decrypt(params, slots, input);
};

export const sign = (algorithm, key, data) => {
  const { of, params, slots, input } = prepare('sign', algorithm, key, data);
  return of.sign(params, slots, input);
};

export const verify = (algorithm, key, signature, data) => {
  keyConverter(key, 'SubtleCrypto.verify: the key');
  const given = bytes(signature, 'SubtleCrypto.verify: the signature');
  const { of, params, slots, input } = prepare('verify', algorithm, key, data);
  return of.verify(params, slots, given, input);
};

export const digest = (algorithm, data) => {
  const given = bufferSource(data, 'SubtleCrypto.digest: the data');
  const params = normalize(algorithm, 'digest', 'SubtleCrypto.digest: the algorithm');
  return params.of.digest(params, bytesOf(given));
};

export const generateKey = (algorithm, extractable, keyUsages) => {
  const usages = usagesOf(keyUsages, 'SubtleCrypto.generateKey: the usages');
  const params = normalize(algorithm, 'generateKey', 'SubtleCrypto.generateKey: the algorithm');
  return requireUsages(params.of.generateKey(params, boolean(extractable), usages));
};

export const deriveKey = (algorithm, baseKey, derivedKeyType, extractable, keyUsages) => {
  const key = slotsOf(keyConverter(baseKey, 'SubtleCrypto.deriveKey: the key'));
  const usages = usagesOf(keyUsages, 'SubtleCrypto.deriveKey: the usages');
  const params = normalize(algorithm, 'deriveBits', 'SubtleCrypto.deriveKey: the algorithm');
  const what = 'SubtleCrypto.deriveKey: the type of the derived key';
  const importing = normalize(derivedKeyType, 'importKey', what);
  const sizing = normalize(derivedKeyType, 'getKeyLength', what);
  requireUse(params, key, 'deriveKey');
  const secret = params.of.deriveBits(params, key, sizing.of.getKeyLength(sizing));
  return importAs(importing, 'raw', new Uint8ArrayOf(secret), boolean(extractable), usages);
};

export const deriveBits = (algorithm, baseKey, length) => {
  const key = slotsOf(keyConverter(baseKey, 'SubtleCrypto.deriveBits: the key'));
  const bits = lengthOf(length, 'SubtleCrypto.deriveBits: the length');
  const params = normalize(algorithm, 'deriveBits', 'SubtleCrypto.deriveBits: the algorithm');
  requireUse(params, key, 'deriveBits');
  return params.of.deriveBits(params, key, bits);
};

export const importKey = (format, keyDataGiven, algorithm, extractable, keyUsages) => {
  const kind = formatOf(format, 'SubtleCrypto.importKey: the format');
  const data = keyData(keyDataGiven, 'SubtleCrypto.importKey: the key');
  const usages = usagesOf(keyUsages, 'SubtleCrypto.importKey: the usages');
  const params = normalize(algorithm, 'importKey', 'SubtleCrypto.importKey: the algorithm');
  const given = kind === 'jwk' ? data.jwk : data.bytes;
  if (given === undefined) throw new TypeErrorOf(`SubtleCrypto.importKey: the key does not fit the format "${kind}"`);
  return importAs(params, kind, given, boolean(extractable), usages);
};

export const exportKey = (format, key) => {
  const kind = formatOf(format, 'SubtleCrypto.exportKey: the format');
  return exportAs(kind, slotsOf(keyConverter(key, 'SubtleCrypto.exportKey: the key')));
};

export const wrapKey = (format, key, wrappingKey, wrapAlgorithm) => {
  const kind = formatOf(format, 'SubtleCrypto.wrapKey: the format');
  const slots = slotsOf(keyConverter(key, 'SubtleCrypto.wrapKey: the key'));
  const wrapping = slotsOf(keyConverter(wrappingKey, 'SubtleCrypto.wrapKey: the wrapping key'));
  const operation = supports(wrapAlgorithm, 'wrapKey') ? 'wrapKey' : 'encrypt';
  const params = normalize(wrapAlgorithm, operation, 'SubtleCrypto.wrapKey: the algorithm');
  requireUse(params, wrapping, 'wrapKey');
  const exported = exportAs(kind, slots);
  const plain = kind === 'jwk' ? encodeUtf8(jwkText(exported)) : new Uint8ArrayOf(exported);
  return params.of[operation](params, wrapping, plain);
};

export const unwrapKey = (format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages) => {
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
};
