// URL: the URL Standard. Parsing and writing is in src/worker/url.c; an object here is
// the URL's text and where its parts are. URLSearchParams is in search_params.js.
import { slice } from './lib/text.js';
import { USVString } from './lib/webidl.js';

const { native, exposeClass, requireArguments, use } = internals;
const { parse, set } = native.url;
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

const textOf = (value, what) => USVString(value, `${what}: the URL`);
const baseOf = (value, what) => (value === undefined ? undefined : USVString(value, `${what}: the base URL`));

export let hrefOf; // the text of a URL; undefined for anything else
export let setQuery; // what its URLSearchParams do when they change

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
    return use('blob').addBlobURL(obj);
  }
  static revokeObjectURL(url) {
    requireArguments(arguments.length, 1, 'URL.revokeObjectURL');
    use('blob').removeBlobURL(USVString(url, 'URL.revokeObjectURL: the URL'));
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
      this.#params = use('search_params').newParams(this);
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
    if (this.#params !== null) use('search_params').refill(this.#params, withoutMark(this.#part(PATH_END, QUERY_END)));
  }
  static {
    setQuery = (url, query) => {
      url.#set(SEARCH, query);
    };
    hrefOf = (value) => (#href in value ? value.#href : undefined);
  }
}
exposeClass(URL, 'URL');
