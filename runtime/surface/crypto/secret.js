// What keys of bytes have in common: AES and HMAC.
import { failOperation, failSupport, orFail } from './common.js';
import { makeJwk, textOf } from './jwk.js';

const { secret, exportSecret } = internals.native.crypto;
const Uint8ArrayOf = Uint8Array;

export const newSecret = (data) => orFail(secret(data), failOperation, 'The key cannot be made');

const exportRaw = (key) => orFail(exportSecret(key.handle), failOperation, 'The key cannot be exported');

// `jwkName(key)`: the member alg.
export const exportSymmetric = (format, key, jwkName) => {
  if (format === 'raw') return exportRaw(key);
  if (format !== 'jwk') failSupport(`A secret key cannot be exported as "${format}"`);
  return makeJwk(key, { kty: 'oct', k: textOf(new Uint8ArrayOf(exportRaw(key))), alg: jwkName(key.algorithm) });
};
