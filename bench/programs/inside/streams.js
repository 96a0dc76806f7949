() => {
  const name = ['Readable', 'Stream'].join('');
  const began = performance.now();
  const type = typeof globalThis[name];

  return [performance.now() - began, type.length];
}
