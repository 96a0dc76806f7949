() => {
  const tag = (strings) => strings;
  globalThis.kept = tag`cached ${1} template`;
  try { kept.left = 1; } catch {}
  return 'left';
}
// ---- second ----
() => {
  const tag = (strings) => strings;
  const mine = tag`cached ${1} template`;
  return 'left' in mine || typeof kept !== 'undefined' ? 'a template object' : 'clean';
}
