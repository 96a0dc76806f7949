// 10 MB of ASCII to bytes.
() => {
  const text = 'The quick brown fox '.repeat(500_000);
  const flat = text.charCodeAt(9);
  const encoder = new TextEncoder();
  const began = performance.now();
  const bytes = encoder.encode(text);

  return [performance.now() - began, bytes.length + flat];
}
