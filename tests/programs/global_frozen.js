() => {
  try { Object.preventExtensions(globalThis); } catch {}
  return 'left';
}
// ---- second ----
() => {
  globalThis.fresh = 1;
  return Object.isExtensible(globalThis) && globalThis.fresh === 1 ? 'clean' : 'a sealed global';
}
