// URLs as fetch needs them, without the class URL.
import { slice } from '../lib/text.js';

const { parse } = internals.native.url;
const Uint32ArrayOf = Uint32Array;

// The parts of a URL; undefined when it cannot be parsed. The offsets are those of enum url_offset in src/worker/url.h.
export const parseURL = (text, base = undefined) => {
  const at = new Uint32ArrayOf(10);
  const href = parse(text, base, at);
  if (href === undefined) return undefined;
  return {
    __proto__: null,
    href,
    scheme: slice(href, 0, at[0]),
    origin: slice(href, 0, at[0] + 3) + slice(href, at[4], at[6]),
    username: slice(href, at[1], at[2]),
    password: slice(href, at[2] + 1, at[3]),
    hostname: slice(href, at[4], at[5]),
    port: slice(href, at[5] + 1, at[6]),
    path: slice(href, at[7], at[8]),
    query: slice(href, at[8], at[9]),
    hash: slice(href, at[9]),
    hasCredentials: at[4] > at[1],
    opaque: at[1] === at[0] + 1 && href[at[7]] !== '/',
  };
};
