async () => {
  await Promise.all(Array.from({ length: 100 }, (_, i) => store.echo(i)));
  return 'left';
}
// ---- second ----
async () => ((await store.x()) === 'mine' ? 'clean' : 'an answer of the first run')
