async () => {
  const began = Date.now();
  const lines = [];
  let sum = 0;

  for (let i = 0; i < 20_000; i++) {
    const day = `2024-0${(i % 9) + 1}-1${i % 10}`;

    lines.push(`${day} order #${i} from user${i % 97}@example.com: ${i * 3} EUR`);
  }
  const text = lines.join('\n');
  const pattern = /^(\d{4})-(\d\d)-(\d\d) order #(\d+) from ([a-z0-9]+)@([a-z.]+): (\d+) EUR$/gm;

  for (const match of text.matchAll(pattern)) sum += Number(match[4]) + Number(match[7]);
  sum += text.replace(/user(\d+)/g, (_, id) => `u${id}`).length;
  return [Date.now() - began, sum];
}
