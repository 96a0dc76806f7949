() => {
  globalThis.store = { echo: () => 'trapped' };
  Object.defineProperty(globalThis, 'other', { get: () => 'trapped' });
  return 'left';
}
// ---- second ----
async () => (String(store) === '[object Provider store]' && (await store.x()) === 'mine' && String(other) === '[object Provider other]' ? 'clean' : 'a changed provider')
