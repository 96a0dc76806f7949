() => {
  const find = () => /a/g;
  const r = find();
  r.exec('aaa');
  RegExp.prototype.exec = () => ['trapped'];
  return 'left';
}
// ---- second ----
() => {
  const find = () => /a/g;
  return find().lastIndex === 0 && /x/.exec('y') === null ? 'clean' : 'a regular expression';
}
