// structuredClone(): the HTML standard, 2.7. An object becomes a record first and an
// object again afterwards, so that nothing is transferred when something cannot be
// cloned. There is one realm; what a port sends is copied when it is sent.
const {
  primordials,
  converters,
  descriptor,
  requireArguments,
  isObject,
  isArrayBuffer,
  push,
  isInterface,
  cloneables,
  transferables,
} = internals;
const { construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, uncurryThis, getter, hasOwn, isArray, isView } =
  primordials;
const { isProxy } = internals.native.realm;
const { keys } = Object;
const { isError } = Error;
const StringOf = String;
const ObjectOf = Object;
const ObjectPrototype = Object.prototype;
const MapOf = Map;
const SetOf = Set;
const DateOf = Date;
const RegExpOf = RegExp;
const BufferOf = ArrayBuffer;
const Uint8ArrayOf = Uint8Array;
const DataViewOf = DataView;

const mapGet = uncurryThis(Map.prototype.get);
const mapSet = uncurryThis(Map.prototype.set);
const mapHas = uncurryThis(Map.prototype.has);
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
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const tagOf = getter(TypedArrayPrototype, Symbol.toStringTag);
const typedBuffer = getter(TypedArrayPrototype, 'buffer');
const typedOffset = getter(TypedArrayPrototype, 'byteOffset');
const typedBytes = getter(TypedArrayPrototype, 'byteLength');
const typedLength = getter(TypedArrayPrototype, 'length');
const typedKeys = uncurryThis(TypedArrayPrototype.keys);
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
const unbox = [Boolean, Number, String, BigInt].map((Class) => uncurryThis(Class.prototype.valueOf));
const symbolValue = uncurryThis(Symbol.prototype.valueOf);
const views = { __proto__: null };
for (const name of Reflect.ownKeys(globalThis)) {
  if (typeof name === 'string' && /^(Big)?(Ui|I|Fl)\w+Array$/.test(name)) views[name] = globalThis[name];
}
const errors = { __proto__: null, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const ErrorOf = Error;
// Instances of these are no plain objects, and nothing but their prototype tells.
const opaque = [Promise, WeakMap, WeakSet, WeakRef, FinalizationRegistry, Iterator].map((Class) => Class.prototype);
opaque.push(getPrototypeOf(async function* () {}.prototype));

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

// ---- to records ------------------------------------------------------------------------

// A record is { kind, ... } with the kind's function of readers; a primitive is itself.
const serialize = (value, memory) => {
  if (typeof value === 'symbol') refuse('A symbol');
  if (!isObject(value)) return value;
  if (mapHas(memory, value)) return mapGet(memory, value);
  if (typeof value === 'function') refuse('A function');
  if (isProxy(value)) refuse('A Proxy');
  const record = { __proto__: null, kind: '', made: undefined };
  const later = describe(value, record, memory);
  mapSet(memory, value, record);
  if (later !== undefined) later(value, record, memory);
  return record;
};

// Fills the record in; gives the function that goes on with what the object holds.
const describe = (value, record, memory) => {
  if (isArray(value)) {
    record.kind = 'array';
    record.length = value.length;
    return describeProperties;
  }
  const prototype = getPrototypeOf(value);
  if (prototype === ObjectPrototype || value === ObjectPrototype) {
    record.kind = 'object';
    return describeProperties;
  }
  if (isView(value)) return describeView(value, record, memory);
  if (isArrayBuffer(value)) return describeBuffer(value, record);
  if (isError(value) && !isPlatform(value)) return describeError(value, record);
  for (let i = 0; i < cloneables.length; i++) {
    if (!cloneables[i].is(value)) continue;
    record.kind = 'platform';
    record.copy = cloneables[i].clone(value);
    return undefined;
  }
  return describeByBrand(value, record) ?? describePlain(value, prototype, record);
};

const describeByBrand = (value, record) => {
  if (answers(mapSize, value)) {
    record.kind = 'map';
    return describeMap;
  }
  if (answers(setSize, value)) {
    record.kind = 'set';
    return describeSet;
  }
  if (answers(dateValue, value)) {
    record.kind = 'date';
    record.time = dateValue(value);
    return nothing;
  }
  if (value !== RegExpOf.prototype && answers(flagOf.g, value)) return describeRegExp(value, record);
  return describeBoxed(value, record);
};

const nothing = () => {};

const describeRegExp = (value, record) => {
  record.kind = 'regexp';
  record.source = regExpSource(value);
  record.flags = '';
  for (let i = 0; i < flagNames.length; i++) if (flagOf[flagNames[i]](value)) record.flags += flagNames[i];
  return nothing;
};

const describeBoxed = (value, record) => {
  for (let i = 0; i < unbox.length; i++) {
    if (!answers(unbox[i], value)) continue;
    record.kind = 'boxed';
    record.value = unbox[i](value);
    return nothing;
  }
  return answers(symbolValue, value) ? refuse('A Symbol object') : undefined;
};

const isPlatform = (value) => {
  for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) if (isInterface(at)) return true;
  return false;
};

const describePlain = (value, prototype, record) => {
  for (let at = prototype; at !== null; at = getPrototypeOf(at)) {
    if (isInterface(at)) refuse('This platform object');
    for (let i = 0; i < opaque.length; i++) if (at === opaque[i]) refuse('An object of this kind');
  }
  record.kind = 'object';
  return describeProperties;
};

const describeProperties = (value, record, memory) => {
  const names = keys(value);
  record.names = [];
  record.values = [];
  for (let i = 0; i < names.length; i++) {
    if (!hasOwn(value, names[i])) continue; // a getter before it may have deleted it
    push(record.names, names[i]);
    push(record.values, serialize(value[names[i]], memory));
  }
};

const describeMap = (value, record, memory) => {
  const items = [];
  mapForEach(value, (item, key) => {
    push(items, key);
    push(items, item);
  });
  record.values = serializeAll(items, memory);
};

const describeSet = (value, record, memory) => {
  const items = [];
  setForEach(value, (item) => {
    push(items, item);
  });
  record.values = serializeAll(items, memory);
};

const serializeAll = (items, memory) => {
  const records = [];
  for (let i = 0; i < items.length; i++) push(records, serialize(items[i], memory));
  return records;
};

const describeError = (value, record) => {
  const name = value.name;
  const text = name === undefined ? 'Error' : StringOf(name);
  const message = getOwnPropertyDescriptor(value, 'message');
  const stack = getOwnPropertyDescriptor(value, 'stack');
  record.kind = 'error';
  record.name = text in errors ? text : 'Error';
  record.message = message !== undefined && 'value' in message ? StringOf(message.value) : undefined;
  record.stack = stack !== undefined && typeof stack.value === 'string' ? stack.value : undefined;
  if (hasOwn(value, 'cause')) return describeCause;
  return undefined;
};

const describeCause = (value, record, memory) => {
  record.cause = { __proto__: null, value: serialize(value.cause, memory) };
};

const describeBuffer = (value, record) => {
  if (isDetachedBuffer(value)) refuse('A detached ArrayBuffer');
  record.kind = 'buffer';
  record.copy = sliceBuffer(value, 0);
  if (!isResizable(value)) return undefined;
  const copy = new BufferOf(bytesInBuffer(value), { __proto__: null, maxByteLength: maxBytesOf(value) });
  setBytes(new Uint8ArrayOf(copy), new Uint8ArrayOf(record.copy));
  record.copy = copy;
  return undefined;
};

const describeView = (view, record, memory) => {
  const name = tagOf(view);
  const isData = name === undefined;
  const buffer = isData ? dataBuffer(view) : typedBuffer(view);
  if (isDetachedBuffer(buffer) || isOutOfBounds(view, buffer, isData)) refuse('A view of a detached or shrunk ArrayBuffer');
  record.kind = 'view';
  record.Class = isData ? DataViewOf : views[name];
  record.offset = isData ? dataOffset(view) : typedOffset(view);
  record.length = isData ? dataBytes(view) : typedLength(view);
  if (isResizable(buffer) && tracksLength(view, buffer, isData)) record.length = undefined;
  record.buffer = serialize(buffer, memory);
  return undefined;
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

// ---- and back --------------------------------------------------------------------------

const readers = {
  __proto__: null,
  array: (record) => {
    record.made = [];
    record.made.length = record.length;
    readProperties(record);
  },
  object: (record) => {
    record.made = {};
    readProperties(record);
  },
  map: (record) => {
    const { values } = record;
    record.made = new MapOf();
    for (let i = 0; i < values.length; i += 2) mapSet(record.made, deserialize(values[i]), deserialize(values[i + 1]));
  },
  set: (record) => {
    const { values } = record;
    record.made = new SetOf();
    for (let i = 0; i < values.length; i++) setAdd(record.made, deserialize(values[i]));
  },
  date: (record) => {
    record.made = new DateOf(record.time);
  },
  regexp: (record) => {
    record.made = new RegExpOf(record.source, record.flags);
  },
  boxed: (record) => {
    record.made = ObjectOf(record.value);
  },
  platform: (record) => {
    record.made = record.copy;
  },
  buffer: (record) => {
    record.made = record.copy;
  },
  moved: (record) => {
    record.made = record.move();
  },
  view: (record) => {
    const args = [deserialize(record.buffer), record.offset];
    if (record.length !== undefined) push(args, record.length);
    record.made = construct(record.Class, args);
  },
  error: (record) => {
    const Class = record.name === 'Error' ? ErrorOf : errors[record.name];
    record.made = new Class();
    if (record.message !== undefined) defineProperty(record.made, 'message', descriptor(record.message, false));
    if (record.stack !== undefined) defineProperty(record.made, 'stack', descriptor(record.stack, false));
    if (record.cause !== undefined) defineProperty(record.made, 'cause', descriptor(deserialize(record.cause.value), false));
  },
};

const readProperties = (record) => {
  const { made, names, values } = record;
  for (let i = 0; i < names.length; i++) defineProperty(made, names[i], descriptor(deserialize(values[i]), true));
};

const deserialize = (record) => {
  if (typeof record !== 'object' || record === null) return record;
  if (record.made === undefined) readers[record.kind](record);
  return record.made;
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
  throw internals.newDOMException('A value to be transferred is not transferable.', 'DataCloneError');
};

// { value, moved }: a copy of the value, and what became of each item of `transfer`
// (an array of ours).
export const clone = (value, transfer) => {
  const memory = new MapOf();
  const records = [];
  for (let i = 0; i < transfer.length; i++) {
    const item = transfer[i];
    const how = transferOf(item);
    if (mapHas(memory, item)) throw internals.newDOMException('A value is transferred twice.', 'DataCloneError');
    const record = { __proto__: null, kind: 'moved', made: undefined, move: () => how.transfer(item) };
    mapSet(memory, item, record);
    push(records, record);
  }
  const root = serialize(value, memory);
  for (let i = 0; i < transfer.length; i++) {
    if (transferOf(transfer[i]).isDetached(transfer[i])) {
      throw internals.newDOMException('A value to be transferred is detached.', 'DataCloneError');
    }
  }
  const moved = [];
  for (let i = 0; i < records.length; i++) push(moved, deserialize(records[i]));
  return { __proto__: null, value: deserialize(root), moved };
};

const transferList = converters.sequence(converters.object);
export const transferOptions = converters.dictionary([['transfer', transferList, () => []]]);
export { transferList };

export const structuredClone = {
  structuredClone(value, options = undefined) {
    requireArguments(arguments.length, 1, 'structuredClone');
    const { transfer } = transferOptions(options, 'structuredClone: the options');
    return clone(value, transfer).value;
  },
}.structuredClone;
