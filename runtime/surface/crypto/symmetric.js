// AES in its modes, and HMAC.
import { bytes, hash, checkUsages, contains, failData, failOperation, failSupport, feed, finish, newKey, orFail, register } from './common.js';
import { bytesIn, checkJwk, makeJwk, textOf } from './jwk.js';
import { copyOf } from '../lib/window.js';
import { dictionary, enforcedOctet, enforcedUnsignedLong, enforcedUnsignedShort } from '../lib/webidl.js';

const { native, primordials } = internals;
const { uncurryThis, getter } = primordials;
const { secret, generateSecret, exportSecret, cbc, ctr, gcm, wrap, hmac, endVerify } = native.crypto;
const TypeErrorOf = TypeError;
const Uint8ArrayOf = Uint8Array;
const { ceil } = Math;
const typedLength = getter(TypedArray.prototype, 'length');
const slice = uncurryThis(String.prototype.slice);
const bufferOf = getter(TypedArray.prototype, 'buffer');
const offsetOf = getter(TypedArray.prototype, 'byteOffset');

const part = (data, from, size) => new Uint8ArrayOf(bufferOf(data), offsetOf(data) + from, size);

const newSecret = (data) => orFail(secret(data), failOperation, 'The key cannot be made');

const exportRaw = (key) => orFail(exportSecret(key.handle), failOperation, 'The key cannot be exported');

// `jwkName(key)`: the member alg.
const exportSymmetric = (format, key, jwkName) => {
  if (format === 'raw') return exportRaw(key);
  if (format !== 'jwk') failSupport(`A secret key cannot be exported as "${format}"`);
  return makeJwk(key, { kty: 'oct', k: textOf(new Uint8ArrayOf(exportRaw(key))), alg: jwkName(key.algorithm) });
};

// ---- AES --------------------------------------------------------------------------------

const keyLength = dictionary([['length', enforcedUnsignedShort, undefined, true]]);

const isAesLength = (length) => length === 128 || length === 192 || length === 256;

const checkAesLength = ({ length }) => (isAesLength(length) ? length : failOperation(`An AES key has 128, 192 or 256 bits, not ${length}`));

// A128CBC
const aesJwkName = ({ name, length }) => `A${length}${slice(name, 4)}`;

const importAes = (name, usages, allowed, format, data, extractable) => {
  checkUsages(usages, allowed);
  let raw = data;
  if (format === 'jwk') {
    checkJwk(data, 'oct', 'enc', extractable, usages);
    raw = bytesIn(data, 'k');
  } else if (format !== 'raw') {
    failSupport(`A secret key cannot be imported from "${format}"`);
  }
  const length = typedLength(raw) * 8;
  if (!isAesLength(length)) failData(`An AES key has 128, 192 or 256 bits, not ${length}`);
  const algorithm = { __proto__: null, name, length };
  if (format === 'jwk' && data.alg !== undefined && data.alg !== aesJwkName(algorithm)) {
    failData(`The member alg of the JSON Web Key is not "${aesJwkName(algorithm)}"`);
  }
  return newKey('secret', extractable, algorithm, usages, newSecret(raw));
};

const registerAes = (name, allowed, parameters, operations) =>
  register({
    name,
    parameters: {
      __proto__: null,
      generateKey: keyLength,
      importKey: null,
      exportKey: null,
      getKeyLength: keyLength,
      ...parameters,
    },
    generateKey(params, extractable, usages) {
      checkUsages(usages, allowed);
      const length = checkAesLength(params);
      const handle = orFail(generateSecret(length / 8), failOperation, 'The key cannot be made');
      return newKey('secret', extractable, { __proto__: null, name, length }, usages, handle);
    },
    importKey: (params, format, data, extractable, usages) => importAes(name, usages, allowed, format, data, extractable),
    exportKey: (format, key) => exportSymmetric(format, key, aesJwkName),
    getKeyLength: checkAesLength,
    ...operations,
  });

const all = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];

const cbcParams = dictionary([['iv', bytes, undefined, true]]);
const runCbc = (key, { iv }, data, encrypt) => {
  if (typedLength(iv) !== 16) failOperation('The iv of AES-CBC has 16 bytes');
  feed(cbc(key.handle, iv, encrypt, typedLength(data)), data);
  return finish();
};
registerAes(
  'AES-CBC',
  all,
  { encrypt: cbcParams, decrypt: cbcParams },
  {
    encrypt: (params, key, data) => runCbc(key, params, data, true),
    decrypt: (params, key, data) => runCbc(key, params, data, false),
  },
);

const ctrParams = dictionary([
  ['counter', bytes, undefined, true],
  ['length', enforcedOctet, undefined, true],
]);
const runCtr = ({ counter, length }, key, data) => {
  if (typedLength(counter) !== 16) failOperation('The counter of AES-CTR has 16 bytes');
  if (length < 1 || length > 128) failOperation('The length of the counter of AES-CTR is 1 to 128 bits');
  feed(ctr(key.handle, counter, length, typedLength(data)), data);
  return finish();
};
registerAes('AES-CTR', all, { encrypt: ctrParams, decrypt: ctrParams }, { encrypt: runCtr, decrypt: runCtr });

const gcmParams = dictionary([
  ['additionalData', bytes],
  ['iv', bytes, undefined, true],
  ['tagLength', enforcedOctet, 128],
]);
const TAG_LENGTHS = [32, 64, 96, 104, 112, 120, 128];
const tagBytes = ({ tagLength }) => {
  if (!contains(TAG_LENGTHS, tagLength)) failOperation(`A tag of AES-GCM cannot have ${tagLength} bits`);
  return tagLength / 8;
};
registerAes(
  'AES-GCM',
  all,
  { encrypt: gcmParams, decrypt: gcmParams },
  {
    encrypt(params, key, data) {
      const size = tagBytes(params);
      feed(gcm(key.handle, params.iv, params.additionalData, size, typedLength(data)), data);
      return finish();
    },
    decrypt(params, key, data) {
      const size = tagBytes(params);
      const length = typedLength(data) - size;
      if (length < 0) failOperation('The data is shorter than its tag');
      const tag = copyOf(part(data, length, size));
      const begun = gcm(key.handle, params.iv, params.additionalData, size, length, tag);
      feed(begun, part(data, 0, length));
      return finish();
    },
  },
);

registerAes(
  'AES-KW',
  ['wrapKey', 'unwrapKey'],
  { wrapKey: null, unwrapKey: null },
  {
    wrapKey: (params, key, data) => orFail(wrap(key.handle, data, true), failOperation, 'AES-KW wraps keys of a multiple of 64 bits'),
    unwrapKey: (params, key, data) => orFail(wrap(key.handle, data, false), failOperation, 'The wrapped key is not intact'),
  },
);

// ---- HMAC -------------------------------------------------------------------------------

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
