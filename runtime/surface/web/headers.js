// Headers: the Fetch Standard, 5.1.
import { isToken, lower, makeIterable, newList, slice, sort, splice, startsWith, test, toArray, trim } from '../lib/text.js';
import { ByteString, record, sequence, sequenceFrom } from '../lib/webidl.js';

const { exposeClass, requireArguments, isObject } = internals;
const { iterator } = Symbol;
const TypeErrorOf = TypeError;

const WHAT = 'Headers: the first argument';
const recordOfBytes = record(ByteString, ByteString);
const pairOf = (item, what) => {
  const pair = sequence(ByteString)(item, what);
  if (pair.length !== 2) throw new TypeErrorOf(`${what} has ${pair.length} items; a header has a name and a value`);
  return pair;
};

// [[name, value] ...], as a converter.
export const headersInit = (value, what = WHAT) => {
  if (!isObject(value)) throw new TypeErrorOf(`${what} is neither a sequence nor an object of headers`);
  const method = value[iterator];
  return method === undefined || method === null ? recordOfBytes(value, what) : sequenceFrom(value, method, pairOf, what);
};

// ---- what a guard refuses ----------------------------------------------------------

// Header names that a request may not set (Fetch, 2.2.2); names of one row below.
const forbidden = {
  __proto__: null,
  'accept-charset': true,
  'accept-encoding': true,
  'access-control-request-headers': true,
  'access-control-request-method': true,
  connection: true,
  'content-length': true,
  cookie: true,
  cookie2: true,
  date: true,
  dnt: true,
  expect: true,
  host: true,
  'keep-alive': true,
  origin: true,
  referer: true,
  'set-cookie': true,
  te: true,
  trailer: true,
  'transfer-encoding': true,
  upgrade: true,
  via: true,
};
const overrides = { __proto__: null, 'x-http-method': true, 'x-http-method-override': true, 'x-method-override': true };

const namesForbiddenMethod = (value) => test(/(?:^|,)[\t ]*(?:connect|trace|track)[\t ]*(?:,|$)/i, value);

const isForbidden = (name, value) =>
  name in forbidden ||
  startsWith(name, 'proxy-') ||
  startsWith(name, 'sec-') ||
  (name in overrides && namesForbiddenMethod(value));

const simpleValues = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)$/;

// What a request in mode no-cors may carry (Fetch, 2.2.2).
const isSimple = (name, value) => {
  if (value.length > 128) return false;
  if (name === 'accept' || name === 'accept-language' || name === 'content-language') {
    return !test(/[\0-\x08\x0a-\x1f"():<>?@[\\\]{}\x7f]/, value);
  }
  return name === 'content-type' && test(simpleValues, lower(trim(before(value, ';'))));
};

const before = (text, mark) => {
  let end = 0;
  while (end < text.length && text[end] !== mark) end++;
  return slice(text, 0, end);
};

// ---- header lists --------------------------------------------------------------------
//
// Names as they were given, and values, in turn.

const indexOfName = (list, name, from) => {
  for (let i = from; i < list.length; i += 2) if (lower(list[i]) === name) return i;
  return -1;
};

export const valueIn = (list, name) => {
  let at = indexOfName(list, name, 0);
  if (at < 0) return null;
  let value = list[at + 1];
  while ((at = indexOfName(list, name, at + 2)) >= 0) value += `, ${list[at + 1]}`;
  return value;
};

export const removeFrom = (list, name) => {
  for (let at = 0; (at = indexOfName(list, name, at)) >= 0; ) splice(list, at, 2);
};

const checkName = (name) => {
  if (!isToken(name)) throw new TypeErrorOf(`"${name}" is not a valid header name`);
};

const checkValue = (name, value) => {
  value = trim(value);
  if (test(/[\0\r\n]/, value)) throw new TypeErrorOf(`The value of the header "${name}" has a character that headers cannot have`);
  return value;
};

// Sorted by name, values of one name joined, but for Set-Cookie.
const sortAndCombine = (list) => {
  const pairs = newList();
  const places = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const key = lower(list[i]);
    if (key in places && key !== 'set-cookie') {
      places[key].value += `, ${list[i + 1]}`;
    } else {
      const pair = { __proto__: null, key, value: list[i + 1] };
      pairs[pairs.length] = places[key] = pair;
    }
  }
  return sort(pairs, (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
};

// ---- the class -------------------------------------------------------------------------

export let listOfHeaders; // of a Headers; undefined for anything else
export let makeHeaders; // over `list`, without looking at what is in it
export let fillHeaders; // what the constructor does with its converted argument

export class Headers {
  #list = newList();
  #guard = 'none'; // 'request', 'request-no-cors', 'response', 'immutable'
  #sorted = null;

  constructor(init = undefined) {
    if (init !== undefined) fillHeaders(this, headersInit(init));
  }
  append(name, value) {
    this.#list;
    requireArguments(arguments.length, 2, 'Headers.append');
    name = ByteString(name, 'Headers.append: the name');
    this.#append(name, ByteString(value, 'Headers.append: the value'));
  }
  delete(name) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'Headers.delete');
    name = ByteString(name, 'Headers.delete: the name');
    checkName(name);
    if (!this.#permits(lower(name), '', false)) return;
    removeFrom(list, lower(name));
    this.#sorted = null;
  }
  get(name) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'Headers.get');
    name = ByteString(name, 'Headers.get: the name');
    checkName(name);
    return valueIn(list, lower(name));
  }
  getSetCookie() {
    const list = this.#list;
    const values = newList();
    for (let at = 0; (at = indexOfName(list, 'set-cookie', at)) >= 0; at += 2) values[values.length] = list[at + 1];
    return toArray(values);
  }
  has(name) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'Headers.has');
    name = ByteString(name, 'Headers.has: the name');
    checkName(name);
    return indexOfName(list, lower(name), 0) >= 0;
  }
  set(name, value) {
    const list = this.#list;
    requireArguments(arguments.length, 2, 'Headers.set');
    name = ByteString(name, 'Headers.set: the name');
    value = checkValue(name, ByteString(value, 'Headers.set: the value'));
    checkName(name);
    const key = lower(name);
    if (!this.#permits(key, value, true)) return;
    const first = indexOfName(list, key, 0);
    if (first < 0) {
      list[list.length] = name;
      list[list.length] = value;
    } else {
      list[first + 1] = value;
      for (let at = first + 2; (at = indexOfName(list, key, at)) >= 0; ) splice(list, at, 2);
    }
    this.#sorted = null;
  }
  #append(name, value) {
    const list = this.#list;
    value = checkValue(name, value);
    checkName(name);
    const key = lower(name);
    const whole = this.#guard === 'request-no-cors' && indexOfName(list, key, 0) >= 0 ? `${valueIn(list, key)}, ${value}` : value;
    if (!this.#permits(key, value, true, whole)) return;
    list[list.length] = name;
    list[list.length] = value;
    this.#sorted = null;
  }
  // Throws when nothing may change; false: this one is left out without a word.
  #permits(key, value, sets, whole = value) {
    switch (this.#guard) {
      case 'immutable':
        throw new TypeErrorOf('These headers cannot be changed');
      case 'request':
        return !isForbidden(key, value);
      case 'request-no-cors':
        if (isForbidden(key, value)) return false;
        return sets ? isSimple(key, whole) : key === 'range' || isSimple(key, '') || key === 'content-type';
      case 'response':
        return key !== 'set-cookie' && key !== 'set-cookie2';
      default:
        return true;
    }
  }
  static {
    listOfHeaders = (value) => (isObject(value) && #list in value ? value.#list : undefined);
    makeHeaders = (list, guard) => {
      const headers = new Headers();
      headers.#list = list;
      headers.#guard = guard;
      return headers;
    };
    fillHeaders = (headers, pairs) => {
      for (let i = 0; i < pairs.length; i++) headers.#append(pairs[i][0], pairs[i][1]);
    };
    makeIterable(Headers, 'Headers', (headers, index) => {
      headers.#sorted ??= sortAndCombine(headers.#list);
      return headers.#sorted[index];
    });
  }
}
exposeClass(Headers, 'Headers');
