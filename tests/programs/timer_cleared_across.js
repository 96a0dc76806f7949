() => {
  setTimeout(() => {}, 1e6); // number 1 of this run
  return 'left';
}
// ---- second ----
async () => {
  const order = [];
  const first = setTimeout(() => order.push('first'), 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  return order.length === 1 && first === 1 ? 'clean' : 'a timer of an equal number';
}
