() => {
  for (const C of [String, Number, Boolean, Array, Date]) C.prototype.toJSON = () => 'trapped';
  for (const C of [String, Number, Boolean, Array]) delete C.prototype.toJSON;
  Date.prototype.toJSON = () => 'trapped';
  return 'left';
}
// ---- second ----
() => (JSON.stringify([new Date(0), 'a', 1]) === '["1970-01-01T00:00:00.000Z","a",1]' ? 'clean' : 'a toJSON')
