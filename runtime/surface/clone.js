// structuredClone(): the HTML standard, 2.7. There is one realm, so that there is no
// serialized form between a value and its copy; what a port sends is copied when it is
// sent.
import { dictionary, object, sequence } from './lib/webidl.js';

const {
  primordials,
  descriptor,
  requireArguments,
  isObject,
  isArrayBuffer,
  push,
  isInterface,
  cloneables,
  transferables,
} = internals;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, uncurryThis, getter } = primordials;
const { isProxy } = internals.native.realm;
const { freeze, hasOwn, keys } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { construct } = Reflect;
const { isError } = Error;
const StringOf = String;
const ObjectOf = Object;
const ObjectPrototype = Object.prototype;
const ArrayPrototype = Array.prototype;
const MapOf = Map;
const SetOf = Set;
const DateOf = Date;
const RegExpOf = RegExp;
const BufferOf = ArrayBuffer;
const Uint8ArrayOf = Uint8Array;
const DataViewOf = DataView;

const mapGet = uncurryThis(Map.prototype.get);
const mapSet = uncurryThis(Map.prototype.set);
const mapForEach = uncurryThis(Map.prototype.forEach);
const mapSize = getter(Map.prototype, 'size');
const setAdd = uncurryThis(Set.prototype.add);
const setForEach = uncurryThis(Set.prototype.forEach);
const setSize = getter(Set.prototype, 'size');
const bytesInBuffer = getter(ArrayBuffer.prototype, 'byteLength');
const isDetachedBuffer = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxBytesOf = getter(ArrayBuffer.prototype, 'maxByteLength');
const resize = uncurryThis(ArrayBuffer.prototype.resize);
const sliceBuffer = uncurryThis(ArrayBuffer.prototype.slice);
const transferBuffer = uncurryThis(ArrayBuffer.prototype.transfer);
const setBytes = uncurryThis(Uint8Array.prototype.set);
const tagOf = getter(TypedArray.prototype, Symbol.toStringTag);
const typedBuffer = getter(TypedArray.prototype, 'buffer');
const typedOffset = getter(TypedArray.prototype, 'byteOffset');
const typedBytes = getter(TypedArray.prototype, 'byteLength');
const typedLength = getter(TypedArray.prototype, 'length');
const typedKeys = uncurryThis(TypedArray.prototype.keys);
const dataBuffer = getter(DataView.prototype, 'buffer');
const dataOffset = getter(DataView.prototype, 'byteOffset');
const dataBytes = getter(DataView.prototype, 'byteLength');
const dateValue = uncurryThis(Date.prototype.getTime);
const regExpSource = getter(RegExp.prototype, 'source');
const flagOf = {
  __proto__: null,
  d: getter(RegExp.prototype, 'hasIndices'),
  g: getter(RegExp.prototype, 'global'),
  i: getter(RegExp.prototype, 'ignoreCase'),
  m: getter(RegExp.prototype, 'multiline'),
  s: getter(RegExp.prototype, 'dotAll'),
  u: getter(RegExp.prototype, 'unicode'),
  v: getter(RegExp.prototype, 'unicodeSets'),
  y: getter(RegExp.prototype, 'sticky'),
};
const flagNames = keys(flagOf);
export const views = {
  __proto__: null,
  Int8Array,
  Int16Array,
  Int32Array,
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Uint32Array,
  Float16Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};
const errors = { __proto__: null, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const ErrorOf = Error;

const refuse = (what) => {
  throw internals.newDOMException(`${what} cannot be cloned.`, 'DataCloneError');
};

const answers = (accessor, value) => {
  try {
    accessor(value);
    return true;
  } catch {
    return false;
  }
};

// ---- copying ---------------------------------------------------------------------------
//
// A copy is made at once. What stands for something that is transferred is not there
// before everything has been copied, since a getter may still throw: its copy is a
// promise of ours, { make }, and `debts` holds what puts it into its place.

const laterPrototype = freeze({ __proto__: null });
const isLater = (copied) => typeof copied === 'object' && copied !== null && getPrototypeOf(copied) === laterPrototype;
const later = (make) => ({ __proto__: laterPrototype, made: undefined, make });

const settle = (copied) => {
  if (!isLater(copied)) return copied;
  if (copied.made === undefined) copied.made = copied.make();
  return copied.made;
};

// One descriptor for all: a large value would make a heap of them.
const slot = { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: true };

const define = (object, key, value) => {
  slot.value = value;
  defineProperty(object, key, slot);
  slot.value = undefined;
};

const copy = (value, state) => {
  if (typeof value === 'symbol') refuse('A symbol');
  if (!isObject(value)) return value;
  const known = state.memory.get(value);
  if (known !== undefined) return known;
  if (typeof value === 'function') refuse('A function');
  if (isProxy(value)) refuse('A Proxy');
  return copyObject(value, state);
};

// A Map whose methods no program can reach: calling them is faster so than uncurried.
const memoryPrototype = freeze({ __proto__: null, get: Map.prototype.get, set: Map.prototype.set });
const newMemory = () => {
  const memory = new MapOf();
  setPrototypeOf(memory, memoryPrototype);
  return memory;
};

const remember = (value, copied, state) => {
  state.memory.set(value, copied);
  return copied;
};

const copyObject = (value, state) => {
  if (isArray(value)) {
    const array = [];
    array.length = value.length;
    return copyProperties(value, remember(value, array, state), state, ArrayPrototype);
  }
  const prototype = getPrototypeOf(value);
  if (prototype === ObjectPrototype || value === ObjectPrototype) {
    return copyProperties(value, remember(value, {}, state), state);
  }
  if (isView(value)) return copyView(value, state);
  if (isArrayBuffer(value)) return remember(value, copyBuffer(value), state);
  for (let i = 0; i < cloneables.length; i++) {
    if (cloneables[i].is(value)) return remember(value, cloneables[i].clone(value), state);
  }
  if (isError(value)) return copyError(value, state);
  return copyByPrototype(value, prototype, state);
};

// Assigning is faster, where no prototype can interfere.
const set = (made, name, value, prototype) => {
  if (name in prototype) define(made, name, value);
  else made[name] = value;
};

const copyProperties = (value, made, state, prototype = ObjectPrototype) => {
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (!hasOwn(value, name)) continue; // a getter before it may have deleted it
    const copied = copy(value[name], state);
    set(made, name, copied, prototype);
    if (isLater(copied)) push(state.debts, () => define(made, name, settle(copied)));
  }
  return made;
};

const copyDate = (value, state) => remember(value, new DateOf(dateValue(value)), state);

const copyRegExp = (value, state) => {
  let flags = '';
  for (let i = 0; i < flagNames.length; i++) if (flagOf[flagNames[i]](value)) flags += flagNames[i];
  return remember(value, new RegExpOf(regExpSource(value), flags), state);
};

const copyBoxed = (unbox) => (value, state) => remember(value, ObjectOf(unbox(value)), state);

const refuseOpaque = () => refuse('An object of this kind');

// What an object is, its prototypes tell, and the accessor of the class confirms: to ask
// every class for every object would make an exception each time. What none of them
// knows is an instance of a class of the program's, and copied by its properties.
const copyByPrototype = (value, prototype, state) => {
  for (let at = prototype; at !== null; at = getPrototypeOf(at)) {
    if (isInterface(at)) refuse('This platform object');
    const kind = mapGet(kinds, at);
    if (kind !== undefined && value !== at && answers(kind.confirm, value)) return kind.copy(value, state);
  }
  return copyProperties(value, remember(value, {}, state), state);
};

// The items of a Map or Set go in in order, so all of them wait for one that is promised.
const fill = (items, state, add) => {
  const copies = [];
  let waits = false;
  for (let i = 0; i < items.length; i++) {
    const copied = copy(items[i], state);
    waits ||= isLater(copied);
    push(copies, copied);
  }
  const addAll = () => {
    for (let i = 0; i < copies.length; i++) copies[i] = settle(copies[i]);
    add(copies);
  };
  if (waits) push(state.debts, addAll);
  else addAll();
};

const copyMap = (value, state) => {
  const made = remember(value, new MapOf(), state);
  const items = [];
  mapForEach(value, (item, key) => {
    push(items, key);
    push(items, item);
  });
  fill(items, state, (copies) => {
    for (let i = 0; i < copies.length; i += 2) mapSet(made, copies[i], copies[i + 1]);
  });
  return made;
};

const copySet = (value, state) => {
  const made = remember(value, new SetOf(), state);
  const items = [];
  setForEach(value, (item) => {
    push(items, item);
  });
  fill(items, state, (copies) => {
    for (let i = 0; i < copies.length; i++) setAdd(made, copies[i]);
  });
  return made;
};

const kinds = new MapOf();
const kindOf = (prototype, confirm, copyAs) => mapSet(kinds, prototype, { __proto__: null, confirm, copy: copyAs });
kindOf(MapOf.prototype, mapSize, copyMap);
kindOf(SetOf.prototype, setSize, copySet);
kindOf(DateOf.prototype, dateValue, copyDate);
kindOf(RegExpOf.prototype, flagOf.g, copyRegExp);
const boxOf = (Class, unbox) => kindOf(Class.prototype, unbox, copyBoxed(unbox));
boxOf(Boolean, uncurryThis(Boolean.prototype.valueOf));
boxOf(Number, uncurryThis(Number.prototype.valueOf));
boxOf(String, uncurryThis(String.prototype.valueOf));
boxOf(BigInt, uncurryThis(BigInt.prototype.valueOf));
kindOf(Symbol.prototype, uncurryThis(Symbol.prototype.valueOf), refuseOpaque);
const opaque = (prototype) => kindOf(prototype, () => {}, refuseOpaque);
opaque(Promise.prototype);
opaque(WeakMap.prototype);
opaque(WeakSet.prototype);
opaque(WeakRef.prototype);
opaque(FinalizationRegistry.prototype);
opaque(Iterator.prototype);
opaque(getPrototypeOf(async function* () {}.prototype));

const copyError = (value, state) => {
  const { name } = value;
  const text = name === undefined ? 'Error' : StringOf(name);
  const message = getOwnPropertyDescriptor(value, 'message');
  const stack = getOwnPropertyDescriptor(value, 'stack');
  const made = remember(value, new (text in errors ? errors[text] : ErrorOf)(), state);
  if (message !== undefined && 'value' in message) {
    defineProperty(made, 'message', descriptor(StringOf(message.value), false));
  }
  if (stack !== undefined && typeof stack.value === 'string') {
    defineProperty(made, 'stack', descriptor(stack.value, false));
  }
  if (!hasOwn(value, 'cause')) return made;
  const cause = copy(value.cause, state);
  defineProperty(made, 'cause', descriptor(cause, false));
  if (isLater(cause)) push(state.debts, () => defineProperty(made, 'cause', descriptor(settle(cause), false)));
  return made;
};

const copyBuffer = (value) => {
  if (isDetachedBuffer(value)) refuse('A detached ArrayBuffer');
  if (!isResizable(value)) return sliceBuffer(value, 0);
  const made = new BufferOf(bytesInBuffer(value), { __proto__: null, maxByteLength: maxBytesOf(value) });
  setBytes(new Uint8ArrayOf(made), new Uint8ArrayOf(value));
  return made;
};

const copyView = (view, state) => {
  const name = tagOf(view);
  const isData = name === undefined;
  const buffer = isData ? dataBuffer(view) : typedBuffer(view);
  if (isDetachedBuffer(buffer) || isOutOfBounds(view, buffer, isData)) refuse('A view of a detached or shrunk ArrayBuffer');
  const Class = isData ? DataViewOf : views[name];
  const offset = isData ? dataOffset(view) : typedOffset(view);
  const length = isData ? dataBytes(view) : typedLength(view);
  const tracks = isResizable(buffer) && tracksLength(view, buffer, isData);
  const over = (copied) => construct(Class, tracks ? [copied, offset] : [copied, offset, length]);
  const copied = copy(buffer, state);
  return remember(view, isLater(copied) ? later(() => over(settle(copied))) : over(copied), state);
};

// What checks its receiver throws for a view that its buffer has been shrunk under.
const isOutOfBounds = (view, buffer, isData) => isResizable(buffer) && !answers(isData ? dataOffset : typedKeys, view);

// Whether a view grows with its buffer shows only when that grows. Where it cannot,
// the view ends with the buffer or does not, and stays so.
const tracksLength = (view, buffer, isData) => {
  const bytes = bytesInBuffer(buffer);
  const viewBytes = isData ? dataBytes : typedBytes;
  const before = viewBytes(view);
  if (bytes + 8 > maxBytesOf(buffer)) return (isData ? dataOffset : typedOffset)(view) + before === bytes;
  resize(buffer, bytes + 8);
  const grew = viewBytes(view) !== before;
  resize(buffer, bytes);
  return grew;
};

// ---- transfer --------------------------------------------------------------------------

const bufferTransfer = {
  __proto__: null,
  is: isArrayBuffer,
  isDetached: isDetachedBuffer,
  transfer: (buffer) => transferBuffer(buffer),
};

const transferOf = (value) => {
  if (isArrayBuffer(value)) return bufferTransfer;
  for (let i = 0; i < transferables.length; i++) if (transferables[i].is(value)) return transferables[i];
  return refuseTransfer('is not transferable');
};

const refuseTransfer = (why) => {
  throw internals.newDOMException(`A value to be transferred ${why}.`, 'DataCloneError');
};

// { value, moved }: a copy of the value, and what became of each item of `transfer`
// (an array of ours).
export const clone = (value, transfer) => {
  const state = { __proto__: null, memory: newMemory(), debts: [] };
  const moving = [];
  for (let i = 0; i < transfer.length; i++) {
    const item = transfer[i];
    const how = transferOf(item);
    if (state.memory.get(item) !== undefined) refuseTransfer('is listed twice');
    push(moving, remember(item, later(() => how.transfer(item)), state));
  }
  const copied = copy(value, state);
  for (let i = 0; i < transfer.length; i++) {
    if (transferOf(transfer[i]).isDetached(transfer[i])) refuseTransfer('is detached');
  }
  const moved = [];
  for (let i = 0; i < moving.length; i++) push(moved, settle(moving[i]));
  for (let i = 0; i < state.debts.length; i++) state.debts[i]();
  return { __proto__: null, value: settle(copied), moved };
};

const transferList = sequence(object);
export const transferOptions = dictionary([['transfer', transferList, () => []]]);
export { transferList };

export const structuredClone = {
  structuredClone(value, options = undefined) {
    requireArguments(arguments.length, 1, 'structuredClone');
    const { transfer } = transferOptions(options, 'structuredClone: the options');
    return clone(value, transfer).value;
  },
}.structuredClone;
