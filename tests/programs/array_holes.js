() => {
  Array.prototype[0] = 'trapped';
  Object.prototype[1] = 'trapped';
  return 'left';
}
// ---- second ----
() => (new Array(3)[0] === undefined && [, ,][1] === undefined ? 'clean' : 'an element of the prototype')
