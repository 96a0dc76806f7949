// The surface is evaluated before a program comes, out of its sight: what this one does
// to it must not be there for the next, which must find it as if it came first.
async () => {
  URL.prototype.left = 'left';
  AbortSignal.left = 'left';
  performance.left = 'left';
  delete Headers.prototype.get;
  addEventListener('error', () => console.log('left'));
  new Request('http://a/', { signal: AbortSignal.timeout(60000) });
  await new Response('left').body.cancel();
  await crypto.subtle.digest('SHA-256', new Uint8Array(1));
  return 'left';
}
// ---- second
() => {
  const found = [];
  const all = globalThis;
  const lazy = (name) => Object.getOwnPropertyDescriptor(all, name).get !== undefined;
  const read = (name) => all[name];
  for (const code of ['UR'+'L', 'Abort'+'Signal', 'perfor'+'mance', 'Head'+'ers', 'cry'+'pto', 'Readable'+'Stream']) {
    if (!lazy(code)) found.push(`${code} is there before it is touched`);
    const value = read(code);
    if (value.left !== undefined || value.prototype?.left !== undefined) found.push(`${code} has what was left`);
  }
  if (typeof read('Head'+'ers').prototype.get !== 'function') found.push('its method get is gone');
  const clock = read('perfor'+'mance');
  if (!(clock.now() >= 0 && clock.now() < 50000)) found.push(`the clock says ${clock.now()}`);
  if (Math.abs(clock.timeOrigin + clock.now() - Date.now()) > 1000) found.push('the time origin is of another run');
  return found.length === 0 ? 'clean' : found;
}
