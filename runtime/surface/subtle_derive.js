// HKDF and PBKDF2.
import { bytes, hash, checkUsages, failOperation, failSupport, failSyntax, newKey, orFail, register } from './crypto/common.js';
import { dictionary, enforcedUnsignedLong } from './lib/webidl.js';

export { algorithms } from './crypto/common.js';

const { native } = internals;
const { secret, hkdf, pbkdf2 } = native.crypto;
const ArrayBufferOf = ArrayBuffer;

const wholeBytes = (length) => {
  if (length === null || length % 8 !== 0) failOperation('The length of what is derived is not a multiple of 8 bits');
  return length / 8;
};

const registerDerivation = (name, parameters, run) =>
  register({
    name,
    parameters: { __proto__: null, importKey: null, getKeyLength: null, deriveBits: parameters },
    importKey(params, format, data, extractable, usages) {
      if (format !== 'raw') failSupport(`A key of ${name} cannot be imported from "${format}"`);
      checkUsages(usages, ['deriveKey', 'deriveBits']);
      if (extractable) failSyntax(`A key of ${name} cannot be extractable`);
      const handle = orFail(secret(data), failOperation, 'The key cannot be made');
      return newKey('secret', false, { __proto__: null, name }, usages, handle);
    },
    getKeyLength: () => null,
    deriveBits: (params, key, length) => orFail(run(params, key.handle, wholeBytes(length)), failOperation, 'The operation failed'),
  });

registerDerivation(
  'HKDF',
  dictionary([
    ['hash', hash, undefined, true],
    ['info', bytes, undefined, true],
    ['salt', bytes, undefined, true],
  ]),
  (params, handle, size) => (size === 0 ? new ArrayBufferOf(0) : hkdf(handle, params.hash, params.salt, params.info, size)),
);
registerDerivation(
  'PBKDF2',
  dictionary([
    ['hash', hash, undefined, true],
    ['iterations', enforcedUnsignedLong, undefined, true],
    ['salt', bytes, undefined, true],
  ]),
  (params, handle, size) => {
    if (params.iterations === 0) failOperation('PBKDF2 takes at least one iteration');
    return size === 0 ? new ArrayBufferOf(0) : pbkdf2(handle, params.hash, params.salt, params.iterations, size);
  },
);
