() => {
  for (const key of Reflect.ownKeys(Reflect)) delete Reflect[key];
  globalThis.Proxy = function () { return 'trapped'; };
  Object.defineProperty = () => 'trapped';
  Object.keys = () => ['trapped'];
  return 'left';
}
// ---- second ----
() => {
  const proxy = new Proxy({}, { get: () => 'fine' });
  return proxy.x === 'fine' && Reflect.ownKeys({ a: 1 })[0] === 'a' && Object.keys({}).length === 0 ? 'clean' : 'a changed Reflect';
}
