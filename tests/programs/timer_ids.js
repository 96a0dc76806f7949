() => {
  for (let i = 0; i < 50; i++) setTimeout(() => {}, 1e6);
  return 'left';
}
// ---- second ----
() => {
  const id = setTimeout(() => {}, 1);
  clearTimeout(id);
  return id === 1 ? 'clean' : `timer numbers go on at ${id}`;
}
