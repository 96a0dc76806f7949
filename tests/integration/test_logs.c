/* The lines that a program writes. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TIMED_OUT(ms)                                              \
    "Execution timed out at its " ms                               \
    " ms bound. Do less work per run and return the part that is " \
    "already finished."

static const struct row rows[] = {
    { .name = "a run without output has no lines", .code = "() => 1", .result = "1", .logs = "" },
    { .name = "each method that writes has its level",
      .code = "() => { console.log('a'); console.warn('b'); console.error('c') }",
      .logs = "log a|warn b|error c|" },
    { .name = "arguments pass through String() and are joined by spaces",
      .code = "async () => { console.log('rows', [1, 2, 3]); console.log({ a: 1 });"
              " console.log(null, undefined, true); console.log(JSON.stringify({ a: 1 }));"
              " console.error(new Error('boom')); return 'done' }",
      .result = "\"done\"",
      .logs = "log rows 1,2,3|log [object Object]|log null undefined true|log {\"a\":1}|"
              "error Error: boom|" },
    { .name = "a call without arguments writes an empty line",
      .code = "() => { console.log() }",
      .logs = "log |" },
    { .name = "format directives are text",
      .code = "() => { console.log('%s %d', 'a', 1) }",
      .logs = "log %s %d a 1|" },
    { .name = "symbols, numbers and functions read as String() says",
      .code = "() => { console.log(Symbol('x'), -0, 1n, () => 1) }",
      .logs = "log Symbol(x) 0 1 () => 1|" },
    { .name = "a line break stays in its line",
      .code = "() => { console.log('a\\nb') }",
      .logs = "log a\nb|" },
    { .name = "a lone surrogate is replaced",
      .code = "() => { console.log('a\\ud800') }",
      .logs = "log a\uFFFD|" },
    { .name = "methods of the console work without it",
      .code = "() => { const { log } = console; log('x') }",
      .logs = "log x|" },
    { .name = "all other methods exist and write nothing",
      .code =
          "() => { for (const name of ['assert', 'clear', 'count', 'countReset', 'debug', 'dir',"
          " 'dirxml', 'group', 'groupCollapsed', 'groupEnd', 'info', 'table', 'time', 'timeEnd',"
          " 'timeLog', 'trace']) console[name](false, 'x') }",
      .logs = "" },
    { .name = "what toString throws in an argument is thrown to the program",
      .code = "() => { try { console.log({ toString() { throw new Error('t') } }) }"
              " catch (e) { return e.message } }",
      .result = "\"t\"" },
    { .name = "lines before a failure are kept",
      .code = "() => { console.log('before'); throw new Error('x') }",
      .error = "x",
      .logs = "log before|" },
    { .name = "lines survive the kill of a run",
      .code = "() => { console.log('a'); console.warn('b'); for (;;); }",
      .timeout_ms = 100,
      .error = TIMED_OUT("100"),
      .failure = "timeout",
      .logs = "log a|warn b|" },
    { .name = "lines survive the kill of an endless chain of microtasks",
      .code = "async () => { console.log('a'); for (;;) await null }",
      .timeout_ms = 100,
      .error = TIMED_OUT("100"),
      .failure = "timeout",
      .logs = "log a|" },
    { .name = "an unhandled rejection is a line and no failure",
      .code = "async () => { Promise.reject(new Error('lost')); await null; return 1 }",
      .result = "1",
      .logs = "error Unhandled rejection: lost|" },
    { .name = "a rejection whose event is canceled is no line",
      .code =
          "async () => { addEventListener('unhandledrejection', (e) => { console.log(e.reason, e."
          "promise instanceof Promise); e.preventDefault() }); Promise.reject(7); await new "
          "Promise((r) => setTimeout(r, 1)); return 1 }",
      .result = "1",
      .logs = "log 7 true|" },
    { .name = "a rejection whose event is not canceled is still a line",
      .code = "async () => { onunhandledrejection = (e) => console.log(e.type); Promise.reject(new "
              "Error('lost')); await new Promise((r) => setTimeout(r, 1)); return 1 }",
      .result = "1",
      .logs = "log unhandledrejection|error Unhandled rejection: lost|" },
    { .name = "a rejection that is handled late is told as well",
      .code = "async () => { onunhandledrejection = (e) => e.preventDefault(); const late = new "
              "Promise((r) => { onrejectionhandled = r }); const p = Promise.reject(7); await new "
              "Promise((r) => setTimeout(r, 1)); p.catch(() => {}); const e = await late; return "
              "[e.type, e.promise === p, e.reason] }",
      .result = "[\"rejectionhandled\",true,7]" },
    { .name = "an exception whose event is canceled is no line",
      .code =
          "async () => { onerror = (message, file, line, column, error) => { console.log(message, "
          "error.message); return true }; setTimeout(() => { throw new Error('late') });"
          " await new Promise((r) => setTimeout(r, 2)); return 1 }",
      .result = "1",
      .logs = "log Uncaught exception: late late|" },
    { .name = "reportError is a line unless its event is canceled",
      .code = "() => { reportError(new Error('one')); const cancel = (e) => e.preventDefault();"
              " addEventListener('error', cancel); reportError(new Error('two'));"
              " removeEventListener('error', cancel); reportError('three') }",
      .logs = "error Uncaught exception: one|error Uncaught exception: three|" },
    { .name = "an exception in a listener is reported and the next one runs",
      .code = "() => { const t = new EventTarget(); t.addEventListener('x', () => { throw new "
              "Error('first') }); t.addEventListener('x', () => console.log('second'));"
              " t.dispatchEvent(new Event('x')) }",
      .logs = "error Uncaught exception: first|log second|" },
    { .name = "a rejection that is handled is no line",
      .code = "async () => { Promise.reject(new Error('lost')).catch(() => {}); return 1 }",
      .result = "1" },
    { .name = "an exception in a timer is a line and no failure",
      .code = "async () => { setTimeout(() => { throw new Error('late') });"
              " await new Promise((resolve) => setTimeout(resolve, 2)); return 1 }",
      .result = "1",
      .logs = "error Uncaught exception: late|" },
    { .name = "an exception in queueMicrotask is a line and no failure",
      .code = "async () => { queueMicrotask(() => { throw 5 }); await null; await null; return 1 }",
      .result = "1",
      .logs = "error Uncaught exception: 5|" },
    { .name = "lines keep their order around a tool call",
      .code = "async () => { console.log(1); await store.a(); console.error(2); await store.b();"
              " console.log(3) }",
      .logs = "log 1|error 2|log 3|" },
};

/* ---- the console bound ---- */

static const struct cm_log *last_line(const struct job *job)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);

    assert_true(outcome->log_count > 0);
    return &outcome->logs[outcome->log_count - 1];
}

static void lines_stop_at_their_bound_with_a_last_line_that_says_so(void **state)
{
    struct job at = { .code = "() => { for (let i = 0; i < 1000; i++) console.log(i) }" };
    struct job above = { .code = "() => { for (let i = 0; i < 3000; i++) console.error(i) }" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &at);
    assert_int_equal(at.live_lines, 1000);
    expect_text("last line", last_line(&at)->text, "999");
    host_run(&host, &above);
    assert_int_equal(above.live_lines, 1001);
    expect_text("last line", last_line(&above)->text,
                "Console output stopped at its bound of 1,000 lines. Log less per run.");
    assert_int_equal(last_line(&above)->level, CM_LEVEL_WARN);
    expect_result(&above, NULL);
    job_done(&at);
    job_done(&above);
    host_close(&host);
}

static void text_stops_at_its_bound_with_a_last_line_that_says_so(void **state)
{
    struct job at = { .code =
                          "() => { for (let i = 0; i < 16; i++) console.log('x'.repeat(65536)) }" };
    struct job above = { .code = "() => { for (let i = 0; i < 16; i++)"
                                 " console.log('x'.repeat(65536)); console.log('y'); return 1 }" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &at);
    assert_int_equal(at.live_lines, 16);
    host_run(&host, &above);
    assert_int_equal(above.live_lines, 17);
    expect_text("last line", last_line(&above)->text,
                "Console output stopped at its bound of 1,048,576 bytes. Log less per run.");
    expect_result(&above, "1");
    job_done(&at);
    job_done(&above);
    host_close(&host);
}

static void one_line_above_the_bound_on_text_is_not_sent(void **state)
{
    static const char *const settings[] = { "CONSOLE_BYTES", "4", NULL };
    struct job job = { .code = "() => { console.log('\\u20ac'); console.log('ab'); return 1 }" };
    struct host host;

    (void)state;
    host_open(&host, settings);
    host_run(&host, &job);
    expect_result(&job, "1");
    expect_logs(
        &job, "log \u20ac|warn Console output stopped at its bound of 4 bytes. Log less per run.|");
    job_done(&job);
    host_close(&host);
}

/* ---- live ---- */

struct heard {
    char order[256];
};

static void note(struct job *job, const char *what)
{
    struct heard *heard = job->user;

    strncat(heard->order, what, sizeof(heard->order) - strlen(heard->order) - 1);
    strncat(heard->order, " ", sizeof(heard->order) - strlen(heard->order) - 1);
}

static void note_line(struct job *job, const struct cm_log *line)
{
    note(job, line->text);
}

static void note_call(struct job *job, const struct cm_call *call)
{
    note(job, call->tool);
    assert_int_equal(cm_run_answer(job->run, call->id, "{}", 2), 0);
}

static void lines_are_heard_live_in_their_place_among_the_calls(void **state)
{
    struct heard heard = { "" };
    struct job job = { .code = "async () => { console.log(1); const a = store.a(); console.log(2);"
                               " await a; console.log(3); await store.b(); console.log(4) }",
                       .in_log = note_line,
                       .in_call = note_call,
                       .user = &heard };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_text("order", heard.order, "1 a 2 3 b 4 ");
    job_done(&job);
    host_close(&host);
}

static void a_line_is_heard_while_the_program_waits_for_its_tool(void **state)
{
    struct job job = { .code = "async () => { console.log('asking'); await store.silent() }" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_start(&host, &job);
    host_until_calls(&host, &job, 1);
    assert_int_equal(job.live_lines, 1);
    assert_null(cm_run_outcome(job.run));
    job_done(&job);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_stop_at_their_bound_with_a_last_line_that_says_so),
        cmocka_unit_test(text_stops_at_its_bound_with_a_last_line_that_says_so),
        cmocka_unit_test(one_line_above_the_bound_on_text_is_not_sent),
        cmocka_unit_test(lines_are_heard_live_in_their_place_among_the_calls),
        cmocka_unit_test(a_line_is_heard_while_the_program_waits_for_its_tool),
    };
    static const struct group group = { .name = "logs",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows),
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests) };

    return group_main(argc, argv, &group);
}
