// TransformStream, and its transfer: the Streams standard, 6.2.4.
import { TransformStream, TransformStreamDefaultController } from 'web-streams-polyfill/transform';
import { brand, refuseLocked } from './lib/transfer.js';

export * from 'web-streams-polyfill/transform';

const { primordials, registerInterface, registerTransferable, use } = internals;
const { getter } = primordials;
const { isReadableLocked, moveReadable } = use('streams');
const { isWritableLocked, moveWritable } = use('streams_writable');

registerInterface(TransformStream);
registerInterface(TransformStreamDefaultController);

const readableOf = getter(TransformStream.prototype, 'readable');
const writableOf = getter(TransformStream.prototype, 'writable');

const moveTransform = (stream) => {
  const readable = readableOf(stream);
  const writable = writableOf(stream);
  if (isReadableLocked(readable) || isWritableLocked(writable)) refuseLocked();
  const moved = new TransformStream();
  moved._readable = moveReadable(readable); // where the package keeps them
  moved._writable = moveWritable(writable);
  return moved;
};

registerTransferable(brand(readableOf), () => false, moveTransform);
