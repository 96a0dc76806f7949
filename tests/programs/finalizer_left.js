() => {
  globalThis.registry = new FinalizationRegistry(() => { globalThis.finalized = 1; console.log('finalized'); });
  for (let i = 0; i < 1000; i++) globalThis.registry.register({ i }, i);
  return 'left';
}
// ---- second ----
async () => {
  for (let i = 0; i < 20; i++) {
    new Array(1e5).fill(i);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return 'finalized' in globalThis ? 'a finalizer ran' : 'clean';
}
