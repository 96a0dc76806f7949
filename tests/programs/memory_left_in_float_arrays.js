() => {
  for (let i = 0; i < 50; i++) new Float64Array(10000).fill(1234.5);
  return 'left';
}
// ---- second ----
() => {
  for (let i = 0; i < 20; i++) if (new Float64Array(10000).some((n) => n !== 0)) return 'numbers';
  const buffer = new ArrayBuffer(8, { maxByteLength: 65536 });
  new Uint8Array(buffer).fill(1);
  buffer.resize(65536);
  return new Uint8Array(buffer).subarray(8).every((byte) => byte === 0) ? 'clean' : 'bytes of a resized buffer';
}
