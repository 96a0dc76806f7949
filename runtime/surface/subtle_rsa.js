// RSASSA-PKCS1-v1_5, RSA-PSS and RSA-OAEP.
import {
  bigInteger, bytes, hash, checkUsages, failData, failOperation, failSupport, feed, finish, newKey, newPair, orFail, partOf, register, requireType,
} from './crypto/common.js';
import { bytesIn, checkJwk, makeJwk, partsJwk } from './crypto/jwk.js';
import { copyOf } from './lib/window.js';
import { dictionary, enforcedUnsignedLong } from './lib/webidl.js';

export { algorithms } from './crypto/common.js';

const { native, primordials } = internals;
const { uncurryThis } = primordials;
const { generateRsa, importDer, importRsa, exportDer, bits, sign, endVerify, oaep } = native.crypto;
const slice = uncurryThis(String.prototype.slice);

const generateParams = dictionary([
  ['modulusLength', enforcedUnsignedLong, undefined, true],
  ['publicExponent', bigInteger, undefined, true],
  ['hash', hash, undefined, true],
]);
const importParams = dictionary([['hash', hash, undefined, true]]);

const ALL = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];

const describe = (name, hashName, handle) => ({
  __proto__: null,
  name,
  modulusLength: bits(handle),
  publicExponent: partOf({ __proto__: null, handle }, 'e'),
  hash: hashName,
});

const importParts = (jwk) => {
  if (jwk.oth !== undefined) failSupport('Keys of more than two primes are not supported');
  if (jwk.d === undefined) return importRsa(bytesIn(jwk, 'n'), bytesIn(jwk, 'e'));
  return importRsa(
    bytesIn(jwk, 'n'),
    bytesIn(jwk, 'e'),
    bytesIn(jwk, 'd'),
    bytesIn(jwk, 'p'),
    bytesIn(jwk, 'q'),
    bytesIn(jwk, 'dp'),
    bytesIn(jwk, 'dq'),
    bytesIn(jwk, 'qi'),
  );
};

// kind: { name, use, usages, publicUsages, privateUsages, jwkName(hash) }
const importRsaKey = (kind, params, format, data, extractable, usages) => {
  if (format === 'raw') failSupport('A key of RSA cannot be imported from "raw"');
  const isPrivate = format === 'pkcs8' || (format === 'jwk' && data.d !== undefined);
  checkUsages(usages, isPrivate ? kind.privateUsages : kind.publicUsages);
  let handle;
  if (format === 'jwk') {
    checkJwk(data, 'RSA', kind.use, extractable, usages);
    if (data.alg !== undefined && data.alg !== kind.jwkName(params.hash)) {
      failData(`The member alg of the JSON Web Key is not "${kind.jwkName(params.hash)}"`);
    }
    handle = importParts(data);
  } else {
    handle = importDer('RSA', isPrivate, data);
  }
  orFail(handle, failData, 'The key is not a valid key of RSA');
  const algorithm = describe(kind.name, params.hash, handle);
  return newKey(isPrivate ? 'private' : 'public', extractable, algorithm, usages, handle);
};

const exportRsaKey = (kind, format, key) => {
  if (format === 'raw') failSupport('A key of RSA cannot be exported as "raw"');
  if (format === 'jwk') {
    return makeJwk(key, {
      kty: 'RSA',
      alg: kind.jwkName(key.algorithm.hash),
      ...partsJwk(key, key.type === 'private' ? ALL : ['n', 'e']),
    });
  }
  requireType(key, format === 'pkcs8' ? 'private' : 'public');
  return orFail(exportDer(key.handle, format === 'pkcs8'), failOperation, 'The key cannot be exported');
};

const registerRsa = (kind, parameters, operations) =>
  register({
    name: kind.name,
    parameters: { __proto__: null, generateKey: generateParams, importKey: importParams, exportKey: null, ...parameters },
    generateKey(params, extractable, usages) {
      checkUsages(usages, kind.usages);
      const handle = orFail(generateRsa(params.modulusLength, params.publicExponent), failOperation, 'The key cannot be made');
      const algorithm = describe(kind.name, params.hash, handle);
      algorithm.publicExponent = params.publicExponent;
      return newPair(extractable, algorithm, usages, kind.publicUsages, kind.privateUsages, handle);
    },
    importKey: (params, format, data, extractable, usages) => importRsaKey(kind, params, format, data, extractable, usages),
    exportKey: (format, key) => exportRsaKey(kind, format, key),
    ...operations,
  });

// ---- signatures -------------------------------------------------------------------------

const registerSigning = (name, jwkPrefix, parameters) =>
  registerRsa(
    {
      name,
      use: 'sig',
      usages: ['sign', 'verify'],
      publicUsages: ['verify'],
      privateUsages: ['sign'],
      jwkName: (hashName) => jwkPrefix + slice(hashName, 4),
    },
    { sign: parameters, verify: parameters },
    {
      sign(params, key, data) {
        requireType(key, 'private');
        feed(sign(key.handle, name, key.algorithm.hash, params.saltLength, false), data);
        return finish();
      },
      verify(params, key, signature, data) {
        requireType(key, 'public');
        feed(sign(key.handle, name, key.algorithm.hash, params.saltLength, true), data);
        return orFail(endVerify(signature), failOperation, 'The operation failed');
      },
    },
  );

registerSigning('RSASSA-PKCS1-v1_5', 'RS', null);
registerSigning('RSA-PSS', 'PS', dictionary([['saltLength', enforcedUnsignedLong, undefined, true]]));

// ---- encryption -------------------------------------------------------------------------

const oaepParams = dictionary([['label', bytes]]);

const crypt = (params, key, data, encrypt) => {
  requireType(key, encrypt ? 'public' : 'private');
  return orFail(oaep(key.handle, key.algorithm.hash, params.label, copyOf(data), encrypt), failOperation, 'The operation failed');
};

registerRsa(
  {
    name: 'RSA-OAEP',
    use: 'enc',
    usages: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'],
    publicUsages: ['encrypt', 'wrapKey'],
    privateUsages: ['decrypt', 'unwrapKey'],
    jwkName: (hashName) => (hashName === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${slice(hashName, 4)}`),
  },
  { encrypt: oaepParams, decrypt: oaepParams },
  {
    encrypt: (params, key, data) => crypt(params, key, data, true),
    decrypt: (params, key, data) => crypt(params, key, data, false),
  },
);
