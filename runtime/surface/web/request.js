// Request: the Fetch Standard, 5.4.
import { fillHeaders, headersInit, listOfHeaders, makeHeaders, valueIn } from './headers.js';
import { cannotBeRead, checkStream, cloneBody, extract, mixBody, moveBody } from './body.js';
import { parseURL } from './location.js';
import { isToken, newList, slice, test, toUpperCase } from '../lib/text.js';
import { any, boolean, ByteString, dictionary, DOMString, enumeration, nullable, USVString } from '../lib/webidl.js';

const { exposeClass, requireArguments, use, isObject } = internals;
const TypeErrorOf = TypeError;

// ---- its options -----------------------------------------------------------------------

const bodyInit = (value, what) => (value === null ? null : extract(value, what));
const signalInit = nullable((value, what) => {
  if (isObject(value) && use('abort').isAbortSignal(value)) return value;
  throw new TypeErrorOf(`${what} is not an AbortSignal`);
});

export const requestInit = dictionary([
  ['body', bodyInit],
  ['cache', enumeration(['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'])],
  ['credentials', enumeration(['omit', 'same-origin', 'include'])],
  ['duplex', enumeration(['half'])],
  ['headers', headersInit],
  ['integrity', DOMString],
  ['keepalive', boolean],
  ['method', ByteString],
  ['mode', enumeration(['navigate', 'same-origin', 'no-cors', 'cors'])],
  ['priority', enumeration(['high', 'low', 'auto'])],
  ['redirect', enumeration(['follow', 'error', 'manual'])],
  ['referrer', USVString],
  [
    'referrerPolicy',
    enumeration([
      '',
      'no-referrer',
      'no-referrer-when-downgrade',
      'same-origin',
      'origin',
      'strict-origin',
      'origin-when-cross-origin',
      'strict-origin-when-cross-origin',
      'unsafe-url',
    ]),
  ],
  ['signal', signalInit],
  ['window', any],
]);

const normalized = { __proto__: null, DELETE: true, GET: true, HEAD: true, OPTIONS: true, POST: true, PUT: true };

const methodOf = (text) => {
  if (!isToken(text)) throw new TypeErrorOf(`"${text}" is not a valid HTTP method.`);
  const upper = toUpperCase(text);
  if (test(/^(?:CONNECT|TRACE|TRACK)$/, upper)) throw new TypeErrorOf(`The HTTP method ${text} is not allowed.`);
  return upper in normalized ? upper : text;
};

const referrerOf = (text) => {
  if (text === '') return '';
  if (parseURL(text) === undefined) throw new TypeErrorOf(`The referrer "${text}" cannot be parsed as a URL.`);
  return 'about:client'; // there is no origin that another URL could share
};

// ---- what it is made of -------------------------------------------------------------------
//
// A request is an object of ours; `headers` in it is a Headers.

const newState = (url) => ({
  __proto__: null,
  url,
  method: 'GET',
  headers: null,
  body: null,
  blob: undefined, // of a blob: URL
  referrer: 'about:client',
  referrerPolicy: '',
  mode: 'cors',
  credentials: 'same-origin',
  cache: 'default',
  redirect: 'follow',
  integrity: '',
  keepalive: false,
  parent: null, // the signal that this one follows
  signal: null, // made when somebody asks
});

const stateOfURL = (text) => {
  const url = parseURL(text);
  if (url === undefined) throw new TypeErrorOf(`"${text}" cannot be parsed as a URL.`);
  if (url.hasCredentials) throw new TypeErrorOf(`"${text}" has credentials, which a request cannot have.`);
  const state = newState(url.href);
  // Of this moment: the URL may be revoked later.
  if (url.scheme === 'blob') state.blob = use('blob').blobOfURL(slice(url.href, 0, url.href.length - url.hash.length));
  return state;
};

// Everything but the headers, the body and the signal that was made.
const copyOf = (state) => ({ __proto__: null, ...state, headers: null, body: null, parent: followed(state), signal: null });

// The signal that ends it, or null.
export const followed = (state) => state.signal ?? state.parent;

const applyInit = (state, init) => {
  if (init.window !== undefined && init.window !== null) throw new TypeErrorOf('Request: the member window can only be null');
  if (init.mode === 'navigate') throw new TypeErrorOf('A request cannot have the mode navigate.');
  if (init.referrer !== undefined) state.referrer = referrerOf(init.referrer);
  if (init.referrerPolicy !== undefined) state.referrerPolicy = init.referrerPolicy;
  if (init.mode !== undefined) state.mode = init.mode;
  if (init.credentials !== undefined) state.credentials = init.credentials;
  if (init.cache !== undefined) state.cache = init.cache;
  if (state.cache === 'only-if-cached' && state.mode !== 'same-origin') {
    throw new TypeErrorOf('The cache mode only-if-cached needs the mode same-origin.');
  }
  if (init.redirect !== undefined) state.redirect = init.redirect;
  if (init.integrity !== undefined) state.integrity = init.integrity;
  if (init.keepalive !== undefined) state.keepalive = init.keepalive;
  if (init.method !== undefined) state.method = methodOf(init.method);
  if (init.signal !== undefined) state.parent = init.signal;
};

const copyList = (list) => {
  const made = newList();
  for (let i = 0; i < list.length; i++) made[i] = list[i];
  return made;
};

const applyHeaders = (state, init, from) => {
  if (state.mode === 'no-cors' && !test(/^(?:GET|HEAD|POST)$/, state.method)) {
    throw new TypeErrorOf(`The HTTP method ${state.method} is not allowed in the mode no-cors.`);
  }
  const guard = state.mode === 'no-cors' ? 'request-no-cors' : 'request';
  const given = init.headers === undefined && from !== null && state.mode !== 'no-cors';
  state.headers = makeHeaders(given ? copyList(listOfHeaders(from.headers)) : newList(), guard);
  if (init.headers !== undefined) fillHeaders(state.headers, init.headers);
  else if (from !== null && !given) fillHeaders(state.headers, pairsIn(listOfHeaders(from.headers)));
};

const pairsIn = (list) => {
  const pairs = newList();
  for (let i = 0; i < list.length; i += 2) pairs[i / 2] = { 0: list[i], 1: list[i + 1] };
  return pairs;
};

const applyBody = (state, init, from) => {
  const given = init.body !== undefined && init.body !== null;
  const old = from === null ? null : from.body;
  if ((given || old !== null) && (state.method === 'GET' || state.method === 'HEAD')) {
    throw new TypeErrorOf(`A request with the method ${state.method} cannot have a body.`);
  }
  if (given) {
    const { body, type } = init.body;
    checkStream(body, 'Request: the body');
    if (body.bytes === undefined && init.duplex === undefined) {
      throw new TypeErrorOf('Request: a body that is a stream needs the member duplex, which is "half".');
    }
    if (type !== null && valueIn(listOfHeaders(state.headers), 'content-type') === null) {
      fillHeaders(state.headers, [['Content-Type', type]]);
    }
    state.body = body;
    return;
  }
  if (old === null) return;
  if (cannotBeRead(old)) throw new TypeErrorOf('The body of this Request has been read already, or is locked.');
  state.body = moveBody(old);
};

const signalOf = (state) => {
  if (state.signal === null) state.signal = use('abort').anyOf(state.parent === null ? [] : [state.parent]);
  return state.signal;
};

// ---- the class -----------------------------------------------------------------------------

export let stateOfRequest; // undefined for what is no Request
export let requestOf; // over a state

export class Request {
  #state;

  constructor(input, init = undefined) {
    requireArguments(arguments.length, 1, 'Request');
    const from = isObject(input) ? (stateOfRequest(input) ?? null) : null;
    const text = from === null ? USVString(input, 'Request: the first argument') : '';
    const given = requestInit(init, 'Request: the options');
    const state = from === null ? stateOfURL(text) : copyOf(from);
    applyInit(state, given);
    applyHeaders(state, given, from);
    applyBody(state, given, from);
    this.#state = state;
  }
  get method() {
    return this.#state.method;
  }
  get url() {
    return this.#state.url;
  }
  get headers() {
    return this.#state.headers;
  }
  get destination() {
    this.#state;
    return '';
  }
  get referrer() {
    return this.#state.referrer;
  }
  get referrerPolicy() {
    return this.#state.referrerPolicy;
  }
  get mode() {
    return this.#state.mode;
  }
  get credentials() {
    return this.#state.credentials;
  }
  get cache() {
    return this.#state.cache;
  }
  get redirect() {
    return this.#state.redirect;
  }
  get integrity() {
    return this.#state.integrity;
  }
  get keepalive() {
    return this.#state.keepalive;
  }
  get isReloadNavigation() {
    this.#state;
    return false;
  }
  get isHistoryNavigation() {
    this.#state;
    return false;
  }
  get signal() {
    return signalOf(this.#state);
  }
  get duplex() {
    this.#state;
    return 'half';
  }
  clone() {
    const state = this.#state;
    if (cannotBeRead(state.body)) throw new TypeErrorOf('The body of this Request has been read already, or is locked.');
    const made = copyOf(state);
    made.parent = signalOf(state);
    made.headers = makeHeaders(copyList(listOfHeaders(state.headers)), state.mode === 'no-cors' ? 'request-no-cors' : 'request');
    if (state.body !== null) made.body = cloneBody(state.body);
    return requestOf(made);
  }
  static {
    stateOfRequest = (value) => (#state in value ? value.#state : undefined);
    requestOf = (state) => {
      const request = new Request('about:blank');
      request.#state = state;
      return request;
    };
    mixBody(
      Request,
      'Request',
      (request) => request.#state.body,
      (request) => valueIn(listOfHeaders(request.#state.headers), 'content-type'),
    );
  }
}
exposeClass(Request, 'Request');
