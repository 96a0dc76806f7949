// 10 MB of base64 to a binary string.
() => {
  const text = 'TWFu'.repeat(2_500_000);
  const flat = text.charCodeAt(9);
  const began = performance.now();
  const binary = atob(text);

  return [performance.now() - began, binary.length + flat];
}
