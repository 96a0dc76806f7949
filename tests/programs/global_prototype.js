() => {
  const proto = Object.getPrototypeOf(globalThis);
  try {
    Object.setPrototypeOf(proto, new Proxy({}, { has: () => true, get: () => 'trapped' }));
  } catch {
    Object.prototype.trapped = 'trapped';
  }
  return 'left';
}
// ---- second ----
() => ('neverDefined' in globalThis || 'trapped' in globalThis ? 'a trap' : 'clean')
