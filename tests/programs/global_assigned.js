() => {
  globalThis.left = 'behind';
  globalThis[Symbol.for('left')] = 1;
  Object.defineProperty(globalThis, 'hidden', { value: 1, enumerable: false });
  return 'left';
}
// ---- second ----
() => {
  if ('left' in globalThis || 'hidden' in globalThis) return 'a global';
  return Object.getOwnPropertySymbols(globalThis).length <= 1 ? 'clean' : 'a symbol';
}
