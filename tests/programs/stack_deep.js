() => {
  const f = () => f() + 1;
  try { f(); } catch {}
  return 'left';
}
// ---- second ----
() => {
  const f = (n) => (n === 0 ? 0 : 1 + f(n - 1));
  return f(5000) === 5000 ? 'clean' : 'less stack';
}
