// Readable byte streams.
import { ReadableByteStreamController, ReadableStreamBYOBReader, ReadableStreamBYOBRequest } from 'web-streams-polyfill/bytes';

export * from 'web-streams-polyfill/bytes';

const { primordials, registerInterface } = internals;
const { getter, uncurryThis } = primordials;

registerInterface(ReadableByteStreamController);
registerInterface(ReadableStreamBYOBReader);
registerInterface(ReadableStreamBYOBRequest);

// For streams.js.
export const operations = {
  __proto__: null,
  enqueue: uncurryThis(ReadableByteStreamController.prototype.enqueue),
  close: uncurryThis(ReadableByteStreamController.prototype.close),
  error: uncurryThis(ReadableByteStreamController.prototype.error),
  byobRequest: getter(ReadableByteStreamController.prototype, 'byobRequest'),
  respond: uncurryThis(ReadableStreamBYOBRequest.prototype.respond),
};
