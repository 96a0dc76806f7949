() => {
  Uint8Array.prototype.toBase64 = () => 'dHJhcHBlZA==';
  Uint8Array.fromBase64 = () => 'trapped';
  ArrayBuffer.isView = () => false;
  Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length', { get: () => 0 });
  return 'left';
}
// ---- second ----
() => (new Uint8Array([1, 2]).toBase64() === 'AQI=' && ArrayBuffer.isView(new DataView(new ArrayBuffer(1))) && new Uint8Array(2).length === 2 ? 'clean' : 'changed bytes')
