() => {
  Object.defineProperty(Array, Symbol.species, { get: () => class extends Array { constructor() { super(); this.push('trapped'); } } });
  return 'left';
}
// ---- second ----
() => ([1, 2].map((n) => n).length === 2 && Array[Symbol.species] === Array ? 'clean' : 'a species')
