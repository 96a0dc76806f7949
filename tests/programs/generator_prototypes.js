() => {
  const of = (f) => Object.getPrototypeOf(f.prototype);
  of(function* () {}).next = () => ({ done: true, value: 'trapped' });
  of(async function* () {}).next = () => Promise.resolve({ done: true, value: 'trapped' });
  Object.getPrototypeOf(of(function* () {})).left = 1;
  Object.getPrototypeOf(async () => {}).left = 1;
  return 'left';
}
// ---- second ----
async () => {
  const out = [];
  for (const n of (function* () { yield 1; })()) out.push(n);
  for await (const n of (async function* () { yield 2; })()) out.push(n);
  return out.join() === '1,2' && !('left' in (async () => {})) ? 'clean' : 'a patched generator';
}
