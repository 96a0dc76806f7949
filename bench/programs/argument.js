// 40 calls, each with 1 MB of text.
async () => {
  const line = 'The quick brown fox said "hello" to the lazy dog.\n';
  const text = line.repeat(1_000_000 / line.length);
  let sum = 0;

  for (let i = 0; i < 40; i++) sum += await store.call(text);
  return sum;
}
