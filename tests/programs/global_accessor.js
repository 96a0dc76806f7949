() => {
  Object.defineProperty(globalThis, 'Date', { get: () => () => 'trapped', configurable: true });
  return 'left';
}
// ---- second ----
() => (typeof Date.now === 'function' && new Date(0).getTime() === 0 ? 'clean' : 'an accessor')
