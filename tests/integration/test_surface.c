/* What a program finds in its isolate, and what it does not. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#define ABSENCE                                                                                \
    "Cache storage is absent from this runtime because nothing survives an execution. Return " \
    "what "                                                                                    \
    "should persist in the result and take it back as an input on the next call."

static const struct row rows[] = {
    /* ---- there, and not there ---- */
    { .name = "names of other platforms are not there",
      .code = "async () => ({ WebSocket: typeof WebSocket, XMLHttpRequest: typeof XMLHttpRequest,"
              " EventSource: typeof EventSource, sendBeacon: typeof navigator.sendBeacon,"
              " process: typeof process, require: typeof require, WebAssembly: typeof WebAssembly,"
              " caches: typeof caches })",
      .result = "{\"WebSocket\":\"undefined\",\"XMLHttpRequest\":\"undefined\",\"EventSource\":"
                "\"undefined\",\"sendBeacon\":\"undefined\",\"process\":\"undefined\",\"require\":"
                "\"undefined\",\"WebAssembly\":\"undefined\",\"caches\":\"object\"}" },
    { .name = "a bare read of a name that is not there throws",
      .code = "() => { try { WebSocket } catch (e) { return e.name } }",
      .result = "\"ReferenceError\"" },
    { .name = "shared memory and waiting on it are not there",
      .code = "() => [typeof SharedArrayBuffer, typeof Atomics.wait, typeof Atomics.waitAsync,"
              " typeof Atomics.add]",
      .result = "[\"undefined\",\"undefined\",\"undefined\",\"function\"]" },
    { .name = "nothing of the executor's is on the global object",
      .code = "() => [typeof codemode, typeof native, typeof $vm, typeof print, typeof load]",
      .result = "[\"undefined\",\"undefined\",\"undefined\",\"undefined\",\"undefined\"]" },
    { .name = "navigator says who runs the program",
      .code = "() => [navigator.userAgent, Object.prototype.toString.call(navigator).slice(0, 7)]",
      .result = "[\"codemode-executor/" CM_VERSION "\",\"[object\"]" },
    { .name = "every method of caches rejects with its sentence",
      .code =
          "async () => { const out = new Set(); for (const name of ['open', 'has', 'match', 'keys',"
          " 'delete']) await caches[name]('v1').catch((e) => out.add(e.message)); return [...out] "
          "}",
      .result = "[\"" ABSENCE "\"]" },
    { .name = "the time zone is UTC and the locale en-US",
      .code = "() => { const o = new Intl.DateTimeFormat().resolvedOptions(); return [o.locale,"
              " o.timeZone, new Date(2024, 6, 1).getTimezoneOffset(), new Date(0).toString()] }",
      .result = "[\"en-US\",\"UTC\",0,\"Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal "
                "Time)\"]" },
    { .name = "Intl is complete",
      .code =
          "() => [new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' })"
          ".format(1234.5), new Date(0).toLocaleDateString('ja-JP', { dateStyle: 'long',"
          " timeZone: 'Asia/Tokyo' }), ['z', 'a', '\\u00e4'].sort(new Intl.Collator('sv').compare)"
          ".join(''), new Intl.PluralRules('ar').select(3)]",
      .result = "[\"1.234,50\u00a0\u20ac\",\"1970\u5e741\u67081\u65e5\",\"az\u00e4\",\"few\"]" },
    { .name = "eval and Function work in the isolate",
      .code = "() => [eval('1 + 1'), new Function('a', 'return a * 2')(3)]",
      .result = "[2,6]" },

    /* ---- timers ---- */
    { .name = "timers fire in the order of their time and then of their making",
      .code =
          "async () => { const o = []; setTimeout(() => o.push('c'), 5); setTimeout(() => "
          "o.push('a'));"
          " setTimeout(() => o.push('b')); await new Promise((r) => setTimeout(r, 10)); return o }",
      .result = "[\"a\",\"b\",\"c\"]" },
    { .name = "microtasks run before timers",
      .code =
          "async () => { const o = []; setTimeout(() => o.push('timer'), 0);"
          " queueMicrotask(() => o.push('micro')); Promise.resolve().then(() => o.push('then'));"
          " o.push('sync'); await new Promise((r) => setTimeout(r, 2)); return o }",
      .result = "[\"sync\",\"micro\",\"then\",\"timer\"]" },
    { .name = "timers pass their arguments on",
      .code = "() => new Promise((r) => setTimeout((a, b) => r([a, b]), 0, 1, 'x'))",
      .result = "[1,\"x\"]" },
    { .name = "a cleared timer does not fire",
      .code = "async () => { let n = 0; const t = setTimeout(() => n++, 0); clearTimeout(t);"
              " clearTimeout(t); clearTimeout(undefined); clearTimeout('x');"
              " await new Promise((r) => setTimeout(r, 3)); return n }",
      .result = "0" },
    { .name = "an interval goes on until it is cleared",
      .code = "() => new Promise((r) => { let n = 0; const t = setInterval(() => { if (++n === 3) {"
              " clearInterval(t); setTimeout(() => r(n), 5) } }, 1) })",
      .result = "3" },
    { .name = "a timer can start a timer",
      .code = "() => new Promise((r) => setTimeout(() => setTimeout(() => setTimeout(r, 0, 'x'))))",
      .result = "\"x\"" },
    { .name = "a negative or absurd delay is no delay",
      .code = "async () => { for (const d of [-5, NaN, 'x', undefined, null, {}])"
              " await new Promise((r) => setTimeout(r, d)); return 1 }",
      .result = "1" },
    { .name = "a timer without a function is an error",
      .code = "() => { try { setTimeout() } catch (e) { return e.name } }",
      .result = "\"TypeError\"" },
    { .name = "a timer evaluates a text, in the global scope",
      .code = "async () => { setTimeout('globalThis.left = typeof new Event(\"x\")', 0);"
              " await new Promise((r) => setTimeout(r, 2)); return globalThis['left'] }",
      .result = "\"object\"" },
    { .name = "a timer gives a number above zero",
      .code = "() => { const t = setTimeout(() => {}); return typeof t === 'number' && t > 0 }",
      .result = "true" },
    { .name = "a run ends with its function, whatever timer is left",
      .code = "async () => { setInterval(() => {}, 1); setTimeout(() => console.log('never'), 1e6);"
              " return 1 }",
      .result = "1" },

    /* ---- what is loaded when it is needed ---- */
    { .name = "a global that the program names is a plain property of its own",
      .code = "() => { const d = Object.getOwnPropertyDescriptor(globalThis, 'EventTarget'); "
              "return [typeof d.value, d.writable, d.enumerable, d.configurable] }",
      .result = "[\"function\",true,false,true]" },
    { .name = "a global that the program computes is there too",
      .code = "() => { const name = ['Event', 'Target'].join(''); return [name in globalThis, "
              "Object.hasOwn(globalThis, name), typeof globalThis[name], "
              "Object.getOwnPropertyDescriptor(globalThis, name).enumerable, new "
              "globalThis[name]() instanceof globalThis[name]] }",
      .result = "[true,true,\"function\",false,true]" },
    { .name = "a global that the program computes can be deleted and replaced unread",
      .code = "() => { const [a, b] = ['Abort', 'Error'].map((x, i) => x + ['Signal', "
              "'Event'][i]); delete globalThis[a]; globalThis[b] = 5; return [a in globalThis, "
              "globalThis[b], Object.getOwnPropertyDescriptor(globalThis, b).writable] }",
      .result = "[false,5,true]" },
    { .name = "an assignment in strict code replaces a lazy global",
      .code = "() => { globalThis['Cust' + 'omEvent'] = 1; return globalThis['CustomEven' + 't'] }",
      .result = "1" },
    { .name = "a name in compiled code is there",
      .code = "() => [new Function('return typeof Ev' + 'ent')(), (0, eval)('typeof DOMEx' + "
              "'ception'), (() => {}).constructor('return typeof Abort' + 'Signal')()]",
      .result = "[\"function\",\"function\",\"function\"]" },
    { .name = "a name that is written with escapes is there",
      .code = "() => typeof \\u0045vent",
      .result = "\"function\"" },
    { .name = "a name that stands in prose costs nothing and is there",
      .code = "() => ['Event is a word', typeof globalThis['Event']]",
      .result = "[\"Event is a word\",\"function\"]" },
    { .name = "a frozen global object still gives its lazy globals",
      .code = "() => { Object.freeze(globalThis); const g = globalThis; return [typeof g['Ev' + "
              "'ent'], g['Even' + 't'] === g['Ev' + 'ent']] }",
      .result = "[\"function\",true]" },
    { .name = "a chunk does not use what the program has replaced",
      .code =
          "() => { Object.defineProperty(Array.prototype, 0, { set() { throw new Error('mine') } "
          "}); Reflect.apply = Array.prototype.push = Object.defineProperty = String = () => { "
          "throw new Error('mine') }; Object.prototype.get = () => 1; const t = new EventTarget(); "
          "let n = 0; t.addEventListener('x', () => n++); t.dispatchEvent(new Event('x')); const c "
          "= new AbortController(); c.signal.onabort = () => n++; c.abort(); return n }",
      .result = "2" },
    { .name = "a chunk that is touched late does not see what the program has replaced in another",
      .code = "() => { DOMException = class { constructor() { this.name = 'mine' } }; "
              "globalThis['Abort' + 'Controller']; const c = new AbortController(); c.abort(); "
              "return c.signal.reason.name }",
      .result = "\"AbortError\"" },
    { .name = "a text that names a global later does not undo what the program did to it",
      .code =
          "async () => { const g = globalThis; g['Custom' + 'Event'] = 'mine'; delete g['Abort' + "
          "'Signal']; setTimeout('globalThis.seen = [' + ['Custom', "
          "'Error'].map((x) => `typeof ${x}Event`) + ', typeof Abort' + 'Signal]'); await new "
          "Promise((r) => setTimeout(r, 2)); "
          "return g.seen }",
      .result = "[\"string\",\"function\",\"undefined\"]" },
    { .name = "the global object is an event target",
      .code = "() => { let n = 0; addEventListener('x', (e) => { n += e.target === globalThis ? 1 "
              ": 10 }); dispatchEvent(new Event('x')); return [n, globalThis instanceof "
              "EventTarget, ({}) instanceof EventTarget, self === globalThis] }",
      .result = "[1,true,false,true]" },
    { .name = "structuredClone copies what JSON cannot",
      .code = "() => { const a = { d: new Date(5), m: new Map([[1, new Set([2])]]), r: /x/gi, e: "
              "new RangeError('no'), b: new Uint8Array([1, 2]), n: -0, u: undefined, big: 10n }; "
              "a.self = a; const c = structuredClone(a); return [c !== a, c.self === c, "
              "c.d.getTime(), [...c.m.get(1)], String(c.r), c.e.name, c.e.message, c.e instanceof "
              "RangeError, [...c.b], Object.is(c.n, -0), 'u' in c, String(c.big)] }",
      .result = "[true,true,5,[2],\"/x/gi\",\"RangeError\",\"no\",true,[1,2],true,true,\"10\"]" },
    { .name = "structuredClone refuses what cannot be cloned",
      .code =
          "() => [() => {}, Symbol('x'), new WeakMap(), Promise.resolve(), new Proxy({}, {}), new "
          "EventTarget(), { a: { b() {} } }].map((value) => { try { structuredClone(value); return "
          "'cloned' } catch (e) { return e instanceof DOMException && e.code } })",
      .result = "[25,25,25,25,25,25,25]" },
    { .name = "structuredClone moves a buffer and leaves nothing behind",
      .code = "() => { const b = new ArrayBuffer(8); const v = new Uint8Array(b, 2, 3); v[0] = 7; "
              "const c = structuredClone({ v }, { transfer: [b] }); return [b.byteLength, "
              "v.length, c.v[0], c.v.byteOffset, c.v.buffer.byteLength] }",
      .result = "[0,0,7,2,8]" },
    { .name = "messages arrive in order, each in a task of its own",
      .code =
          "async () => { const { port1, port2 } = new MessageChannel(); const o = []; await new "
          "Promise((r) => { port2.onmessage = ({ data }) => { o.push(data.n); "
          "Promise.resolve().then(() => o.push('-')); if (data.n === 2) setTimeout(r, 0) }; "
          "port1.postMessage({ n: 1 }); port1.postMessage({ n: 2 }); o.push('sent') }); return o }",
      .result = "[\"sent\",1,\"-\",2,\"-\"]" },
    { .name = "an aborted signal tells why",
      .code =
          "() => { const c = new AbortController(); const any = AbortSignal.any([c.signal, "
          "AbortSignal.timeout(1e6)]); c.abort(new Error('enough')); try { any.throwIfAborted() } "
          "catch (e) { return [e.message, any.aborted, AbortSignal.abort().reason.name] } }",
      .result = "[\"enough\",true,\"AbortError\"]" },
    { .name = "a signal times out",
      .code = "async () => { const s = AbortSignal.timeout(1); await new Promise((r) => "
              "s.addEventListener('abort', r)); return s.reason.name }",
      .result = "\"TimeoutError\"" },
    { .name = "the clock of performance starts with the run and does not go back",
      .code = "() => { const a = performance.now(); const b = performance.now(); return [a >= 0 && "
              "b >= a, Math.abs(performance.timeOrigin + a - Date.now()) < 1000, "
              "Object.keys(performance.toJSON())] }",
      .result = "[true,true,[\"timeOrigin\"]]" },
    { .name = "streams pipe through a transform",
      .code = "async () => { const up = new TransformStream({ transform(x, c) { c.enqueue(x * 2) } "
              "}); const o = []; for await (const x of ReadableStream.from([1, 2, "
              "3]).pipeThrough(up)) o.push(x); return o }",
      .result = "[2,4,6]" },

    /* ---- for await over what rejects ---- */
    { .name = "for await over an array of which one promise rejects throws",
      .code = "async () => { try { for await (const x of [1, Promise.reject(new Error('no'))]) x }"
              " catch (e) { return e.message } }",
      .result = "\"no\"" },
    { .name = "for await over failing tool calls throws",
      .code = "async () => { const ok = []; try { for await (const x of ['{\"result\":1}',"
              " '{\"error\":\"no\"}'].map((text) => store.raw(text))) ok.push(x) }"
              " catch (e) { return [ok, e.message] } }",
      .result = "[[1],\"no\"]" },
    { .name = "for await over the values of a Map and a Set that reject throws",
      .code =
          "async () => { const out = []; for (const c of [new Map([[1, 2]]).values(), new "
          "Set([1])]) {"
          " const it = { [Symbol.iterator]: () => { const i = c[Symbol.iterator](); return i } };"
          " for await (const x of it) out.push(x) }"
          " try { for await (const x of new Set([Promise.reject(new Error('set'))])) x }"
          " catch (e) { out.push(e.message) }"
          " try { for await (const x of new Map([[1, Promise.reject(new Error('map'))]]).values()) "
          "x }"
          " catch (e) { out.push(e.message) } return out }",
      .result = "[2,1,\"set\",\"map\"]" },
    { .name = "Array.fromAsync over an array of which one promise rejects rejects",
      .code = "async () => { try { await Array.fromAsync([1, Promise.reject(new Error('no'))]) }"
              " catch (e) { return e.message } }",
      .result = "\"no\"" },
    { .name = "for await over what resolves gives the values in order",
      .code = "async () => { const o = []; for await (const x of [store.echo(1), 2, "
              "Promise.resolve(3)])"
              " o.push(x); return o }",
      .result = "[[1],2,3]" },
    { .name = "a loop that is left early goes on where it was with the same iterator",
      .code = "() => { const it = [1, 2, 3][Symbol.iterator](); for (const x of it) break;"
              " const [a] = it; return [a, ...it] }",
      .result = "[2,3]" },
    { .name = "destructuring, spread and for-of behave as ever",
      .code = "() => { const [a, , b = 5, ...rest] = [1, 2, undefined, 4, 6]; const m = new "
              "Map([[1, 2]]);"
              " const out = []; for (const [k, v] of m) out.push(k, v); for (const c of 'ab') "
              "out.push(c);"
              " for (const x of new Set([7])) { out.push(x); continue }"
              " return [a, b, rest, out, [...m], Math.max(...[1, 9])] }",
      .result = "[1,5,[4,6],[1,2,\"a\",\"b\",7],[[1,2]],9]" },
};

/* ---- the global object and its table ---- */

static const struct global {
    const char *name;
    int installed;
} globals[] = {
#define CM_GLOBAL(name, installed) { #name, installed },
#include "tables/globals.def"
#undef CM_GLOBAL
};

static const struct global *find_global(const char *name)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(globals); i++)
        if (strcmp(globals[i].name, name) == 0)
            return &globals[i];
    return NULL;
}

static bool names_contain(json_t *names, const char *name)
{
    json_t *value;
    size_t i;

    json_array_foreach(names, i,
                       value) if (strcmp(json_string_value(value), name) == 0) return true;
    return false;
}

static void the_global_object_is_what_its_table_says(void **state)
{
    struct job job = { .code = "() => Object.getOwnPropertyNames(globalThis)", .bare = true };
    struct host host;
    json_t *names;
    json_t *name;
    size_t i;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    names = json_loads(cm_run_outcome(job.run)->result, 0, NULL);
    json_array_foreach(names, i, name)
    {
        const struct global *row = find_global(json_string_value(name));

        if (row == NULL || !row->installed)
            fail_msg("globalThis.%s is not a row that is installed", json_string_value(name));
    }
    for (i = 0; i < CM_ARRAY_LEN(globals); i++)
        if (globals[i].installed && !names_contain(names, globals[i].name))
            fail_msg("globalThis.%s is missing", globals[i].name);
    json_decref(names);
    job_done(&job);
    host_close(&host);
}

static void no_symbol_is_on_the_global_object_but_its_tag(void **state)
{
    struct job job = { .code = "() => Object.getOwnPropertySymbols(globalThis)"
                               ".filter((s) => s !== Symbol.toStringTag).length",
                       .bare = true };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_result(&job, "0");
    job_done(&job);
    host_close(&host);
}

/* ---- random numbers ---- */

enum { RANDOM_RUNS = 10 };

static void expect_different(const struct job *jobs)
{
    for (size_t i = 0; i < RANDOM_RUNS; i++)
        for (size_t k = i + 1; k < RANDOM_RUNS; k++)
            assert_string_not_equal(cm_run_outcome(jobs[i].run)->result,
                                    cm_run_outcome(jobs[k].run)->result);
}

static void random_numbers_differ_between_runs_of_one_worker(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "1", NULL };
    struct job jobs[RANDOM_RUNS];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < RANDOM_RUNS; i++) {
        jobs[i] = (struct job){ .code = "() => Math.random()" };
        host_run(&host, &jobs[i]);
    }
    expect_different(jobs);
    for (size_t i = 0; i < RANDOM_RUNS; i++)
        job_done(&jobs[i]);
    host_close(&host);
}

static void random_numbers_differ_between_workers_of_one_zygote(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "10", NULL };
    struct job jobs[RANDOM_RUNS];
    pid_t pids[PROCESSES_MAX];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < RANDOM_RUNS; i++) {
        jobs[i] = (struct job){ .code = "async () => { const n = Math.random();"
                                        " await store.silent(); return n }" };
        host_start(&host, &jobs[i]);
    }
    for (size_t i = 0; i < RANDOM_RUNS; i++)
        host_until_calls(&host, &jobs[i], 1);
    assert_int_equal(host_workers(pids), RANDOM_RUNS);
    for (size_t i = 0; i < RANDOM_RUNS; i++) {
        assert_int_equal(cm_run_answer(jobs[i].run, jobs[i].open[0], "{}", 2), 0);
        host_finish(&host, &jobs[i]);
    }
    expect_different(jobs);
    for (size_t i = 0; i < RANDOM_RUNS; i++)
        job_done(&jobs[i]);
    host_close(&host);
}

/* ---- after a program that used the same ---- */

static const char *const one_worker[] = { "WORKERS_MAX", "1", "WORKERS_IDLE", "1", NULL };

static double number_of(const struct job *job)
{
    assert_non_null(cm_run_outcome(job->run)->result);
    return strtod(cm_run_outcome(job->run)->result, NULL);
}

static void the_time_origin_is_of_the_run_whatever_the_last_program_used(void **state)
{
    struct job first = { .code = "() => { const start = performance.now(); while (performance.now()"
                                 " < start + 20); return Date.now() }" };
    struct job second = { .code = "() => performance.timeOrigin" };
    struct host host;

    (void)state;
    host_open(&host, one_worker);
    host_run(&host, &first);
    host_run(&host, &second);
    assert_true(number_of(&second) >= number_of(&first) - 1);
    job_done(&first);
    job_done(&second);
    host_close(&host);
}

/* Each interface with its members, as a text. The names come from the realm. */
#define DESCRIBE                                                                                 \
    "() => { const all = globalThis; const members = (of) => Reflect.ownKeys(of).map((key) => {" \
    " const p = Object.getOwnPropertyDescriptor(of, key); return [String(key), p.enumerable,"    \
    " p.configurable, p.writable, typeof p.value, p.get?.name, p.set?.name] });"                 \
    " return Object.getOwnPropertyNames(all).sort().map((name) => {"                             \
    " const was = Object.getOwnPropertyDescriptor(all, name); const value = all[name];"          \
    " const is = Object.getOwnPropertyDescriptor(all, name); return [name, 'get' in was, 'get' " \
    "in is, is.enumerable, is.writable, value?.name, value?.length, typeof value === 'function'" \
    " ? members(value) : 0, value?.prototype ? members(value.prototype) : 0] }) }"

static void a_program_finds_the_same_surface_whatever_the_last_one_used(void **state)
{
    struct job jobs[] = {
        { .code = DESCRIBE }, /* nothing came before it */
        { .code = DESCRIBE }, /* and now all of the surface */
        { .code = "() => [new URL('http://a/').href, typeof fetch, typeof crypto.subtle]" },
        { .code = DESCRIBE },
    };
    struct host host;

    (void)state;
    host_open(&host, one_worker);
    for (size_t i = 0; i < CM_ARRAY_LEN(jobs); i++)
        host_run(&host, &jobs[i]);
    expect_result(&jobs[2], "[\"http://a/\",\"function\",\"object\"]");
    expect_result(&jobs[1], cm_run_outcome(jobs[0].run)->result);
    expect_result(&jobs[3], cm_run_outcome(jobs[0].run)->result);
    assert_non_null(strstr(cm_run_outcome(jobs[0].run)->result, "URLSearchParams"));
    for (size_t i = 0; i < CM_ARRAY_LEN(jobs); i++)
        job_done(&jobs[i]);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_global_object_is_what_its_table_says),
        cmocka_unit_test(no_symbol_is_on_the_global_object_but_its_tag),
        cmocka_unit_test(random_numbers_differ_between_runs_of_one_worker),
        cmocka_unit_test(the_time_origin_is_of_the_run_whatever_the_last_program_used),
        cmocka_unit_test(a_program_finds_the_same_surface_whatever_the_last_one_used),
        cmocka_unit_test(random_numbers_differ_between_workers_of_one_zygote),
    };
    static const struct group group = { .name = "surface",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows),
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests),
                                        .local_count = 1 };

    return group_main(argc, argv, &group);
}
