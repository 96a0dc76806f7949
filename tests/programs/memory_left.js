() => {
  globalThis.secret = 'SECRET-OF-THE-FIRST-RUN-'.repeat(1000);
  globalThis.bytes = new Uint8Array(1 << 20).fill(0xa5);
  return 'left';
}
// ---- second ----
() => {
  // Fresh buffers of many sizes are zero, whatever lay there before.
  for (let size = 8; size <= 1 << 20; size *= 2)
    for (let i = 0; i < 8; i++) if (new Uint8Array(size).some((byte) => byte !== 0)) return `bytes of ${size}`;
  return 'clean';
}
