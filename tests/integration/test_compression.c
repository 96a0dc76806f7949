/* CompressionStream and DecompressionStream, with data that is not kind. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY                                                                                     \
    "Execution exceeded its 128 MB memory bound. Hold less data at once and return the part that " \
    "is already finished."

/* The beginning of a program: `pump` writes the chunks to a stream and gives what comes out. */
#define PUMP                                                                               \
    "async () => { const pump = async (stream, chunks) => { const writer = "               \
    "stream.writable.getWriter(); const writing = (async () => { for (const c of chunks) " \
    "await writer.write(c); await writer.close() })(); writing.catch(() => {}); "          \
    "const reader = stream.readable.getReader(); const out = []; for (;;) { "              \
    "const { done, value } = await reader.read(); if (done) break; out.push(value) } "     \
    "return out }; "

static const struct row rows[] = {
    { .name = "data comes back from each format",
      .code = PUMP "const out = []; for (const format of ['gzip', 'deflate', "
                   "'deflate-raw']) { const small = await pump(new "
                   "CompressionStream(format), [new Uint8Array(1000).fill(7)]); const "
                   "back = await pump(new DecompressionStream(format), small); "
                   "out.push(back.reduce((n, p) => n + p.length, 0), back[0][0]) } "
                   "return out }",
      .result = "[1000,7,1000,7,1000,7]" },
    { .name = "20 MB come back",
      .code = PUMP "const data = new Uint8Array(20 << 20); for (let i = 0; i < "
                   "data.length; i += 97) data[i] = i; const back = await pump(new "
                   "DecompressionStream('gzip'), await pump(new "
                   "CompressionStream('gzip'), [data])); let at = 0; for (const part "
                   "of back) for (let i = 0; i < part.length; i += 4096) if (part[i] "
                   "!== data[at + i]) return 'differs'; else if (i + 4096 >= "
                   "part.length) at += part.length; return at }",
      .result = "20971520" },
    { .name = "what is not whole or goes on after its end is a TypeError",
      .code = PUMP "const [a, ...rest] = await pump(new CompressionStream('gzip'), "
                   "[new Uint8Array(9)]); const gz = new Uint8Array([a, "
                   "...rest].flatMap((p) => [...p])); const name = async (bytes) => { "
                   "try { await pump(new DecompressionStream('gzip'), [bytes]); return "
                   "'taken' } catch (e) { return e.name } }; const out = [await "
                   "name(gz), await name(gz.slice(0, -1)), await name(new "
                   "Uint8Array([...gz, 0])), await name(new Uint8Array([1, 2, 3])), "
                   "await name(new Uint8Array(0))]; return out }",
      .result = "[\"taken\",\"TypeError\",\"TypeError\",\"TypeError\",\"TypeError\"]" },
    { .name = "every changed byte of a header or a checksum is noticed",
      .code = PUMP "const parts = await pump(new CompressionStream('deflate'), [new "
                   "Uint8Array(50).fill(3)]); const z = parts.flatMap((p) => [...p]); "
                   "let missed = 0; for (let i = 0; i < z.length; i++) { const bad = "
                   "[...z]; bad[i] ^= 0xff; try { await pump(new "
                   "DecompressionStream('deflate'), [new Uint8Array(bad)]); missed++ } "
                   "catch (e) { if (e.name !== 'TypeError') return e.name } } return "
                   "missed }",
      .result = "0" },
    { .name = "what comes out for a long chunk comes in few pieces",
      .code = PUMP
      "const u = new Uint8Array(5 << 20); crypto.getRandomValues(u.subarray(0, 65536)); "
      "for (let at = 65536; at < u.length; at *= 2) u.copyWithin(at, 0, at); const small = await "
      "pump(new CompressionStream('gzip'), [u]); const all = await pump(new "
      "DecompressionStream('gzip'), small); const back = new "
      "Uint8Array(await new Blob(all).arrayBuffer()); return [all.length < 8, "
      "back.length, back.every((byte, i) => byte === u[i])] }",
      .result = "[true,5242880,true]" },
    { .name = "a format that is none is a TypeError",
      .code = "async () => { const name = (f) => { try { f() } catch (e) { return e.name "
              "} }; return [name(() => new CompressionStream('zip')), name(() => new "
              "DecompressionStream('GZIP')), name(() => new CompressionStream()), "
              "name(() => CompressionStream('gzip'))] }",
      .result = "[\"TypeError\",\"TypeError\",\"TypeError\",\"TypeError\"]" },
    { .name = "what is not bytes ends the stream with a TypeError",
      .code = PUMP "try { await pump(new CompressionStream('gzip'), ['text']) } catch "
                   "(e) { return e.name } }",
      .result = "\"TypeError\"" },
    { .name = "a buffer that was compressed can still be transferred",
      .code = PUMP "const u = new Uint8Array(9); await pump(new "
                   "CompressionStream('gzip'), [u]); u.buffer.transfer(); return "
                   "u.length }",
      .result = "0" },
    { .name = "data that swells beyond the memory bound ends the run for its memory",
      .code = PUMP "const zeros = new Uint8Array(1 << 20); let small = await pump(new "
                   "CompressionStream('gzip'), Array(200).fill(zeros)); const all = "
                   "await pump(new DecompressionStream('gzip'), small); return "
                   "all.length }",
      .error = MEMORY,
      .failure = "memory",
      .timeout_ms = 60000 },
    { .name = "streams that have ended, or have not begun, do not fill the memory",
      .code = PUMP "for (let i = 0; i < 600; i++) { new CompressionStream('gzip'); "
                   "await pump(new CompressionStream('gzip'), [new Uint8Array(9)]) } "
                   "return 'done' }",
      .result = "\"done\"" },
};

int main(int argc, char **argv)
{
    static const struct group group = { .name = "compression",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows) };

    return group_main(argc, argv, &group);
}
