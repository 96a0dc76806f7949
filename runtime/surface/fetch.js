// fetch, and the interfaces that come with it: the Fetch Standard. A request over
// HTTP is the supervisor's business (src/worker/natives_fetch.c); everything else
// stays here.
import { listOfHeaders, removeFrom, valueIn } from './web/headers.js';
import { cancelBody, makeBody, makeComingBody, readBody } from './web/body.js';
import { abortComing, arrive, failComing, isComing, whenEnded } from './web/coming.js';
import { followed, Request, stateOfRequest } from './web/request.js';
import { isRedirectStatus, makeResponse, Response, responseOf } from './web/response.js';
import { parseURL } from './web/location.js';
import { exec, lengthOf, listOf, slice, view } from './lib/text.js';

export { Headers } from './web/headers.js';
export { incoming, outgoing } from './web/exchange.js'; // for retained.js
export { Request, Response };

const { native, primordials, requireArguments, use } = internals;
const { then } = primordials;
const { fetch: start, fetchAbort: stop, onFetch } = native;
const PromiseOf = Promise;
const TypeErrorOf = TypeError;
const StringOf = String;
const NumberOf = Number;

const REDIRECTS = 20;

const fail = (message) => {
  throw new TypeErrorOf(message);
};

// ---- over HTTP ---------------------------------------------------------------------------

const waiting = { __proto__: null };
let lastId = 0;

const settle = (id, name, value) => {
  const call = waiting[id];
  if (call === undefined) return;
  delete waiting[id];
  call[name](value);
};

const fetched = (id, status, statusText, headers, url, given) => {
  const body = given === null ? null : given === true ? makeComingBody(id) : makeBody(given);
  settle(id, 'resolve', { __proto__: null, status, statusText, headers: listOf(headers), url, body });
};

const failed = (id, message) => {
  const error = new TypeErrorOf(message);
  if (isComing(id)) failComing(id, error);
  else settle(id, 'reject', error);
};

onFetch(fetched, failed, arrive);

// One request and its response, which may be a redirect.
const exchange = (job, url, body) => {
  const { request } = job;
  const id = ++lastId;
  job.id = id;
  return new PromiseOf((resolve, reject) => {
    waiting[id] = { __proto__: null, resolve, reject };
    start(id, withoutHash(url), request.method, listOfHeaders(request.headers), body, request.redirect);
  });
};

const withoutHash = (url) => slice(url.href, 0, url.href.length - url.hash.length);

const dropBody = (request) => {
  const list = listOfHeaders(request.headers);
  removeFrom(list, 'content-encoding');
  removeFrom(list, 'content-language');
  removeFrom(list, 'content-location');
  removeFrom(list, 'content-type');
};

const changesToGet = (status, method) =>
  ((status === 301 || status === 302) && method === 'POST') || (status === 303 && method !== 'GET' && method !== 'HEAD');

// Where a redirect leads, with what changes on the way in `request`. A supervisor
// that follows redirects itself never shows one here.
const follow = (request, url, location, status) => {
  const next = parseURL(location, url.href);
  if (next === undefined) fail(`The redirect to "${location}" cannot be parsed as a URL.`);
  if (next.scheme !== 'http' && next.scheme !== 'https') fail(`The redirect to "${location}" leads to no HTTP server.`);
  if (next.hash === '' && url.hash !== '') next.href += next.hash = url.hash;
  if (changesToGet(status, request.method)) {
    request.method = 'GET';
    dropBody(request);
  }
  if (next.origin !== url.origin) removeFrom(listOfHeaders(request.headers), 'authorization');
  return next;
};

const fetchHTTP = async (job, url) => {
  const { request } = job;
  const isStream = request.body !== null && request.body.bytes === undefined;
  let body = request.body === null ? null : (await readBody(request.body, job.signal)).bytes;
  for (let redirects = 0; ; redirects++) {
    if (job.ended) return undefined;
    const answer = await exchange(job, url, body);
    const location = isRedirectStatus(answer.status) ? valueIn(answer.headers, 'location') : null;
    if (location === null || request.redirect === 'manual') return answerOf(request, url, answer, location, redirects > 0);
    if (request.redirect === 'error') fail('The response is a redirect, and the request does not take one.');
    if (redirects === REDIRECTS) fail(`The request was redirected more than ${REDIRECTS} times.`);
    if (isStream && answer.status !== 303) fail('The request was redirected, and its body was a stream, which cannot be sent again.');
    url = follow(request, url, location, answer.status);
    if (request.method === 'GET' || request.method === 'HEAD') body = null;
  }
};

// One that was redirected manually is not filtered: there is no origin to keep
// its location from.
const answerOf = (request, url, answer, location, redirected) => {
  const final = answer.url === '' ? url.href : answer.url;
  const body = request.method === 'HEAD' ? null : answer.body;
  const type = location === null ? 'basic' : 'opaqueredirect';
  const state = makeResponse(type, final, answer.status, answer.statusText, answer.headers, body);
  state.redirected = redirected || final !== withoutHash(url);
  return state;
};

// ---- without a network --------------------------------------------------------------------

const localResponse = (url, status, statusText, headers, body) =>
  makeResponse('basic', url.href, status, statusText, listOf(headers), body);

const fetchData = (request, url) => {
  const data = use('mime').readDataURL(withoutHash(url));
  if (data === undefined) fail('The data: URL is malformed.');
  return localResponse(url, 200, 'OK', ['Content-Type', data.type], request.method === 'HEAD' ? null : makeBody(data.bytes));
};

// [start, end) of a header Range for `size` bytes; undefined when it has no meaning.
const rangeOf = (text, size) => {
  const found = exec(/^bytes[\t ]*=[\t ]*(\d*)[\t ]*-[\t ]*(\d*)$/, text);
  if (found === null || (found[1] === '' && found[2] === '')) return undefined;
  const first = NumberOf(found[1]);
  const last = NumberOf(found[2]);
  if (found[1] === '') return { __proto__: null, start: last > size ? 0 : size - last, end: size };
  if (first >= size || (found[2] !== '' && first > last)) return undefined;
  return { __proto__: null, start: first, end: found[2] === '' || last >= size ? size : last + 1 };
};

const fetchBlob = (request, url) => {
  const { bytesOfBlob, typeOfBlob } = use('blob');
  if (request.method !== 'GET') fail(`A blob: URL cannot be fetched with the method ${request.method}.`);
  if (request.blob === undefined) fail('There is no blob of this URL.');
  const bytes = bytesOfBlob(request.blob);
  const size = lengthOf(bytes);
  const type = typeOfBlob(request.blob);
  const wanted = valueIn(listOfHeaders(request.headers), 'range');
  if (wanted === null) {
    return localResponse(url, 200, 'OK', ['Content-Length', StringOf(size), 'Content-Type', type], makeBody(bytes, true));
  }
  const range = rangeOf(wanted, size);
  if (range === undefined) fail(`The range "${wanted}" is not one of the blob's.`);
  const { start: from, end } = range;
  const headers = ['Content-Length', StringOf(end - from), 'Content-Type', type, 'Content-Range', `bytes ${from}-${end - 1}/${size}`];
  return localResponse(url, 206, 'Partial Content', headers, makeBody(view(bytes, from, end), true));
};

// ---- fetch ----------------------------------------------------------------------------------

const perform = async (job) => {
  const url = parseURL(job.request.url);
  switch (url.scheme) {
    case 'http':
    case 'https':
      return await fetchHTTP(job, url);
    case 'data':
      return fetchData(job.request, url);
    case 'blob':
      return fetchBlob(job.request, url);
    default:
      return fail(`fetch does not know the scheme ${url.scheme}:.`);
  }
};

// `signal` ends the job, and the body of its response while that is coming; what comes
// later is dropped.
const withSignal = (job, signal, promise) =>
  new PromiseOf((resolve, reject) => {
    const { onAbort, offAbort, reasonOf } = use('abort');
    const onEnd = () => {
      if (job.coming !== undefined) {
        abortComing(job.coming, reasonOf(signal));
        return;
      }
      job.ended = true;
      delete waiting[job.id];
      stop(job.id);
      reject(reasonOf(signal));
    };
    const leave = () => offAbort(signal, onEnd);
    onAbort(signal, onEnd);
    then(
      promise,
      (state) => {
        job.coming = state.body === null ? undefined : state.body.coming;
        if (job.coming === undefined) leave();
        else whenEnded(job.coming, leave);
        resolve(state);
      },
      (thrown) => {
        leave();
        reject(thrown);
      },
    );
  });

export const { fetch } = {
  async fetch(input, init = undefined) {
    requireArguments(arguments.length, 1, 'fetch');
    const request = stateOfRequest(new Request(input, init));
    const signal = followed(request);
    const job = { __proto__: null, request, signal: signal ?? undefined, id: 0, ended: false, coming: undefined };
    if (signal === null) return responseOf(await perform(job));
    if (use('abort').isAborted(signal)) {
      const reason = use('abort').reasonOf(signal);
      cancelBody(request.body, reason);
      throw reason;
    }
    return responseOf(await withSignal(job, signal, perform(job)));
  },
};
