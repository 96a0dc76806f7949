() => {
  for (const name of ['Map', 'Promise', 'setTimeout', 'console', 'JSON']) delete globalThis[name];
  return 'left';
}
// ---- second ----
() => {
  const missing = ['Map', 'Promise', 'setTimeout', 'console', 'JSON'].filter((name) => !(name in globalThis));
  return missing.length === 0 ? 'clean' : missing;
}
