// The two ends of a transform stream, for interfaces that include
// GenericTransformStream.
const { use, primordials } = internals;
const { uncurryThis, getter } = primordials;
const { TransformStream, TransformStreamDefaultController } = use('streams_transform');
const readableOf = getter(TransformStream.prototype, 'readable');
const writableOf = getter(TransformStream.prototype, 'writable');
const enqueueTo = uncurryThis(TransformStreamDefaultController.prototype.enqueue);

// transform(chunk, enqueue) and flush(enqueue) may throw: that errors both ends.
export const makeTransform = (transform, flush) => {
  const stream = new TransformStream({
    __proto__: null,
    transform: (chunk, controller) => transform(chunk, (result) => enqueueTo(controller, result)),
    flush: (controller) => flush((result) => enqueueTo(controller, result)),
  });
  return { __proto__: null, readable: readableOf(stream), writable: writableOf(stream) };
};
