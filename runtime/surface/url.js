// URL and URLSearchParams: the URL Standard. Parsing and writing is in
// src/worker/url.c; an object here is the URL's text and where its parts are.
const { charCodeAt, makeIterable, newList, slice, sort, splice, toArray } = internals.use('text');
const { native, converters, exposeClass, requireArguments, isObject } = internals;
const { USVString, record, sequence, sequenceFrom } = converters;
const { parse, set, parseForm, writeForm } = native.url;
const { iterator } = Symbol;
const TypeErrorOf = TypeError;
const Uint32ArrayOf = Uint32Array;

// enum url_field and url_offset of src/worker/url.h
const PROTOCOL = 0;
const USERNAME = 1;
const PASSWORD = 2;
const HOST = 3;
const HOSTNAME = 4;
const PORT = 5;
const PATHNAME = 6;
const SEARCH = 7;
const HASH = 8;
const SCHEME_END = 0;
const USERNAME_START = 1;
const USERNAME_END = 2;
const PASSWORD_END = 3;
const HOST_START = 4;
const HOST_END = 5;
const PORT_END = 6;
const PATH_START = 7;
const PATH_END = 8;
const QUERY_END = 9;
const OFFSETS = 10;

const QUESTION_MARK = 63;

// `text` without the mark that it begins with; without anything behind it, "".
const withMark = (text) => (text.length > 1 ? text : '');
const withoutMark = (text) => (text.length > 1 ? slice(text, 1) : '');

const originOf = (href, at) => {
  const protocol = slice(href, 0, at[SCHEME_END] + 1);
  switch (protocol) {
    case 'http:':
    case 'https:':
    case 'ws:':
    case 'wss:':
    case 'ftp:':
      return `${protocol}//${slice(href, at[HOST_START], at[PORT_END])}`;
    case 'blob:': {
      const inner = new Uint32ArrayOf(OFFSETS);
      const url = parse(slice(href, at[PATH_START], at[PATH_END]), undefined, inner);
      const scheme = url === undefined ? '' : slice(url, 0, inner[SCHEME_END]);
      return scheme === 'http' || scheme === 'https' ? originOf(url, inner) : 'null';
    }
    default:
      return 'null';
  }
};

// ---- URLSearchParams ------------------------------------------------------------------

const pairOf = (item, what) => {
  const pair = sequence(USVString)(item, what);
  if (pair.length !== 2) throw new TypeErrorOf(`${what} has ${pair.length} items; a pair has two`);
  return pair;
};
const recordOfStrings = record(USVString, USVString);
const WHAT = 'URLSearchParams: the first argument';

const pairsOf = (init) => {
  const method = init[iterator];
  return method === undefined || method === null ? recordOfStrings(init, WHAT) : sequenceFrom(init, method, pairOf, WHAT);
};

// Names and values in turn.
const listOfInit = (init) => {
  if (!isObject(init)) {
    const text = USVString(init, WHAT);
    return parseForm(charCodeAt(text, 0) === QUESTION_MARK ? slice(text, 1) : text, newList());
  }
  const pairs = pairsOf(init);
  const list = newList();
  for (let i = 0; i < pairs.length; i++) {
    list[list.length] = pairs[i][0];
    list[list.length] = pairs[i][1];
  }
  return list;
};

let attach; // makes `params` write its changes to `url`
let refill; // replaces what is in `params`
let setQuery; // what `params` does when it changes

export let formOf; // the text of a URLSearchParams; undefined for anything else

export class URLSearchParams {
  #list;
  #url = null;

  constructor(init = '') {
    this.#list = listOfInit(init);
  }
  get size() {
    return this.#list.length / 2;
  }
  append(name, value) {
    const list = this.#list;
    requireArguments(arguments.length, 2, 'URLSearchParams.append');
    name = USVString(name, 'URLSearchParams.append: the name');
    value = USVString(value, 'URLSearchParams.append: the value');
    list[list.length] = name;
    list[list.length] = value;
    this.#changed();
  }
  delete(name, value = undefined) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.delete');
    name = USVString(name, 'URLSearchParams.delete: the name');
    if (value !== undefined) value = USVString(value, 'URLSearchParams.delete: the value');
    for (let i = list.length - 2; i >= 0; i -= 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) splice(list, i, 2);
    }
    this.#changed();
  }
  get(name) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.get');
    name = USVString(name, 'URLSearchParams.get: the name');
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) return list[i + 1];
    return null;
  }
  getAll(name) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.getAll');
    name = USVString(name, 'URLSearchParams.getAll: the name');
    const values = newList();
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) values[values.length] = list[i + 1];
    return toArray(values);
  }
  has(name, value = undefined) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.has');
    name = USVString(name, 'URLSearchParams.has: the name');
    if (value !== undefined) value = USVString(value, 'URLSearchParams.has: the value');
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) return true;
    }
    return false;
  }
  set(name, value) {
    const list = this.#list;
    requireArguments(arguments.length, 2, 'URLSearchParams.set');
    name = USVString(name, 'URLSearchParams.set: the name');
    value = USVString(value, 'URLSearchParams.set: the value');
    let first = 0;
    while (first < list.length && list[first] !== name) first += 2;
    for (let i = list.length - 2; i > first; i -= 2) if (list[i] === name) splice(list, i, 2);
    list[first] = name;
    list[first + 1] = value;
    this.#changed();
  }
  sort() {
    const list = this.#list;
    const pairs = newList();
    for (let i = 0; i < list.length; i += 2) pairs[i / 2] = { __proto__: null, name: list[i], value: list[i + 1] };
    sort(pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (let i = 0; i < pairs.length; i++) {
      list[2 * i] = pairs[i].name;
      list[2 * i + 1] = pairs[i].value;
    }
    this.#changed();
  }
  toString() {
    return writeForm(this.#list, this.#list.length);
  }
  #changed() {
    if (this.#url !== null) setQuery(this.#url, writeForm(this.#list, this.#list.length));
  }
  static {
    attach = (params, url) => {
      params.#url = url;
      return params;
    };
    refill = (params, query) => {
      params.#list = parseForm(query, newList());
    };
    formOf = (value) => (#list in value ? writeForm(value.#list, value.#list.length) : undefined);
    makeIterable(URLSearchParams, 'URLSearchParams', (params, index) => {
      const list = params.#list;
      if (2 * index >= list.length) return undefined;
      return { __proto__: null, key: list[2 * index], value: list[2 * index + 1] };
    });
  }
}
exposeClass(URLSearchParams, 'URLSearchParams');

// ---- URL ------------------------------------------------------------------------------

const textOf = (value, what) => USVString(value, `${what}: the URL`);
const baseOf = (value, what) => (value === undefined ? undefined : USVString(value, `${what}: the base URL`));

export let hrefOf; // the text of a URL; undefined for anything else

export class URL {
  #href;
  #at = new Uint32ArrayOf(OFFSETS);
  #params = null;

  constructor(url, base = undefined) {
    requireArguments(arguments.length, 1, 'URL');
    const text = textOf(url, 'URL');
    const href = parse(text, baseOf(base, 'URL'), this.#at);
    if (href === undefined) throw new TypeErrorOf(`"${text}" cannot be parsed as a URL.`);
    this.#href = href;
  }
  static parse(url, base = undefined) {
    requireArguments(arguments.length, 1, 'URL.parse');
    const href = parse(textOf(url, 'URL.parse'), baseOf(base, 'URL.parse'), new Uint32ArrayOf(OFFSETS));
    return href === undefined ? null : new URL(href);
  }
  static canParse(url, base = undefined) {
    requireArguments(arguments.length, 1, 'URL.canParse');
    const href = parse(textOf(url, 'URL.canParse'), baseOf(base, 'URL.canParse'), new Uint32ArrayOf(OFFSETS));
    return href !== undefined;
  }
  static createObjectURL(obj) {
    requireArguments(arguments.length, 1, 'URL.createObjectURL');
    return internals.use('blob').addBlobURL(obj);
  }
  static revokeObjectURL(url) {
    requireArguments(arguments.length, 1, 'URL.revokeObjectURL');
    internals.use('blob').removeBlobURL(USVString(url, 'URL.revokeObjectURL: the URL'));
  }
  get href() {
    return this.#href;
  }
  set href(value) {
    this.#href;
    const text = USVString(value, 'URL.href');
    const at = new Uint32ArrayOf(OFFSETS);
    const href = parse(text, undefined, at);
    if (href === undefined) throw new TypeErrorOf(`"${text}" cannot be parsed as a URL.`);
    this.#href = href;
    this.#at = at;
    this.#refill();
  }
  get origin() {
    return originOf(this.#href, this.#at);
  }
  get protocol() {
    return slice(this.#href, 0, this.#at[SCHEME_END] + 1);
  }
  set protocol(value) {
    this.#set(PROTOCOL, value);
  }
  get username() {
    return this.#part(USERNAME_START, USERNAME_END);
  }
  set username(value) {
    this.#set(USERNAME, value);
  }
  get password() {
    return withoutMark(this.#part(USERNAME_END, PASSWORD_END));
  }
  set password(value) {
    this.#set(PASSWORD, value);
  }
  get host() {
    return this.#part(HOST_START, PORT_END);
  }
  set host(value) {
    this.#set(HOST, value);
  }
  get hostname() {
    return this.#part(HOST_START, HOST_END);
  }
  set hostname(value) {
    this.#set(HOSTNAME, value);
  }
  get port() {
    return withoutMark(this.#part(HOST_END, PORT_END));
  }
  set port(value) {
    this.#set(PORT, value);
  }
  get pathname() {
    return this.#part(PATH_START, PATH_END);
  }
  set pathname(value) {
    this.#set(PATHNAME, value);
  }
  get search() {
    return withMark(this.#part(PATH_END, QUERY_END));
  }
  set search(value) {
    this.#set(SEARCH, value);
    this.#refill();
  }
  get searchParams() {
    if (this.#params === null) {
      this.#params = attach(new URLSearchParams(), this);
      this.#refill();
    }
    return this.#params;
  }
  get hash() {
    return withMark(slice(this.#href, this.#at[QUERY_END]));
  }
  set hash(value) {
    this.#set(HASH, value);
  }
  toJSON() {
    return this.#href;
  }
  toString() {
    return this.#href;
  }
  #part(start, end) {
    const at = this.#at;
    return slice(this.#href, at[start], at[end]);
  }
  #set(field, value) {
    const href = this.#href;
    this.#href = set(href, field, USVString(value, 'URL: the new value'), this.#at);
  }
  #refill() {
    if (this.#params !== null) refill(this.#params, withoutMark(this.#part(PATH_END, QUERY_END)));
  }
  static {
    setQuery = (url, query) => {
      url.#set(SEARCH, query);
    };
    hrefOf = (value) => (#href in value ? value.#href : undefined);
  }
}
exposeClass(URL, 'URL');
