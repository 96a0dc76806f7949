() => {
  for (let i = 0; i < 2000; i++) console.log('line');
  return 'left';
}
// ---- second ----
() => {
  console.log('mine');
  return 'clean';
}
