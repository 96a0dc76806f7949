() => {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
    if (typeof value !== 'function' || value.prototype === undefined) continue;
    Object.freeze(value);
    Object.freeze(value.prototype);
  }
  Object.freeze(Math);
  Object.freeze(JSON);
  return 'left';
}
// ---- second ----
() => {
  const found = Object.getOwnPropertyNames(globalThis).filter((name) => {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
    return (typeof value === 'function' || name === 'Math' || name === 'JSON') && Object.isFrozen(value);
  });
  return found.length === 0 ? 'clean' : found;
}
