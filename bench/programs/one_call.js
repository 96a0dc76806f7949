async () => {
  console.log('one line');
  return await store.call(1);
}
