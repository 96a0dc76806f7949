// Streams over bytes, and bytes out of streams. The chunk "streams" is evaluated
// when the first one is needed: most bodies never become a stream.
const { concat, copy, lengthOf, newList, view } = internals.use('text');
const { primordials, use, isObject } = internals;
const { uncurryThis, getter, getPrototypeOf } = primordials;
const TypeErrorOf = TypeError;

const tagOf = getter(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

const STEP = 65536; // bytes of one chunk

let api;

const capture = (chunk) => {
  const { ReadableStream, ReadableStreamDefaultReader, ReadableByteStreamController, ReadableStreamBYOBRequest } = chunk;
  const Controller = ReadableByteStreamController.prototype;
  return {
    __proto__: null,
    ReadableStream,
    TransformStream: chunk.TransformStream,
    isLocked: getter(ReadableStream.prototype, 'locked'),
    tee: uncurryThis(ReadableStream.prototype.tee),
    getReader: uncurryThis(ReadableStream.prototype.getReader),
    pipeThrough: uncurryThis(ReadableStream.prototype.pipeThrough),
    cancelReader: uncurryThis(ReadableStreamDefaultReader.prototype.cancel),
    pipeTo: uncurryThis(ReadableStream.prototype.pipeTo),
    WritableStream: chunk.WritableStream,
    enqueue: uncurryThis(Controller.enqueue),
    close: uncurryThis(Controller.close),
    error: uncurryThis(Controller.error),
    byobRequest: getter(Controller, 'byobRequest'),
    respond: uncurryThis(ReadableStreamBYOBRequest.prototype.respond),
  };
};

export const streams = () => (api ??= capture(use('streams')));

export const isReadableStream = (value) => {
  if (!isObject(value)) return false;
  try {
    streams().isLocked(value);
    return true;
  } catch {
    return false;
  }
};

export const isUnusable = (stream) => streams().isLocked(stream) || isDisturbed(stream);

// What the polyfill keeps of it; no method tells.
export const isDisturbed = (stream) => stream._disturbed;

// A byte stream; `pull(controller)` may enqueue, close or error through streams().
export const makeStream = (pull, cancel) =>
  new (streams().ReadableStream)({ __proto__: null, type: 'bytes', pull, cancel });

// Closing needs an answer for a reader that waits with a buffer of its own.
export const closeStream = (controller) => {
  const { close, byobRequest, respond } = streams();
  close(controller);
  const waiting = byobRequest(controller);
  if (waiting !== null) respond(waiting, 0);
};

// A stream of copies: what a program does to a chunk stays with it.
export const streamOfBytes = (bytes) => {
  const size = lengthOf(bytes);
  let at = 0;
  return makeStream((controller) => {
    const end = at + STEP < size ? at + STEP : size;
    if (end > at) streams().enqueue(controller, copy(view(bytes, at, end)));
    at = end;
    if (at === size) closeStream(controller);
  });
};

// As a stream is that has been read to its end for a method of a body.
export const lockForGood = (stream) => {
  const { getReader, cancelReader } = streams();
  cancelReader(getReader(stream));
};

// Every byte of a stream, read to its end. Through a sink: what a reader gives are
// objects, and a promise asks those for a `then` that a program may have put on
// Object.prototype. For the same reason the bytes come in an object without one.
export const readAll = async (stream) => {
  const { getReader, pipeTo, WritableStream } = streams();
  const chunks = newList();
  const write = (chunk) => {
    if (tagOf(chunk) !== 'Uint8Array') throw new TypeErrorOf('The body has a chunk that is not a Uint8Array.');
    chunks[chunks.length] = copy(chunk);
  };
  try {
    await pipeTo(stream, new WritableStream({ __proto__: null, write }));
  } finally {
    getReader(stream); // locked for good
  }
  return { __proto__: null, bytes: concat(chunks) };
};
