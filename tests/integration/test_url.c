/* URL, URLSearchParams, URLPattern, Blob, File and FormData as a program finds them:
 * what the web-platform-tests do not ask, above all realms that the program has
 * patched. */
#include "base/cleanup.h"
#include "harness.h"

#include <stddef.h>

/* What a program may do to the realm before it uses an interface. */
#define PATCH                                                                                    \
    "const patch = (prototype) => { const keys = Reflect.ownKeys(prototype);"                    \
    " for (let i = 0; i < keys.length; i++) { const k = keys[i];"                                \
    " const d = Reflect.getOwnPropertyDescriptor(prototype, k);"                                 \
    " const fail = () => { throw new Error(`patched ${String(k)}`) };"                           \
    " if (k !== 'constructor' && d.configurable) Reflect.defineProperty(prototype, k,"           \
    " d.get ? { get: fail } : { value: fail }) } };"                                             \
    " const all = [Array, String, Map, Set, RegExp, Promise, Uint8Array, ArrayBuffer, Function," \
    " Reflect.getPrototypeOf(Uint8Array)];"                                                      \
    " for (let i = 0; i < all.length; i++) patch(all[i].prototype);"                             \
    " Reflect.defineProperty(Array.prototype, '0', { set() { throw new Error('setter') } });"    \
    " Reflect.defineProperty(Object.prototype, 'name', { get() { throw new Error('name') } });"

static const struct row rows[] = {
    /* ---- URL ---- */
    { .name = "a URL is parsed against its base",
      .code = "() => new URL('../c?x=1#y', 'https://u:p@h:8080/a/b/').href",
      .result = "\"https://u:p@h:8080/a/c?x=1#y\"" },
    { .name = "a text that is no URL is named in the TypeError",
      .code = "() => new URL('not a url')",
      .error = "\"not a url\" cannot be parsed as a URL." },
    { .name = "the query and searchParams follow each other",
      .code = "() => { const u = new URL('http://h/?a=1'); const p = u.searchParams;"
              " p.append('b', 'x y'); const first = u.href; u.search = '?c=3';"
              " return [first, [...p], p === u.searchParams] }",
      .result = "[\"http://h/?a=1&b=x+y\",[[\"c\",\"3\"]],true]" },
    { .name = "a name of another script becomes ASCII",
      .code = "() => new URL('https://\\u4f8b\\u3048.\\u30c6\\u30b9\\u30c8').hostname",
      .result = "\"xn--r8jz45g.xn--zckzah\"" },
    { .name = "a URL of a megabyte is one",
      .code = "() => new URL('http://h/' + 'a b'.repeat(350000)).href.length",
      .result = "1750009" },
    { .name = "a NUL and half a surrogate pair are characters of a path",
      .code = "() => new URL('http://h/\\0\\ud800').pathname",
      .result = "\"/%00%EF%BF%BD\"" },
    { .name = "an accessor of URL refuses another object",
      .code = "() => { try { Object.getOwnPropertyDescriptor(URL.prototype, 'href').get.call({}) }"
              " catch (e) { return e instanceof TypeError } }",
      .result = "true" },
    { .name = "a subclass of URL is a URL",
      .code = "() => { class U extends URL { get two() { return this.host + this.host } }"
              " return new U('http://h').two }",
      .result = "\"hh\"" },
    { .name = "URL and URLSearchParams do not notice a patched realm",
      .code = "() => { " PATCH
              " const u = new URL('/p?a=1&b=2', 'http://h'); u.searchParams.append('c', '3');"
              " u.searchParams.sort(); u.searchParams.delete('a'); u.hash = 'f';"
              " const q = new URLSearchParams('x=%41&y'); q.set('z', '1');"
              " return `${u} ${u.searchParams} ${q} ${q.get('x')} ${q.has('y')} ${q.size}` }",
      .result = "\"http://h/p?b=2&c=3#f b=2&c=3 x=A&y=&z=1 A true 3\"" },
    { .name = "an interface that is reached late does not notice a patched realm",
      .code = "() => { const name = 'U' + 'RL'; " PATCH
              " const U = globalThis[name]; return `${new U('http://h/%7e?q')}` }",
      .result = "\"http://h/%7e?q\"" },

    /* ---- URLPattern ---- */
    { .name = "a pattern names its groups",
      .code = "() => new URLPattern({ pathname: '/users/:id(\\\\d+)/*' })"
              ".exec('https://h/users/42/a/b').pathname.groups",
      .result = "{\"0\":\"a/b\",\"id\":\"42\"}" },
    { .name = "a pattern does not notice a patched realm",
      .code = "() => { " PATCH " const p = new URLPattern('https://{*.}?h/:a\\\\?b');"
              " return `${p.test('https://x.h/1?b')} ${p.exec('https://h/1?b').pathname.groups.a}`"
              " }",
      .result = "\"true 1\"" },

    /* ---- Blob and File ---- */
    { .name = "a blob is its parts, and a slice a piece of it",
      .code = "async () => { const b = new Blob(['\\u00e9', new Uint8Array([65, 66]),"
              " new Blob(['C'])], { type: 'Text/Plain' });"
              " return [b.size, b.type, await b.text(), await b.slice(2, -1, 'x/y').text()] }",
      .result = "[5,\"text/plain\",\"\u00e9ABC\",\"AB\"]" },
    { .name = "what is done to the bytes later does not change a blob",
      .code = "async () => { const bytes = new Uint8Array([65]); const b = new Blob([bytes]);"
              " bytes[0] = 66; (await b.bytes())[0] = 67;"
              " new Uint8Array(await b.arrayBuffer())[0] = 68; return b.text() }",
      .result = "\"A\"" },
    { .name = "a file has a name and a date",
      .code = "() => { const f = new File(['x'], 'a/b.txt', { lastModified: 5 });"
              " return [f.name, f.lastModified, f.size, f instanceof Blob, String(f)] }",
      .result = "[\"a/b.txt\",5,1,true,\"[object File]\"]" },
    { .name = "slices share the bytes of their blob",
      .code = "async () => { const b = new Blob([new Uint8Array(20e6)]); const all = [];"
              " for (let i = 0; i < 1000; i++) all.push(b.slice(i, -1)); return all[999].size }",
      .result = "19999000" },
    { .name = "a blob can be read as a stream",
      .code = "async () => { let n = 0; const chunks = [];"
              " for await (const c of new Blob([new Uint8Array(200000)]).stream()) {"
              " n += c.length; chunks.push(c) } return [n, chunks.length > 1] }",
      .result = "[200000,true]" },
    { .name = "Blob and File do not notice a patched realm",
      .code = "async () => { const parts = { *[Symbol.iterator]() { yield 'a'; yield 'b' } };"
              " const type = 'text/plain'; " PATCH " const b = new File(parts, 'n', { type });"
              " return `${await b.slice(1).text()} ${b.type} ${b.size}` }",
      .result = "\"b text/plain 2\"" },
    { .name = "a blob URL lives until it is revoked",
      .code = "async () => { const url = URL.createObjectURL(new Blob(['hi'], { type: 'a/b' }));"
              " const r = await fetch(url + '#x'); const first = [await r.text(),"
              " r.headers.get('content-type')]; URL.revokeObjectURL(url);"
              " return [first, await fetch(url).catch((e) => e.name)] }",
      .result = "[[\"hi\",\"a/b\"],\"TypeError\"]" },

    /* ---- FormData ---- */
    { .name = "a form goes to multipart and back",
      .code = "async () => { const f = new FormData(); f.append('a\"\\r\\n', 'x\\ny');"
              " f.append('f', new Blob(['\\r\\n--z'], { type: 'x/y' }), 'n\".txt');"
              " const g = await new Response(f).formData(); const file = g.get('f');"
              " return [[...g.keys()], g.get('a\"\\r\\n'), file.name, file.type,"
              " await file.text()] }",
      .result = "[[\"a\\\"\\r\\n\",\"f\"],\"x\\r\\ny\",\"n\\\".txt\",\"x/y\",\"\\r\\n--z\"]" },
    { .name = "the bytes of a multipart body are those of the standard",
      .code = "async () => { const f = new FormData(); f.append('n', 'v');"
              " const r = new Response(f); const b = /boundary=(.*)$/.exec("
              "r.headers.get('content-type'))[1]; return (await r.text()).replaceAll(b, 'B') }",
      .result = "\"--B\\r\\nContent-Disposition: form-data; name=\\\"n\\\"\\r\\n\\r\\nv\\r\\n"
                "--B--\\r\\n\"" },
    { .name = "a multipart body that is cut is refused",
      .code =
          "() => new Response('--b\\r\\nContent-Disposition: form-data; name=\"a\"\\r\\n\\r\\nx',"
          " { headers: { 'content-type': 'multipart/form-data; boundary=b' } }).formData()",
      .error = "The body is not valid multipart/form-data." },
    { .name = "FormData does not notice a patched realm",
      .code = "async () => { " PATCH " const f = new FormData(); f.append('a', '1');"
              " f.append('f', new Blob()); f.set('a', '2'); const g = await new Response(f)"
              ".formData(); return `${g.get('a')} ${g.get('f').size} ${g.has('x')}` }",
      .result = "\"2 0 false\"" },
};

int main(int argc, char **argv)
{
    const struct group group = { .name = "url", .rows = rows, .row_count = CM_ARRAY_LEN(rows) };

    return group_main(argc, argv, &group);
}
