// MIME types (the MIME Sniffing Standard, 4) and data: URLs (the Fetch Standard, 6).
import { charCodeAt, decodeUtf8, exec, fromBase64, indexOf, isSpace, isToken, lower, newList, percentDecode, slice, test, trim } from './lib/text.js';

const { apply } = internals.primordials;
const Uint8ArrayOf = Uint8Array;
const loose = { __proto__: null, alphabet: 'base64', lastChunkHandling: 'loose' };
const QUOTED = /^[\t\x20-\x7e\x80-\xff]*$/;

const trimEnd = (text) => {
  let end = text.length;
  while (end > 0 && isSpace(charCodeAt(text, end - 1))) end--;
  return slice(text, 0, end);
};

const until = (text, mark, from) => {
  const at = indexOf(text, mark, from);
  return at < 0 ? text.length : at;
};

// The quoted string that starts at `at`: its value, and where it ends.
const readQuoted = (text, at) => {
  let value = '';
  for (at++; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') return { __proto__: null, value, end: at + 1 };
    if (unit === '\\' && at + 1 < text.length) at++;
    value += text[at];
  }
  return { __proto__: null, value, end: at };
};

// The members of a list that commas divide, but for those in quotes.
const splitList = (text) => {
  const items = newList();
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = readQuoted(text, at).end - 1;
    else if (text[at] === ',') {
      items[items.length] = trim(slice(text, start, at));
      start = at + 1;
    }
  }
  items[items.length] = trim(slice(text, start));
  return items;
};

const valueAt = (text, at) => {
  if (text[at] === '"') {
    const { value, end } = readQuoted(text, at);
    return { __proto__: null, value, end: until(text, ';', end), quoted: true };
  }
  const end = until(text, ';', at);
  return { __proto__: null, value: trimEnd(slice(text, at, end)), end, quoted: false };
};

const addParameter = (params, name, { value, quoted }) => {
  if (!isToken(name) || !test(QUOTED, value) || (value === '' && !quoted)) return;
  for (let i = 0; i < params.length; i++) if (params[i].name === name) return;
  params[params.length] = { __proto__: null, name, value };
};

const parseParameters = (text, at) => {
  const params = newList();
  while (at < text.length) {
    at++;
    while (isSpace(charCodeAt(text, at))) at++;
    const start = at;
    while (at < text.length && text[at] !== ';' && text[at] !== '=') at++;
    const name = lower(slice(text, start, at));
    if (text[at] !== '=') continue;
    if (++at >= text.length) break;
    const found = valueAt(text, at);
    addParameter(params, name, found);
    at = found.end;
  }
  return params;
};

// {essence, params: list of {name, value}}; null when the text is none.
const parseMime = (text) => {
  text = trim(text);
  const slash = indexOf(text, '/');
  if (slash < 0) return null;
  const end = until(text, ';', slash);
  const type = slice(text, 0, slash);
  const subtype = trimEnd(slice(text, slash + 1, end));
  if (!isToken(type) || !isToken(subtype)) return null;
  return { __proto__: null, essence: `${lower(type)}/${lower(subtype)}`, params: parseParameters(text, end) };
};

export const parameterOf = (mime, name) => {
  for (let i = 0; i < mime.params.length; i++) if (mime.params[i].name === name) return mime.params[i].value;
  return undefined;
};

const quote = (value) => {
  let out = '"';
  for (let i = 0; i < value.length; i++) {
    const unit = value[i];
    out += unit === '"' || unit === '\\' ? `\\${unit}` : unit;
  }
  return `${out}"`;
};

export const writeMime = (mime) => {
  let text = mime.essence;
  for (let i = 0; i < mime.params.length; i++) {
    const { name, value } = mime.params[i];
    text += `;${name}=${isToken(value) ? value : quote(value)}`;
  }
  return text;
};

// What the values of Content-Type say together (Fetch, 2.2.2): `text` is all of
// them, or null. Null when it is none.
export const mimeOfHeader = (text) => {
  let result = null;
  let charset;
  const values = text === null ? newList() : splitList(text);
  for (let i = 0; i < values.length; i++) {
    const mime = parseMime(values[i]);
    if (mime === null || mime.essence === '*/*') continue;
    const given = parameterOf(mime, 'charset');
    if (result === null || mime.essence !== result.essence) charset = given;
    else if (given === undefined && charset !== undefined) {
      mime.params[mime.params.length] = { __proto__: null, name: 'charset', value: charset };
    }
    result = mime;
  }
  return result;
};

// ---- data: URLs -----------------------------------------------------------------------------

// What an HTML document may write as base64; undefined when it is none.
const decodeBase64 = (bytes) => {
  try {
    return apply(fromBase64, Uint8ArrayOf, [decodeUtf8(bytes, true), loose]);
  } catch {
    return undefined;
  }
};

// {type, bytes} of a URL without its fragment; undefined when it is malformed.
export const readDataURL = (href) => {
  const comma = indexOf(href, ',');
  if (comma < 0) return undefined;
  let type = trim(slice(href, 5, comma));
  let bytes = percentDecode(slice(href, comma + 1));
  const mark = exec(/; *base64$/i, type);
  if (mark !== null) {
    bytes = decodeBase64(bytes);
    if (bytes === undefined) return undefined;
    type = slice(type, 0, mark.index);
  }
  const mime = parseMime(type !== '' && type[0] === ';' ? `text/plain${type}` : type);
  return { __proto__: null, type: mime === null ? 'text/plain;charset=US-ASCII' : writeMime(mime), bytes };
};
