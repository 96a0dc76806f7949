// ReadableStream.prototype.tee() and ReadableStream.from().
export * from 'web-streams-polyfill/tee';
