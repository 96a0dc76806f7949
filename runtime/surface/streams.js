// Streams: web-streams-polyfill, which follows the standard's reference implementation.
export * from 'web-streams-polyfill';
