// HMAC.
import { hash, checkUsages, failData, failOperation, failSupport, feed, finish, newKey, orFail, register } from './crypto/common.js';
import { bytesIn, checkJwk } from './crypto/jwk.js';
import { exportSymmetric, newSecret } from './crypto/secret.js';
import { dictionary, enforcedUnsignedLong } from './lib/webidl.js';

export { algorithms } from './crypto/common.js';

const { native, primordials } = internals;
const { uncurryThis, getter } = primordials;
const { generateSecret, hmac, endVerify } = native.crypto;
const TypeErrorOf = TypeError;
const { ceil } = Math;
const typedLength = getter(TypedArray.prototype, 'length');
const slice = uncurryThis(String.prototype.slice);

const hmacParams = dictionary([
  ['hash', hash, undefined, true],
  ['length', enforcedUnsignedLong],
]);
const hmacUsages = ['sign', 'verify'];

const blockBits = { __proto__: null, 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };

// HS256
const hmacJwkName = (algorithm) => `HS${slice(algorithm.hash, 4)}`;

const hmacLength = ({ hash: name, length }, fail) => {
  if (length === undefined) return blockBits[name];
  return length === 0 ? fail('A key of HMAC has at least one bit') : length;
};

const importHmac = (params, format, data, extractable, usages) => {
  checkUsages(usages, hmacUsages);
  let raw = data;
  if (format === 'jwk') {
    checkJwk(data, 'oct', 'sig', extractable, usages);
    raw = bytesIn(data, 'k');
    if (data.alg !== undefined && data.alg !== hmacJwkName(params)) {
      failData(`The member alg of the JSON Web Key is not "${hmacJwkName(params)}"`);
    }
  } else if (format !== 'raw') {
    failSupport(`A secret key cannot be imported from "${format}"`);
  }
  const given = typedLength(raw) * 8;
  const length = params.length ?? given;
  if (given === 0) failData('The key is empty');
  if (length > given || length <= given - 8) failData(`The key has ${given} bits, not ${length}`);
  return newKey('secret', extractable, { __proto__: null, name: 'HMAC', hash: params.hash, length }, usages, newSecret(raw));
};

register({
  name: 'HMAC',
  parameters: {
    __proto__: null,
    generateKey: hmacParams,
    importKey: hmacParams,
    exportKey: null,
    getKeyLength: hmacParams,
    sign: null,
    verify: null,
  },
  generateKey(params, extractable, usages) {
    checkUsages(usages, hmacUsages);
    const length = hmacLength(params, failOperation);
    const handle = orFail(generateSecret(ceil(length / 8)), failOperation, 'The key cannot be made');
    return newKey('secret', extractable, { __proto__: null, name: 'HMAC', hash: params.hash, length }, usages, handle);
  },
  importKey: importHmac,
  exportKey: (format, key) => exportSymmetric(format, key, hmacJwkName),
  getKeyLength: (params) =>
    hmacLength(params, (sentence) => {
      throw new TypeErrorOf(sentence);
    }),
  sign(params, key, data) {
    feed(hmac(key.handle, key.algorithm.hash), data);
    return finish();
  },
  verify(params, key, signature, data) {
    feed(hmac(key.handle, key.algorithm.hash), data);
    return orFail(endVerify(signature), failOperation, 'The operation failed');
  },
});
