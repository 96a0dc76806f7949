// text_16mb.js without its result: what is left is the work of making it.
async () => {
  const line = 'The quick brown fox said "hello" to the lazy dog.\n';

  return line.repeat(16_000_000 / line.length).length;
}
