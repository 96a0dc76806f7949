// JSON Web Keys: RFC 7517 and 7518.
import { USAGES, contains, failData, partOf, pick } from './common.js';
import { boolean, dictionary, DOMString, object, sequence } from '../lib/webidl.js';

const { primordials, isObject, push } = internals;
const { uncurryThis, create, ownKeys, getOwnPropertyDescriptor } = primordials;
const { isArray } = Array;
const { fromBase64 } = Uint8Array;
const toBase64 = uncurryThis(Uint8Array.prototype.toBase64);
const { parse, stringify } = JSON;
const decoding = { __proto__: null, alphabet: 'base64url', lastChunkHandling: 'loose' };
const encoding = { __proto__: null, alphabet: 'base64url', omitPadding: true };

export const toJwk = dictionary([
  ['alg', DOMString],
  ['crv', DOMString],
  ['d', DOMString],
  ['dp', DOMString],
  ['dq', DOMString],
  ['e', DOMString],
  ['ext', boolean],
  ['k', DOMString],
  ['key_ops', sequence(DOMString)],
  ['kty', DOMString],
  ['n', DOMString],
  ['oth', sequence(object)],
  ['p', DOMString],
  ['q', DOMString],
  ['qi', DOMString],
  ['use', DOMString],
  ['x', DOMString],
  ['y', DOMString],
]);

// ---- in ---------------------------------------------------------------------------------

const unique = (list) => {
  for (let i = 0; i < list.length; i++) for (let k = i + 1; k < list.length; k++) if (list[i] === list[k]) return false;
  return true;
};

// What does not depend on the algorithm.
export const checkJwk = (jwk, kty, use, extractable, usages) => {
  if (jwk.kty !== kty) failData(`The member kty of the JSON Web Key is not "${kty}"`);
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) {
    failData(`The member use of the JSON Web Key is not "${use}"`);
  }
  if (jwk.key_ops !== undefined) {
    if (!unique(jwk.key_ops)) failData('The member key_ops of the JSON Web Key names an operation twice');
    for (let i = 0; i < usages.length; i++) {
      if (!contains(jwk.key_ops, usages[i])) failData(`The member key_ops of the JSON Web Key lacks "${usages[i]}"`);
    }
  }
  if (jwk.ext === false && extractable) failData('The JSON Web Key is not extractable');
};

// Unpadded base64url, and nothing else.
export const bytesIn = (jwk, name) => {
  const text = jwk[name];
  if (text === undefined) failData(`The JSON Web Key lacks its member ${name}`);
  let result;
  try {
    result = fromBase64(text, decoding);
  } catch {
    failData(`The member ${name} of the JSON Web Key is not base64url`);
  }
  if (toBase64(result, encoding).length !== text.length) failData(`The member ${name} of the JSON Web Key is not base64url`);
  return result;
};

// ---- out --------------------------------------------------------------------------------

export const textOf = (bytes) => toBase64(bytes, encoding);

// The members in the order of the names, then what every key has.
export const makeJwk = (key, members) => ({ ...members, key_ops: pick(key.usages, USAGES), ext: key.extractable });

export const partsJwk = (key, names) => {
  const members = create(null);
  for (let i = 0; i < names.length; i++) members[names[i]] = textOf(partOf(key, names[i]));
  return members;
};

// ---- wrapped ----------------------------------------------------------------------------

// JSON of a key that makeJwk() made, whatever the program did to toJSON().
export const jwkText = (jwk) => {
  let text = '';
  for (const name in jwk) {
    let value = jwk[name];
    if (name === 'key_ops') {
      let ops = '';
      for (let i = 0; i < value.length; i++) ops += (i === 0 ? '' : ',') + stringify(value[i]);
      value = `[${ops}]`;
    } else {
      value = stringify(value);
    }
    text += `${text === '' ? '' : ','}"${name}":${value}`;
  }
  return `{${text}}`;
};

// A list of JSON, whose iterator may be the program's by now.
const listOf = (value, what) => {
  if (!isArray(value)) failData('The member key_ops of the wrapped key is not a list');
  const list = [];
  for (let i = 0; i < value.length; i++) push(list, DOMString(value[i], `${what}, member key_ops,`));
  return list;
};

// The other way: only what the text itself has.
export const parseJwk = (text, what) => {
  let parsed;
  try {
    parsed = parse(text);
  } catch {
    failData('The wrapped key is not JSON');
  }
  if (!isObject(parsed)) failData('The wrapped key is not a JSON object');
  const own = create(null);
  const keys = ownKeys(parsed);
  for (let i = 0; i < keys.length; i++) own[keys[i]] = getOwnPropertyDescriptor(parsed, keys[i]).value;
  const { key_ops: operations } = own;
  own.key_ops = undefined;
  const jwk = toJwk(own, what);
  if (operations !== undefined) jwk.key_ops = listOf(operations, what);
  if (jwk.kty === undefined) failData('The wrapped key lacks its member kty');
  return jwk;
};
