// Response: the Fetch Standard, 5.5.
import { fillHeaders, headersInit, listOfHeaders, makeHeaders, valueIn } from './headers.js';
import { cannotBeRead, checkStream, cloneBody, extract, makeBody, mixBody } from './body.js';
import { parseURL } from './location.js';
import { encodeUtf8, newList, test } from '../lib/text.js';
import { ByteString, dictionary, unsignedShort, USVString } from '../lib/webidl.js';

const { exposeClass, requireArguments } = internals;
const { stringify } = JSON;
const TypeErrorOf = TypeError;
const RangeErrorOf = RangeError;

const responseInit = dictionary([
  ['headers', headersInit],
  ['status', unsignedShort, 200],
  ['statusText', ByteString, ''],
]);

const isNullBodyStatus = (status) => status === 101 || status === 103 || status === 204 || status === 205 || status === 304;

export const isRedirectStatus = (status) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

const newState = (type, headers) => ({
  __proto__: null,
  type,
  url: '',
  redirected: false,
  status: 200,
  statusText: '',
  headers,
  body: null,
});

// What the constructor and Response.json() do with options and a body or null.
const initialize = (state, init, given) => {
  if (init.status < 200 || init.status > 599) throw new RangeErrorOf(`The status ${init.status} is outside the range from 200 to 599.`);
  if (!test(/^[\t\x20-\x7e\x80-\xff]*$/, init.statusText)) throw new TypeErrorOf('The statusText has a character that it cannot have.');
  state.status = init.status;
  state.statusText = init.statusText;
  if (init.headers !== undefined) fillHeaders(state.headers, init.headers);
  if (given === null) return;
  if (isNullBodyStatus(init.status)) throw new TypeErrorOf(`A response of status ${init.status} cannot have a body.`);
  checkStream(given.body, 'Response: the body');
  state.body = given.body;
  if (given.type !== null && valueIn(listOfHeaders(state.headers), 'content-type') === null) {
    fillHeaders(state.headers, [['Content-Type', given.type]]);
  }
};

export let responseOf; // over a state
export let stateOfResponse;

export class Response {
  #state = newState('default', makeHeaders(newList(), 'response'));

  constructor(body = null, init = undefined) {
    const given = body === null || body === undefined ? null : extract(body, 'Response: the body');
    initialize(this.#state, responseInit(init, 'Response: the options'), given);
  }
  static error() {
    const state = newState('error', makeHeaders(newList(), 'immutable'));
    state.status = 0;
    return responseOf(state);
  }
  static redirect(url, status = 302) {
    requireArguments(arguments.length, 1, 'Response.redirect');
    const text = USVString(url, 'Response.redirect: the URL');
    status = unsignedShort(status);
    const parsed = parseURL(text);
    if (parsed === undefined) throw new TypeErrorOf(`"${text}" cannot be parsed as a URL.`);
    if (!isRedirectStatus(status)) throw new RangeErrorOf(`${status} is not the status of a redirect.`);
    const list = newList();
    list[0] = 'Location';
    list[1] = parsed.href;
    const state = newState('default', makeHeaders(list, 'immutable'));
    state.status = status;
    return responseOf(state);
  }
  static json(data, init = undefined) {
    requireArguments(arguments.length, 1, 'Response.json');
    const options = responseInit(init, 'Response.json: the options');
    const text = stringify(data);
    if (text === undefined) throw new TypeErrorOf('Response.json: the data has no JSON text');
    const state = newState('default', makeHeaders(newList(), 'response'));
    initialize(state, options, { __proto__: null, body: makeBody(encodeUtf8(text)), type: 'application/json' });
    return responseOf(state);
  }
  get type() {
    return this.#state.type;
  }
  get url() {
    return this.#state.url;
  }
  get redirected() {
    return this.#state.redirected;
  }
  get status() {
    return this.#state.status;
  }
  get ok() {
    const { status } = this.#state;
    return status >= 200 && status <= 299;
  }
  get statusText() {
    return this.#state.statusText;
  }
  get headers() {
    return this.#state.headers;
  }
  clone() {
    const state = this.#state;
    if (cannotBeRead(state.body)) throw new TypeErrorOf('The body of this Response has been read already, or is locked.');
    const guard = state.type === 'default' ? 'response' : 'immutable';
    const headers = makeHeaders(newList(), guard);
    const list = listOfHeaders(headers);
    const from = listOfHeaders(state.headers);
    for (let i = 0; i < from.length; i++) list[i] = from[i];
    return responseOf({ __proto__: null, ...state, headers, body: state.body === null ? null : cloneBody(state.body) });
  }
  static {
    stateOfResponse = (value) => (#state in value ? value.#state : undefined);
    responseOf = (state) => {
      const response = new Response();
      response.#state = state;
      return response;
    };
    mixBody(
      Response,
      'Response',
      (response) => response.#state.body,
      (response) => valueIn(listOfHeaders(response.#state.headers), 'content-type'),
    );
  }
}
exposeClass(Response, 'Response');

// A response that fetch() gives. `list` is of header names and values in turn.
export const makeResponse = (type, url, status, statusText, list, body) => {
  const state = newState(type, makeHeaders(list, 'immutable'));
  state.url = url;
  state.status = status;
  state.statusText = statusText;
  state.body = isNullBodyStatus(status) ? null : body;
  return state;
};
