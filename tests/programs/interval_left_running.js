() => {
  globalThis.id = setInterval(() => { globalThis.ticks = (globalThis.ticks | 0) + 1; }, 1);
  return 'left';
}
// ---- second ----
async () => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 2));
  return 'ticks' in globalThis ? 'an interval ticks' : 'clean';
}
