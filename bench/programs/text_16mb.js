// 16 MB of text as the result.
async () => {
  const line = 'The quick brown fox said "hello" to the lazy dog.\n';

  return line.repeat(16_000_000 / line.length);
}
