/* One worker process, which goes back to the memory that it had before each program:
 * what must differ from one program to the next does, what must not is the same, and
 * nothing piles up. A worker that cannot go back is replaced. */
#include "harness.h"

#include "base/cleanup.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { ALTERNATIONS = 200, LARGE_BYTES = 100000 };

static struct host host;

static uint64_t workers_started(void)
{
    struct cm_stats stats;

    cm_executor_stats(host.executor, &stats);
    return stats.workers_started;
}

static void run(const char *code, const char *result)
{
    struct job job = { .code = code };

    host_run(&host, &job);
    expect_result(&job, result);
    job_done(&job);
}

/* The globals are those of a fresh isolate, the heap works, and so do timers and tools. */
static void expect_untouched(void)
{
    run("async () => {"
        "  await new Promise((resolve) => setTimeout(resolve, 0));"
        "  const given = await store.echo([1, 'x']);"
        "  return [typeof left, [1, 2].map((n) => n + 1), Object.keys({}).length, given[0],"
        "          [].left === undefined, /a(b)/.exec('ab')[1], JSON.stringify({ a: 1 })];"
        "}",
        "[\"undefined\",[2,3],0,[1,\"x\"],true,\"b\",\"{\\\"a\\\":1}\"]");
}

/* Not the first one while that is not there yet. */
static uint64_t workers_so_far(void)
{
    expect_untouched();
    return workers_started();
}

/* ---- what must differ ---- */

static void is_new_each_time(void **state)
{
    enum { TIMES = 4 };
    struct job jobs[TIMES];
    uint64_t before = workers_so_far();

    for (size_t i = 0; i < TIMES; i++) {
        jobs[i] = (struct job){ .code = *state };
        host_run(&host, &jobs[i]);
        expect_text("error", cm_run_outcome(jobs[i].run)->error, NULL);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(cm_run_outcome(jobs[i].run)->result,
                                    cm_run_outcome(jobs[j].run)->result);
    }
    for (size_t i = 0; i < TIMES; i++)
        job_done(&jobs[i]);
    assert_true(workers_started() == before);
}

#define NEW(name_, code_)                                                                     \
    {                                                                                         \
        .name = name_ " differs from one program to the next", .test_func = is_new_each_time, \
        .initial_state =                                                                      \
            (void *)(uintptr_t)("async () => {"                                               \
                                "  const { subtle } = crypto;"                                \
                                "  const hex = (bytes) => Array.from("                        \
                                "    new Uint8Array(bytes), (n) => n).join();" code_ "}")     \
    }

/* ---- time ---- */

static uint64_t wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void the_clocks_are_those_of_the_program(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct job job = { .code =
                               "() => [performance.timeOrigin, performance.now(), Date.now()]" };
        uint64_t before = wall_ms();
        double origin, now, date;

        host_run(&host, &job);
        expect_text("error", cm_run_outcome(job.run)->error, NULL);
        assert_int_equal(
            sscanf(cm_run_outcome(job.run)->result, "[%lf,%lf,%lf]", &origin, &now, &date), 3);
        assert_true(origin >= (double)before - 2 && origin <= (double)wall_ms() + 2);
        assert_true(date >= (double)before && date <= (double)wall_ms());
        assert_true(now >= 0 && now <= (double)(wall_ms() - before + 3));
        job_done(&job);
    }
}

/* ---- nothing piles up ---- */

static uint64_t private_dirty_kb(void)
{
    pid_t pids[PROCESSES_MAX];
    char path[64];
    char line[256];
    uint64_t kb = 0;
    FILE *file;

    assert_int_equal(host_workers(pids), 1);
    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pids[0]);
    file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "Private_Dirty: %" SCNu64, &kb) == 1)
            break;
    fclose(file);
    return kb;
}

static const char *const patches[] = {
    "() => { globalThis.left = 1; Array.prototype.map = null; return 1; }",
    "() => { Object.prototype.left = { a: 1 }; return 1; }",
    "() => { JSON.stringify = JSON.parse = () => 'x'; Promise.prototype.then = null; return 1; }",
    "() => { globalThis.kept = Array.from({ length: 3000 }, (_, i) => ({ i })); return 1; }",
    "() => { RegExp.prototype.exec = null; setInterval(() => {}, 1); return 1; }",
};

static void a_thousand_programs_leave_nothing_and_no_memory(void **state)
{
    uint64_t early = 0;

    (void)state;
    for (size_t i = 0; i < 1000; i++) {
        run(patches[i % CM_ARRAY_LEN(patches)], "1");
        if (i % 50 == 0)
            expect_untouched();
        if (i == 100)
            early = private_dirty_kb();
    }
    assert_true(workers_started() == 1);
    if (private_dirty_kb() > early + 2048)
        fail_msg("%" PRIu64 " KB became %" PRIu64, early, private_dirty_kb());
    expect_untouched();
}

/* ---- what ends the way back, and what does not ---- */

/* `spends`: the worker is another one afterwards. */
static void next_is_untouched(const char *code, const char *result, bool spends)
{
    uint64_t before = workers_so_far();

    for (int i = 0; i < 3; i++) {
        run(code, result);
        expect_untouched();
    }
    assert_int_equal(workers_started() - before, spends ? 3 : 0);
}

static void a_worker_that_mapped_or_collected_is_replaced(void **state)
{
    static const char *const codes[] = {
        "() => { globalThis.left = new Uint8Array(40 << 20).fill(1); return 1; }",
        "() => { for (let i = 0; i < 400; i++) globalThis.left = new Array(10000).fill(i);"
        "  return 1; }",
        "() => { globalThis.left = new ArrayBuffer(8, { maxByteLength: 1 << 20 });"
        "  left.resize(1 << 20); return 1; }",
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(codes); i++)
        next_is_untouched(codes[i], "1", true);
}

static void an_error_leaves_nothing(void **state)
{
    uint64_t before = workers_so_far();

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct job thrown = { .code = "() => { globalThis.left = 1; throw new Error('e'); }" };
        struct job refused = { .code = "() => {" };

        host_run(&host, &thrown);
        expect_error(&thrown, "thrown", "e");
        job_done(&thrown);
        expect_untouched();
        host_run(&host, &refused);
        expect_engine_error(&refused, "syntax", "Unexpected end of input");
        job_done(&refused);
        expect_untouched();
    }
    assert_true(workers_started() == before);
}

static void bounds_begin_anew(void **state)
{
    static const char calls[] = "async () => {"
                                "  let made = 0;"
                                "  try { for (;;) { await store.echo(); made++; } } catch {}"
                                "  return made;"
                                "}";
    uint64_t before = workers_so_far();

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct job logs = { .code = "() => { for (let i = 0; i < 40; i++) console.log('l'); }" };

        run(calls, "10");
        host_run(&host, &logs);
        assert_int_equal(cm_run_outcome(logs.run)->log_count, 21); /* and the line about it */
        job_done(&logs);
    }
    assert_true(workers_started() == before);
}

static void a_stack_that_overflowed_is_whole_again(void **state)
{
    (void)state;
    next_is_untouched("() => {"
                      "  const f = () => f() + 1;"
                      "  try { f(); } catch (error) { return error.name; }"
                      "}",
                      "\"RangeError\"", false);
}

static void what_was_left_to_come_never_does(void **state)
{
    (void)state;
    next_is_untouched("() => {"
                      "  setTimeout(() => console.log('late'), 0);"
                      "  setInterval(() => { globalThis.left = 1; }, 0);"
                      "  globalThis.weak = new WeakRef({});"
                      "  globalThis.registry = new FinalizationRegistry(() => { left = 2; });"
                      "  for (let i = 0; i < 100; i++) registry.register({}, i);"
                      "  store.silent();"
                      "  return 1;"
                      "}",
                      "1", false);
}

/* ---- results and answers of all sizes ---- */

static void a_large_result_is_followed_by_small_ones(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct job job = { .code = "() => 'x'.repeat(16 << 20)" };

        host_run(&host, &job);
        expect_text("error", cm_run_outcome(job.run)->error, NULL);
        assert_int_equal(strlen(cm_run_outcome(job.run)->result), (16 << 20) + 2);
        job_done(&job);
        run("() => 1", "1");
        expect_untouched();
    }
}

static void answer_both(struct job *job, const struct cm_call *call)
{
    static char large[LARGE_BYTES + 32];
    size_t bytes;

    if (job->open_count == 0) {
        job->open[job->open_count++] = call->id;
        return;
    }
    bytes = (size_t)snprintf(large, sizeof(large), "{\"result\":\"%0*d\"}", LARGE_BYTES, 0);
    assert_int_equal(cm_run_answer(job->run, job->open[0], "{\"result\":1}", 12), 0);
    assert_int_equal(cm_run_answer(job->run, call->id, large, bytes), 0);
}

/* The second answer is on its way, and half of it read, when the program ends. */
static void an_answer_that_comes_too_late_is_forgotten_whole(void **state)
{
    uint64_t before = workers_so_far();

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct job job = { .code = "() => Promise.race([store.a(), store.b()])",
                           .in_call = answer_both };

        host_run(&host, &job);
        expect_result(&job, "1");
        job_done(&job);
        expect_untouched();
    }
    assert_true(workers_started() == before);
}

/* ---- compiled code ---- */

static void code_that_was_compiled_for_one_program_is_not_run_by_the_next(void **state)
{
    static const char *const rows[][2] = {
        { "() => { const f = (a, b) => a + b; let s = 0;"
          "  for (let i = 0; i < 60000; i++) s = f(s, i) | 0; return s; }",
          "1799970000" },
        { "() => { const f = (a, b) => a * 2 - b; let s = 1;"
          "  for (let i = 0; i < 60000; i++) s = f(s, i) % 1000; return s; }",
          NULL },
        { "() => { const f = (a, b) => a + b; let s = '';"
          "  for (let i = 0; i < 5000; i++) s = f(s, 'x'); return s.length; }",
          "5000" },
        { "() => { const r = /(\\d+)-(\\w)/; let n = 0;"
          "  for (let i = 0; i < 3000; i++) n += r.exec(`${i}-a`)[1].length; return n; }",
          "10890" },
        { "() => { const r = /(\\w)-(\\d+)/; let n = 0;"
          "  for (let i = 0; i < 3000; i++) n += r.exec(`a-${i}`)[2].length; return n; }",
          "10890" },
        { "() => new Intl.NumberFormat('de').format(1234.5)", "\"1.234,5\"" },
    };
    char *first = NULL;
    uint64_t before = workers_so_far();

    (void)state;
    for (size_t i = 0; i < ALTERNATIONS; i++) {
        const char *const *row = rows[i * 7 % CM_ARRAY_LEN(rows)];
        struct job job = { .code = row[0] };

        host_run(&host, &job);
        if (row[1] == NULL && first == NULL)
            first = strdup(cm_run_outcome(job.run)->result);
        expect_result(&job, row[1] == NULL ? first : row[1]);
        job_done(&job);
    }
    free(first);
    assert_true(workers_started() == before);
}

static void arrays_of_all_sizes_are_zero(void **state)
{
    static const char code[] =
        "() => {"
        "  let sum = 0;"
        "  for (let n = 1; n <= 1 << 20; n *= 2) {"
        "    for (const bytes of [new Uint8Array(n), new Uint8Array(n + 7)]) {"
        "      for (let i = 0; i < bytes.length; i++) sum += bytes[i];"
        "      bytes.fill(255);"
        "    }"
        "  }"
        "  return sum;"
        "}";

    (void)state;
    for (int i = 0; i < 10; i++)
        run(code, "0");
}

/* ---- modules, retained executions, one process a program ---- */

static void modules_and_programs_without_alternate(void **state)
{
    static const char *const modules[] = { "a.js", "export const value = 1; globalThis.left = 1;",
                                           "b.cjs", "module.exports = { value: 2 };", NULL };
    uint64_t before = workers_so_far();

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct job job = { .code = "import { value } from 'a.js'; import b from 'b.cjs'\n"
                                   "() => [value, b.value, left]",
                           .modules = modules };

        host_run(&host, &job);
        expect_result(&job, "[1,2,1]");
        job_done(&job);
        for (int j = 0; j < i % 4; j++)
            expect_untouched();
    }
    assert_true(workers_started() - before <= 1); /* and the compiler */
}

static void expect_reply(const char *execution_id, const char *body)
{
    struct cm_fetch request = { .url = "http://a/", .url_bytes = 9, .method = "GET" };
    struct job job = { 0 };
    const struct cm_response *response;

    host_invoke(&host, &job, execution_id, "default", &request);
    host_finish(&host, &job);
    expect_text("error", cm_run_outcome(job.run)->error, NULL);
    response = cm_run_outcome(job.run)->response;
    assert_non_null(response);
    assert_int_equal(response->body_bytes, strlen(body));
    assert_memory_equal(response->body, body, response->body_bytes);
    job_done(&job);
}

static void a_retained_execution_beside_keeps_its_own_memory(void **state)
{
    static const char *const settings[] = {
        "WORKERS_MAX", "2", "WORKERS_IDLE", "1", "PROGRAMS_PER_WORKER", "100000", NULL
    };
    struct host shared = host;
    struct job kept = { .retain_handles = 1,
                        .code = "() => { let n = 0; Array.prototype.left = 1;"
                                "  return () => new Response(`${++n}${[].left}`); }" };
    char id[64];

    (void)state;
    host_open(&host, settings);
    run("() => { globalThis.left = 1; return 1; }", "1");
    host_run(&host, &kept);
    expect_text("error", cm_run_outcome(kept.run)->error, NULL);
    snprintf(id, sizeof(id), "%s", cm_run_outcome(kept.run)->execution_id);
    job_done(&kept);
    for (int i = 1; i <= 20; i++) {
        char wanted[16];

        snprintf(wanted, sizeof(wanted), "%d1", i);
        run(patches[(size_t)i % CM_ARRAY_LEN(patches)], "1");
        expect_reply(id, wanted);
        expect_untouched();
    }
    assert_int_equal(workers_started(), 2);
    assert_int_equal(cm_execution_release(host.executor, id), 0);
    host_close(&host);
    host = shared;
}

static void with_one_program_a_worker_each_has_a_process(void **state)
{
    static const char *const settings[] = {
        "WORKERS_MAX", "1", "WORKERS_IDLE", "1", "PROGRAMS_PER_WORKER", "1", NULL
    };
    struct host shared = host;

    (void)state;
    host_open(&host, settings);
    for (int i = 0; i < 5; i++)
        expect_untouched();
    assert_true(workers_started() >= 5);
    host_close(&host);
    host = shared;
}

static const char *const bounded[] = { "WORKERS_MAX",
                                       "1",
                                       "WORKERS_IDLE",
                                       "1",
                                       "PROGRAMS_PER_WORKER",
                                       "100000",
                                       "CALLS_A_RUN",
                                       "10",
                                       "CONSOLE_LINES",
                                       "20",
                                       NULL };

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_programs_leave_nothing_and_no_memory),
        NEW("Math.random()", "return [Math.random(), Math.random()];"),
        NEW("crypto.randomUUID()", "return crypto.randomUUID();"),
        NEW("crypto.getRandomValues()",
            "return hex(crypto.getRandomValues(new Uint8Array(9000)));"),
        NEW("a key of AES",
            "const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true,"
            "  ['encrypt']); return hex(await subtle.exportKey('raw', key));"),
        NEW("a key of ECDSA", "const { publicKey } = await subtle.generateKey("
                              "  { name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);"
                              "return hex(await subtle.exportKey('raw', publicKey));"),
        NEW("a key of RSA", "const { publicKey } = await subtle.generateKey({ name: 'RSA-OAEP',"
                            "  modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]),"
                            "  hash: 'SHA-256' }, true, ['encrypt', 'decrypt']);"
                            "return hex(await subtle.exportKey('spki', publicKey));"),
        NEW("a signature of ECDSA with one key",
            "const key = await subtle.importKey('jwk', { kty: 'EC', crv: 'P-256',"
            "  x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY',"
            "  y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',"
            "  d: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE' },"
            "  { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);"
            "return hex(await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key,"
            "  new Uint8Array(8)));"),
        NEW("a ciphertext of RSA-OAEP with one key",
            "const key = await subtle.importKey('jwk', { kty: 'RSA', e: 'AQAB', n:"
            "  'yXZsHAIUUq2ZAfDJR3fCxARqpG1yq9dLT-xPynbMIkGlYBDmroDcjjloGD4O'"
            "  + 'B22XUqvBOf3ZWuHn7uEj3tYgT8YWmgo7h5C7SHaJIYC3cxX10RYYNhAvla1Q'"
            "  + '0t89l5cb1WqONtzEw7MFEWKxcu0gAeOSeKPl_B4UXRLHLHC8C0M'"
            " },"
            "  { name: 'RSA-OAEP', hash: 'SHA-1' }, false, ['encrypt']);"
            "return hex(await subtle.encrypt({ name: 'RSA-OAEP' }, key, new Uint8Array(8)));"),
        cmocka_unit_test(the_clocks_are_those_of_the_program),
        cmocka_unit_test(a_worker_that_mapped_or_collected_is_replaced),
        cmocka_unit_test(an_error_leaves_nothing),
        cmocka_unit_test(bounds_begin_anew),
        cmocka_unit_test(a_stack_that_overflowed_is_whole_again),
        cmocka_unit_test(what_was_left_to_come_never_does),
        cmocka_unit_test(a_large_result_is_followed_by_small_ones),
        cmocka_unit_test(an_answer_that_comes_too_late_is_forgotten_whole),
        cmocka_unit_test(code_that_was_compiled_for_one_program_is_not_run_by_the_next),
        cmocka_unit_test(arrays_of_all_sizes_are_zero),
        cmocka_unit_test(modules_and_programs_without_alternate),
        cmocka_unit_test(a_retained_execution_beside_keeps_its_own_memory),
        cmocka_unit_test(with_one_program_a_worker_each_has_a_process),
    };
    static const struct group group = { .name = "snapshot",
                                        .settings = bounded,
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests),
                                        .host = &host };

    return group_main(argc, argv, &group);
}
