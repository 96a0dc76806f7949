async () => {
  const began = Date.now();
  const counts = new Map();
  const seen = new Set();
  let sum = 0;

  for (let i = 0; i < 1_000_000; i++) {
    const key = (i * 7919) % 50_021;

    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (!seen.has(key % 1_009)) seen.add(key % 1_009);
  }
  for (const [key, count] of counts) sum = (sum + key * count) % 1_000_003;
  return [Date.now() - began, sum + seen.size];
}
