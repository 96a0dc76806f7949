// ReadableStream.prototype.pipeTo() and pipeThrough().
export * from 'web-streams-polyfill/pipe';
