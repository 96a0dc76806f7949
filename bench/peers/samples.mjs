/** The values of one measurement, as bench/samples.c has them. */

/** Value at fraction `at` of the sorted samples, nearest rank. */
export function quantile(samples, at) {
  const sorted = samples.toSorted((a, b) => a - b);

  return sorted[Math.max(0, Math.ceil(at * sorted.length) - 1)];
}

export function summary(samples) {
  const [p50, p99] = [quantile(samples, 0.5), quantile(samples, 0.99)];

  return { value: p50, p50, p99, n: samples.length };
}
