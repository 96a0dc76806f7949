// 10 MB out of gzip data.
async () => {
  const zip = new CompressionStream('gzip');
  const writer = zip.writable.getWriter();
  const lines = Array.from({ length: 200_000 }, (_, id) => `{"id":${id},"name":"user ${id}","even":${id % 2 === 0}}`);

  void writer.write(new TextEncoder().encode(lines.join('\n').slice(0, 10_000_000).padEnd(10_000_000)));
  void writer.close();
  const parts = [];

  for await (const part of zip.readable) parts.push(part);
  const began = performance.now();
  const unzip = new DecompressionStream('gzip');
  const feed = unzip.writable.getWriter();

  for (const part of parts) void feed.write(part);
  void feed.close();
  let bytes = 0;

  for await (const part of unzip.readable) bytes += part.length;
  return [performance.now() - began, bytes];
}
