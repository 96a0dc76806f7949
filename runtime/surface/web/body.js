// Bodies: the mixin Body of the Fetch Standard, 5.3.
//
// A body is an object of ours. As long as nobody has asked for its stream it is
// `bytes`, which are not to be changed; from then on it is `stream`.
import { bufferOf, concat, copy, copyOfSource, decodeUtf8, encodeUtf8 } from './text.js';
import { parameterOf, writeMime } from './mime.js';
import { isDisturbed, isReadableStream, isUnusable, lockForGood, readAll, streamOfBytes, streams } from './stream.js';
import { decodeMultipart, decodeURLEncoded, encodeForm, entriesOf } from './form_data.js';

const { primordials, converters, use, isObject, isBufferSource } = internals;
const { defineProperty, getOwnPropertyDescriptor, ownKeys } = primordials;
const { USVString, bufferSource } = converters;
const { parse } = JSON;
const TypeErrorOf = TypeError;

const nothing = new Uint8Array(0);

export const makeBody = (bytes, stream = undefined) => ({
  __proto__: null,
  bytes, // undefined: there is a stream only
  stream,
  used: false, // of bytes without a stream
});

// ---- what a body is made of ------------------------------------------------------------

// A BodyInit: its body, and the Content-Type that goes with it or null.
const fromBytes = (bytes, type) => ({ __proto__: null, body: makeBody(bytes), type });

const fromObject = (value) => {
  const entries = entriesOf(value);
  if (entries !== undefined) {
    const { bytes, type } = encodeForm(entries);
    return fromBytes(bytes, type);
  }
  const { isBlob, bytesOfBlob, typeOfBlob } = use('blob');
  if (isBlob(value)) return fromBytes(bytesOfBlob(value), typeOfBlob(value) || null);
  const form = use('url').formOf(value);
  if (form !== undefined) return fromBytes(encodeUtf8(form), 'application/x-www-form-urlencoded;charset=UTF-8');
  if (isReadableStream(value)) return { __proto__: null, body: makeBody(undefined, value), type: null };
  return undefined;
};

export const extract = (value, what) => {
  if (isObject(value)) {
    if (isBufferSource(value)) return fromBytes(copyOfSource(bufferSource(value, what)), null);
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

export const streamOf = (body) => {
  if (body === null) return null;
  if (body.stream === undefined) {
    body.stream = streamOfBytes(body.used ? nothing : body.bytes);
    if (body.used) lockForGood(body.stream);
  }
  return body.stream;
};

// A second body with the same content.
export const cloneBody = (body) => {
  if (body.stream === undefined) return makeBody(body.bytes);
  const branches = streams().tee(body.stream);
  body.stream = branches[0];
  return makeBody(undefined, branches[1]);
};

// The content goes to a new body, and this one is used.
export const moveBody = (body) => {
  if (body.stream === undefined) {
    body.used = true;
    return makeBody(body.bytes);
  }
  const { pipeThrough, TransformStream } = streams();
  return makeBody(undefined, pipeThrough(body.stream, new TransformStream()));
};

// Every byte; the body is used from the call on.
export const readBody = (body) => {
  if (body === null) return nothing;
  if (body.stream === undefined) {
    body.used = true;
    return body.bytes;
  }
  return readStream(body.stream);
};

const readStream = async (stream) => concat(await readAll(stream));

// ---- the mixin ---------------------------------------------------------------------------

const formOfBody = (bytes, mime) => {
  if (mime !== null && mime.essence === 'multipart/form-data') {
    const boundary = parameterOf(mime, 'boundary');
    if (boundary !== undefined) return decodeMultipart(bytes, boundary);
  } else if (mime !== null && mime.essence === 'application/x-www-form-urlencoded') {
    return decodeURLEncoded(bytes);
  }
  throw new TypeErrorOf('The Content-Type is not that of a form.');
};

// Gives the class the members of Body. `bodyOf(object)` is its body or null,
// `mimeOf(object)` its MIME type or null; both throw for another class's object.
export const mixBody = (Class, name, bodyOf, mimeOf) => {
  const read = (object) => {
    const body = bodyOf(object);
    if (cannotBeRead(body)) throw new TypeErrorOf(`The body of this ${name} has been read already, or is locked.`);
    return readBody(body);
  };
  const members = {
    get body() {
      return streamOf(bodyOf(this));
    },
    get bodyUsed() {
      return wasUsed(bodyOf(this));
    },
    async arrayBuffer() {
      return bufferOf(copy(await read(this)));
    },
    async blob() {
      const bytes = await read(this);
      const mime = mimeOf(this);
      return use('blob').makeBlob(bytes, mime === null ? '' : writeMime(mime));
    },
    async bytes() {
      return copy(await read(this));
    },
    async formData() {
      return formOfBody(await read(this), mimeOf(this));
    },
    async json() {
      return parse(decodeUtf8(await read(this), false));
    },
    async text() {
      return decodeUtf8(await read(this), false);
    },
  };
  for (const key of ownKeys(members)) defineProperty(Class.prototype, key, getOwnPropertyDescriptor(members, key));
};
