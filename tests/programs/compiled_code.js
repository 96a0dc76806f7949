() => {
  const square = (n) => n * n;
  let sum = 0;
  for (let i = 0; i < 1e6; i++) sum += square(i);
  globalThis.square = square;
  return sum > 0 ? 'left' : sum;
}
// ---- second ----
() => {
  const square = (n) => (typeof n === 'string' ? n : n * n);
  return square('x') === 'x' && typeof globalThis.square === 'undefined' ? 'clean' : 'compiled code';
}
