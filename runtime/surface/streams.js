// Streams: web-streams-polyfill, which follows the standard's reference implementation.
import * as streams from 'web-streams-polyfill';

const { primordials, exposeClass } = internals;
const { getPrototypeOf, setPrototypeOf } = primordials;

// Its iterators inherit from a copy of %AsyncIteratorPrototype%.
const AsyncIteratorPrototype = getPrototypeOf(getPrototypeOf(getPrototypeOf((async function* () {})())));
setPrototypeOf(getPrototypeOf(new streams.ReadableStream().values()), AsyncIteratorPrototype);

export * from 'web-streams-polyfill';
