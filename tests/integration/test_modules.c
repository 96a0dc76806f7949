/* Modules, CommonJS and TypeScript through the library: every rule of importing, and
 * every error with its sentence and place. What Node.js does with the same graphs is
 * compared by tests/e2e/modules.test.mjs. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAP(...)          \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

#define TYPESCRIPT_HINT \
    "This looks like TypeScript; ask for JavaScript or set language to typescript."

static const struct row rows[] = {
    /* ---- importing ---- */
    { .name = "static imports may stand before the expression",
      .code = "import { double } from 'lib.js'\nasync () => double(21)",
      .modules = MAP("lib.js", "export const double = (n) => n * 2"),
      .result = "42" },
    { .name = "an import sees what its module assigns later",
      .code = "import { count, inc } from 'a.js'\nasync () => { inc(); inc(); return count }",
      .modules = MAP("a.js", "export let count = 0\nexport function inc() { count++ }"),
      .result = "2" },
    { .name = "a cycle finds hoisted functions, and a dead zone where a value is not there yet",
      .code = "import { r } from 'a.js'\n() => r",
      .modules = MAP("a.js",
                     "import { b } from './b.js'\nexport const x = 1\n"
                     "export function f() { return 'f' }\nexport const r = b",
                     "b.js",
                     "import { f, x } from './a.js'\nlet zone\n"
                     "try { zone = x } catch (e) { zone = e.name }\nexport const b = [f(), zone]"),
      .result = "[\"f\",\"ReferenceError\"]" },
    { .name = "import() gives the namespace, the same each time",
      .code = "async () => { const a = await import('a.js'); return [a.default, a === await "
              "import('./a.js')] }",
      .modules = MAP("a.js", "export default 7"),
      .result = "[7,true]" },
    { .name = "a relative specifier is resolved against its importer's",
      .code = "import { all } from './lib/a.js'\n() => all",
      .modules =
          MAP("lib/a.js",
              "import { b } from './b.js'\nimport { c } from '../c.js'\nexport const all = [b, c]",
              "lib/b.js", "export const b = import.meta.url", "c.js", "export const c = 3"),
      .result = "[\"codemode:/lib/b.js\",3]" },
    { .name = "a key may be written as a relative specifier",
      .code = "import a from './a.js'\n() => a",
      .modules =
          MAP("./a.js", "import b from './b.js'; export default b", "./b.js", "export default 2"),
      .result = "2" },
    { .name = "a namespace is an object of the standard's kind",
      .code = "import * as ns from 'a.js'\n() => { let set; try { ns.b = 1 } catch (e) { set = "
              "e.name } return [Object.keys(ns), Object.getPrototypeOf(ns), "
              "ns[Symbol.toStringTag], Object.isExtensible(ns), set, "
              "Object.getOwnPropertyDescriptor(ns, 'a')] }",
      .modules = MAP("a.js", "export const b = 2, a = 1; export default 3"),
      .result = "[[\"a\",\"b\",\"default\"],null,\"Module\",false,\"TypeError\","
                "{\"value\":1,\"writable\":true,\"enumerable\":true,\"configurable\":false}]" },
    { .name = "what looks like an export in a template or a comment is none",
      .code = "import * as a from 'a.js'\n() => [Object.keys(a), a.u, a.f()]",
      .modules = MAP("a.js", "/*\nexport function c() {}\n*/\nexport function f() { return 1 }\n"
                             "const t = `\nexport function g() {}\nexport { x };\n`\n"
                             "export { t as u };\n"),
      .result = "[[\"f\",\"u\"],\"\\nexport function g() {}\\nexport { x };\\n\",1]" },
    { .name = "a module of functions, classes and lists has each of them",
      .code = "import * as a from 'a.js'\n() => [Object.keys(a), a.f(), [...a.g()], new a.C().x, "
              "a.default, a.f.name, a.e.name]",
      .modules =
          MAP("a.js", "export function f() { return 1 }\nexport async function e() { await 1 "
                      "}\nexport function* g() { yield 2 }\nexport class C { x = 3 }\n"
                      "var d = 4;\nlet h = 5;\nexport {\n  d as default,\n  h\n};\n"),
      .result = "[[\"C\",\"default\",\"e\",\"f\",\"g\",\"h\"],1,[2],3,4,\"f\",\"e\"]" },
    { .name = "every form of re-export works",
      .code = "import * as a from 'a.js'\n() => [Object.keys(a), a.ns.x, a['a b'], a.y, a.z]",
      .modules = MAP("a.js",
                     "export * from 'b.js'\nexport * as ns from 'b.js'\n"
                     "export { x as 'a b', default } from 'b.js'\n"
                     "import { x } from 'b.js'; export { x as y }; export const z = 9",
                     "b.js", "export const x = 5; export default 6"),
      .result = "[[\"a b\",\"default\",\"ns\",\"x\",\"y\",\"z\"],5,5,5,9]" },
    { .name = "top-level await delays who imports it, and nobody else",
      .code = "import { log } from 'log.js'\nimport 'a.js'\nimport 'b.js'\n() => log",
      .modules = MAP("log.js", "export const log = []", "a.js",
                     "import { log } from './log.js'\nlog.push('a1')\nawait null\nlog.push('a2')",
                     "b.js", "import { log } from './log.js'\nlog.push('b')"),
      .result = "[\"a1\",\"b\",\"a2\"]" },
    { .name = "a module is evaluated once a run, and each run has its own",
      .code = "import { n } from 'a.js'\nasync () => { await import('./a.js'); return [n, "
              "globalThis.runs] }",
      .modules = MAP("a.js", "globalThis.runs = (globalThis.runs ?? 0) + 1\nexport const n = 1"),
      .result = "[1,1]" },
    { .name = "names and this are those of a module",
      .code = "import { t } from 'a.js'\n() => [t, typeof require, typeof module]",
      .modules = MAP("a.js", "export const t = [typeof this, typeof arguments, typeof require]"),
      .result = "[[\"undefined\",\"undefined\",\"undefined\"],\"undefined\",\"undefined\"]" },
    { .name = "an imported function is called without a this",
      .code = "import { f } from 'a.js'\n() => [f(), f`x`, (f)()]",
      .modules = MAP("a.js", "export function f() { return this === undefined }"),
      .result = "[true,true,true]" },
    { .name = "assigning to an import fails",
      .code = "import { x } from 'a.js'\n() => { try { x = 1 } catch (e) { return e.name } }",
      .modules = MAP("a.js", "export let x = 0"),
      .result = "\"TypeError\"" },
    { .name = "eval finds imports by their names",
      .code = "import { x } from 'a.js'\n() => eval('x + 1')",
      .modules = MAP("a.js", "import { y } from './b.js'\nexport const x = eval('y * 2')", "b.js",
                     "export const y = 3"),
      .result = "7" },
    { .name = "modules call tools like the program does",
      .code = "import { ask } from 'a.js'\n() => ask()",
      .modules = MAP("a.js", "export const ask = () => store.echo(1)"),
      .result = "[1]" },
    { .name = "the word import in a string or a comment changes nothing",
      .code = "async () => { /* import */ return 'import' }",
      .result = "\"import\"" },
    { .name = "a program that imports may have no static import",
      .code = "async () => typeof import.meta.url",
      .result = "\"string\"" },

    /* ---- what is not an ES module ---- */
    { .name = "module.exports is the default export, its keys are named ones",
      .code = "import lib, { twice } from 'lib.cjs'\nimport * as ns from 'lib.cjs'\n"
              "() => [lib.twice(2), twice(3), Object.keys(ns), ns.default === lib]",
      .modules = MAP("lib.cjs", "const h = require('./helper.cjs'); exports.twice = (n) => h(n, 2)",
                     "helper.cjs", "module.exports = (a, b) => a * b"),
      .result = "[4,6,[\"default\",\"twice\"],true]" },
    { .name = "require gives what is there so far in a cycle, and the same each time",
      .code = "import a from 'a.cjs'\n() => [a.seen, a.b.seen, a.same]",
      .modules =
          MAP("a.cjs",
              "exports.early = 1; exports.b = require('./b.cjs'); exports.seen = exports.b.early;"
              "exports.same = require('./b.cjs') === exports.b",
              "b.cjs", "exports.early = 2; exports.seen = require('./a.cjs').early"),
      .result = "[2,1,true]" },
    { .name = "require gives an ES module's namespace",
      .code = "import r from 'a.cjs'\n() => r",
      .modules =
          MAP("a.cjs", "const m = require('m.js'); module.exports = [m.x, m.default, m.__esModule]",
              "m.js", "export const x = 1; export default 2"),
      .result = "[1,2,true]" },
    { .name = "CommonJS is sloppy, and this is its exports",
      .code = "import r from 'a.cjs'\n() => r",
      .modules =
          MAP("a.cjs",
              "exports.t = this === exports; exports.s = (function () { return typeof this })();"
              " if (exports.s) return; exports.never = 1"),
      .result = "{\"t\":true,\"s\":\"object\"}" },
    { .name = "JSON, text and bytes are default exports, with attributes or without",
      .code = "import c from 'c.json' with { type: 'json' }\nimport t from 't.txt'\nimport d from "
              "'d.bin'\nimport j from 'c.json'\nasync () => [c.a, t, d, d instanceof Uint8Array, c "
              "=== j,"
              " (await import('t.txt', { with: { type: 'text' } })).default]",
      .modules = MAP("c.json", "{\"a\":[1]}", "t.txt", "hello", "d.bin", "\x01\x02"),
      .result =
          "[[1],\"hello\",{\"__codemode_binary_v1__\":\"Uint8Array\",\"data\":\"AQI=\"},true,true,"
          "\"hello\"]" },

    /* ---- what can be wrong ---- */
    { .name = "a specifier that is not in the map says what is",
      .code = "import x from 'lodash'\nasync () => 1",
      .modules = MAP("a.js", "export {}", "b.js", "export {}"),
      .failure = "module",
      .error = "Module \"lodash\" is not in the module map. It offers: a.js, b.js." },
    { .name = "without a map nothing is offered",
      .code = "async () => import('x')",
      .failure = "module",
      .error = "Module \"x\" is not in the module map, which is empty." },
    { .name = "a module cannot import the program",
      .code = "import a from 'a.js'\n() => a",
      .modules = MAP("a.js", "import 'program.js'"),
      .failure = "module",
      .error = "Module \"program.js\" is not in the module map. It offers: a.js." },
    { .name = "a name that a module does not export is named",
      .code = "import { b } from 'a.js'\n() => b",
      .modules = MAP("a.js", "export const a = 1"),
      .failure = "module",
      .error = "Module \"a.js\" has no export named \"b\"." },
    { .name = "so is one that a CommonJS module turns out not to export",
      .code = "import { b } from 'a.cjs'\n() => b",
      .modules = MAP("a.cjs", "exports.a = 1"),
      .failure = "module",
      .error = "Module \"a.cjs\" has no export named \"b\"." },
    { .name = "a name that comes from two modules is no export",
      .code = "import { x } from 'a.js'\n() => x",
      .modules = MAP("a.js", "export * from './b.js'; export * from './c.js'", "b.js",
                     "export const x = 1", "c.js", "export const x = 2"),
      .failure = "module",
      .error = "Module \"a.js\" exports the name \"x\" from more than one module." },
    { .name = "a syntax error in a module is named with its own place",
      .code = "import a from 'a.js'\n() => a",
      .modules = MAP("a.js", "export default 1\nlet b = ]"),
      .failure = "module",
      .error = "Unexpected token ']' [a.js:2:9]" },
    { .name = "one in a CommonJS module too",
      .code = "import a from 'a.cjs'\n() => a",
      .modules = MAP("a.cjs", "exports.a = 1\n})(function () {"),
      .failure = "module",
      .error = "Unexpected token '}' [a.cjs:2:1]" },
    { .name = "a module that nobody imports may be wrong",
      .code = "import a from 'a.js'\n() => a",
      .modules = MAP("a.js", "export default 1", "b.js", "]"),
      .result = "1" },
    { .name = "JSON that is none names its entry",
      .code = "import a from 'a.json'\n() => a",
      .modules = MAP("a.json", "{"),
      .failure = "module",
      .engine = true,
      .error = " [a.json]" },
    { .name = "a type that an entry is not of is refused",
      .code = "import a from 'a.js' with { type: 'json' }\n() => a",
      .modules = MAP("a.js", "export default 1"),
      .failure = "module",
      .error = "Module \"a.js\" is not of type \"json\", with which it is imported." },
    { .name = "another attribute is refused where it stands",
      .code = "import a from 'a.js' with { lazy: 'yes' }\n() => a",
      .modules = MAP("a.js", "export default 1"),
      .failure = "syntax",
      .error = "Import attribute \"lazy\" is not supported [program.js:1:29]" },
    { .name = "a module that throws ends the program with its error and place",
      .code = "import a from 'a.js'\n() => a",
      .modules = MAP("a.js", "export default 1\n  throw new Error('boom')"),
      .error = "boom",
      .stack = "at a.js:2:18" },
    { .name = "and gives every importer the same error",
      .code =
          "async () => { const seen = []; for (const m of ['a.js', './b.js', 'a.js']) try { await "
          "import(m) } catch (e) { seen.push(e) } return [seen.length, new Set(seen).size, "
          "seen[0].message] }",
      .modules = MAP("a.js", "throw new Error('boom')", "b.js", "import './a.js'"),
      .result = "[3,1,\"boom\"]" },
    { .name = "frames of modules are in their own lines and columns",
      .code = "import { f } from 'a.js'\n() => { const r = f(() => { throw new Error('x') }); "
              "return r }",
      .modules =
          MAP("a.js",
              "import { g } from './b.js'; export const f = (h) => { const r = g(h); return r }",
              "b.js", "export function g(h) {\n  const r = h(); return r }"),
      .error = "x",
      .stack = "at program.js:2:44\nat g (b.js:2:14)\nat f (a.js:1:66)\nat program.js:2:20" },
    { .name = "an expression that is no function fails as it does without imports",
      .code = "import a from 'a.js'\na",
      .modules = MAP("a.js", "export default 1"),
      .failure = "syntax",
      .error = "The program is one expression that evaluates to a function, and this one evaluates "
               "to a value of type number, which is not a function." },
    { .name = "a statement after the imports does not fit",
      .code = "import a from 'a.js'\nconst b = a\n() => b",
      .modules = MAP("a.js", "export default 1"),
      .failure = "syntax",
      .error = "Unexpected token 'const' [program.js:2:1]" },
    { .name = "require of what awaits says what to do",
      .code = "import r from 'a.cjs'\n() => r",
      .modules = MAP("a.cjs", "module.exports = require('m.js')", "m.js", "await null"),
      .failure = "module",
      .error = "Module \"m.js\" cannot be required, since it or what it imports uses top-level "
               "await; use import()." },
    { .name = "an error of import() that the program handles is its own business",
      .code = "async () => { try { await import('x') } catch (e) { return e.message } }",
      .result = "\"Module \\\"x\\\" is not in the module map, which is empty.\"" },
    { .name = "a module that hides prototypes hurts itself alone",
      .code = "import 'a.js'\nimport b from 'b.js'\n() => b",
      .modules =
          MAP("a.js",
              "Array.prototype[Symbol.iterator] = null; Array.prototype.push = null;"
              " String.prototype.slice = null; Promise.prototype.then = null;"
              " Object.defineProperty(Array.prototype, 0, { set() { throw 1 } })",
              "b.js", "export default (await import('./c.js')).x", "c.js", "export const x = true"),
      .result = "true" },

    /* ---- TypeScript ---- */
    { .name = "types are erased from the program and from entries that end in .ts",
      .code = "import { E, type T } from 'a.ts'\nasync (): Promise<number> => { const t: T = "
              "{ n: E.B } as T; return t.n! satisfies number }",
      .modules = MAP("a.ts", "export enum E { A, B = 4 }\nexport interface T { n: number }\n"
                             "export class P { constructor(private readonly x: number = 1) {} }"),
      .typescript = true,
      .result = "4" },
    { .name = "parameter properties are assigned",
      .code =
          "() => { class P { constructor(public x: number, readonly y = 2) {} } return new P(1) }",
      .typescript = true,
      .result = "{\"x\":1,\"y\":2}" },
    { .name = "positions are those of the text with its types",
      .code = "() => {\n  interface A {\n    a: number\n  }\n  const a: A = { a: 1 }; throw new "
              "Error('x')\n}",
      .typescript = true,
      .error = "x",
      .stack = "at program.js:5:41" },
    { .name = "namespaces are refused",
      .code = "() => {\n  return 1\n}\nnamespace N { export const x = 1 }",
      .typescript = true,
      .failure = "syntax",
      .engine = true,
      .error = "TypeScript namespaces are not supported. Use an object or a module of its own "
               "[program.js:4:1]" },
    { .name = "a syntax error in TypeScript has its place",
      .code = "async () => {}\n  ;;",
      .typescript = true,
      .failure = "syntax",
      .engine = true,
      .error = "[program.js:2:3]" },
    { .name = "TypeScript that was not asked for is recognized",
      .code = "async () => {\n  const x: number = 1\n  return x\n}",
      .failure = "syntax",
      .engine = true,
      .error = TYPESCRIPT_HINT " [program.js:2:10]" },
    { .name = "in a program that imports, too",
      .code = "import a from 'a.js'\n(x: number) => a",
      .modules = MAP("a.js", "export default 1"),
      .failure = "syntax",
      .error = "Unexpected token ':'. " TYPESCRIPT_HINT " [program.js:2:3]" },
    { .name = "and in a module",
      .code = "import a from 'a.ts'\n() => a",
      .modules = MAP("a.ts", "const a: number = 1\nexport default a"),
      .failure = "module",
      .error = "Unexpected token ':'. " TYPESCRIPT_HINT " [a.ts:1:8]" },
    { .name = "what is wrong in both languages is not called TypeScript",
      .code = "async () => { const x: number = ] }",
      .failure = "syntax",
      .engine = true,
      .error = "[program.js:1:22]" },
};

/* ---- the cache and the compiler ---- */

static const char *const library[] = { "a.js", "export const a = 1", "b.js",
                                       "export { a } from './a.js'", NULL };

static void run_with(struct host *host, const char *const *modules, const char *code,
                     const char *result)
{
    struct job job = { .code = code, .modules = modules };

    host_run(host, &job);
    expect_result(&job, result);
    job_done(&job);
}

static void run_library(struct host *host, const char *code, const char *result)
{
    run_with(host, library, code, result);
}

static struct cm_stats stats_of(const struct host *host)
{
    struct cm_stats stats;

    cm_executor_stats(host->executor, &stats);
    return stats;
}

static void what_is_compiled_is_kept_for_later_runs(void **state)
{
    struct host host;

    (void)state;
    host_open(&host, NULL);
    run_library(&host, "import { a } from 'b.js'\n() => a", "1");
    assert_int_equal(stats_of(&host).modules_compiled, 3);
    run_library(&host, "import { a } from 'b.js'\n() => a", "1");
    run_library(&host, "import { a } from 'b.js'\n() => a + 1", "2");
    assert_int_equal(stats_of(&host).modules_compiled, 4);
    host_close(&host);
}

/* The worker has the modules of its last run read before the next one comes. */
static void modules_that_were_read_ahead_have_not_run(void **state)
{
    static const char *const counters[] = {
        "plain.js", "globalThis.n = (globalThis.n ?? 0) + 1; export const n = globalThis.n",
        "await.js", "await null; export let n = 0; n++",
        "loop.js",  "export let n = 0; for await (const x of [1]) n += x",
        "eval.js",  "import { n as m } from './plain.js'; export const n = eval('m')",
        "c.cjs",    "exports.n = (globalThis.c = (globalThis.c ?? 0) + 1)",
        "self.js",  "export function n() { return n.calls = (n.calls ?? 0) + 1 }",
        NULL,
    };
    static const char *const settings[] = { "WORKERS_MAX", "1", NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (int i = 0; i < 4; i++) {
        run_with(&host, counters,
                 "import { n as a } from 'plain.js'\n"
                 "import { n as b } from 'await.js'\n"
                 "import { n as c } from 'loop.js'\n"
                 "import { n as d } from 'eval.js'\n"
                 "import { n as e } from 'c.cjs'\n"
                 "import { n as f } from 'self.js'\n"
                 "() => [a, b, c, d, e, f()]",
                 "[1,1,1,1,1,1]");
        run_library(&host, "() => globalThis.n ?? 'none'", "\"none\"");
    }
    host_close(&host);
}

/* What is known of a text holds for that text in its own map. */
static void a_module_that_was_read_ahead_may_be_another_one_now(void **state)
{
    static const struct {
        const char *modules[7];
        const char *code;
        const char *result;
    } runs[] = {
        { { "a.js", "export const v = 'one'", "b.js", "export const v = typeof URL" },
          "import { v as a } from 'a.js'\nimport { v as b } from 'b.js'\n() => [a, b]",
          "[\"one\",\"function\"]" },
        { { "a.js", "export const v = 'two'", "b.js", "export const v = typeof URL" },
          "import { v as a } from 'a.js'\nimport { v as b } from 'b.js'\n() => [a, b]",
          "[\"two\",\"function\"]" },
        { { "b.js", "export const v = 'two'", "a.js", "export const v = typeof URL" },
          "import { v as a } from 'a.js'\nimport { v as b } from 'b.js'\n() => [a, b]",
          "[\"function\",\"two\"]" },
        { { "a.js", "export const v = typeof URL" },
          "import { v as a } from 'a.js'\n() => [a]",
          "[\"function\"]" },
        { { "x.js", "export const v = 0", "b.js", "export const v = 1", "a.js", "]" },
          "import { v as b } from 'b.js'\n() => [b]",
          "[1]" },
        { { "x.js", "export const v = 0", "b.js", "export const v = 1", "a.js", "export let v" },
          "import { v as a } from 'a.js'\n() => [typeof a]",
          "[\"undefined\"]" },
    };
    static const char *const settings[] = { "WORKERS_MAX", "1", NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < 4 * CM_ARRAY_LEN(runs); i++) {
        size_t row = i % CM_ARRAY_LEN(runs);

        run_with(&host, runs[row].modules, runs[row].code, runs[row].result);
    }
    host_close(&host);
}

/* `count` functions f1, f2, ... that return their number. */
static char *large_module(int count)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);

    assert_non_null(to);
    for (int i = 1; i <= count; i++)
        fprintf(to, "export function f%d() { return %d }\n", i, i);
    assert_int_equal(fclose(to), 0);
    return text;
}

/* Of what does not fit beside it each run brings its own. */
static void large_modules_are_the_same_in_every_run(void **state)
{
    CM_AUTO_FREE char *half = large_module(10000);
    CM_AUTO_FREE char *whole = large_module(20000);
    CM_AUTO_FREE char *larger = large_module(50000);
    const char *const modules[] = { "half.js", half, "whole.js", whole, "larger.js", larger, NULL };
    static const char *const settings[] = { "WORKERS_MAX", "1", NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (int i = 0; i < 4; i++)
        run_with(&host, modules,
                 "import { f1 as a } from 'half.js'\n"
                 "import { f1 as b } from 'whole.js'\n"
                 "import { f1 as c } from 'larger.js'\n"
                 "() => [a(), b(), c()]",
                 "[1,1,1]");
    assert_int_equal(stats_of(&host).workers_lost, 0);
    host_close(&host);
}

static void a_program_without_the_word_import_starts_no_compiler(void **state)
{
    static const char *const settings[] = { "WORKERS_IDLE", "0", NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    run_library(&host, "() => 1", "1");
    assert_int_equal(stats_of(&host).workers_started, 1);
    host_close(&host);
}

static void runs_of_many_keys_share_what_is_compiled_at_once(void **state)
{
    static const char *const keys[] = { "a", "b", "c", "d" };
    struct job jobs[CM_ARRAY_LEN(keys)];
    struct host host;

    (void)state;
    host_open(&host, NULL);
    for (size_t i = 0; i < CM_ARRAY_LEN(keys); i++) {
        jobs[i] = (struct job){ .code = "import { a } from 'b.js'\n() => a",
                                .modules = library,
                                .key = keys[i] };
        host_start(&host, &jobs[i]);
    }
    for (size_t i = 0; i < CM_ARRAY_LEN(keys); i++) {
        host_finish(&host, &jobs[i]);
        expect_result(&jobs[i], "1");
        job_done(&jobs[i]);
    }
    host_close(&host);
}

static void a_cache_of_no_size_compiles_each_time(void **state)
{
    static const char *const settings[] = { "MODULE_CACHE_BYTES", "0", NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (int i = 0; i < 3; i++)
        run_library(&host, "import { a } from 'b.js'\n() => a", "1");
    assert_int_equal(stats_of(&host).modules_compiled, 9);
    host_close(&host);
}

static void a_run_that_is_cancelled_while_it_is_compiled_leaves_the_others(void **state)
{
    struct job first = { .code = "import { a } from 'b.js'\n() => a", .modules = library };
    struct job second = first;
    struct job third = first;
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_start(&host, &first);
    host_start(&host, &second);
    host_start(&host, &third);
    cm_run_cancel(first.run);
    cm_run_free(third.run);
    host_finish(&host, &second);
    expect_result(&second, "1");
    host_finish(&host, &first);
    expect_fault(&first, "CANCELLED", "The host cancelled the execution.");
    job_done(&first);
    job_done(&second);
    host_close(&host);
}

static void a_retained_handler_keeps_its_modules(void **state)
{
    static const struct cm_fetch request = { .url = "http://a/", .url_bytes = 9, .method = "GET" };
    struct job job = { .code = "import { hi } from 'lib.js'\n() => async () => new Response((await "
                               "hi()).join())",
                       .modules = MAP("lib.js",
                                      "let n = 0\nexport const hi = async () => [++n, "
                                      "(await import('late.js')).default]",
                                      "late.js", "export default 'late'"),
                       .retain_handles = 1 };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    for (int i = 1; i <= 2; i++) {
        struct job call = { 0 };
        const struct cm_response *response;

        host_invoke(&host, &call, cm_run_outcome(job.run)->execution_id, "default", &request);
        host_finish(&host, &call);
        response = cm_run_outcome(call.run)->response;
        assert_non_null(response);
        assert_int_equal(response->body_bytes, strlen("1,late"));
        assert_memory_equal(response->body, i == 1 ? "1,late" : "2,late", response->body_bytes);
        job_done(&call);
    }
    job_done(&job);
    host_close(&host);
}

static void an_executor_may_be_freed_while_it_compiles(void **state)
{
    struct job job = { .code = "import { a } from 'b.js'\n() => a", .modules = library };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_start(&host, &job);
    host_turn(&host);
    host_close(&host);
    expect_fault(&job, "INTERNAL", "The pool is shutting down.");
    job_done(&job);
}

/* `count` times `piece`, between `head` and `tail`. */
static char *repeated(const char *head, const char *piece, size_t count, const char *tail)
{
    char *text = malloc(strlen(head) + strlen(piece) * count + strlen(tail) + 1);
    char *at = text;

    assert_non_null(text);
    at = stpcpy(at, head);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, piece);
    strcpy(at, tail);
    return text;
}

static void expect_only_its_module_fails(const char *const *settings, const char *name,
                                         const char *source, const char *part)
{
    const char *const modules[] = { name, source, "a.js", "export default 1", NULL };
    struct job large = { .modules = modules, .typescript = true };
    struct job other = large;
    struct host host;

    large.code =
        strstr(name, "ts") != NULL ? "import 'large.ts'\n() => 1" : "import 'large.js'\n() => 1";
    other.code = "import a from 'a.js'\n() => a";
    host_open(&host, settings);
    host_run(&host, &large);
    expect_engine_error(&large, "module", part);
    host_run(&host, &other);
    expect_result(&other, "1");
    job_done(&large);
    job_done(&other);
    host_close(&host);
}

static void a_module_that_takes_too_long_to_compile_is_named(void **state)
{
    static const char *const settings[] = { "COMPILE_TIMEOUT_MS", "1000", NULL };
    CM_AUTO_FREE char *source =
        repeated("", "a ? (b) : c => (", 40, ""); /* for a TypeScript parser */

    (void)state;
    expect_only_its_module_fails(settings, "large.ts", source,
                                 "The text was not compiled within its bound of 1,000 ms; leave "
                                 "out of it what is not used [large.ts]");
}

static void a_module_that_needs_too_much_memory_to_compile_is_named(void **state)
{
    static const char *const settings[] = { "COMPILE_MEMORY_MB", "128", "COMPILE_TIMEOUT_MS",
                                            "60000", NULL };
    CM_AUTO_FREE char *source = repeated("export default class {}\n[", "a,", 2500000,
                                         "]"); /* for the parser in JavaScript */

    (void)state;
    expect_only_its_module_fails(settings, "large.js", source, "[large.js]");
}

static void a_module_that_is_nested_too_deeply_to_compile_is_named(void **state)
{
    CM_AUTO_FREE char *source = repeated("", "[", 200000, "");

    (void)state;
    expect_only_its_module_fails(NULL, "large.js", source, "[large.js");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_retained_handler_keeps_its_modules),
    cmocka_unit_test(a_module_that_takes_too_long_to_compile_is_named),
    cmocka_unit_test(a_module_that_needs_too_much_memory_to_compile_is_named),
    cmocka_unit_test(a_module_that_is_nested_too_deeply_to_compile_is_named),
    cmocka_unit_test(what_is_compiled_is_kept_for_later_runs),
    cmocka_unit_test(modules_that_were_read_ahead_have_not_run),
    cmocka_unit_test(a_module_that_was_read_ahead_may_be_another_one_now),
    cmocka_unit_test(large_modules_are_the_same_in_every_run),
    cmocka_unit_test(a_program_without_the_word_import_starts_no_compiler),
    cmocka_unit_test(runs_of_many_keys_share_what_is_compiled_at_once),
    cmocka_unit_test(a_cache_of_no_size_compiles_each_time),
    cmocka_unit_test(a_run_that_is_cancelled_while_it_is_compiled_leaves_the_others),
    cmocka_unit_test(an_executor_may_be_freed_while_it_compiles),
};

int main(int argc, char **argv)
{
    static const struct group group = { .name = "modules",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows),
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests),
                                        .local_count = 9 };

    return group_main(argc, argv, &group);
}
