// Streams: web-streams-polyfill, which follows the standard's reference implementation,
// and what it lacks: the engine's prototype of its iterators, and transfer.
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from 'web-streams-polyfill';

export * from 'web-streams-polyfill';

const { primordials, registerTransferable, registerInterface, isObject } = internals;
const { getPrototypeOf, setPrototypeOf, getter, then, uncurryThis } = primordials;

// Its iterators inherit from a copy of %AsyncIteratorPrototype%.
const AsyncIteratorPrototype = getPrototypeOf(getPrototypeOf(getPrototypeOf((async function* () {})())));
setPrototypeOf(getPrototypeOf(new ReadableStream().values()), AsyncIteratorPrototype);

// No longer in the standard.
delete WritableStreamDefaultController.prototype.abortReason;

registerInterface(ByteLengthQueuingStrategy);
registerInterface(CountQueuingStrategy);
registerInterface(ReadableByteStreamController);
registerInterface(ReadableStream);
registerInterface(ReadableStreamBYOBReader);
registerInterface(ReadableStreamBYOBRequest);
registerInterface(ReadableStreamDefaultController);
registerInterface(ReadableStreamDefaultReader);
registerInterface(TransformStream);
registerInterface(TransformStreamDefaultController);
registerInterface(WritableStream);
registerInterface(WritableStreamDefaultController);
registerInterface(WritableStreamDefaultWriter);

// ---- transfer: the Streams standard, 4.2.5, 5.2.5, 6.2.4 -------------------------------
//
// There is one realm, so that the streams of a transfer need no port between them: the
// new one takes from the old one, or gives to it, with each chunk cloned.

const getReader = uncurryThis(ReadableStream.prototype.getReader);
const getWriter = uncurryThis(WritableStream.prototype.getWriter);
const read = uncurryThis(ReadableStreamDefaultReader.prototype.read);
const cancel = uncurryThis(ReadableStreamDefaultReader.prototype.cancel);
const write = uncurryThis(WritableStreamDefaultWriter.prototype.write);
const close = uncurryThis(WritableStreamDefaultWriter.prototype.close);
const abort = uncurryThis(WritableStreamDefaultWriter.prototype.abort);
const enqueue = uncurryThis(ReadableStreamDefaultController.prototype.enqueue);
const end = uncurryThis(ReadableStreamDefaultController.prototype.close);
const isReadableLocked = getter(ReadableStream.prototype, 'locked');
const isWritableLocked = getter(WritableStream.prototype, 'locked');
const readableOf = getter(TransformStream.prototype, 'readable');
const writableOf = getter(TransformStream.prototype, 'writable');

const brand = (accessor) => (value) => {
  if (!isObject(value)) return false;
  try {
    accessor(value);
    return true;
  } catch {
    return false;
  }
};

const refuseLocked = () => {
  throw internals.newDOMException('A locked stream cannot be transferred.', 'DataCloneError');
};

const copyOf = (chunk) => internals.use('clone').clone(chunk, []).value;

const moveReadable = (stream) => {
  if (isReadableLocked(stream)) refuseLocked();
  const reader = getReader(stream);
  const source = {
    __proto__: null,
    pull: (controller) =>
      then(read(reader), ({ done, value }) => {
        if (done) end(controller);
        else enqueue(controller, copyOf(value));
      }),
    cancel: (reason) => cancel(reader, reason),
  };
  return new ReadableStream(source, { __proto__: null, highWaterMark: 0 });
};

const moveWritable = (stream) => {
  if (isWritableLocked(stream)) refuseLocked();
  const writer = getWriter(stream);
  return new WritableStream({
    __proto__: null,
    write: (chunk) => write(writer, copyOf(chunk)),
    close: () => close(writer),
    abort: (reason) => abort(writer, reason),
  });
};

const moveTransform = (stream) => {
  const readable = readableOf(stream);
  const writable = writableOf(stream);
  if (isReadableLocked(readable) || isWritableLocked(writable)) refuseLocked();
  const moved = new TransformStream();
  moved._readable = moveReadable(readable); // where the package keeps them
  moved._writable = moveWritable(writable);
  return moved;
};

const never = () => false;
registerTransferable(brand(isReadableLocked), never, moveReadable);
registerTransferable(brand(isWritableLocked), never, moveWritable);
registerTransferable(brand(readableOf), never, moveTransform);

// ---- for other chunks: what the classes can do, out of a program's reach ----------------

const ByteController = ReadableByteStreamController.prototype;

export const operations = {
  __proto__: null,
  ReadableStream,
  WritableStream,
  TransformStream,
  isReadableStream: brand(isReadableLocked),
  isLocked: isReadableLocked,
  isDisturbed: (stream) => stream._disturbed, // where the package keeps it
  tee: uncurryThis(ReadableStream.prototype.tee),
  getReader,
  cancelReader: cancel,
  pipeTo: uncurryThis(ReadableStream.prototype.pipeTo),
  pipeThrough: uncurryThis(ReadableStream.prototype.pipeThrough),
  enqueueBytes: uncurryThis(ByteController.enqueue),
  closeBytes: uncurryThis(ByteController.close),
  errorBytes: uncurryThis(ByteController.error),
  byobRequest: getter(ByteController, 'byobRequest'),
  respond: uncurryThis(ReadableStreamBYOBRequest.prototype.respond),
};
