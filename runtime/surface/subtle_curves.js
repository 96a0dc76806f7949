// ECDSA and ECDH on the P curves; Ed25519, Ed448, X25519 and X448.
import {
  hash, checkUsages, failAccess, failData, failOperation, failSupport, feed, finish, keyConverter, newKey, newPair, orFail, register, requireType, slotsOf,
} from './crypto/common.js';
import { bytesIn, checkJwk, makeJwk, partsJwk } from './crypto/jwk.js';
import { copyOf } from './lib/window.js';
import { dictionary, DOMString } from './lib/webidl.js';

export { algorithms } from './crypto/common.js';

const { native, primordials } = internals;
const { getter, uncurryThis } = primordials;
const { generateCurve, importDer, importCurve, exportDer, exportPoint, sign, endVerify, edwardsSign, edwardsVerify, agree } = native.crypto;
const Uint8ArrayOf = Uint8Array;
const { ceil } = Math;
const typedLength = getter(TypedArray.prototype, 'length');
const typedSet = uncurryThis(TypedArray.prototype.set);
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const bufferSlice = uncurryThis(ArrayBuffer.prototype.slice);

const P_CURVES = { __proto__: null, 'P-256': 32, 'P-384': 48, 'P-521': 66 }; // bytes of a coordinate

// ---- keys -------------------------------------------------------------------------------
//
// kind: { isEc, kty, publicParts, privateParts, use, usages, publicUsages, privateUsages, checkAlg(jwk, curve), jwkAlg }

const describe = (kind, name, curve) =>
  kind.isEc ? { __proto__: null, name, namedCurve: curve } : { __proto__: null, name };

const wholePoint = (x, y) => {
  const point = new Uint8ArrayOf(1 + typedLength(x) + typedLength(y));
  point[0] = 4;
  typedSet(point, x, 1);
  typedSet(point, y, 1 + typedLength(x));
  return point;
};

const importJwk = (kind, curve, jwk) => {
  if (jwk.crv !== curve) failData(`The member crv of the JSON Web Key is not "${curve}"`);
  kind.checkAlg(jwk, curve);
  let point = bytesIn(jwk, 'x');
  const secret = jwk.d === undefined ? undefined : bytesIn(jwk, 'd');
  if (kind.isEc) {
    const y = bytesIn(jwk, 'y');
    if (typedLength(point) !== P_CURVES[curve] || typedLength(y) !== P_CURVES[curve]) {
      failData('A coordinate of the JSON Web Key has the wrong length');
    }
    point = wholePoint(point, y);
  }
  return importCurve(curve, point, secret);
};

const importCurveKey = (kind, name, curve, format, data, extractable, usages) => {
  const isPrivate = format === 'pkcs8' || (format === 'jwk' && data.d !== undefined);
  checkUsages(usages, isPrivate ? kind.privateUsages : kind.publicUsages);
  if (kind.isEc && !(curve in P_CURVES)) failData(`"${curve}" is not a named curve`);
  let handle;
  if (format === 'jwk') {
    checkJwk(data, kind.kty, kind.use, extractable, usages);
    handle = importJwk(kind, curve, data);
  } else {
    handle = format === 'raw' ? importCurve(curve, data, undefined) : importDer(curve, isPrivate, data);
  }
  orFail(handle, failData, `The key is not a valid key of ${curve}`);
  return newKey(isPrivate ? 'private' : 'public', extractable, describe(kind, name, curve), usages, handle);
};

const exportCurveKey = (kind, curve, format, key) => {
  if (format === 'jwk') {
    const parts = partsJwk(key, key.type === 'private' ? kind.privateParts : kind.publicParts);
    return makeJwk(key, { kty: kind.kty, crv: curve, ...kind.jwkAlg, ...parts });
  }
  requireType(key, format === 'pkcs8' ? 'private' : 'public');
  const result = format === 'raw' ? exportPoint(key.handle) : exportDer(key.handle, format === 'pkcs8');
  return orFail(result, failOperation, 'The key cannot be exported');
};

const generateCurveKey = (kind, name, curve, extractable, usages) => {
  checkUsages(usages, kind.usages);
  if (kind.isEc && !(curve in P_CURVES)) failSupport(`"${curve}" is not a named curve`);
  const handle = orFail(generateCurve(curve), failOperation, 'The key cannot be made');
  return newPair(extractable, describe(kind, name, curve), usages, kind.publicUsages, kind.privateUsages, handle);
};

const curveParams = dictionary([['namedCurve', DOMString, undefined, true]]);

// On the P curves the curve is a parameter, elsewhere it is the algorithm.
const registerCurve = (name, kind, parameters, operations) => {
  const keyParams = kind.isEc ? curveParams : null;
  const curveOf = (params) => (kind.isEc ? params.namedCurve : name);
  register({
    name,
    parameters: { __proto__: null, generateKey: keyParams, importKey: keyParams, exportKey: null, ...parameters },
    generateKey: (params, extractable, usages) => generateCurveKey(kind, name, curveOf(params), extractable, usages),
    importKey: (params, format, data, extractable, usages) =>
      importCurveKey(kind, name, curveOf(params), format, data, extractable, usages),
    exportKey: (format, key) => exportCurveKey(kind, curveOf(key.algorithm), format, key),
    ...operations,
  });
};

const ec = { isEc: true, kty: 'EC', publicParts: ['x', 'y'], privateParts: ['x', 'y', 'd'] };
const okp = { isEc: false, kty: 'OKP', publicParts: ['x'], privateParts: ['x', 'd'] };
const signing = { usages: ['sign', 'verify'], publicUsages: ['verify'], privateUsages: ['sign'], use: 'sig' };
const deriving = {
  usages: ['deriveKey', 'deriveBits'],
  publicUsages: [],
  privateUsages: ['deriveKey', 'deriveBits'],
  use: 'enc',
  checkAlg() {},
};

// ---- signatures -------------------------------------------------------------------------

const ecdsaAlgs = { __proto__: null, 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const ecdsaParams = dictionary([['hash', hash, undefined, true]]);

registerCurve(
  'ECDSA',
  {
    ...ec,
    ...signing,
    checkAlg(jwk, curve) {
      if (jwk.alg !== undefined && jwk.alg !== ecdsaAlgs[curve]) {
        failData(`The member alg of the JSON Web Key is not "${ecdsaAlgs[curve]}"`);
      }
    },
  },
  { sign: ecdsaParams, verify: ecdsaParams },
  {
    sign(params, key, data) {
      requireType(key, 'private');
      feed(sign(key.handle, 'ECDSA', params.hash, 0, false), data);
      return finish();
    },
    verify(params, key, signature, data) {
      requireType(key, 'public');
      feed(sign(key.handle, 'ECDSA', params.hash, 0, true), data);
      return orFail(endVerify(signature), failOperation, 'The operation failed');
    },
  },
);

const registerEdwards = (name) =>
  registerCurve(
    name,
    {
      ...okp,
      ...signing,
      jwkAlg: { alg: name },
      checkAlg(jwk) {
        if (jwk.alg !== undefined && jwk.alg !== name && jwk.alg !== 'EdDSA') {
          failData(`The member alg of the JSON Web Key is neither "${name}" nor "EdDSA"`);
        }
      },
    },
    { sign: null, verify: null },
    {
      sign(params, key, data) {
        requireType(key, 'private');
        return orFail(edwardsSign(key.handle, copyOf(data)), failOperation, 'The operation failed');
      },
      verify(params, key, signature, data) {
        requireType(key, 'public');
        return orFail(edwardsVerify(key.handle, signature, copyOf(data)), failOperation, 'The operation failed');
      },
    },
  );
registerEdwards('Ed25519');
registerEdwards('Ed448');

// ---- agreement --------------------------------------------------------------------------

const agreeParams = dictionary([['public', keyConverter, undefined, true]]);

// The first `length` bits of a buffer.
const firstBits = (buffer, length) => {
  if (length === null) return buffer;
  if (length > bufferLength(buffer) * 8) failOperation(`The agreed secret has fewer than ${length} bits`);
  const result = bufferSlice(buffer, 0, ceil(length / 8));
  const rest = length % 8;
  if (rest !== 0) new Uint8ArrayOf(result)[ceil(length / 8) - 1] &= 0xff << (8 - rest);
  return result;
};

const derive = (params, key, length) => {
  const theirs = slotsOf(params.public);
  requireType(key, 'private');
  requireType(theirs, 'public');
  if (theirs.algorithm.name !== key.algorithm.name || theirs.algorithm.namedCurve !== key.algorithm.namedCurve) {
    failAccess('The two keys are not of one curve');
  }
  const secret = agree(key.handle, theirs.handle);
  return firstBits(orFail(secret, failOperation, 'The keys do not agree on a secret'), length);
};

registerCurve('ECDH', { ...ec, ...deriving }, { deriveBits: agreeParams }, { deriveBits: derive });
registerCurve('X25519', { ...okp, ...deriving }, { deriveBits: agreeParams }, { deriveBits: derive });
registerCurve('X448', { ...okp, ...deriving }, { deriveBits: agreeParams }, { deriveBits: derive });
