async () => {
  const chain = (n) => Promise.resolve().then(() => { globalThis.count = n; if (n < 500) chain(n + 1); });
  chain(0);
  return 'left';
}
// ---- second ----
async () => {
  await null;
  await null;
  return 'count' in globalThis ? 'a microtask ran' : 'clean';
}
