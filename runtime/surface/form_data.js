// FormData: the XMLHttpRequest Standard, 5; and its two encodings.
import { concat, decodeUtf8, encodeUtf8, exec, indexOf, indexOfByte, lengthOf, lower, makeIterable, newList, slice, splice, toArray, trim, view, withLineEnds } from './lib/text.js';
import { USVString } from './lib/webidl.js';

const { native, exposeClass, requireArguments, use, isObject } = internals;
const { parseForm } = native.url;
const TypeErrorOf = TypeError;
const { random, floor } = Math;

const isBlob = (value) => isObject(value) && use('blob').isBlob(value);

// A Blob as the File that an entry holds.
const fileOf = (blob, filename) => {
  const { isFile, makeFile, bytesOfBlob, typeOfBlob, dateOfFile } = use('blob');
  if (filename === undefined && isFile(blob)) return blob;
  const name = filename ?? 'blob';
  return isFile(blob)
    ? makeFile(bytesOfBlob(blob), typeOfBlob(blob), name, dateOfFile(blob))
    : makeFile(bytesOfBlob(blob), typeOfBlob(blob), name);
};

// What append() and set() put in: their arguments as WebIDL chooses between the two
// ways to call them.
const entryValue = (value, filename, count, what) => {
  if (isBlob(value)) return fileOf(value, filename === undefined ? undefined : USVString(filename, `${what}: the file name`));
  if (count > 2) throw new TypeErrorOf(`${what}: the value is not a Blob, but there is a file name`);
  return USVString(value, `${what}: the value`);
};

export let entriesOf; // names and values in turn; undefined for what is no FormData
export let makeFormData;

export class FormData {
  #entries = newList();

  constructor(form = undefined, submitter = null) {
    if (form !== undefined) throw new TypeErrorOf('FormData: the first argument is not an HTMLFormElement');
    if (submitter !== null && submitter !== undefined) throw new TypeErrorOf('FormData: the second argument is not an HTMLElement');
  }
  append(name, value, filename = undefined) {
    const entries = this.#entries;
    requireArguments(arguments.length, 2, 'FormData.append');
    name = USVString(name, 'FormData.append: the name');
    value = entryValue(value, filename, arguments.length, 'FormData.append');
    entries[entries.length] = name;
    entries[entries.length] = value;
  }
  delete(name) {
    const entries = this.#entries;
    requireArguments(arguments.length, 1, 'FormData.delete');
    name = USVString(name, 'FormData.delete: the name');
    for (let i = entries.length - 2; i >= 0; i -= 2) if (entries[i] === name) splice(entries, i, 2);
  }
  get(name) {
    const entries = this.#entries;
    requireArguments(arguments.length, 1, 'FormData.get');
    name = USVString(name, 'FormData.get: the name');
    for (let i = 0; i < entries.length; i += 2) if (entries[i] === name) return entries[i + 1];
    return null;
  }
  getAll(name) {
    const entries = this.#entries;
    requireArguments(arguments.length, 1, 'FormData.getAll');
    name = USVString(name, 'FormData.getAll: the name');
    const values = newList();
    for (let i = 0; i < entries.length; i += 2) if (entries[i] === name) values[values.length] = entries[i + 1];
    return toArray(values);
  }
  has(name) {
    const entries = this.#entries;
    requireArguments(arguments.length, 1, 'FormData.has');
    name = USVString(name, 'FormData.has: the name');
    for (let i = 0; i < entries.length; i += 2) if (entries[i] === name) return true;
    return false;
  }
  set(name, value, filename = undefined) {
    const entries = this.#entries;
    requireArguments(arguments.length, 2, 'FormData.set');
    name = USVString(name, 'FormData.set: the name');
    value = entryValue(value, filename, arguments.length, 'FormData.set');
    let first = 0;
    while (first < entries.length && entries[first] !== name) first += 2;
    for (let i = entries.length - 2; i > first; i -= 2) if (entries[i] === name) splice(entries, i, 2);
    entries[first] = name;
    entries[first + 1] = value;
  }
  static {
    entriesOf = (value) => (#entries in value ? value.#entries : undefined);
    makeFormData = (entries) => {
      const form = new FormData();
      form.#entries = entries;
      return form;
    };
    makeIterable(FormData, 'FormData', (form, index) => {
      const entries = form.#entries;
      if (2 * index >= entries.length) return undefined;
      return { __proto__: null, key: entries[2 * index], value: entries[2 * index + 1] };
    });
  }
}
exposeClass(FormData, 'FormData');

// ---- multipart/form-data, out ---------------------------------------------------------

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

const newBoundary = () => {
  let text = '----formdata-';
  for (let i = 0; i < 24; i++) text += DIGITS[floor(random() * DIGITS.length)];
  return text;
};

const escaped = (text) => {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    out += unit === '\n' ? '%0A' : unit === '\r' ? '%0D' : unit === '"' ? '%22' : unit;
  }
  return out;
};

const headOf = (boundary, name, value) => {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(withLineEnds(name, '\r\n'))}"`;
  if (typeof value === 'string') return `${head}\r\n\r\n${withLineEnds(value, '\r\n')}\r\n`;
  const { nameOfFile, typeOfBlob } = use('blob');
  const type = typeOfBlob(value) || 'application/octet-stream';
  return `${head}; filename="${escaped(nameOfFile(value))}"\r\nContent-Type: ${type}\r\n\r\n`;
};

// {bytes, type}
export const encodeForm = (entries) => {
  const boundary = newBoundary();
  const parts = newList();
  for (let i = 0; i < entries.length; i += 2) {
    const value = entries[i + 1];
    parts[parts.length] = encodeUtf8(headOf(boundary, entries[i], value));
    if (typeof value === 'string') continue;
    parts[parts.length] = use('blob').bytesOfBlob(value);
    parts[parts.length] = encodeUtf8('\r\n');
  }
  parts[parts.length] = encodeUtf8(`--${boundary}--\r\n`);
  return { __proto__: null, bytes: concat(parts), type: `multipart/form-data; boundary=${boundary}` };
};

// ---- multipart/form-data, in ----------------------------------------------------------

const malformed = () => {
  throw new TypeErrorOf('The body is not valid multipart/form-data.');
};

// Where `needle` is in `bytes`, at or behind `from`; -1: nowhere.
const find = (bytes, needle, from) => {
  const size = lengthOf(needle);
  for (let at = from; (at = indexOfByte(bytes, needle[0], at)) >= 0; at++) {
    let same = 1;
    while (same < size && bytes[at + same] === needle[same]) same++;
    if (same === size) return at;
  }
  return -1;
};

const startsWith = (bytes, needle, at) => {
  for (let i = 0; i < lengthOf(needle); i++) if (bytes[at + i] !== needle[i]) return false;
  return true;
};

const unescaped = (text) => {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text[i] === '%' ? slice(text, i, i + 3) : '';
    const unit = code === '%0A' ? '\n' : code === '%0D' ? '\r' : code === '%22' ? '"' : undefined;
    out += unit ?? text[i];
    if (unit !== undefined) i += 2;
  }
  return out;
};

// The parameters name and filename of a Content-Disposition.
const readDisposition = (text, part) => {
  const kind = exec(/^[\t ]*form-data[\t ]*(?=;|$)/i, text);
  if (kind === null) malformed();
  let rest = slice(text, kind[0].length);
  while (rest !== '') {
    const found = exec(/^;[\t ]*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]*))[\t ]*/, rest);
    if (found === null) malformed();
    const key = lower(found[1]);
    const value = found[2] ?? found[3];
    if (key === 'name') part.name = unescaped(value);
    else if (key === 'filename') part.filename = unescaped(value);
    rest = slice(rest, found[0].length);
  }
};

const readHeader = (line, part) => {
  const colon = indexOf(line, ':');
  if (colon <= 0) malformed();
  const name = lower(slice(line, 0, colon));
  const value = slice(line, colon + 1);
  if (name === 'content-disposition') readDisposition(value, part);
  else if (name === 'content-type') part.type = trim(value);
};

const lineEnd = encodeUtf8('\r\n');

// The headers of a part from `at` on; where its content begins.
const readHead = (bytes, at, part) => {
  for (;;) {
    const end = find(bytes, lineEnd, at);
    if (end < 0) malformed();
    if (end === at) return at + 2;
    readHeader(decodeUtf8(view(bytes, at, end), false), part);
    at = end + 2;
  }
};

const valueOfPart = (part, content) =>
  part.filename === undefined ? decodeUtf8(content, true) : use('blob').makeFile(content, part.type ?? 'text/plain', part.filename);

export const decodeMultipart = (bytes, boundary) => {
  const mark = encodeUtf8(`--${boundary}`);
  const end = encodeUtf8(`\r\n--${boundary}`);
  const entries = newList();
  let at = startsWith(bytes, lineEnd, 0) ? 2 : 0;
  if (!startsWith(bytes, mark, at)) malformed();
  for (at += lengthOf(mark); ; ) {
    if (bytes[at] === 45 && bytes[at + 1] === 45) return makeFormData(entries);
    if (!startsWith(bytes, lineEnd, at)) malformed();
    const part = { __proto__: null, name: undefined, filename: undefined, type: undefined };
    at = readHead(bytes, at + 2, part);
    const stop = find(bytes, end, at - 2);
    if (stop < 0 || part.name === undefined) malformed();
    entries[entries.length] = part.name;
    entries[entries.length] = valueOfPart(part, view(bytes, at, stop < at ? at : stop));
    at = stop + lengthOf(end);
  }
};

export const decodeURLEncoded = (bytes) => makeFormData(parseForm(decodeUtf8(bytes, true), newList()));
