// ArrayBuffers and views of them, as WebIDL sees them. base.js gives what this exports
// as its own: only some chunks need it, and the engine builds these classes on touch.
const { getter } = internals.primordials;
const { isView } = ArrayBuffer;
const Uint8ArrayOf = Uint8Array;
const TypeErrorOf = TypeError;
const bytesInBuffer = getter(ArrayBuffer.prototype, 'byteLength');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const tagOf = getter(TypedArray.prototype, Symbol.toStringTag);
const typedBuffer = getter(TypedArray.prototype, 'buffer');
const typedOffset = getter(TypedArray.prototype, 'byteOffset');
const typedBytes = getter(TypedArray.prototype, 'byteLength');
const dataBuffer = getter(DataView.prototype, 'buffer');
const dataOffset = getter(DataView.prototype, 'byteOffset');
const dataBytes = getter(DataView.prototype, 'byteLength');

export const isArrayBuffer = (value) => {
  if (typeof value !== 'object' || value === null) return false;
  try {
    bytesInBuffer(value);
    return true;
  } catch {
    return false;
  }
};

export const isBufferSource = (value) => isView(value) || isArrayBuffer(value);

const refuse = (what, sentence) => {
  throw new TypeErrorOf(`${what} ${sentence}`);
};

const checked = (buffer, what, value) => (isResizable(buffer) ? refuse(what, 'is backed by a resizable buffer') : value);

const bufferOf = (view) => (tagOf(view) === undefined ? dataBuffer(view) : typedBuffer(view));

export const bufferSource = (value, what) => {
  if (isView(value)) return checked(bufferOf(value), what, value);
  if (isArrayBuffer(value)) return checked(value, what, value);
  return refuse(what, 'is neither an ArrayBuffer nor a view of one');
};

export const view = (value, what) =>
  isView(value) ? checked(bufferOf(value), what, value) : refuse(what, 'is not a view of an ArrayBuffer');

// The bytes under a buffer source as a Uint8Array of ours over the same memory;
// empty when it is detached.
export const bytesOf = (source) => {
  try {
    if (!isView(source)) return new Uint8ArrayOf(source);
    return tagOf(source) === undefined
      ? new Uint8ArrayOf(dataBuffer(source), dataOffset(source), dataBytes(source))
      : new Uint8ArrayOf(typedBuffer(source), typedOffset(source), typedBytes(source));
  } catch {
    return new Uint8ArrayOf(0);
  }
};
