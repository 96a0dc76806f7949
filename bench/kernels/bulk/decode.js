// 10 MB of ASCII to a text.
() => {
  const bytes = new Uint8Array(10_000_000).fill(97);
  const decoder = new TextDecoder();
  const began = performance.now();
  const text = decoder.decode(bytes);

  return [performance.now() - began, text.length];
}
