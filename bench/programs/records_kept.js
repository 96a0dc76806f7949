// records.js without its result: what is left is the work of making it.
async () => {
  const records = [];

  for (let id = 0; id < 9_300; id++) {
    const name = `user ${id}`;
    const email = `user${id}@example.com`;

    records.push({ id, name, email, active: id % 3 === 0, score: id / 4, tags: ['a', 'b'] });
  }
  return records.length;
}
