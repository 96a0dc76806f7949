async () => {
  for (let i = 0; i < 50; i++) store.silent(i).then((value) => { globalThis.late = value; });
  return 'left';
}
// ---- second ----
async () => {
  const values = await Promise.all(Array.from({ length: 50 }, (_, i) => store.mine(i)));
  return values.every((value) => value === 'mine') && !('late' in globalThis) ? 'clean' : values;
}
