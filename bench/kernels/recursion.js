async () => {
  const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
  const began = Date.now();
  const sum = fib(31);

  return [Date.now() - began, sum];
}
