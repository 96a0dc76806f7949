() => {
  (0, eval)('var shared = 1; function helper() { return 1; }');
  Object.defineProperty(globalThis, 'fixed', { value: 1, configurable: false });
  return 'left';
}
// ---- second ----
() => {
  // Each throws, or does nothing, where the binding of the first run is left.
  (0, eval)('var shared; function helper() { return 2; }');
  Object.defineProperty(globalThis, 'fixed', { value: 2 });
  return globalThis.shared === undefined && globalThis.helper() === 2 && globalThis.fixed === 2 ? 'clean' : 'an old binding';
}
