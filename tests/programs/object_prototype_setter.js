() => {
  Object.defineProperty(Object.prototype, 'result', { set(v) { globalThis.stolen = v; }, get: () => 'trapped', configurable: true });
  Object.prototype.toJSON = () => 'trapped';
  delete Object.prototype.toJSON;
  return 'left';
}
// ---- second ----
() => ('result' in {} || 'toJSON' in {} ? 'an accessor' : 'clean')
