// AES in its modes.
import { bytes, checkUsages, contains, failData, failOperation, failSupport, feed, finish, newKey, orFail, register } from './crypto/common.js';
import { bytesIn, checkJwk } from './crypto/jwk.js';
import { exportSymmetric, newSecret } from './crypto/secret.js';
import { copyOf } from './lib/window.js';
import { dictionary, enforcedOctet, enforcedUnsignedShort } from './lib/webidl.js';

export { algorithms } from './crypto/common.js';

const { native, primordials } = internals;
const { uncurryThis, getter } = primordials;
const { generateSecret, cbc, ctr, gcm, wrap } = native.crypto;
const Uint8ArrayOf = Uint8Array;
const typedLength = getter(TypedArray.prototype, 'length');
const slice = uncurryThis(String.prototype.slice);
const bufferOf = getter(TypedArray.prototype, 'buffer');
const offsetOf = getter(TypedArray.prototype, 'byteOffset');

const part = (data, from, size) => new Uint8ArrayOf(bufferOf(data), offsetOf(data) + from, size);

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
