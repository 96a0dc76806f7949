// Bodies: the mixin Body of the Fetch Standard, 5.3.
//
// A body is an object of ours. As long as nobody has asked for its stream it is
// `bytes`, which are not to be changed, or `coming`, which becomes that when all of it
// has come; from then on it is `stream`.
import { makeComing, readComing, streamOfComing } from './coming.js';
import { cancelForGood, isDisturbed, isReadableStream, isUnusable, passOn, readAll, streamOfBytes, tee } from './stream.js';
import { bufferOf, copy, copyOfSource, decodeUtf8, encodeUtf8 } from '../lib/text.js';
import { bufferSource, USVString } from '../lib/webidl.js';

const { primordials, use, ifLoaded, isObject } = internals;
const { defineProperty, getOwnPropertyDescriptor, ownKeys } = primordials;
const { parse } = JSON;
const TypeErrorOf = TypeError;

const nothing = new Uint8Array(0);

export const makeBody = (bytes, shared = false) => ({
  __proto__: null,
  bytes, // undefined: there is a stream only, or it is coming
  shared, // somebody else has these bytes as well
  coming: undefined,
  stream: undefined,
  used: false, // without a stream
});

export const makeComingBody = (id) => {
  const body = makeBody(undefined);
  body.coming = makeComing(id, body);
  return body;
};

const makeStreamBody = (stream) => {
  const body = makeBody(undefined);
  body.stream = stream;
  return body;
};

// ---- what a body is made of ------------------------------------------------------------

// A BodyInit: its body, and the Content-Type that goes with it or null.
const fromBytes = (bytes, type, shared = false) => ({ __proto__: null, body: makeBody(bytes, shared), type });

const fromObject = (value) => {
  const blobs = ifLoaded('blob');
  if (blobs?.isBlob(value)) return fromBytes(blobs.bytesOfBlob(value), blobs.typeOfBlob(value) || null, true);
  const form = ifLoaded('search_params')?.formOf(value);
  if (form !== undefined) return fromBytes(encodeUtf8(form), 'application/x-www-form-urlencoded;charset=UTF-8');
  const forms = ifLoaded('form_data');
  const entries = forms?.entriesOf(value);
  if (entries !== undefined) {
    const { bytes, type } = forms.encodeForm(entries);
    return fromBytes(bytes, type);
  }
  if (isReadableStream(value)) return { __proto__: null, body: makeStreamBody(value), type: null };
  return undefined;
};

export const extract = (value, what) => {
  if (isObject(value)) {
    if (internals.isBufferSource(value)) return fromBytes(copyOfSource(bufferSource(value, what)), null);
    const found = fromObject(value);
    if (found !== undefined) return found;
  }
  return fromBytes(encodeUtf8(USVString(value, what)), 'text/plain;charset=UTF-8');
};

// A stream that is given as a body must be one that nobody reads.
export const checkStream = (body, what) => {
  if (body.bytes === undefined && isUnusable(body.stream)) throw new TypeErrorOf(`${what} is a stream that is locked or has been read`);
};

// ---- its state ---------------------------------------------------------------------------

export const wasUsed = (body) => body !== null && (body.stream === undefined ? body.used : isDisturbed(body.stream));

export const cannotBeRead = (body) =>
  body !== null && (body.stream === undefined ? body.used : isUnusable(body.stream));

const makeStream = (body) => {
  if (body.coming !== undefined && !body.used) return streamOfComing(body.coming);
  const stream = streamOfBytes(body.used ? nothing : body.bytes);
  if (body.used) cancelForGood(stream);
  return stream;
};

export const streamOf = (body) => (body === null ? null : (body.stream ??= makeStream(body)));

// A second body with the same content.
export const cloneBody = (body) => {
  if (body.bytes !== undefined && body.stream === undefined) {
    body.shared = true;
    return makeBody(body.bytes, true);
  }
  const branches = tee(streamOf(body));
  body.stream = branches[0];
  return makeStreamBody(branches[1]);
};

// The content goes to a new body, and this one is used.
export const moveBody = (body) => {
  if (body.stream === undefined) {
    body.used = true;
    return makeBody(body.bytes, body.shared);
  }
  return makeStreamBody(passOn(body.stream));
};

// {bytes}, or a promise of it: every byte, unless `signal` is aborted first. The body is
// used from the call on.
export const readBody = (body, signal = undefined) => {
  if (body === null) return { __proto__: null, bytes: nothing };
  if (body.stream !== undefined) return readAll(body.stream, signal);
  body.used = true;
  if (body.coming !== undefined) return readComing(body.coming);
  return { __proto__: null, bytes: body.bytes };
};

// Of a request that is not made.
export const cancelBody = (body, reason) => {
  if (body !== null && body.stream !== undefined) cancelForGood(body.stream, reason);
};

// ---- the mixin ---------------------------------------------------------------------------

const formOfBody = (bytes, contentType) => {
  const { mimeOfHeader, parameterOf } = use('mime');
  const mime = mimeOfHeader(contentType);
  if (mime !== null && mime.essence === 'multipart/form-data') {
    const boundary = parameterOf(mime, 'boundary');
    if (boundary !== undefined) return use('form_data').decodeMultipart(bytes, boundary);
  } else if (mime !== null && mime.essence === 'application/x-www-form-urlencoded') {
    return use('form_data').decodeURLEncoded(bytes);
  }
  throw new TypeErrorOf('The Content-Type is not that of a form.');
};

// Gives the class the members of Body. `bodyOf(object)` is its body or null,
// `typeOf(object)` its Content-Type or null; both throw for another class's object.
export const mixBody = (Class, name, bodyOf, typeOf) => {
  const read = (object) => {
    const body = bodyOf(object);
    if (cannotBeRead(body)) throw new TypeErrorOf(`The body of this ${name} has been read already, or is locked.`);
    return readBody(body);
  };
  // The bytes for the program, which may change them.
  const take = async (object) => {
    const body = bodyOf(object);
    const { bytes } = await read(object);
    return { __proto__: null, bytes: body === null || body.shared ? copy(bytes) : bytes };
  };
  const members = {
    get body() {
      return streamOf(bodyOf(this));
    },
    get bodyUsed() {
      return wasUsed(bodyOf(this));
    },
    async arrayBuffer() {
      const { bytes } = await take(this);
      return bufferOf(bytes);
    },
    async blob() {
      const { bytes } = await read(this);
      const { mimeOfHeader, writeMime } = use('mime');
      const mime = mimeOfHeader(typeOf(this));
      return use('blob').makeBlob(bytes, mime === null ? '' : writeMime(mime));
    },
    async bytes() {
      const { bytes } = await take(this);
      return bytes;
    },
    async formData() {
      const { bytes } = await read(this);
      return formOfBody(bytes, typeOf(this));
    },
    async json() {
      const { bytes } = await read(this);
      return parse(decodeUtf8(bytes, false));
    },
    async text() {
      const { bytes } = await read(this);
      return decodeUtf8(bytes, false);
    },
  };
  const keys = ownKeys(members);
  for (let i = 0; i < keys.length; i++) defineProperty(Class.prototype, keys[i], getOwnPropertyDescriptor(members, keys[i]));
};
