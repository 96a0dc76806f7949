// ReadableStream: web-streams-polyfill, which follows the standard's reference
// implementation, and what it lacks: the engine's prototype of its iterators, and
// transfer. The package is cut into chunks (runtime/streams_parts.mjs).
import { ge as iteratorPrototype, ReadableStream, ReadableStreamDefaultController, ReadableStreamDefaultReader } from 'web-streams-polyfill/readable';
import { brand, cloneOf, refuseLocked } from './lib/transfer.js';

export * from 'web-streams-polyfill/readable';

const { primordials, registerTransferable, registerInterface, use } = internals;
const { getPrototypeOf, setPrototypeOf, getter, then, uncurryThis } = primordials;

// Its iterators inherit from a copy of %AsyncIteratorPrototype%.
setPrototypeOf(iteratorPrototype, getPrototypeOf(getPrototypeOf(getPrototypeOf((async function* () {})()))));

registerInterface(ReadableStream);
registerInterface(ReadableStreamDefaultController);
registerInterface(ReadableStreamDefaultReader);

// ---- transfer: the Streams standard, 4.2.5 ---------------------------------------------

const getReader = uncurryThis(ReadableStream.prototype.getReader);
const read = uncurryThis(ReadableStreamDefaultReader.prototype.read);
const cancel = uncurryThis(ReadableStreamDefaultReader.prototype.cancel);
const enqueue = uncurryThis(ReadableStreamDefaultController.prototype.enqueue);
const end = uncurryThis(ReadableStreamDefaultController.prototype.close);
export const isReadableLocked = getter(ReadableStream.prototype, 'locked');

export const moveReadable = (stream) => {
  if (isReadableLocked(stream)) refuseLocked();
  const reader = getReader(stream);
  const source = {
    __proto__: null,
    pull: (controller) =>
      then(read(reader), ({ done, value }) => {
        if (done) end(controller);
        else enqueue(controller, cloneOf(value));
      }),
    cancel: (reason) => cancel(reader, reason),
  };
  return new ReadableStream(source, { __proto__: null, highWaterMark: 0 });
};

registerTransferable(brand(isReadableLocked), () => false, moveReadable);

// ---- for other chunks: what the classes can do, out of a program's reach ----------------

const bytes = () => use('streams_bytes').operations;

export const operations = {
  __proto__: null,
  ReadableStream,
  get WritableStream() {
    return use('streams_writable').WritableStream;
  },
  get TransformStream() {
    return use('streams_transform').TransformStream;
  },
  isReadableStream: brand(isReadableLocked),
  isLocked: isReadableLocked,
  isDisturbed: (stream) => stream._disturbed, // where the package keeps it
  tee: uncurryThis(ReadableStream.prototype.tee),
  getReader,
  cancelReader: cancel,
  pipeTo: uncurryThis(ReadableStream.prototype.pipeTo),
  pipeThrough: uncurryThis(ReadableStream.prototype.pipeThrough),
  enqueueBytes: (controller, chunk) => bytes().enqueue(controller, chunk),
  closeBytes: (controller) => bytes().close(controller),
  errorBytes: (controller, reason) => bytes().error(controller, reason),
  byobRequest: (controller) => bytes().byobRequest(controller),
  respond: (request, size) => bytes().respond(request, size),
};
