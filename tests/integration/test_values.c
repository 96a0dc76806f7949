/* What crosses between a program and its host, and what does not: results,
 * arguments and answers. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CIRCLE "Converting circular structure to JSON\n    --> starting at object with constructor "
#define BIGINT "Do not know how to serialize a BigInt"

static const struct row rows[] = {
    /* ---- results ---- */
    { .name = "a number is a result", .code = "async () => 6 * 7", .result = "42" },
    { .name = "a plain function is a program", .code = "() => 6 * 7", .result = "42" },
    { .name = "a promise is awaited", .code = "() => Promise.resolve(42)", .result = "42" },
    { .name = "a thenable is awaited",
      .code = "() => ({ then(resolve) { resolve(42) } })",
      .result = "42" },
    { .name = "undefined is no result", .code = "async () => {}", .result = NULL },
    { .name = "a function is no result", .code = "() => () => 1", .result = NULL },
    { .name = "a symbol is no result", .code = "() => Symbol('x')", .result = NULL },
    { .name = "null is a result", .code = "() => null", .result = "null" },
    { .name = "a string is a result",
      .code = "() => 'a\"\\n\\u2028'",
      .result = "\"a\\\"\\n\u2028\"" },
    { .name = "U+0000 crosses in a string", .code = "() => 'a\\0b'", .result = "\"a\\u0000b\"" },
    { .name = "an empty string is a result", .code = "() => ''", .result = "\"\"" },
    { .name = "false is a result", .code = "() => false", .result = "false" },
    { .name = "NaN and the infinities are null",
      .code = "() => [NaN, Infinity, -Infinity, -0]",
      .result = "[null,null,null,0]" },
    { .name = "numbers keep all their digits",
      .code = "() => [0.1, 1e21, 5e-324, 9007199254740991]",
      .result = "[0.1,1e+21,5e-324,9007199254740991]" },
    { .name = "one value of each kind crosses as JSON says",
      .code = "async () => ({ n: 1, s: 'a', b: true, nul: null, u: undefined, arr: [1, 2],"
              " bytes: new Uint8Array([1, 2, 3]), buf: new ArrayBuffer(2),"
              " f32: new Float32Array([1.5]), d: new Date(0), m: new Map([['a', 1]]),"
              " set: new Set([1]), fn: () => 1, re: /x/g })",
      .result = "{\"n\":1,\"s\":\"a\",\"b\":true,\"nul\":null,\"arr\":[1,2],\"bytes\":" BINARY(
          "Uint8Array",
          "AQID") ",\"buf\":" BINARY("ArrayBuffer",
                                     "AAA=") ",\"f32\":" BINARY("ArrayBufferView",
                                                                "AADAPw==") ",\"d\":\"1970-01-"
                                                                            "01T00:00:00.000Z\","
                                                                            "\"m\":{},\"set\":{},"
                                                                            "\"re\":{}}" },
    { .name = "holes, functions and undefined in an array are null",
      .code = "() => [, 1, undefined, () => 1, Symbol('x')]",
      .result = "[null,1,null,null,null]" },
    { .name = "an instance crosses as its own data",
      .code =
          "() => { class P { constructor() { this.x = 1 } get y() { return 2 } } return new P() }",
      .result = "{\"x\":1}" },
    { .name = "boxed primitives cross as primitives",
      .code = "() => [new Number(1), new String('a'), new Boolean(false)]",
      .result = "[1,\"a\",false]" },
    { .name = "toJSON decides the shape",
      .code = "() => ({ a: { toJSON(key) { return 'shape of ' + key } } })",
      .result = "{\"a\":\"shape of a\"}" },
    { .name = "toJSON may give bytes",
      .code = "() => ({ a: { toJSON: () => new Uint8Array([255]) } })",
      .result = "{\"a\":" BINARY("Uint8Array", "/w==") "}" },
    { .name = "symbol keys and inherited keys do not cross",
      .code = "() => Object.assign(Object.create({ inherited: 1 }), { [Symbol('x')]: 1, own: 2 })",
      .result = "{\"own\":2}" },
    { .name = "the key __proto__ crosses as data",
      .code = "() => JSON.parse('{\"__proto__\":{\"a\":1},\"constructor\":2,\"then\":3}')",
      .result = "{\"__proto__\":{\"a\":1},\"constructor\":2,\"then\":3}" },
    { .name = "a proxy crosses as what its traps show",
      .code = "() => new Proxy({ a: 1 }, { get: (t, k) => k === 'a' ? 2 : t[k] })",
      .result = "{\"a\":2}" },
    { .name = "an object without a prototype crosses",
      .code = "() => Object.assign(Object.create(null), { a: 1 })",
      .result = "{\"a\":1}" },
    { .name = "a lone surrogate in a value is escaped",
      .code = "() => ['\\ud800', '\\udc00x', '\\ud83d\\ude00']",
      .result = "[\"\\ud800\",\"\\udc00x\",\"\U0001F600\"]" },
    { .name = "an error in the data crosses as an object",
      .code = "() => ({ e: new Error('x') })",
      .result = "{\"e\":{}}" },

    /* ---- binary ---- */
    { .name = "bytes alone are a result",
      .code = "() => new Uint8Array([1, 2, 3])",
      .result = BINARY("Uint8Array", "AQID") },
    { .name = "no bytes are bytes",
      .code = "() => [new Uint8Array(0), new ArrayBuffer(0)]",
      .result = "[" BINARY("Uint8Array", "") "," BINARY("ArrayBuffer", "") "]" },
    { .name = "a view crosses as the bytes that it views and no others",
      .code =
          "() => { const b = new Uint8Array([9, 1, 2, 9]).buffer;"
          " return [new Uint8Array(b, 1, 2), new DataView(b, 1, 2), new Uint16Array(b, 2, 1)] }",
      .result = "[" BINARY("Uint8Array", "AQI=") "," BINARY("ArrayBufferView", "AQI=") "," BINARY(
          "ArrayBufferView", "Agk=") "]" },
    { .name = "every typed array crosses as its bytes",
      .code =
          "async () => { const all = [Int8Array, Uint8ClampedArray, Int16Array, Uint16Array,"
          " Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]"
          ".map((T) => new T(2)); const back = await store.echo(...all);"
          " return back.map((b, i) => b instanceof Uint8Array && b.length === all[i].byteLength)"
          ".every(Boolean) }",
      .result = "true" },
    { .name = "a BigInt64Array crosses as bytes",
      .code = "() => new BigInt64Array([1n])",
      .result = BINARY("ArrayBufferView", "AQAAAAAAAAA=") },
    { .name = "a subclass of Uint8Array crosses as bytes",
      .code = "() => new (class Mine extends Uint8Array {})([7])",
      .result = BINARY("Uint8Array", "Bw==") },
    { .name = "a resizable buffer crosses at its size of now",
      .code = "() => { const b = new ArrayBuffer(1, { maxByteLength: 8 }); b.resize(2); return b }",
      .result = BINARY("ArrayBuffer", "AAA=") },
    { .name = "bytes survive nesting",
      .code = "() => ({ a: [{ b: [new Uint8Array([1])] }] })",
      .result = "{\"a\":[{\"b\":[" BINARY("Uint8Array", "AQ==") "]}]}" },
    { .name = "bytes come back as themselves from a tool",
      .code = "async () => { const [a, b, c] = await store.echo(new Uint8Array([1, 2]),"
              " new ArrayBuffer(1), { deep: [new Uint16Array([258])] });"
              " return [a instanceof Uint8Array, a.length, a[1], b instanceof ArrayBuffer,"
              " b.byteLength, c.deep[0] instanceof Uint8Array, [...c.deep[0]]] }",
      .result = "[true,2,2,true,1,true,[2,1]]" },
    { .name = "an envelope of the host's is bytes in the program",
      .code = "async () => { const b = await store.raw('{\"result\":{\"__codemode_binary_v1__\":"
              "\"Uint8Array\",\"data\":\"AQID\"}}'); return [b instanceof Uint8Array, [...b]] }",
      .result = "[true,[1,2,3]]" },
    { .name = "an envelope whose data is not base64 stays an object",
      .code = "async () => { const b = await store.raw('{\"result\":{\"__codemode_binary_v1__\":"
              "\"Uint8Array\",\"data\":\"A*\"}}'); return [b instanceof Uint8Array, b.data] }",
      .result = "[false,\"A*\"]" },
    { .name = "an envelope without padding or of another kind stays an object",
      .code =
          "async () => { const ask = (kind, data) => store.raw(JSON.stringify({ result: {"
          " __codemode_binary_v1__: kind, data } })); const all = [await ask('Uint8Array', 'AQI'),"
          " await ask('Blob', 'AQID'), await ask('Uint8Array', 5)];"
          " return all.map((v) => v.constructor === Object) }",
      .result = "[true,true,true]" },
    { .name = "an object with more keys than the envelope stays an object",
      .code = "async () => { const v = await store.raw(JSON.stringify({ result: {"
              " __codemode_binary_v1__: 'Uint8Array', data: 'AQID', more: 1 } })); return v.more }",
      .result = "1" },
    { .name = "a look-alike of the program's comes back from a tool as it was sent",
      .code = "async () => { const [v] = await store.echo({ __codemode_binary_v1__: 'Uint8Array',"
              " data: 'no base64!' }); return v }",
      .result = BINARY("Uint8Array", "no base64!") },

    /* ---- what cannot be serialized ---- */
    { .name = "a BigInt is refused in V8's words",
      .code = "async () => ({ big: 1n })",
      .error = BIGINT,
      .failure = "result" },
    { .name = "a BigInt alone is refused",
      .code = "() => 1n",
      .error = BIGINT,
      .failure = "result" },
    { .name = "a boxed BigInt is refused",
      .code = "() => [Object(1n)]",
      .error = BIGINT,
      .failure = "result" },
    { .name = "a BigInt in the arguments rejects the call",
      .code =
          "async () => { try { await store.echo(1n) } catch (e) { return [e.name, e.message] } }",
      .result = "[\"TypeError\",\"" BIGINT "\"]" },
    { .name = "a BigInt with a toJSON crosses",
      .code =
          "() => { BigInt.prototype.toJSON = function () { return String(this) }; return [5n] }",
      .result = "[\"5\"]" },
    { .name = "a circle of one step is named as V8 names it",
      .code = "async () => { const o = {}; o.self = o; return o }",
      .error = CIRCLE "'Object'\n    --- property 'self' closes the circle",
      .failure = "result" },
    { .name = "a circle of two steps is named",
      .code = "() => { const o = { a: {} }; o.a.b = o; return o }",
      .error = CIRCLE "'Object'\n    |     property 'a' -> object with constructor 'Object'\n"
                      "    --- property 'b' closes the circle",
      .failure = "result" },
    { .name = "a circle of three steps is named",
      .code = "() => { const o = { a: { b: {} } }; o.a.b.c = o; return o }",
      .error = CIRCLE "'Object'\n    |     property 'a' -> object with constructor 'Object'\n"
                      "    |     property 'b' -> object with constructor 'Object'\n"
                      "    --- property 'c' closes the circle",
      .failure = "result" },
    { .name = "a circle of four steps is named in full",
      .code = "() => { const o = { a: { b: { c: {} } } }; o.a.b.c.d = o; return o }",
      .error = CIRCLE "'Object'\n    |     property 'a' -> object with constructor 'Object'\n"
                      "    |     property 'b' -> object with constructor 'Object'\n"
                      "    |     property 'c' -> object with constructor 'Object'\n"
                      "    --- property 'd' closes the circle",
      .failure = "result" },
    { .name = "a longer circle leaves out its middle",
      .code = "() => { const o = { a: { b: { c: { d: { e: {} } } } } };"
              " o.a.b.c.d.e.f = o; return o }",
      .error = CIRCLE "'Object'\n    |     property 'a' -> object with constructor 'Object'\n"
                      "    |     property 'b' -> object with constructor 'Object'\n"
                      "    |     ...\n"
                      "    |     property 'e' -> object with constructor 'Object'\n"
                      "    --- property 'f' closes the circle",
      .failure = "result" },
    { .name = "a circle through an array names the index",
      .code = "() => { const a = [1, {}]; a[1].list = a; return { a } }",
      .error = CIRCLE "'Array'\n    |     index 1 -> object with constructor 'Object'\n"
                      "    --- property 'list' closes the circle",
      .failure = "result" },
    { .name = "a circle closed by an index names it",
      .code = "() => { const a = []; a.push(0, a); return a }",
      .error = CIRCLE "'Array'\n    --- index 1 closes the circle",
      .failure = "result" },
    { .name = "a circle names the classes on its way",
      .code = "() => { class Tree { constructor() { this.root = this } } return [new Tree()] }",
      .error = CIRCLE "'Tree'\n    --- property 'root' closes the circle",
      .failure = "result" },
    { .name = "a circle in the arguments rejects the call",
      .code = "async () => { const o = {}; o.me = o; try { await store.echo(o) }"
              " catch (e) { return e.message } }",
      .result = "\"Converting circular structure to JSON\\n    --> starting at object with "
                "constructor 'Object'\\n    --- property 'me' closes the circle\"" },
    { .name = "an object that is met twice is no circle",
      .code = "() => { const o = { a: 1 }; return [o, o, { o }] }",
      .result = "[{\"a\":1},{\"a\":1},{\"o\":{\"a\":1}}]" },
    { .name = "what toJSON throws is the error",
      .code = "() => ({ toJSON() { throw new Error('not me') } })",
      .error = "not me",
      .failure = "result" },
    { .name = "what a getter throws is the error",
      .code = "() => ({ get a() { throw 'from a getter' } })",
      .error = "from a getter",
      .failure = "result" },
    { .name = "a TypeError of a getter is told as it reads",
      .code = "() => ({ get a() { throw new TypeError('mine') } })",
      .error = "mine",
      .failure = "result" },
    { .name = "what a getter throws in the arguments rejects the call",
      .code = "async () => { try { await store.echo({ get a() { throw new Error('mine') } }) }"
              " catch (e) { return e.message } }",
      .result = "\"mine\"" },
    { .name = "a revoked proxy is an error and not a crash",
      .code = "() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke();"
              " try { JSON.stringify(proxy) } catch (e) { return typeof e.message } }",
      .result = "\"string\"" },

    /* ---- arguments and answers ---- */
    { .name = "undefined, functions and holes in the arguments are null",
      .code = "() => store.echo(undefined, () => 1, Symbol('x'), [,], { u: undefined })",
      .result = "[null,null,null,[null],{}]" },
    { .name = "no arguments are an empty array", .code = "() => store.echo()", .result = "[]" },
    { .name = "an answer keeps odd keys as data",
      .code =
          "async () => { const v = await store.raw('{\"result\":{\"__proto__\":1,\"then\":2,"
          "\"error\":\"data\"}}'); return [Object.keys(v), v.error, ({}).error === undefined] }",
      .result = "[[\"__proto__\",\"then\",\"error\"],\"data\",true]" },
    { .name = "a lone surrogate survives a tool",
      .code = "async () => { const [s] = await store.echo('\\ud800x'); return s === '\\ud800x' }",
      .result = "true" },
};

/* ---- sizes ---- */

static void a_string_of_several_megabytes_comes_back_from_a_tool(void **state)
{
    struct job job = { .code = "async () => { const s = '0123456789abcde\\u20ac'.repeat(200000);"
                               " const [t] = await store.echo(s); return [t === s, t.length] }" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_result(&job, "[true,3200000]");
    job_done(&job);
    host_close(&host);
}

static void bytes_of_several_megabytes_come_back_from_a_tool(void **state)
{
    struct job job = { .code = "async () => { const b = new Uint8Array(3000001);"
                               " for (let i = 0; i < b.length; i++) b[i] = i * 7;"
                               " const [{ deep }] = await store.echo({ deep: b });"
                               " return [deep.length, deep.every((v, i) => v === b[i])] }" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_result(&job, "[3000001,true]");
    job_done(&job);
    host_close(&host);
}

static void a_large_result_is_whole(void **state)
{
    struct job job = { .code = "() => ['x'.repeat(70000), 'a', 'y'.repeat(5000000)]" };
    struct host host;
    const struct cm_outcome *outcome;

    (void)state;
    host_open(&host, NULL);
    outcome = host_run(&host, &job);
    assert_null(outcome->error);
    assert_int_equal(outcome->result_bytes, 70000 + 5000000 + 11);
    assert_int_equal(strlen(outcome->result), outcome->result_bytes);
    assert_memory_equal(outcome->result + 1 + 70002, ",\"a\",\"y", 7);
    job_done(&job);
    host_close(&host);
}

static void surrogate_pairs_survive_where_large_strings_are_cut(void **state)
{
    struct job job = {
        .code = "async () => { const out = []; for (const n of [65534, 65535, 65536, 131071]) {"
                " const s = 'x'.repeat(n) + '\\u{1F600}' + '\\ud800' + 'y'.repeat(70000);"
                " const [a, { b }] = await store.echo(s, { b: s }); out.push(a === s, b === s) }"
                " return out }"
    };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_result(&job, "[true,true,true,true,true,true,true,true]");
    job_done(&job);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_of_several_megabytes_comes_back_from_a_tool),
        cmocka_unit_test(bytes_of_several_megabytes_come_back_from_a_tool),
        cmocka_unit_test(a_large_result_is_whole),
        cmocka_unit_test(surrogate_pairs_survive_where_large_strings_are_cut),
    };
    static const struct group group = { .name = "values",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows),
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests) };

    return group_main(argc, argv, &group);
}
