() => {
  globalThis.release = null;
  new Promise((resolve) => { globalThis.release = resolve; }).then(() => console.log('from the first run'));
  return 'left';
}
// ---- second ----
() => (typeof globalThis.release === 'undefined' ? 'clean' : 'a resolver')
