() => {
  new Function('sloppy = 1; this.viaThis = 2')();
  return 'left';
}
// ---- second ----
() => (typeof sloppy + typeof viaThis === 'undefinedundefined' ? 'clean' : 'a global of sloppy code')
