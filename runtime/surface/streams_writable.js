// WritableStream, and its transfer: the Streams standard, 5.2.5.
import { WritableStream, WritableStreamDefaultController, WritableStreamDefaultWriter } from 'web-streams-polyfill/writable';
import { brand, cloneOf, refuseLocked } from './lib/transfer.js';

export * from 'web-streams-polyfill/writable';

const { primordials, registerInterface, registerTransferable } = internals;
const { getter, uncurryThis } = primordials;

// No longer in the standard.
delete WritableStreamDefaultController.prototype.abortReason;

registerInterface(WritableStream);
registerInterface(WritableStreamDefaultController);
registerInterface(WritableStreamDefaultWriter);

const getWriter = uncurryThis(WritableStream.prototype.getWriter);
const write = uncurryThis(WritableStreamDefaultWriter.prototype.write);
const close = uncurryThis(WritableStreamDefaultWriter.prototype.close);
const abort = uncurryThis(WritableStreamDefaultWriter.prototype.abort);
export const isWritableLocked = getter(WritableStream.prototype, 'locked');

export const moveWritable = (stream) => {
  if (isWritableLocked(stream)) refuseLocked();
  const writer = getWriter(stream);
  return new WritableStream({
    __proto__: null,
    write: (chunk) => write(writer, cloneOf(chunk)),
    close: () => close(writer),
    abort: (reason) => abort(writer, reason),
  });
};

registerTransferable(brand(isWritableLocked), () => false, moveWritable);
