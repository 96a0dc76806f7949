() => {
  const name = ['U', 'RL'].join('');
  const began = performance.now();
  const type = typeof globalThis[name];

  return [performance.now() - began, type.length];
}
