// A request that comes in and the response to it, as plain data: what the handlers
// of a retained execution take and give.
import { listOfHeaders, makeHeaders } from './headers.js';
import { cannotBeRead, makeBody, readBody } from './body.js';
import { Request, stateOfRequest } from './request.js';
import { stateOfResponse } from './response.js';
import { listOf } from '../lib/text.js';

const { isObject } = internals;
const TypeErrorOf = TypeError;

const fail = (message) => {
  throw new TypeErrorOf(message);
};

// `headers` is an array of names and values in turn, with whatever the client has
// sent: none of them is forbidden to it.
export const incoming = (url, method, headers, body) => {
  const request = new Request(url, { __proto__: null, method });
  const state = stateOfRequest(request);
  state.headers = makeHeaders(listOf(headers), 'immutable');
  state.body = body === null ? null : makeBody(body);
  return request;
};

export const outgoing = async (handle, value) => {
  const state = isObject(value) ? stateOfResponse(value) : undefined;
  if (state === undefined) fail(`The handle ${handle} takes a Request and gives a Response; this one gave something else.`);
  if (state.status === 0) fail(`The handle ${handle} gave Response.error().`);
  if (state.body !== null && cannotBeRead(state.body)) fail(`The body of the Response of ${handle} has been read already, or is locked.`);
  const { status, statusText, headers } = state;
  const body = state.body === null ? null : (await readBody(state.body)).bytes;
  return { __proto__: null, status, statusText, headers: listOfHeaders(headers), body };
};
