() => {
  Promise.prototype.then = function () { return 'trapped'; };
  Object.defineProperty(Promise, Symbol.species, { value: Object });
  Promise.resolve = () => 'trapped';
  return 'left';
}
// ---- second ----
async () => {
  const p = Promise.resolve(1).then((n) => n + 1);
  return p instanceof Promise && (await p) === 2 ? 'clean' : 'a patched promise';
}
