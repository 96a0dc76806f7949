async () => {
  const began = Date.now();
  const rows = [];
  let seed = 42;

  for (let i = 0; i < 200_000; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    rows.push({ key: seed % 100_000, index: i });
  }
  rows.sort((a, b) => a.key - b.key || a.index - b.index);
  const sum = rows.reduce((total, row, i) => (total + row.index * (i % 7)) % 1_000_003, 0);

  return [Date.now() - began, sum];
}
