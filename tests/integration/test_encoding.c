/* TextEncoder, TextDecoder, their streams, atob and btoa, with inputs that are not kind. */
#include "base/cleanup.h"
#include "harness.h"
#include "hostile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct row rows[] = {
    { .name = "a text comes back from its bytes",
      .code = "async () => { const s = 'a\\u20ac\\ud83d\\ude00\\u0000'; return new "
              "TextDecoder().decode(new TextEncoder().encode(s)) === s }",
      .result = "true" },
    { .name = "a large text comes back whatever stands where its pieces meet",
      .code = "async () => { for (let shift = 0; shift < 4; shift++) { const s = "
              "'x'.repeat(32765 + shift) + '\\u20ac\\ud83d\\ude00'.repeat(40000) + "
              "'y'.repeat(shift); if (new TextDecoder('utf-8', { fatal: true "
              "}).decode(new TextEncoder().encode(s)) !== s) return shift } return "
              "'same' }",
      .result = "\"same\"" },
    { .name = "half a surrogate pair is replaced also where pieces meet",
      .code = "async () => { const s = 'x'.repeat(32767) + '\\ud83d' + 'y'; return new "
              "TextDecoder().decode(new TextEncoder().encode(s)) === s.toWellFormed() }",
      .result = "true" },
    { .name = "encodeInto stops before the character that does not fit",
      .code = "async () => { const to = new Uint8Array(100000); const a = new "
              "TextEncoder().encodeInto('x'.repeat(99999) + '\\u20ac', to); const b = new "
              "TextEncoder().encodeInto('\\u20ac'.repeat(50000), to); return [a.read, "
              "a.written, b.read, b.written] }",
      .result = "[99999,99999,33333,99999]" },
    { .name = "encodeInto writes to its part of a buffer only",
      .code = "async () => { const all = new Uint8Array(6).fill(1); new "
              "TextEncoder().encodeInto('abcdef', all.subarray(2, 4)); return [...all] }",
      .result = "[1,1,97,98,1,1]" },
    { .name = "bytes under any view are decoded",
      .code = "async () => { const b = new Uint8Array([120, 97, 98, 99, 0, 0, 0, "
              "0]).buffer; const d = new TextDecoder(); return [d.decode(new "
              "Uint8Array(b, 1, 3)), d.decode(new DataView(b, 1, 2)), d.decode(new "
              "Uint16Array(b, 0, 1)), d.decode(b.slice(1, 3)), d.decode()] }",
      .result = "[\"abc\",\"ab\",\"xa\",\"ab\",\"\"]" },
    { .name = "a buffer that was decoded can still be transferred",
      .code = "async () => { const a = new Uint8Array(4), b = new Uint8Array(100000); "
              "for (const u of [a, b]) { new TextDecoder().decode(u); "
              "u.buffer.transfer() } return [a.length, b.length] }",
      .result = "[0,0]" },
    { .name = "a detached buffer has no bytes",
      .code = "async () => { const u = new Uint8Array([97]); u.buffer.transfer(); return "
              "[new TextDecoder().decode(u), new TextEncoder().encodeInto('x', "
              "u).written] }",
      .result = "[\"\",0]" },
    { .name = "a buffer that an option takes away has no bytes",
      .code = "async () => { const u = new Uint8Array(100000); return new "
              "TextDecoder().decode(u, { get stream() { u.buffer.transfer(); return "
              "false } }) }",
      .result = "\"\"" },
    { .name = "a resizable buffer is refused",
      .code = "async () => { const u = new Uint8Array(new ArrayBuffer(4, { "
              "maxByteLength: 8 })); try { new TextDecoder().decode(u) } catch (e) { "
              "return e.name } }",
      .result = "\"TypeError\"" },
    { .name = "every encoding is known by its labels",
      .code = "async () => { return ['866', 'LATIN1', ' sjis\\n', 'ks_c_5601-1987', "
              "'x-cp1251', 'gb_2312', 'big5-hkscs', 'unicode'].map((l) => new "
              "TextDecoder(l).encoding) }",
      .result =
          "[\"ibm866\",\"windows-1252\",\"shift_jis\",\"euc-kr\",\"windows-1251\",\"gbk\",\"big5\""
          ",\"utf-16le\"]" },
    { .name = "a label that is none is a RangeError that names it",
      .code = "async () => { try { new TextDecoder('utf-9') } catch (e) { return "
              "`${e.name}: ${e.message}` } }",
      .result = "\"RangeError: TextDecoder: \\\"utf-9\\\" is not the label of an encoding\"" },
    { .name = "malformed bytes are a TypeError that names the encoding",
      .code = "async () => { try { new TextDecoder('euc-jp', { fatal: true }).decode(new "
              "Uint8Array([0xa1])) } catch (e) { return `${e.name}: ${e.message}` } }",
      .result = "\"TypeError: The bytes are not well-formed euc-jp\"" },
    { .name = "two decoders keep their halves apart",
      .code = "async () => { const a = new TextDecoder(), b = new "
              "TextDecoder('utf-16le'); const more = { stream: true }; return "
              "a.decode(new Uint8Array([0xe2, 0x82]), more) + b.decode(new "
              "Uint8Array([97]), more) + a.decode(new Uint8Array([0xac])) + b.decode(new "
              "Uint8Array([0])) }",
      .result = "\"€a\"" },
    { .name = "what is not a TextDecoder is refused as one",
      .code = "async () => { const { decode } = TextDecoder.prototype; try { "
              "decode.call({}) } catch (e) { return e.name } }",
      .result = "\"TypeError\"" },
    { .name = "atob and btoa undo each other",
      .code = "async () => { let s = ''; for (let i = 0; i < 100000; i++) s += "
              "String.fromCharCode(i & 255); return [atob(btoa(s)) === s, btoa(''), "
              "atob(' aG\\nk= '), btoa('\\xff')] }",
      .result = "[true,\"\",\"hi\",\"/w==\"]" },
    { .name = "what atob and btoa cannot take is an InvalidCharacterError",
      .code = "async () => { const name = (f) => { try { f() } catch (e) { return `${e "
              "instanceof DOMException} ${e.name} ${e.code}` } }; return [name(() => "
              "atob('a')), name(() => atob('ab=')), name(() => atob('\\u0100')), name(() "
              "=> btoa('\\u0100')), name(() => btoa('x'.repeat(40000) + '\\u0100'))] }",
      .result = "[\"true InvalidCharacterError 5\",\"true InvalidCharacterError 5\",\"true "
                "InvalidCharacterError 5\",\"true InvalidCharacterError 5\",\"true "
                "InvalidCharacterError 5\"]" },
    { .name = "atob gives the same whatever stands where its pieces meet",
      .code = "async () => { const name = (f) => { try { return f() } catch (e) { return "
              "e.name } }; const bad = 'InvalidCharacterError', full = "
              "'TWFu'.repeat(21845); const ends = [['', 0], "
              "['QQ==', 1], ['QUI', 2], [' ', 0], ['Q Q\\n= =', 1], ['=', bad], ['Q', bad], "
              "['QQ==QQ==', bad], ['\u0100', bad]]; return ends.filter(([end, more]) => "
              "[full.slice(4), full, full + full].some((text) => name(() => atob(text + "
              "end).length) !== (more === bad ? bad : text.length * 3 / 4 + more))) }",
      .result = "[]" },
    { .name = "a text of Latin-1 characters takes a byte for each",
      .code = "async () => { const u = new Uint8Array(55 << 20).fill(97); u[9] = 233; return "
              "new TextDecoder('latin1').decode(u).length }",
      .result = "57671680" },
    { .name = "20 MB of text are decoded within the memory bound",
      .code = "async () => { const u = new Uint8Array(20 << 20).fill(97); return new "
              "TextDecoder().decode(u).length }",
      .result = "20971520" },
    { .name = "streams of texts encode and decode",
      .code = "async () => { const pump = async (stream, chunks) => { const out = []; "
              "const writer = stream.writable.getWriter(); for (const c of chunks) "
              "writer.write(c); writer.close(); const reader = "
              "stream.readable.getReader(); for (;;) { const { done, value } = await "
              "reader.read(); if (done) return out; out.push(value) } }; const bytes = "
              "await pump(new TextEncoderStream(), ['a\\ud83d', '\\ude00', '\\ud83d']); "
              "const texts = await pump(new TextDecoderStream(), bytes.flatMap((b) => "
              "[...b]).map((b) => new Uint8Array([b]))); return [bytes.map((b) => "
              "b.length), texts.join('')] }",
      .result = "[[1,4,3],\"a😀�\"]" },
    { .name = "a program that has replaced every function of the language gets the same texts",
      .code = "async () => { const te = new TextEncoder(), td = new "
              "TextDecoder('shift_jis', { fatal: true }), u = new Uint8Array([104, 0x82, "
              "0xa0]), d = new Uint8Array(9); const long = 'x'.repeat(70000) + '\\u20ac'; "
              "const big = new Uint8Array(70003).fill(65);" REPLACE_EVERYTHING
              "const a = td.decode(u), b = te.encode('h\\u20ac'), c = "
              "te.encodeInto('h\\u20ac', d), e = atob(btoa('h\\xff')), f = "
              "te.encode(long), g = new TextDecoder().decode(big); return a === "
              "'h\\u3042' && b.length === 4 && c.written === 4 && e === 'h\\xff' && "
              "f.length === 70003 && g.length === 70003 }",
      .result = "true" },
};

int main(int argc, char **argv)
{
    static const struct group group = { .name = "encoding",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows) };

    return group_main(argc, argv, &group);
}
