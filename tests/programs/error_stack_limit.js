() => {
  Error.stackTraceLimit = 0;
  Error.prepareStackTrace = () => 'trapped';
  Error.prototype.toString = () => 'trapped';
  return 'left';
}
// ---- second ----
() => {
  const error = new Error('x');
  const ok = String(error) === 'Error: x' && typeof error.stack === 'string' && error.stack.includes('program.js') &&
    Error.stackTraceLimit !== 0 && Error.prepareStackTrace === undefined;
  return ok ? 'clean' : 'a changed Error';
}
