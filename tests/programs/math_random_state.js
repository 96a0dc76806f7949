() => {
  globalThis.seen = Array.from({ length: 100 }, Math.random);
  return 'left';
}
// ---- second ----
() => {
  const values = Array.from({ length: 100 }, Math.random);
  return typeof seen === 'undefined' && new Set(values).size === 100 ? 'clean' : 'random numbers';
}
