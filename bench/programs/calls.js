async () => {
  let sum = 0;

  for (let i = 0; i < 2000; i++) sum += await store.call(i);
  return sum;
}
