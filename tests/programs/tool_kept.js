() => {
  globalThis.keptTool = store.echo;
  Object.prototype.keptStore = store;
  return 'left';
}
// ---- second ----
() => (typeof keptTool === 'undefined' && !('keptStore' in {}) ? 'clean' : 'a tool of the first run')
