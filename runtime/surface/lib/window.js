// Bytes on their way to C: the window is memory that both see. A buffer of the
// program's never goes to C itself (src/worker/natives_bytes.h says why).
const { native, primordials } = internals;
const { uncurryThis, getter } = primordials;
const Uint8ArrayOf = Uint8Array;
const typedSet = uncurryThis(TypedArray.prototype.set);
const typedBuffer = getter(TypedArray.prototype, 'buffer');
const typedOffset = getter(TypedArray.prototype, 'byteOffset');
const typedLength = getter(TypedArray.prototype, 'length');
const charCodeAt = uncurryThis(String.prototype.charCodeAt);

const window = /* @__PURE__ */ native.window.window();
const windowBuffer = /* @__PURE__ */ typedBuffer(window);

// Half a window: what a piece of data or text has at most. UTF-8 of a text of that
// length may need the other half.
export const PIECE = /* @__PURE__ */ (() => typedLength(window) / 2)();

const part = (bytes, at, size) => new Uint8ArrayOf(typedBuffer(bytes), typedOffset(bytes) + at, size);

// The window as far as it can be filled with three bytes at a time.
export const triples = /* @__PURE__ */ (() => part(window, 0, typedLength(window) - (typedLength(window) % 3)))();

// Copies `size` bytes of a Uint8Array of ours to the window.
export const copyIn = (bytes, at, size) => {
  typedSet(window, at === 0 && size === typedLength(bytes) ? bytes : part(bytes, at, size));
};

// Copies `size` bytes of the window to a Uint8Array of ours.
export const copyOut = (size, bytes, at) => {
  typedSet(bytes, new Uint8ArrayOf(windowBuffer, 0, size), at);
};

// Gives all of a Uint8Array of ours to take(size, last), one window after another.
export const pass = (bytes, take) => {
  const length = typedLength(bytes);
  for (let at = 0; at < length; at += PIECE) {
    const size = length - at < PIECE ? length - at : PIECE;
    copyIn(bytes, at, size);
    take(size, at + size === length);
  }
};

// A Uint8Array with a buffer of its own.
export const copyOf = (bytes) => {
  const copy = new Uint8ArrayOf(typedLength(bytes));
  typedSet(copy, bytes);
  return copy;
};

// Where a piece of `text` that starts at `at` ends: never within a surrogate pair.
export const pieceEnd = (text, at) => {
  const end = at + PIECE;
  if (end >= text.length) return text.length;
  const unit = charCodeAt(text, end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
};
