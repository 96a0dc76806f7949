// Blob and File: the File API. A blob is bytes that nobody changes, so that slices
// and clones share them.
import { streamOfBytes } from './web/stream.js';
import { bufferOf, concat, copy, copyOfSource, decodeUtf8, encodeUtf8, lengthOf, lower, newList, padStart, test, toRadix, view, withLineEnds } from './lib/text.js';
import { bufferSource, clampedLongLong, dictionary, DOMString, enumeration, longLong, sequence, USVString } from './lib/webidl.js';

const { exposeClass, requireArguments, isObject, registerCloneable } = internals;
const TypeErrorOf = TypeError;
const dateNow = Date.now;
const { random, floor } = Math;

export let isBlob;
export let isFile;
export let bytesOfBlob; // not to be changed
export let typeOfBlob;
export let nameOfFile;
export let dateOfFile;
let fill; // gives a blob its bytes and type

const endings = ['endings', enumeration(['transparent', 'native']), 'transparent'];
const type = ['type', DOMString, ''];
const blobOptions = dictionary([endings, type]);
const fileOptions = dictionary([['lastModified', longLong]]);

const part = (value, what) => {
  if (isObject(value)) {
    if (internals.isBufferSource(value)) return bufferSource(value, what);
    if (isBlob(value)) return value;
  }
  return USVString(value, what);
};
const parts = sequence(part);

const bytesOfPart = (item, native) => {
  if (typeof item === 'string') return encodeUtf8(native ? withLineEnds(item, '\n') : item);
  return isBlob(item) ? bytesOfBlob(item) : copyOfSource(item);
};

const bytesOfParts = (items, options) => {
  const list = newList();
  for (let i = 0; i < items.length; i++) list[i] = bytesOfPart(items[i], options.endings === 'native');
  return list.length === 1 ? list[0] : concat(list);
};

const normalType = (text) => (test(/[^\x20-\x7e]/, text) ? '' : lower(text));

// A position of slice() as one from 0 to `size`.
const position = (value, fallback, size) => {
  if (value === undefined) return fallback;
  const at = clampedLongLong(value);
  if (at < 0) return at + size < 0 ? 0 : at + size;
  return at > size ? size : at;
};

export class Blob {
  #bytes;
  #type;

  constructor(blobParts = undefined, options = undefined) {
    const items = blobParts === undefined ? [] : parts(blobParts, 'Blob: the parts');
    const given = blobOptions(options, 'Blob: the options');
    this.#bytes = bytesOfParts(items, given);
    this.#type = normalType(given.type);
  }
  get size() {
    return lengthOf(this.#bytes);
  }
  get type() {
    return this.#type;
  }
  slice(start = undefined, end = undefined, contentType = undefined) {
    const size = lengthOf(this.#bytes);
    const from = position(start, 0, size);
    const to = position(end, size, size);
    const kind = contentType === undefined ? '' : DOMString(contentType, 'Blob.slice: the type');
    return makeBlob(view(this.#bytes, from, to < from ? from : to), normalType(kind));
  }
  stream() {
    return streamOfBytes(this.#bytes);
  }
  async text() {
    return decodeUtf8(this.#bytes, false);
  }
  async arrayBuffer() {
    return bufferOf(copy(this.#bytes));
  }
  async bytes() {
    return copy(this.#bytes);
  }
  static {
    isBlob = (value) => isObject(value) && #bytes in value;
    bytesOfBlob = (blob) => blob.#bytes;
    typeOfBlob = (blob) => blob.#type;
    fill = (blob, bytes, kind) => {
      blob.#bytes = bytes;
      blob.#type = kind;
      return blob;
    };
  }
}
exposeClass(Blob, 'Blob');

// Over bytes that nobody else changes.
export const makeBlob = (bytes, kind) => fill(new Blob(), bytes, kind);

// An iterable of nothing, which does not ask Array.prototype.
const nothing = { __proto__: null, [Symbol.iterator]: () => ({ next: () => ({ done: true }) }) };

export const makeFile = (bytes, kind, name, lastModified = dateNow()) =>
  fill(new File(nothing, name, { __proto__: null, lastModified }), bytes, kind);

export class File extends Blob {
  #name;
  #lastModified;

  constructor(fileBits, fileName, options = undefined) {
    requireArguments(arguments.length, 2, 'File');
    super(fileBits === undefined ? null : fileBits, options);
    this.#name = USVString(fileName, 'File: the name');
    this.#lastModified = fileOptions(options, 'File: the options').lastModified ?? dateNow();
  }
  get name() {
    return this.#name;
  }
  get lastModified() {
    return this.#lastModified;
  }
  static {
    isFile = (value) => isObject(value) && #name in value;
    nameOfFile = (file) => file.#name;
    dateOfFile = (file) => file.#lastModified;
  }
}
exposeClass(File, 'File');

registerCloneable(isFile, (file) => makeFile(bytesOfBlob(file), typeOfBlob(file), nameOfFile(file), dateOfFile(file)));
registerCloneable(isBlob, (blob) => makeBlob(bytesOfBlob(blob), typeOfBlob(blob)));

// ---- blob URLs: they live as long as the run ----------------------------------------

const urls = { __proto__: null };

const hex = (digits) => padStart(toRadix(floor(random() * 16 ** digits), 16), digits, '0');

// A UUID of version 4.
const newId = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;

export const addBlobURL = (blob) => {
  if (!isBlob(blob)) throw new TypeErrorOf('URL.createObjectURL takes a Blob');
  const url = `blob:null/${newId()}`;
  urls[url] = blob;
  return url;
};

export const removeBlobURL = (url) => {
  delete urls[url];
};

// The blob of a URL, whose fragment does not count; undefined when there is none.
export const blobOfURL = (url) => urls[url];
