() => {
  console.log = (text) => { globalThis.heard = text; };
  globalThis.console = { log() {}, warn() {}, error() {} };
  return 'left';
}
// ---- second ----
() => {
  const tag = Object.prototype.toString.call(console);
  return tag === '[object console]' && typeof console.table === 'function' && console.log.name === 'log' ? 'clean' : tag;
}
