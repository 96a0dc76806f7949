() => {
  for (const C of [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Map, Set, WeakMap,
    WeakSet, WeakRef, Promise, Error, TypeError, ArrayBuffer, DataView, Uint8Array, FinalizationRegistry])
    C.prototype.left = 'behind';
  return 'left';
}
// ---- second ----
() => {
  const found = [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Map, Set, WeakMap,
    WeakSet, WeakRef, Promise, Error, TypeError, ArrayBuffer, DataView, Uint8Array, FinalizationRegistry]
    .filter((C) => 'left' in C.prototype).map((C) => C.name);
  return found.length === 0 ? 'clean' : found;
}
