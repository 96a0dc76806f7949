() => {
  Function.prototype.call = () => 'trapped';
  Function.prototype.apply = () => 'trapped';
  Function.prototype.bind = () => () => 'trapped';
  return 'left';
}
// ---- second ----
() => {
  const f = function (n) { return [this, n].join(); };
  return [f.call(1, 2), f.apply(1, [2]), f.bind(1)(2)].every((s) => s === '1,2') ? 'clean' : 'a changed Function';
}
