/* The memory bound: whatever a program allocates with, it meets the same
 * sentence, and the executor goes on. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define EXCEEDED                                                                                  \
    "Execution exceeded its 32 MB memory bound. Hold less data at once and return the part that " \
    "is already finished."

static const char *const settings[] = { "MEMORY_LIMIT_MB", "32", "WORKERS_MAX", "2", NULL };

struct allocator {
    const char *name;
    const char *code;
};

static const struct allocator allocators[] = {
    { "objects meet the bound",
      "() => { const a = []; for (let i = 0; ; i++) a.push({ i, x: [i] }) }" },
    { "typed arrays meet the bound",
      "() => { const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1)) }" },
    { "one large typed array meets the bound", "() => new Uint8Array(200e6).fill(1).length" },
    { "strings meet the bound",
      "() => { const a = []; for (let i = 0; ; i++) a.push(String(i).padEnd(1000, 'x' + i)) }" },
    { "a doubling string meets the bound",
      "() => { let s = 'x'; for (;;) { s += s; s.charCodeAt(5); [...s.slice(0, 9)] } }" },
    { "a Map meets the bound",
      "() => { const m = new Map(); for (let i = 0; ; i++) m.set(i, 'v' + i) }" },
    { "a Set meets the bound",
      "() => { const s = new Set(); for (let i = 0; ; i++) s.add('key ' + i) }" },
    { "closures meet the bound",
      "() => { const a = []; for (let i = 0; ; i++) { const big = [i, i]; a.push(() => big) } }" },
    { "JSON.parse of a large text meets the bound",
      "() => { const t = '[' + '{\"a\":[1,2,3]},'.repeat(200000) + '1]'; const a = [];"
      " for (;;) a.push(JSON.parse(t)) }" },
    { "Array.fill meets the bound",
      "() => { const a = []; for (;;) a.push(new Array(100000).fill(1.5)) }" },
    { "regular expressions meet the bound", "() => { const a = []; for (let i = 0; ; i++) { const "
                                            "r = new RegExp('(a|b)*' + i); r.test('aba');"
                                            " a.push(r, r.exec('aab' + i)) } }" },
    { "symbols meet the bound",
      "() => { const a = []; for (let i = 0; ; i++) a.push(Symbol('s' + i)) }" },
    { "nested arrays meet the bound", "() => { let a = []; for (;;) a = [a, a] }" },
    { "BigInts meet the bound",
      "() => { let b = 3n; const a = []; for (;;) { a.push(b); b *= 3n } }" },
    { "promises meet the bound", "async () => { const a = []; for (let i = 0; ; i++) a.push(new "
                                 "Promise(() => {}).then(() => i)) }" },
    { "timers meet the bound",
      "async () => { for (let i = 0; ; i++) setTimeout(() => i, 1e6, [i, i, i]) }" },
    { "a program that swallows errors meets the bound",
      "() => { const a = []; for (;;) try { for (;;) a.push(new Uint8Array(100000).fill(7)) } "
      "catch {} }" },
};

/* On one executor, one after the other: a bound that was hit harms no later run. */
static struct host host;

static void meets_the_bound(void **state)
{
    const struct allocator *allocator = *state;
    struct job job = { .code = allocator->code };
    struct job next = { .code = "() => 'fine'" };

    host_run(&host, &job);
    expect_error(&job, "memory", EXCEEDED);
    host_run(&host, &next);
    expect_result(&next, "\"fine\"");
    job_done(&job);
    job_done(&next);
}

static void lines_written_before_the_bound_are_kept(void **state)
{
    struct job job = { .code = "() => { console.log('first'); const a = [];"
                               " for (;;) a.push(new Uint8Array(1 << 20).fill(1)) }" };

    (void)state;
    host_run(&host, &job);
    expect_error(&job, "memory", EXCEEDED);
    expect_logs(&job, "log first|");
    job_done(&job);
}

static void a_program_below_the_bound_has_all_that_it_may_use(void **state)
{
    struct job job = { .code = "() => { const a = []; for (let i = 0; i < 16; i++)"
                               " a.push(new Uint8Array(1 << 20).fill(1)); return a.length }" };

    (void)state;
    for (int i = 0; i < 5; i++) {
        host_run(&host, &job);
        expect_result(&job, "16");
        job_done(&job);
        job.ends = 0;
        job.live_lines = 0;
    }
}

/* Each executor has a zygote of its own, and so addresses of its own. */
static void a_program_has_its_bound_wherever_the_system_maps_memory(void **state)
{
    enum { ZYGOTES = 12 };

    (void)state;
    for (int i = 0; i < ZYGOTES; i++) {
        struct host other;
        struct job job = { .code = "() => { const a = []; for (let i = 0; i < 16 * 16384; i++)"
                                   " a.push({ a: i, b: i, c: i, d: i }); return a.length }" };

        host_open(&other, settings);
        host_run(&other, &job);
        expect_result(&job, "262144");
        job_done(&job);
        host_close(&other);
    }
}

static void the_web_surface_leaves_a_program_its_memory(void **state)
{
    struct job job = {
        .code = "() => { new URL('http://a/'); new Request('http://a/'); new ReadableStream();"
                " new CompressionStream('gzip'); crypto.subtle; const a = [];"
                " for (let i = 0; i < 8; i++) a.push(new Uint8Array(1 << 20).fill(1));"
                " return a.length }"
    };

    (void)state;
    host_run(&host, &job);
    expect_result(&job, "8");
    job_done(&job);
}

static void garbage_does_not_count(void **state)
{
    struct job job = { .code = "() => { let n = 0; for (let i = 0; i < 300; i++)"
                               " n += new Uint8Array(1 << 20).fill(1)[5]; return n }" };

    (void)state;
    host_run(&host, &job);
    expect_result(&job, "300");
    job_done(&job);
}

int main(int argc, char **argv)
{
    enum { FIXED = 5 };
    struct CMUnitTest tests[CM_ARRAY_LEN(allocators) + FIXED] = {
        cmocka_unit_test(lines_written_before_the_bound_are_kept),
        cmocka_unit_test(a_program_below_the_bound_has_all_that_it_may_use),
        cmocka_unit_test(a_program_has_its_bound_wherever_the_system_maps_memory),
        cmocka_unit_test(the_web_surface_leaves_a_program_its_memory),
        cmocka_unit_test(garbage_does_not_count),
    };
    const struct group group = { .name = "memory",
                                 .tests = tests,
                                 .test_count = CM_ARRAY_LEN(tests),
                                 .settings = settings,
                                 .host = &host };

    for (size_t i = 0; i < CM_ARRAY_LEN(allocators); i++)
        tests[FIXED + i] =
            (struct CMUnitTest){ .name = allocators[i].name,
                                 .test_func = meets_the_bound,
                                 .initial_state = (void *)(uintptr_t)&allocators[i] };
    return group_main(argc, argv, &group);
}
