() => {
  const Old = Intl.DateTimeFormat;
  Intl.DateTimeFormat = function (_, options) { return new Old('de-DE', { ...options, timeZone: 'Asia/Tokyo' }); };
  Object.defineProperty(Intl.NumberFormat.prototype, 'format', { value: () => 'trapped' });
  Number.prototype.toLocaleString = () => 'trapped';
  return 'left';
}
// ---- second ----
() => {
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const ok = locale === 'en-US' && timeZone === 'UTC' && (1234.5).toLocaleString() === '1,234.5';
  return ok ? 'clean' : [locale, timeZone];
}
