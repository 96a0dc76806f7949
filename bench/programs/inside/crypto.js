() => {
  const name = ['sub', 'tle'].join('');
  const began = performance.now();
  const type = typeof globalThis[['cry', 'pto'].join('')][name];

  return [performance.now() - began, type.length];
}
