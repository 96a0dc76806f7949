// text.js without its result: what is left is the work of making it.
async () => {
  const line = 'The quick brown fox said "hello" to the lazy dog.\n';

  return line.repeat(1_000_000 / line.length).length;
}
