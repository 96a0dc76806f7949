() => {
  Object.prototype.get = () => 'trapped';
  Object.prototype.writable = false;
  Object.prototype.enumerable = true;
  Object.prototype.__codemode_binary_v1__ = 'Uint8Array';
  Object.prototype.data = 'AQID';
  return 'left';
}
// ---- second ----
() => {
  const found = ['get', 'set', 'value', 'writable', 'enumerable', '__codemode_binary_v1__', 'data'].filter((key) => key in {});
  return found.length === 0 ? 'clean' : found;
}
