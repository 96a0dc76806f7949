() => {
  const proto = (o) => Object.getPrototypeOf(o[Symbol.iterator]());
  for (const o of [[], new Map(), new Set(), '']) proto(o).next = () => ({ done: true });
  delete proto([]).return;
  proto(new Map()).return = () => 'trapped';
  return 'left';
}
// ---- second ----
() => {
  const out = [...[1], ...new Map([[2, 3]]), ...new Set([4]), ...'5'];
  return out.join() === '1,2,3,4,5' ? 'clean' : 'a patched iterator';
}
