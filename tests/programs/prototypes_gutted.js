() => {
  const { ownKeys, deleteProperty } = Reflect;
  const pairs = [];
  for (const C of [Array, String, Map, Set, Promise, Date, RegExp])
    for (const key of ownKeys(C.prototype)) if (key !== 'constructor') pairs.push([C.prototype, key]);
  for (let i = 0; i < pairs.length; i++) deleteProperty(pairs[i][0], pairs[i][1]);
  return 'left';
}
// ---- second ----
async () => {
  const ok = [2, 1].sort().map(String).join() === '1,2' && 'a-b'.replace('-', '+') === 'a+b' &&
    new Map([[1, 2]]).get(1) === 2 && new Set([1]).has(1) && (await Promise.resolve(3)) === 3 &&
    new Date(0).toISOString().startsWith('1970') && /b/.test('abc');
  return ok ? 'clean' : 'a missing method';
}
