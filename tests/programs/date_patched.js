() => {
  Date.now = () => 0;
  Date.prototype.getTimezoneOffset = () => 300;
  globalThis.Date = class extends Date { constructor() { super(0); } };
  return 'left';
}
// ---- second ----
() => (Date.now() > 1e12 && new Date().getFullYear() >= 2024 && new Date().getTimezoneOffset() === 0 ? 'clean' : 'a changed Date')
