() => typeof ReadableStream
