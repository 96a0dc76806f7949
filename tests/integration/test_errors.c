/* How a program that fails reads: the entry form, messages, positions in the
 * program's own lines, and the kinds of failure. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NOT_ONE \
    "The program is one expression that evaluates to a function, and this one evaluates to "

static const struct row rows[] = {
    /* ---- the entry form ---- */
    { .name = "parentheses around the expression fit", .code = "(async () => 42)", .result = "42" },
    { .name = "a named function expression fits",
      .code = "async function main() { return 42 }",
      .result = "42" },
    { .name = "an expression that gives a function fits",
      .code = "[1, 2].map((x) => () => x)[1]",
      .result = "2" },
    { .name = "a comment before the expression fits",
      .code = "// Plan: multiply.\n    async () => 6 * 7",
      .result = "42" },
    { .name = "a comment on the last line fits",
      .code = "async () => 42 // the answer",
      .result = "42" },
    { .name = "a class is a function that cannot be called",
      .code = "class A {}",
      .error = "Cannot call a class constructor",
      .engine = true },
    { .name = "a trailing semicolon does not fit",
      .code = "async () => 6 * 7;",
      .error = "Unexpected token ';'",
      .engine = true,
      .failure = "syntax" },
    { .name = "statements do not fit",
      .code = "const x = 1; x + 1",
      .error = "Unexpected keyword 'const'",
      .engine = true,
      .failure = "syntax" },
    { .name = "text that closes our bracket does not fit",
      .code = "1); (() => 2",
      .error = "Unexpected token ')'",
      .engine = true,
      .failure = "syntax" },
    { .name = "text that closes the other bracket does not fit either",
      .code = "1]; [() => 2",
      .error = "Unexpected token ']'",
      .engine = true,
      .failure = "syntax" },
    { .name = "a syntax error names the line of the program",
      .code = "async () => {\n  const a = 1\n  const = 2\n}",
      .error = " [program.js:3:9]",
      .engine = true,
      .failure = "syntax" },
    { .name = "a text that ends too early says so",
      .code = "async () => {\n  return 1",
      .error = "Unexpected end of input [program.js:2:11]",
      .failure = "syntax" },
    { .name = "a comment that never ends says so",
      .code = "async () => 1 /* no end",
      .error = "Unexpected end of input [program.js:1:15]",
      .failure = "syntax" },
    { .name = "a fenced block is not rewritten",
      .code = "```js\nasync () => 6 * 7\n```",
      .error = "\"\" is not a function",
      .engine = true },
    { .name = "a value that is no function is told",
      .code = "6 * 7",
      .error = NOT_ONE "a value of type number, which is not a function.",
      .failure = "syntax" },
    { .name = "null is told",
      .code = "null",
      .error = NOT_ONE "null, which is not a function.",
      .failure = "syntax" },
    { .name = "the program is strict",
      .code = "() => { undeclared = 1 }",
      .error = "undeclared",
      .engine = true },
    { .name = "this is undefined in the program",
      .code = "function () { return this === undefined }",
      .result = "true" },
    { .name = "the program gets no arguments",
      .code = "function () { return arguments.length }",
      .result = "0" },

    /* ---- messages ---- */
    { .name = "the message of an error is the error",
      .code = "async () => { throw new Error('nope') }",
      .error = "nope" },
    { .name = "a thrown string is the error", .code = "() => { throw 'text' }", .error = "text" },
    { .name = "a thrown number is the error", .code = "() => { throw 5 }", .error = "5" },
    { .name = "a thrown object reads as String() says",
      .code = "() => { throw { a: 1 } }",
      .error = "[object Object]" },
    { .name = "thrown undefined and null read so",
      .code = "() => { throw undefined }",
      .error = "undefined" },
    { .name = "a thrown null reads so", .code = "() => { throw null }", .error = "null" },
    { .name = "a thrown symbol reads as String() says",
      .code = "() => { throw Symbol('s') }",
      .error = "Symbol(s)" },
    { .name = "a rejected promise reads as its reason",
      .code = "() => Promise.reject(new TypeError('no'))",
      .error = "no" },
    { .name = "an empty message is an error all the same",
      .code = "() => { throw new Error('') }",
      .error = "" },
    { .name = "a message keeps its lines and its other letters",
      .code = "() => { throw new Error('a\\nb\\u20ac') }",
      .error = "a\nb\u20ac" },
    { .name = "a lone surrogate in a message is replaced",
      .code = "() => { throw new Error('a\\ud800') }",
      .error = "a\uFFFD" },
    { .name = "a message that is a getter is asked",
      .code =
          "() => { throw Object.defineProperty(new Error('x'), 'message', { get: () => 'y' }) }",
      .error = "y" },
    { .name = "a value without a string is told as one",
      .code = "() => { throw Object.create(null) }",
      .error = "The program threw a value that cannot be converted to a string." },
    { .name = "a value whose toString throws is told as one",
      .code = "() => { throw { toString() { throw 1 } } }",
      .error = "The program threw a value that cannot be converted to a string." },
    { .name = "an aggregate error reads as its message",
      .code = "() => Promise.any([Promise.reject(new Error('a'))])",
      .error = "" },
    { .name = "endless recursion is the engine's RangeError",
      .code = "() => { const f = () => f() + 1; return f() }",
      .error = "call stack size exceeded",
      .engine = true },
    { .name = "a program may catch endless recursion",
      .code = "() => { const f = () => f() + 1; try { f() } catch (e) { return e.name } }",
      .result = "\"RangeError\"" },

    /* ---- positions ---- */
    { .name = "a position on line 1 has the program's columns",
      .code = "() => { throw new Error('x') }",
      .error = "x",
      .stack = "at program.js:1:24" },
    { .name = "positions are in the program's lines",
      .code = "async () => {\n  const inner = () => {\n    throw new Error('x')\n  }\n  inner()\n}",
      .error = "x",
      .stack = "at inner (program.js:3:20)\nat program.js:5:8\nat program.js:1:8" },
    { .name = "a thrown string has no stack", .code = "() => { throw 'x' }", .error = "x" },
    { .name = "a stack that the program wrote is not shown as frames of ours",
      .code = "() => { const e = new Error('x'); e.stack = 5; throw e }",
      .error = "x" },

    /* ---- errors of tools ---- */
    { .name = "a tool's error is an Error with its message",
      .code = "async () => { try { await store.raw('{\"error\":\"no stock\"}') }"
              " catch (e) { return [e instanceof Error, e.name, e.message, 'code' in e] } }",
      .result = "[true,\"Error\",\"no stock\",false]" },
    { .name = "a tool's error that is not caught fails the run",
      .code = "async () => { await store.raw('{\"error\":\"no stock\"}') }",
      .error = "no stock" },
    { .name = "an error object sets name, code and data",
      .code =
          "async () => { try { await store.raw('{\"error\":{\"name\":\"StockError\",\"message\":"
          "\"m\",\"code\":\"E1\",\"data\":{\"left\":[1]}}}') }"
          " catch (e) { return [e.name, e.message, e.code, e.data, e instanceof Error] } }",
      .result = "[\"StockError\",\"m\",\"E1\",{\"left\":[1]},true]" },
    { .name = "an error object without a message has an empty one",
      .code = "async () => { try { await store.raw('{\"error\":{\"code\":5}}') }"
              " catch (e) { return [e.name, e.message, e.code] } }",
      .result = "[\"Error\",\"\",5]" },
    { .name = "an error's data may be bytes",
      .code = "async () => { try { await store.raw(JSON.stringify({ error: { message: 'm', data: {"
              " __codemode_binary_v1__: 'Uint8Array', data: 'AQ==' } } })) }"
              " catch (e) { return [e.data instanceof Uint8Array, e.data[0]] } }",
      .result = "[true,1]" },
    { .name = "the stack of a tool's error names the line that called it",
      .code = "async () => {\n  const ask = async () => {\n"
              "    return await store.raw('{\"error\":\"no\"}')\n  }\n  await ask()\n}",
      .error = "no",
      .stack = "at program.js:3:27\nat ask (program.js:2:24)\nat program.js:5:12\n"
               "at program.js:1:8" },
};

int main(int argc, char **argv)
{
    static const struct group group = { .name = "errors",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows) };

    return group_main(argc, argv, &group);
}
