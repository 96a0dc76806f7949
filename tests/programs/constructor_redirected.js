() => {
  Object.prototype.constructor = function () { return 'trapped'; };
  Object.defineProperty(Object.getPrototypeOf(async () => {}), 'constructor', { value: null });
  Function.prototype.constructor = function () { return 'trapped'; };
  return 'left';
}
// ---- second ----
() => (({}).constructor === Object && (async () => {}).constructor.name === 'AsyncFunction' && [].concat.constructor === Function ? 'clean' : 'a constructor')
