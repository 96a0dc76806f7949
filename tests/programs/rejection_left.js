async () => {
  setTimeout(() => Promise.reject(new Error('from the first run')), 0);
  return 'left';
}
// ---- second ----
async () => {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return 'clean'; // the runner wants no log line that is not the second's own
}
