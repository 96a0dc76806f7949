() => {
  setTimeout(() => { globalThis.fired = 1; console.log('from the first run'); }, 1);
  return 'left';
}
// ---- second ----
async () => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 1));
  return 'fired' in globalThis ? 'a timer fired' : 'clean';
}
