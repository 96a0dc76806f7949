() => {
  Object.prototype[Symbol.for('channel')] = 'secret';
  Symbol.for('channel').description;
  return 'left';
}
// ---- second ----
() => (({})[Symbol.for('channel')] === undefined ? 'clean' : 'a registered symbol')
