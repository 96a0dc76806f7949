() => {
  /(secret)-(\d+)/.exec('my secret-42 text');
  return 'left';
}
// ---- second ----
() => {
  const found = [RegExp.$1, RegExp.$2, RegExp.lastMatch, RegExp.input, RegExp.leftContext, RegExp['$_']].filter(Boolean);
  return found.length === 0 ? 'clean' : found;
}
