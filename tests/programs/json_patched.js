() => {
  JSON.stringify = () => '"trapped"';
  JSON.parse = () => 'trapped';
  return 'left';
}
// ---- second ----
() => (JSON.stringify({ a: 1 }) === '{"a":1}' && JSON.parse('2') === 2 ? 'clean' : 'a changed JSON')
