async () => {
  store.silent().then((value) => { globalThis.late = value; console.log(value); });
  return 'left';
}
// ---- second ----
async () => {
  const value = await store.mine(); // the host answers the first run's call now
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, 0));
  return value === 'mine' && !('late' in globalThis) ? 'clean' : `the answer ${value}`;
}
