() => {
  Math.random = () => 0.5;
  Math.max = () => 'trapped';
  return 'left';
}
// ---- second ----
() => (Math.random() !== Math.random() && Math.max(1, 2) === 2 ? 'clean' : 'a changed Math')
