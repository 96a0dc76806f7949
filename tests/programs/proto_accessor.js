() => {
  Object.defineProperty(Object.prototype, '__proto__', { get: () => 'trapped', set() {} });
  Object.setPrototypeOf(Array.prototype, { left: 1 });
  return 'left';
}
// ---- second ----
() => (({}).__proto__ === Object.prototype && Object.getPrototypeOf(Array.prototype) === Object.prototype ? 'clean' : 'a prototype')
