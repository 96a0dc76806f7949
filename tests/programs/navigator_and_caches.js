() => {
  try { navigator.left = 1; } catch {}
  Object.getPrototypeOf(navigator).left = 1;
  try { caches.left = 1; } catch {}
  Object.getPrototypeOf(caches).open = async () => 'trapped';
  return 'left';
}
// ---- second ----
async () => {
  let message = '';
  try { await caches.open('v1'); } catch (error) { message = error.message; }
  return !('left' in navigator) && !('left' in caches) && message.startsWith('Cache storage') ? 'clean' : 'a web global';
}
