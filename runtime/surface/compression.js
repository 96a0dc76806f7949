// CompressionStream and DecompressionStream: the Compression Standard.
import { makeTransform } from './lib/transform.js';
import { pass } from './lib/window.js';
import { bufferSource, enumeration } from './lib/webidl.js';

const { native, primordials, exposeClass, requireArguments, push, bytesOf } = internals;
const { getter } = primordials;
const { zipper, run } = native.zlib;
const TypeErrorOf = TypeError;
const typedLength = getter(TypedArray.prototype, 'length');

const formatOf = enumeration(['deflate', 'deflate-raw', 'gzip']);

// All that comes out for a chunk is there before the first piece goes on: that can run
// code of the program's, which may take the chunk's buffer away.
const makeZipper = (format, deflates, what) => {
  const handle = zipper(format, deflates);
  const collect = (pieces, size, last, finish) => {
    const piece = run(handle, size, last, finish);
    if (piece === undefined) throw new TypeErrorOf(`${what}: the data is not valid ${format} data`);
    if (piece !== null && typedLength(piece) > 0) push(pieces, piece);
  };
  const give = (pieces, enqueue) => {
    for (let i = 0; i < pieces.length; i++) enqueue(pieces[i]);
  };
  return makeTransform(
    (chunk, enqueue) => {
      const pieces = [];
      pass(bytesOf(bufferSource(chunk, `${what}: a chunk`)), (size, last) => collect(pieces, size, last, false));
      give(pieces, enqueue);
    },
    (enqueue) => {
      const pieces = [];
      collect(pieces, 0, true, true);
      give(pieces, enqueue);
    },
  );
};

export class CompressionStream {
  #transform;

  constructor(format) {
    requireArguments(arguments.length, 1, 'CompressionStream');
    this.#transform = makeZipper(formatOf(format, 'CompressionStream: the format'), true, 'CompressionStream');
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
exposeClass(CompressionStream, 'CompressionStream');

export class DecompressionStream {
  #transform;

  constructor(format) {
    requireArguments(arguments.length, 1, 'DecompressionStream');
    this.#transform = makeZipper(formatOf(format, 'DecompressionStream: the format'), false, 'DecompressionStream');
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
exposeClass(DecompressionStream, 'DecompressionStream');
