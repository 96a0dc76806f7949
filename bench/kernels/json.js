async () => {
  const began = Date.now();
  const rows = [];
  let sum = 0;

  for (let id = 0; id < 5_000; id++) {
    const nested = { on: id % 2 === 0, score: id / 8 };

    rows.push({ id, name: `user ${id}`, tags: ['a', 'b'], nested });
  }
  for (let i = 0; i < 20; i++) {
    const copy = JSON.parse(JSON.stringify(rows));

    sum += copy[i].nested.score + copy.length;
  }
  return [Date.now() - began, sum];
}
