/* Programs that replace what a serializer might use, call tools and return. The
 * results are right all the same, and the spies see nothing of the executor's:
 * each reports to `seen` what is not the program's own. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* After `patch`, one round trip with every kind of value, an error of a tool and a
 * log line; the result tells all of it. Nothing in the check itself uses what a
 * patch may have replaced. */
#define ROUND_TRIP(patch)                                                                         \
    "async () => { const seen = []; let spied = 0; const spy = (what) => { seen[spied++] = what " \
    "};"                                                                                          \
    " const bytes = new Uint8Array([1, 2, 3]);\n" patch "\n"                                      \
    " const [a, b, c] = await store.echo('text', { n: [1, null] }, bytes);"                       \
    " let message; try { await store.raw('{\"error\":{\"message\":\"no\",\"code\":7}}') }"        \
    " catch (e) { message = e.message + e.code }"                                                 \
    " console.log('line', 5);"                                                                    \
    " return { a, n0: b.n[0], n1: b.n[1], c, message, spied, first: seen[0] } }"

#define WHOLE                                                                            \
    "{\"a\":\"text\",\"n0\":1,\"n1\":null,\"c\":" BINARY("Uint8Array",                   \
                                                         "AQID") ",\"message\":\"no7\"," \
                                                                 "\"spied\":0}"

#define SURVIVES(what, patch)                                                           \
    {                                                                                   \
        .name = what, .code = ROUND_TRIP(patch), .result = WHOLE, .logs = "log line 5|" \
    }

static const struct row rows[] = {
    SURVIVES("the round trip is whole without a patch", ""),
    SURVIVES("a program that replaces JSON",
             "for (const k of ['parse', 'stringify']) { JSON[k] = () => spy('JSON.' + k) }"
             " globalThis.JSON = { parse: () => spy('JSON'), stringify: () => spy('JSON') };"),
    SURVIVES("a program that replaces Promise",
             "globalThis.Promise = class { constructor() { spy('Promise') }"
             " static resolve() { spy('resolve') } static reject() { spy('reject') } };"),
    SURVIVES("a program that replaces Promise.prototype.then",
             "const then = Promise.prototype.then; Promise.prototype.then = function (...args) {"
             " spy('then'); return then.apply(this, args) };"
             " Promise.prototype.catch = Promise.prototype.finally = () => spy('catch');"),
    SURVIVES("a program that replaces the constructor and species of Promise",
             "Object.defineProperty(Promise.prototype, 'constructor', { get() { return class {"
             " constructor(run) { run((v) => { if (v !== undefined) spy(v) }, () => {}) }"
             " static get [Symbol.species]() { return this } } } });"
             " Object.defineProperty(Promise, Symbol.species, { get() { spy('species') } });"),
    SURVIVES("a program that replaces the methods of Array.prototype",
             "for (const k of ['push', 'pop', 'shift', 'map', 'join', 'slice', 'splice', 'concat',"
             " 'forEach', 'indexOf', 'includes', 'values', 'filter', 'reduce', 'toString'])"
             " Array.prototype[k] = () => spy('Array.' + k);"),
    SURVIVES(
        "a program that replaces the iterators of arrays, Map and Set",
        "const proto = (o) => Object.getPrototypeOf(o[Symbol.iterator]());"
        " const protos = [proto([]), proto(new Map()), proto(new Set()), proto('')];"
        " const it = Array.prototype[Symbol.iterator]; const next = protos[0].next;"
        " for (let i = 0; i < 4; i++) { protos[i].next = i === 0 ? function () {"
        " const r = next.call(this); if (typeof r.value === 'function') spy(r.value); return r }"
        " : () => spy('next'); protos[i].return = undefined }"),
    SURVIVES("a program that sets elements of Array.prototype and Object.prototype",
             "for (const p of [Array.prototype, Object.prototype]) for (const k of [0, 1, 2, 3])"
             " Object.defineProperty(p, k, { set(v) { spy(v) }, get() { return undefined },"
             " configurable: true });"
             " const own = Object.defineProperty; own(seen, 0, { writable: true, value: undefined,"
             " configurable: true, enumerable: true });"),
    SURVIVES(
        "a program that puts setters for names of the wire on Object.prototype",
        "for (const k of ['result', 'error', 'message', 'code', 'data', 'name', 'kind', 'bytes',"
        " 'site', 'resolve', 'reject', 'provider', 'tool', 'handler', 'args', 'repeat', 'holder',"
        " 'key', 'value', 'length', '__codemode_binary_v1__', 'alphabet', 'lastChunkHandling'])"
        " Object.defineProperty(Object.prototype, k, { configurable: true, get() { return "
        "undefined },"
        " set(v) { spy(k); Object.defineProperty(this, k, { value: v, writable: true,"
        " enumerable: true, configurable: true }) } });"),
    SURVIVES("a program that puts descriptor keys on Object.prototype",
             "const d = (k, v) => Object.defineProperty(Object.prototype, k, { __proto__: null,"
             " value: v, configurable: true, writable: true });"
             " d('get', () => spy('get')); d('set', () => spy('set'));"),
    SURVIVES("a program that replaces Symbol",
             "globalThis.Symbol = () => spy('Symbol'); delete Symbol.iterator;"),
    SURVIVES("a program that replaces call, apply and bind",
             "for (const k of ['call', 'apply', 'bind'])"
             " Function.prototype[k] = function () { spy('Function.' + k) };"
             " Object.defineProperty(Function.prototype, 'name', { get: () => spy('name') });"),
    SURVIVES(
        "a program that replaces Reflect and Proxy",
        "for (const k of ['apply', 'construct', 'get', 'ownKeys', 'defineProperty',"
        " 'getPrototypeOf', 'getOwnPropertyDescriptor']) Reflect[k] = () => spy('Reflect.' + k);"
        " globalThis.Reflect = undefined; globalThis.Proxy = () => spy('Proxy');"),
    SURVIVES("a program that replaces the functions of Object",
             "for (const k of ['keys', 'create', 'freeze', 'hasOwn', 'entries', 'getPrototypeOf',"
             " 'getOwnPropertyDescriptor', 'assign']) Object[k] = () => spy('Object.' + k);"
             " Object.prototype.hasOwnProperty = () => spy('hasOwnProperty');"
             " Object.prototype.toString = () => spy('toString');"
             " Object.prototype.valueOf = () => spy('valueOf');"),
    SURVIVES(
        "a program that replaces the methods of String.prototype",
        "for (const k of ['slice', 'indexOf', 'charCodeAt', 'toWellFormed', 'split', 'replace',"
        " 'startsWith', 'substring', 'concat', 'at', 'toString', 'valueOf'])"
        " String.prototype[k] = () => spy('String.' + k);"),
    SURVIVES("a program that replaces String, Number, Boolean and Array",
             "globalThis.String = () => spy('String'); globalThis.Number = () => spy('Number');"
             " globalThis.Boolean = () => spy('Boolean'); globalThis.Array = () => spy('Array');"),
    SURVIVES(
        "a program that replaces Uint8Array and ArrayBuffer",
        "globalThis.Uint8Array = class { constructor() { spy('Uint8Array') } };"
        " ArrayBuffer.isView = () => spy('isView'); globalThis.ArrayBuffer = () => spy('buffer');"),
    SURVIVES(
        "a program that replaces the accessors of typed arrays",
        "const p = Object.getPrototypeOf(Uint8Array.prototype);"
        " for (const k of ['buffer', 'byteLength', 'byteOffset', 'length', Symbol.toStringTag])"
        " Object.defineProperty(p, k, { get() { spy('typed') } });"
        " Uint8Array.prototype.toBase64 = () => spy('toBase64');"
        " Uint8Array.fromBase64 = () => spy('fromBase64');"
        " Object.defineProperty(ArrayBuffer, Symbol.species, { get() { spy('species') } });"
        " Object.defineProperty(Object.getPrototypeOf(Uint8Array), Symbol.species,"
        " { get() { spy('species') } });"),
    SURVIVES(
        "a program that replaces Error",
        "globalThis.Error = class { constructor() { spy('Error') } };"
        " globalThis.TypeError = globalThis.RangeError = Error; Error.captureStackTrace = spy;"),
    SURVIVES("a program that puts accessors on Error.prototype",
             "for (const k of ['message', 'name', 'code', 'data'])"
             " Object.defineProperty(Error.prototype, k, { get() { return undefined },"
             " set(v) { spy(k) }, configurable: true });"
             " Error.prototype.toString = () => spy('toString');"),
    SURVIVES("a program that replaces hasInstance",
             "Object.defineProperty(Error, Symbol.hasInstance, { value: () => { spy('has'); return "
             "false } });"
             " Object.defineProperty(ArrayBuffer, Symbol.hasInstance, { value: () => { spy('has'); "
             "return true } });"),
    SURVIVES(
        "a program that replaces the methods of Map, Set and WeakMap",
        "for (const C of [Map, Set, WeakMap, WeakSet]) for (const k of ['get', 'set', 'has', 'add',"
        " 'delete', 'forEach']) if (C.prototype[k]) C.prototype[k] = () => spy(k);"),
    SURVIVES("a program that replaces console and the timers",
             "const log = console.log; globalThis.console = { log }; globalThis.setTimeout = spy;"
             " globalThis.queueMicrotask = spy;"),
    SURVIVES("a program that replaces the methods of RegExp.prototype",
             "for (const k of ['exec', 'test', Symbol.replace, Symbol.split, Symbol.match])"
             " RegExp.prototype[k] = () => spy('RegExp');"),
    SURVIVES("a program that freezes what it can reach",
             "for (const k of Object.getOwnPropertyNames(globalThis)) { const v = globalThis[k];"
             " if (typeof v === 'function') { Object.freeze(v); if (v.prototype) "
             "Object.freeze(v.prototype) } }"),

    /* ---- what a spy would want ---- */
    { .name = "a then on Object.prototype is not asked for values of ours",
      .code = "async () => { let n = 0; Object.defineProperty(Object.prototype, 'then', {"
              " configurable: true, get() { n++ } }); const v = await store.echo({ a: 1 });"
              " delete Object.prototype.then; return [v[0].a, n <= 2] }",
      .result = "[1,true]" },
    { .name = "toJSON on Object.prototype acts on values as JSON says and on nothing of ours",
      .code = "async () => { const seen = []; Object.prototype.toJSON = function (key) {"
              " seen.push(typeof this.kind + typeof this.holder); return this };"
              " const r = await store.echo({ a: 1 }); delete Object.prototype.toJSON;"
              " return [r[0].a, seen.every((s) => s === 'undefinedundefined')] }",
      .result = "[1,true]" },
    { .name = "the marks of large values are no way to read another value",
      .code = "async () => { const big = 'x'.repeat(70000); const [a, b] = await store.echo("
              "['large-0', '\"large-0-0\"', big], 'large-00000000-0');"
              " return [a[0], a[1], a[2] === big, b] }",
      .result = "[\"large-0\",\"\\\"large-0-0\\\"\",true,\"large-00000000-0\"]" },
    { .name = "a getter that calls a tool while its object is encoded breaks nothing",
      .code =
          "async () => { let inner; const o = { get a() { inner = store.echo('inner'); return 1 },"
          " b: 'x'.repeat(70000) }; const r = await store.echo(o);"
          " return [r[0].a, r[0].b.length, (await inner)[0]] }",
      .result = "[1,70000,\"inner\"]" },
    { .name = "a toJSON that logs and calls while the result is encoded breaks nothing",
      .code = "() => ({ a: 'y'.repeat(3), toJSON() { console.log('in'); store.silent(); return { "
              "a: 2 } } })",
      .result = "{\"a\":2}",
      .logs =
          "log in|warn The run ended before 1 tool call was answered: store.silent. Await every "
          "tool call before returning.|" },
    { .name = "an error whose message is a program of traps is told once",
      .code = "() => { throw new Proxy(new Error('x'), { get(t, k) { throw new Error('trap ' + "
              "String(k)) } }) }",
      .error = "The program threw a value that cannot be converted to a string." },
    { .name = "the caller of a callback is not to be had",
      .code = "() => { let found = 'none'; const o = { toJSON() { try { found = typeof "
              "o.toJSON.caller }"
              " catch (e) { found = 'refused' } return found } };"
              " JSON.stringify(o); return o }",
      .result = "\"refused\"" },
};

int main(int argc, char **argv)
{
    static const struct group group = { .name = "hostile codec",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows) };

    return group_main(argc, argv, &group);
}
