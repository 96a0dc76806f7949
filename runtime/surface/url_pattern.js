// URLPattern: the URL Pattern Standard.
import { compile, escapePattern } from './web/pattern.js';
import { parsePatternString } from './web/pattern_string.js';
import { parseURL } from './web/location.js';
import { exec, lastIndexOf, lower, slice, startsWith, test } from './lib/text.js';
import { boolean, dictionary, USVString } from './lib/webidl.js';

const { native, primordials, exposeClass, isObject } = internals;
const { defineProperty } = primordials;
const { set } = native.url;
const TypeErrorOf = TypeError;
const RegExpOf = RegExp;
const Uint32ArrayOf = Uint32Array;

const components = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

const fail = (sentence) => {
  throw new TypeErrorOf(`URLPattern: ${sentence}`);
};

const special = { __proto__: null, http: '80', https: '443', ws: '80', wss: '443', ftp: '21', file: '' };

// ---- canonical text ----------------------------------------------------------------------------

// enum url_field of src/worker/url.h
const fields = { __proto__: null, username: 1, password: 2, hostname: 4, port: 5, pathname: 6, search: 7, hash: 8 };

// The URL `href` with one component replaced.
const replaced = (href, field, value) => parseURL(set(href, fields[field], value, new Uint32ArrayOf(10)));

const DUMMY = 'https://dummy.invalid/';

// Not empty: the empty text is canonical everywhere.
const canonical = {
  __proto__: null,
  protocol(value) {
    return (parseURL(`${value}://dummy.invalid/`) ?? fail(`"${value}" is not a protocol.`)).scheme;
  },
  username: (value) => replaced(DUMMY, 'username', value).username,
  password: (value) => replaced(DUMMY, 'password', value).password,
  domain: (value) => hostnameIn('https', value),
  hostname: (value) => hostnameIn('x', value),
  address(value) {
    if (test(/[^0-9A-Fa-f[\]:]/, value)) fail(`"${value}" is not part of an IPv6 address.`);
    return lower(value);
  },
  port: (value) => portIn('https', value),
  pathname(value) {
    if (startsWith(value, '/')) return replaced(DUMMY, 'pathname', value).path;
    return slice(replaced(DUMMY, 'pathname', `/-${value}`).path, 2);
  },
  opaque: (value) => slice(parseURL(`x:-${value}`).path, 1),
  search: (value) => slice(replaced(DUMMY, 'search', `?${value}`).query, 1),
  hash: (value) => slice(replaced(DUMMY, 'hash', `#${value}`).hash, 1),
};

// A value that is refused leaves what was there, which is another in the other URL.
const accepted = (first, second, field, value) => {
  const result = replaced(first, field, value)[field];
  if (result !== replaced(second, field, value)[field]) fail(`"${value}" is not a ${field}.`);
  return result;
};

const hostnameIn = (scheme, value) => accepted(`${scheme}://first.invalid/`, `${scheme}://second.invalid/`, 'hostname', value);

const portIn = (protocol, value) => accepted(`${protocol}://dummy.invalid:1/`, `${protocol}://dummy.invalid:2/`, 'port', value);

const encoder = (name) => (value) => (value === '' ? '' : canonical[name](value));

// ---- URLPatternInit ----------------------------------------------------------------------------

const initMembers = dictionary([
  ['baseURL', USVString],
  ['hash', USVString],
  ['hostname', USVString],
  ['password', USVString],
  ['pathname', USVString],
  ['port', USVString],
  ['protocol', USVString],
  ['search', USVString],
  ['username', USVString],
]);
const patternOptions = dictionary([['ignoreCase', boolean, false]]);

// A URLPatternInput: a text, or members without a prototype.
const inputOf = (value, what) =>
  value === undefined || value === null || isObject(value) ? initMembers(value, what) : USVString(value, what);

// Components that a base URL gives only where none of these is given.
const earlier = {
  __proto__: null,
  protocol: ['protocol'],
  username: ['protocol', 'hostname', 'port', 'username'],
  password: ['protocol', 'hostname', 'port', 'username', 'password'],
  hostname: ['protocol', 'hostname'],
  port: ['protocol', 'hostname', 'port'],
  pathname: ['protocol', 'hostname', 'port', 'pathname'],
  search: ['protocol', 'hostname', 'port', 'pathname', 'search'],
  hash: ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash'],
};

const withoutMark = (text, mark) => (startsWith(text, mark) ? slice(text, 1) : text);

// The components of a URL, as a pattern sees them.
const componentsOf = (url) => ({
  __proto__: null,
  protocol: url.scheme,
  username: url.username,
  password: url.password,
  hostname: url.hostname,
  port: url.port,
  pathname: url.path,
  search: withoutMark(url.query, '?'),
  hash: withoutMark(url.hash, '#'),
});

const inherits = (init, name, isPattern) => {
  if (isPattern && (name === 'username' || name === 'password')) return false;
  const others = earlier[name];
  for (let i = 0; i < others.length; i++) if (init[others[i]] !== undefined) return false;
  return true;
};

const inherit = (result, init, base, isPattern) => {
  const given = componentsOf(base);
  for (let i = 0; i < components.length; i++) {
    const name = components[i];
    if (inherits(init, name, isPattern)) result[name] = isPattern ? escapePattern(given[name]) : given[name];
  }
};

const isAbsolute = (pathname, isPattern) =>
  startsWith(pathname, '/') || (isPattern && (startsWith(pathname, '\\/') || startsWith(pathname, '{/')));

const resolvePathname = (pathname, base, isPattern) => {
  if (base === undefined || base.opaque || isAbsolute(pathname, isPattern)) return pathname;
  const path = isPattern ? escapePattern(base.path) : base.path;
  return slice(path, 0, lastIndexOf(path, '/') + 1) + pathname;
};

const withoutColon = (text) => (text !== '' && text[text.length - 1] === ':' ? slice(text, 0, -1) : text);

// How the components of an init are made canonical when they are to be matched.
const canonicalIn = (name, value, protocol) => {
  if (value === '') return '';
  const isSpecial = protocol === '' || protocol in special;
  if (name === 'port') return portIn(protocol in special && protocol !== 'file' ? protocol : 'x', value);
  if (name === 'pathname') return isSpecial ? canonical.pathname(value) : canonical.opaque(value);
  if (name === 'hostname') return isSpecial ? canonical.domain(value) : canonical.hostname(value);
  return canonical[name](value);
};

// The init with its base URL resolved: as patterns, or as components to match.
const processInit = (init, isPattern, result) => {
  const base = init.baseURL === undefined ? undefined : parseURL(init.baseURL);
  if (init.baseURL !== undefined && base === undefined) fail(`the base URL "${init.baseURL}" cannot be parsed.`);
  if (base !== undefined) inherit(result, init, base, isPattern);
  for (let i = 0; i < components.length; i++) {
    const name = components[i];
    let value = init[name];
    if (value === undefined) continue;
    if (name === 'protocol') value = withoutColon(value);
    else if (name === 'pathname') value = resolvePathname(value, base, isPattern);
    else if (name === 'search') value = withoutMark(value, '?');
    else if (name === 'hash') value = withoutMark(value, '#');
    result[name] = isPattern ? value : canonicalIn(name, value, result.protocol);
  }
  return result;
};

// ---- compiling ---------------------------------------------------------------------------------

const compileOne = (pattern, encode, delimiter, prefix, ignoreCase) => {
  const options = { __proto__: null, delimiter, prefix };
  return compile(pattern, encode, options, (source) => {
    try {
      return new RegExpOf(source, ignoreCase ? 'vi' : 'v');
    } catch {
      return fail(`"${pattern}" has a group that is not a regular expression.`);
    }
  });
};

const matchesSpecial = ({ regexp }) => {
  for (const scheme in special) if (test(regexp, scheme)) return true;
  return false;
};

const compileProtocol = (pattern) => compileOne(pattern, encoder('protocol'), '', '', false);

const isAddress = (hostname) => startsWith(hostname, '[') || startsWith(hostname, '{[') || startsWith(hostname, '\\[');

const compileAll = (init, ignoreCase) => {
  const given = processInit(init, true, { __proto__: null });
  const pattern = (name) => given[name] ?? '*';
  const plain = (name) => compileOne(pattern(name), encoder(name), '', '', false);
  const protocol = compileProtocol(pattern('protocol'));
  const isSpecial = matchesSpecial(protocol);
  if (given.protocol in special && given.port === special[given.protocol]) given.port = '';
  const hostname = isAddress(pattern('hostname')) ? 'address' : isSpecial ? 'domain' : 'hostname';
  return {
    __proto__: null,
    protocol,
    username: plain('username'),
    password: plain('password'),
    hostname: compileOne(pattern('hostname'), encoder(hostname), '.', '', false),
    port: plain('port'),
    pathname: isSpecial
      ? compileOne(pattern('pathname'), encoder('pathname'), '/', '/', ignoreCase)
      : compileOne(pattern('pathname'), encoder('opaque'), '', '', ignoreCase),
    search: compileOne(pattern('search'), encoder('search'), '', '', ignoreCase),
    hash: compileOne(pattern('hash'), encoder('hash'), '', '', ignoreCase),
  };
};

const initOf = (input, base) => {
  if (typeof input !== 'string') {
    if (base !== undefined) fail('a base URL goes with a text only; else it is the member baseURL.');
    return input;
  }
  const init = parsePatternString(input, (pattern) => matchesSpecial(compileProtocol(pattern)));
  if (base !== undefined) init.baseURL = base;
  else if (init.protocol === undefined) fail(`"${input}" has no protocol, and there is no base URL.`);
  return init;
};

// ---- matching ----------------------------------------------------------------------------------

// Components of what is to be matched; undefined when it is no URL.
const target = (input, base) => {
  if (typeof input === 'string') {
    const parsedBase = base === undefined ? undefined : parseURL(base);
    if (base !== undefined && parsedBase === undefined) return undefined;
    const url = parseURL(input, parsedBase?.href);
    return url === undefined ? undefined : componentsOf(url);
  }
  if (base !== undefined) fail('a base URL goes with a text only; else it is the member baseURL.');
  const result = { __proto__: null };
  for (let i = 0; i < components.length; i++) result[components[i]] = '';
  try {
    return processInit(input, false, result);
  } catch {
    return undefined;
  }
};

const put = (object, key, value) =>
  defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });

const groupsOf = (found, names) => {
  const groups = {};
  for (let i = 0; i < names.length; i++) put(groups, names[i], found[i + 1]);
  return groups;
};

const plainCopy = (members) => {
  const made = {};
  for (const key in members) put(made, key, members[key]);
  return made;
};

const inputsOf = (input, base) => {
  const first = typeof input === 'string' ? input : plainCopy(input);
  return base === undefined ? [first] : [first, base];
};

const match = (compiled, input, base) => {
  const values = target(input, base);
  if (values === undefined) return null;
  const result = { inputs: inputsOf(input, base) };
  for (let i = 0; i < components.length; i++) {
    const name = components[i];
    const found = exec(compiled[name].regexp, values[name]);
    if (found === null) return null;
    put(result, name, { input: values[name], groups: groupsOf(found, compiled[name].names) });
  }
  return result;
};

// ---- the class ---------------------------------------------------------------------------------

export class URLPattern {
  #compiled;

  constructor(input = undefined, baseURL = undefined, options = undefined) {
    const hasBase = arguments.length > 2 || !(baseURL === undefined || baseURL === null || isObject(baseURL));
    const what = 'URLPattern: the first argument';
    const given = inputOf(input, what);
    const base = hasBase ? USVString(baseURL, 'URLPattern: the base URL') : undefined;
    const { ignoreCase } = patternOptions(hasBase ? options : baseURL, 'URLPattern: the options');
    this.#compiled = compileAll(initOf(given, base), ignoreCase);
  }
  test(input = undefined, baseURL = undefined) {
    return this.#match(input, baseURL, 'URLPattern.test') !== null;
  }
  exec(input = undefined, baseURL = undefined) {
    return this.#match(input, baseURL, 'URLPattern.exec');
  }
  get protocol() {
    return this.#compiled.protocol.pattern;
  }
  get username() {
    return this.#compiled.username.pattern;
  }
  get password() {
    return this.#compiled.password.pattern;
  }
  get hostname() {
    return this.#compiled.hostname.pattern;
  }
  get port() {
    return this.#compiled.port.pattern;
  }
  get pathname() {
    return this.#compiled.pathname.pattern;
  }
  get search() {
    return this.#compiled.search.pattern;
  }
  get hash() {
    return this.#compiled.hash.pattern;
  }
  get hasRegExpGroups() {
    const compiled = this.#compiled;
    for (let i = 0; i < components.length; i++) if (compiled[components[i]].hasRegExp) return true;
    return false;
  }
  #match(input, baseURL, what) {
    const compiled = this.#compiled;
    const given = inputOf(input, `${what}: the first argument`);
    return match(compiled, given, baseURL === undefined ? undefined : USVString(baseURL, `${what}: the base URL`));
  }
}
exposeClass(URLPattern, 'URLPattern');
