// What web-streams-polyfill does with the language and with signals, out of a program's
// reach: runtime/streams_package.mjs puts these in the place of the package's own calls.
const { primordials } = internals;
const { apply, defineProperty, getter, isPromise, ownKeys, setPrototypeOf, then, uncurryThis } = primordials;
const { hasOwn } = Object;
const { isView } = ArrayBuffer;
const resolvePromise = uncurryThis(Promise.resolve);
const rejectPromise = uncurryThis(Promise.reject);
const tagOf = getter(TypedArray.prototype, Symbol.toStringTag);
const lengthOf = getter(TypedArray.prototype, 'length');
const typedBuffer = getter(TypedArray.prototype, 'buffer');
const typedOffset = getter(TypedArray.prototype, 'byteOffset');
const typedBytes = getter(TypedArray.prototype, 'byteLength');
const dataBuffer = getter(DataView.prototype, 'buffer');
const dataOffset = getter(DataView.prototype, 'byteOffset');
const dataBytes = getter(DataView.prototype, 'byteLength');

export { apply, hasOwn, then };
export const resolved = (value) => resolvePromise(Promise, value);
export const rejected = (reason) => rejectPromise(Promise, reason);
export const bytesIn = getter(ArrayBuffer.prototype, 'byteLength');
export const isDetached = getter(ArrayBuffer.prototype, 'detached');
export const transfer = uncurryThis(ArrayBuffer.prototype.transfer);
export const fill = uncurryThis(TypedArray.prototype.set);

// An array without a prototype, where the program may have put a setter for "0".
export const newList = () => {
  const list = [];
  setPrototypeOf(list, null);
  return list;
};

const relay = async (promise, resolve, reject) => {
  await undefined;
  then(promise, resolve, reject);
};

// new Promise(), whose `resolve` does not ask a promise for its `then`, and takes as many
// turns as that.
export const newPromise = (executor) =>
  new Promise((resolve, reject) => {
    executor((value) => (isPromise(value) ? relay(value, resolve, reject) : resolve(value)), reject);
  });

// Starts all of a list; Promise.all() without its value.
export const all = (starts) =>
  new Promise((resolve, reject) => {
    let left = starts.length;
    const onEnd = () => {
      if (--left === 0) resolve();
    };
    if (left === 0) resolve();
    for (let i = 0; i < starts.length; i++) then(starts[i](), onEnd, reject);
  });

const withoutPrototype = (descriptor) => {
  setPrototypeOf(descriptor, null);
  return descriptor;
};

export const define = (object, key, descriptor) => defineProperty(object, key, withoutPrototype(descriptor));

export const defineAll = (object, descriptors) => {
  const keys = ownKeys(descriptors);
  for (let i = 0; i < keys.length; i++) define(object, keys[i], descriptors[keys[i]]);
};

const classOf = (tag) => (tag === 'Uint8Array' ? Uint8Array : internals.use('clone').views[tag]);

// What there is to know of a view of the program's; anything else as it is.
export const viewOf = (value) => {
  if (!isView(value)) return value;
  const tag = tagOf(value);
  const isData = tag === undefined;
  const buffer = isData ? dataBuffer(value) : typedBuffer(value);
  return {
    __proto__: null,
    constructor: isData ? DataView : classOf(tag),
    buffer,
    byteOffset: isData ? dataOffset(value) : typedOffset(value),
    byteLength: isData ? dataBytes(value) : typedBytes(value),
    length: isData ? undefined : lengthOf(value),
  };
};

// ---- signals ------------------------------------------------------------------------------

const abort = () => internals.use('abort');

export const isSignal = (value) => abort().isAbortSignal(value);
export const isAborted = (signal) => abort().isAborted(signal);
export const reasonOf = (signal) => abort().reasonOf(signal);
export const onAbort = (signal, algorithm) => abort().onAbort(signal, algorithm);
export const offAbort = (signal, algorithm) => abort().offAbort(signal, algorithm);
export const newSignal = () => abort().newSignal();
export const signalAbort = (signal, reason) => abort().signalAbort(signal, reason);
