() => {
  globalThis.Vault = class { #secret = 1; static s = 'left'; static read(o) { return o.#secret; } };
  return 'left';
}
// ---- second ----
() => {
  const Vault = class { #secret = 2; static read(o) { return o.#secret; } };
  return typeof globalThis.Vault === 'undefined' && Vault.s === undefined && Vault.read(new Vault()) === 2 ? 'clean' : 'a class';
}
