() => {
  const target = { secret: 1 };
  globalThis.ref = new WeakRef(target);
  globalThis.strong = target;
  return 'left';
}
// ---- second ----
() => (typeof ref === 'undefined' && typeof strong === 'undefined' ? 'clean' : 'a reference')
