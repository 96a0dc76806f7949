() => {
  Array.prototype[Symbol.iterator] = function* () { yield 'trapped'; };
  String.prototype[Symbol.iterator] = function* () { yield 'trapped'; };
  Function.prototype[Symbol.toPrimitive] = () => 'trapped';
  RegExp.prototype[Symbol.replace] = () => 'trapped';
  return 'left';
}
// ---- second ----
() => ([...[1], ...'a', 'b'.replace(/b/, 'c'), `${Math.max}`.slice(0, 8)].join() === '1,a,c,function' ? 'clean' : 'a symbol method')
