/* The bounds of time, stack, messages and calls, and what is left of an executor
 * after one was hit. test_memory.c has the memory bound. No test looks at how long
 * something took: what is asked is which bound ended a run, and what was charged. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TIMED_OUT(ms)                                                                            \
    "Execution timed out at its " ms " ms bound. Do less work per run and return the part that " \
    "is already finished."
#define WALL(ms) \
    "Execution reached its " ms " ms wall bound while waiting on the host. Ask for less per run."

#define TIMES_OUT(what, text)                                                     \
    {                                                                             \
        .name = what, .code = text, .timeout_ms = 100, .error = TIMED_OUT("100"), \
        .failure = "timeout"                                                      \
    }

static const struct row rows[] = {
    TIMES_OUT("a busy loop times out", "() => { for (;;); }"),
    TIMES_OUT("an endless chain of microtasks times out", "async () => { for (;;) await null }"),
    TIMES_OUT("an endless chain of queueMicrotask times out",
              "() => new Promise(() => { const f = () => queueMicrotask(f); f() })"),
    TIMES_OUT("a promise that never settles times out", "() => new Promise(() => {})"),
    TIMES_OUT("a slow regular expression times out", "() => /^(a+)+$/.test('a'.repeat(40) + 'b')"),
    TIMES_OUT("a program that swallows every error times out",
              "() => { for (;;) try { for (;;) null.x } catch {} }"),
    TIMES_OUT("an interval that goes on times out",
              "() => new Promise(() => setInterval(() => {}, 1))"),
    TIMES_OUT("a timer that is pending is charged",
              "() => new Promise((resolve) => setTimeout(resolve, 1e6))"),
    TIMES_OUT("a timer that is pending is charged also beside an open call",
              "() => Promise.all([store.silent(), new Promise((r) => setTimeout(r, 1e6))])"),
    TIMES_OUT("work while a call is open is charged",
              "async () => { store.silent(); await null; for (;;); }"),
    TIMES_OUT("work in the evaluation of the text is charged", "(() => { for (;;); })()"),
    TIMES_OUT("work in toJSON is charged", "() => ({ toJSON() { for (;;); } })"),
    TIMES_OUT("a slow sort times out",
              "() => { for (;;) Array.from({ length: 1e5 }, (_, i) => -i).sort((a, b) => a - b) }"),
    { .name = "the sentence of the run clock has no comma",
      .code = "() => { for (;;); }",
      .timeout_ms = 1000,
      .error = TIMED_OUT("1000"),
      .failure = "timeout" },
    { .name = "a timeout may have a fraction",
      .code = "() => { for (;;); }",
      .timeout_ms = 50.5,
      .error = TIMED_OUT("50.5"),
      .failure = "timeout" },
    { .name = "after a bound the next run works", .code = "() => 1", .result = "1" },
    { .name = "a program may recurse deeply enough for real work",
      .code = "() => { const f = (n) => n === 0 ? 0 : 1 + f(n - 1); return f(5000) }",
      .result = "5000" },
    { .name = "deep data ends in a RangeError and not in a crash",
      .code = "() => { let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a }",
      .error = "call stack size exceeded",
      .engine = true,
      .failure = "result" },
    { .name = "deep JSON text ends in an error and not in a crash",
      .code =
          "() => { try { JSON.parse('['.repeat(1e5)) } catch (e) { return e instanceof Error } }",
      .result = "true" },
};

/* ---- host waits ---- */

/* An executor's turns until so many log lines were heard. */
static void until_lines(struct host *host, struct job *job, size_t count)
{
    while (job->live_lines < count && job->ends == 0)
        host_turn(host);
    assert_int_equal(job->ends, 0);
}

static void free_host_waits_are_not_charged(void **state)
{
    /* The other run's clock tells when more than its own timeout has gone by. */
    struct job job = { .code = "async () => { await store.silent(); return 1 }",
                       .timeout_ms = 200 };
    struct job clock = { .code = "() => new Promise(() => {})", .timeout_ms = 600 };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_start(&host, &job);
    host_until_calls(&host, &job, 1);
    host_run(&host, &clock);
    assert_int_equal(job.ends, 0);
    assert_int_equal(cm_run_answer(job.run, job.open[0], "{}", 2), 0);
    host_finish(&host, &job);
    expect_result(&job, "1");
    assert_true(cm_run_outcome(job.run)->charged_ns < 200 * 1000000ull);
    assert_true(cm_run_outcome(job.run)->wall_ns > 600 * 1000000ull);
    job_done(&job);
    job_done(&clock);
    host_close(&host);
}

static void counted_host_waits_are_charged(void **state)
{
    struct job job = { .code = "() => store.silent()", .timeout_ms = 100, .count_host_waits = 1 };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_error(&job, "timeout", TIMED_OUT("100"));
    assert_int_equal(job.drop_count, 1);
    job_done(&job);
    host_close(&host);
}

static void the_clock_goes_on_after_a_host_wait(void **state)
{
    struct job job = { .code = "async () => { await store.a(); console.log('on'); for (;;); }",
                       .timeout_ms = 1000 };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_error(&job, "timeout", TIMED_OUT("1000"));
    expect_logs(&job, "log on|");
    job_done(&job);
    host_close(&host);
}

static void a_free_wait_ends_at_the_wall_bound(void **state)
{
    static const char *const settings[] = { "MAX_WALL_MS", "1000", NULL };
    struct job job = { .code = "async () => { console.log('x'); await store.silent() }" };
    struct host host;

    (void)state;
    host_open(&host, settings);
    host_run(&host, &job);
    expect_error(&job, "wall", WALL("1,000"));
    expect_logs(&job, "log x|");
    job_done(&job);
    host_close(&host);
}

static void a_cap_on_timeouts_holds_for_every_request(void **state)
{
    static const char *const settings[] = { "MAX_TIMEOUT_MS", "150", "DEFAULT_TIMEOUT_MS", "20000",
                                            NULL };
    struct job asked = { .code = "() => { for (;;); }", .timeout_ms = 60000 };
    struct job silent = { .code = "() => { for (;;); }" };
    struct host host;

    (void)state;
    host_open(&host, settings);
    host_run(&host, &asked);
    expect_error(&asked, "timeout", TIMED_OUT("150"));
    host_run(&host, &silent);
    expect_error(&silent, "timeout", TIMED_OUT("150"));
    job_done(&asked);
    job_done(&silent);
    host_close(&host);
}

/* ---- messages ---- */

static const char *const small_messages[] = { "MESSAGE_LIMIT_BYTES", "2048", NULL };

#define EXCEEDS(what, bytes) \
    what " of " bytes " bytes exceeds the 2,048 byte bound on one message. Return less data."

static void a_result_at_the_ceiling_crosses_and_one_byte_more_does_not(void **state)
{
    struct job at = { .code = "() => 'x'.repeat(2046)" };
    struct job above = { .code = "() => 'x'.repeat(2047)" };
    pid_t before[PROCESSES_MAX];
    pid_t after[PROCESSES_MAX];
    static const char *const settings[] = { "MESSAGE_LIMIT_BYTES", "2048", "WORKERS_MAX", "1",
                                            NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    host_run(&host, &at);
    assert_int_equal(cm_run_outcome(at.run)->result_bytes, 2048);
    assert_int_equal(host_workers(before), 1);
    host_run(&host, &above);
    expect_error(&above, "too_large", EXCEEDS("The result", "2,049"));
    job_done(&at);
    at.ends = 0;
    host_run(&host, &at);
    assert_int_equal(cm_run_outcome(at.run)->result_bytes, 2048);
    assert_int_equal(host_workers(after), 1);
    assert_int_equal(before[0], after[0]); /* the worker stayed */
    job_done(&at);
    job_done(&above);
    host_close(&host);
}

static void large_arguments_reject_the_call_with_their_sentence(void **state)
{
    struct job job = { .code = "async () => { try { await store.listUsers('x'.repeat(3000)) }"
                               " catch (e) { return [e.message, await store.listUsers()] } }" };
    struct host host;

    (void)state;
    host_open(&host, small_messages);
    host_run(&host, &job);
    expect_result(&job,
                  "[\"" EXCEEDS("The arguments of store.listUsers", "3,004") "\",\"listUsers\"]");
    job_done(&job);
    host_close(&host);
}

static void answer_large(struct job *job, const struct cm_call *call)
{
    char json[4096];

    snprintf(json, sizeof(json), "{\"result\":\"%*s\"}", 3000, "x");
    assert_int_equal(cm_run_answer(job->run, call->id, json, strlen(json)), 0);
}

static void a_large_answer_rejects_the_call_with_a_sentence_about_size(void **state)
{
    struct job job = { .code =
                           "async () => { try { await store.x() } catch (e) { return e.message } }",
                       .in_call = answer_large };
    const struct cm_outcome *outcome;
    struct host host;

    (void)state;
    host_open(&host, small_messages);
    outcome = host_run(&host, &job);
    expect_text("error", outcome->error, NULL);
    assert_non_null(
        strstr(outcome->result, "of 3,013 bytes exceeds the 2,048 byte bound on one message."));
    job_done(&job);
    host_close(&host);
}

static void a_program_above_the_ceiling_is_refused(void **state)
{
    char code[4096];
    struct job job = { .code = code };
    struct host host;

    (void)state;
    snprintf(code, sizeof(code), "() => '%*s'", 3000, "x");
    host_open(&host, small_messages);
    host_run(&host, &job);
    expect_text("fault", cm_fault_name(cm_run_outcome(job.run)->fault), "INVALID_REQUEST");
    job_done(&job);
    host_close(&host);
}

static void a_result_above_the_default_ceiling_is_told_in_full(void **state)
{
    static const char *const settings[] = { "MEMORY_LIMIT_MB", "512", NULL };
    struct job job = { .code = "() => 'x'.repeat(41943038)" };
    struct host host;

    (void)state;
    host_open(&host, settings);
    host_run(&host, &job);
    expect_error(&job, "too_large",
                 "The result of 41,943,040 bytes exceeds the 33,554,432 byte bound on one message. "
                 "Return less data.");
    job_done(&job);
    host_close(&host);
}

/* ---- calls ---- */

static void calls_in_flight_have_a_bound(void **state)
{
    static const char *const settings[] = { "CALLS_IN_FLIGHT", "2", NULL };
    struct job job = { .code = "async () => { const a = store.hold(); const b = store.echo(1);"
                               " let m; try { await store.x() } catch (e) { m = e.message }"
                               " await b; return [m, await store.echo(2)] }" };
    struct host host;

    (void)state;
    host_open(&host, settings);
    host_run(&host, &job);
    expect_result(&job,
                  "[\"More than 2 tool calls are in flight. Await some before starting more.\","
                  "[2]]");
    job_done(&job);
    host_close(&host);
}

static void calls_a_run_have_a_bound(void **state)
{
    static const char *const settings[] = { "CALLS_A_RUN", "3", NULL };
    struct job job = { .code = "async () => { let n = 0; try { for (;;) { await store.x(); n++ } }"
                               " catch (e) { return [n, e.message] } }" };
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (int i = 0; i < 2; i++) { /* each run has its own */
        host_run(&host, &job);
        expect_result(&job, "[3,\"This run has made its 3 tool calls. Ask for more per call.\"]");
        job_done(&job);
        job.ends = 0;
    }
    host_close(&host);
}

static void the_default_bounds_on_calls_are_as_documented(void **state)
{
    struct job flight = { .code = "async () => { for (let i = 0; i < 256; i++) store.silent();"
                                  " try { await store.x() } catch (e) { return e.message } }" };
    struct job total = { .code =
                             "async () => { let n = 0; try { for (;;) { await store.x(); n++ } }"
                             " catch (e) { return [n, e.message] } }" };
    const struct cm_outcome *outcome;
    struct host host;

    (void)state;
    host_open(&host, NULL);
    outcome = host_run(&host, &flight);
    expect_text("result", outcome->result,
                "\"More than 256 tool calls are in flight. Await some before starting more.\"");
    host_run(&host, &total);
    expect_result(&total,
                  "[10000,\"This run has made its 10,000 tool calls. Ask for more per call.\"]");
    job_done(&flight);
    job_done(&total);
    host_close(&host);
}

/* ---- cancelling ---- */

static void a_cancelled_run_ends_with_its_fault_and_its_lines(void **state)
{
    struct job busy = { .code = "() => { console.log('x'); for (;;); }" };
    struct job waiting = { .code = "() => store.silent()" };
    struct job next = { .code = "() => 1" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_start(&host, &busy);
    until_lines(&host, &busy, 1);
    host_start(&host, &waiting);
    host_until_calls(&host, &waiting, 1);
    cm_run_cancel(busy.run);
    cm_run_cancel(waiting.run);
    host_finish(&host, &busy);
    host_finish(&host, &waiting);
    expect_fault(&busy, "CANCELLED", "The host cancelled the execution.");
    expect_logs(&busy, "log x|");
    expect_fault(&waiting, "CANCELLED", "The host cancelled the execution.");
    assert_int_equal(waiting.drop_count, 1);
    host_run(&host, &next);
    expect_result(&next, "1");
    job_done(&busy);
    job_done(&waiting);
    job_done(&next);
    host_close(&host);
}

static void a_run_that_hits_a_bound_harms_no_other(void **state)
{
    struct job good = { .code = "async () => { let n = 0; for (let i = 0; i < 50; i++)"
                                " n += (await store.echo(i))[0]; return n }" };
    struct job bad = { .code = "() => { for (;;); }", .timeout_ms = 50 };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_start(&host, &bad);
    host_start(&host, &good);
    host_finish(&host, &good);
    host_finish(&host, &bad);
    expect_result(&good, "1225");
    expect_error(&bad, "timeout", TIMED_OUT("50"));
    job_done(&good);
    job_done(&bad);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_host_waits_are_not_charged),
        cmocka_unit_test(counted_host_waits_are_charged),
        cmocka_unit_test(the_clock_goes_on_after_a_host_wait),
        cmocka_unit_test(a_free_wait_ends_at_the_wall_bound),
        cmocka_unit_test(a_cap_on_timeouts_holds_for_every_request),
        cmocka_unit_test(a_result_at_the_ceiling_crosses_and_one_byte_more_does_not),
        cmocka_unit_test(large_arguments_reject_the_call_with_their_sentence),
        cmocka_unit_test(a_large_answer_rejects_the_call_with_a_sentence_about_size),
        cmocka_unit_test(a_program_above_the_ceiling_is_refused),
        cmocka_unit_test(a_result_above_the_default_ceiling_is_told_in_full),
        cmocka_unit_test(calls_in_flight_have_a_bound),
        cmocka_unit_test(calls_a_run_have_a_bound),
        cmocka_unit_test(the_default_bounds_on_calls_are_as_documented),
        cmocka_unit_test(a_cancelled_run_ends_with_its_fault_and_its_lines),
        cmocka_unit_test(a_run_that_hits_a_bound_harms_no_other),
    };
    static const struct group group = { .name = "bounds",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows),
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests) };

    return group_main(argc, argv, &group);
}
