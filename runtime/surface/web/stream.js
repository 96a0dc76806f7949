// Streams over bytes, and bytes out of streams. The chunk "streams" is evaluated
// when the first one is needed: most bodies never become a stream.
import { concat, copy, lengthOf, newList, view } from '../lib/text.js';

const { primordials, use, isObject } = internals;
const { getter, then } = primordials;
const TypeErrorOf = TypeError;

const tagOf = getter(TypedArray.prototype, Symbol.toStringTag);

const STEP = 65536; // bytes of one chunk

export const streams = () => use('streams').operations;

export const isReadableStream = (value) => isObject(value) && streams().isReadableStream(value);

export const isDisturbed = (stream) => streams().isDisturbed(stream);

export const isUnusable = (stream) => streams().isLocked(stream) || isDisturbed(stream);

export const tee = (stream) => streams().tee(stream);

// A stream of the same content; `stream` is locked and read from then on.
export const passOn = (stream) => {
  const { pipeThrough, TransformStream } = streams();
  return pipeThrough(stream, new TransformStream());
};

// Closing needs an answer for a reader that waits with a buffer of its own.
export const closeStream = (controller) => {
  const { closeBytes, byobRequest, respond } = streams();
  closeBytes(controller);
  const waiting = byobRequest(controller);
  if (waiting !== null) respond(waiting, 0);
};

// A stream of copies: what a program does to a chunk stays with it.
export const streamOfBytes = (bytes) => {
  const { ReadableStream, enqueueBytes } = streams();
  const size = lengthOf(bytes);
  let at = 0;
  const pull = (controller) => {
    const end = at + STEP < size ? at + STEP : size;
    if (end > at) enqueueBytes(controller, copy(view(bytes, at, end)));
    at = end;
    if (at === size) closeStream(controller);
  };
  return new ReadableStream({ __proto__: null, type: 'bytes', pull });
};

// Nobody will read it any more, nor hear how that went.
export const cancelForGood = (stream, reason) => {
  const { getReader, cancelReader } = streams();
  const ignore = () => {};
  then(cancelReader(getReader(stream), reason), ignore, ignore);
};

// Every byte of a stream, read to its end. Through a sink: what a reader gives are
// objects, and a promise asks those for a `then` that a program may have put on
// Object.prototype. For the same reason the bytes come in an object without one.
// A signal, if there is one, ends it: the stream is canceled with its reason.
export const readAll = async (stream, signal) => {
  const { getReader, pipeTo, WritableStream } = streams();
  const chunks = newList();
  const write = (chunk) => {
    if (tagOf(chunk) !== 'Uint8Array') throw new TypeErrorOf('The body has a chunk that is not a Uint8Array.');
    chunks[chunks.length] = copy(chunk);
  };
  try {
    await pipeTo(stream, new WritableStream({ __proto__: null, write }), { __proto__: null, signal });
  } finally {
    getReader(stream); // locked for good
  }
  return { __proto__: null, bytes: concat(chunks) };
};
