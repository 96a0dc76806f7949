async () => {
  class Point {
    constructor(x, y) {
      this.x = x;
      this.y = y;
    }
    plus(other) {
      return new Point((this.x + other.x) % 1000, (this.y + other.y) % 1000);
    }
  }
  const began = Date.now();
  const step = new Point(3, 7);
  const kept = [];
  let at = new Point(0, 0);
  let sum = 0;

  for (let i = 0; i < 1_000_000; i++) {
    at = at.plus(step);
    if (i % 100 === 0) kept.push({ ...at, index: i });
  }
  for (const { x, y, index } of kept) sum += x + y + index;
  return [Date.now() - began, sum];
}
