() => {
  const names = ['fet ch', 'Head ers', 'Requ est', 'Resp onse'].map((name) => name.replace(' ', ''));
  const began = performance.now();
  const types = names.map((name) => typeof globalThis[name]);

  return [performance.now() - began, types.length];
}
