() => {
  (0, eval)('var viaVar = 1; let viaLet = 2; const viaConst = 3; function viaFunction() {} class ViaClass {}');
  return 'left';
}
// ---- second ----
() => {
  const found = ['viaVar', 'viaLet', 'viaConst', 'viaFunction', 'ViaClass'].filter((name) =>
    (0, eval)(`typeof ${name} !== 'undefined'`),
  );
  return found.length === 0 ? 'clean' : found;
}
