() => {
  Atomics.wait = () => 'trapped';
  globalThis.SharedArrayBuffer = ArrayBuffer;
  globalThis.WebAssembly = {};
  return 'left';
}
// ---- second ----
() => (typeof Atomics.wait + typeof SharedArrayBuffer + typeof WebAssembly === 'undefinedundefinedundefined' ? 'clean' : 'what was added')
