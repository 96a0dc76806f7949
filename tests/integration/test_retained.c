/* Retained executions: what is kept, what a handler gets and gives, what belongs to
 * one call, what ends one call and what ends the execution. */
#include "base/cleanup.h"
#include "harness.h"
#include "server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct host host;

/* ---- keeping ---- */

static void start_kept(struct host *on, struct job *job, const char *code)
{
    job->code = code;
    job->retain_handles = 1;
    host_start(on, job);
    host_finish(on, job);
}

/* Runs the program, which must leave a handler; the id is copied. */
static void keep_on(struct host *on, struct job *job, const char *code, char *ret_id)
{
    start_kept(on, job, code);
    expect_result(job, NULL);
    assert_non_null(cm_run_outcome(job->run)->execution_id);
    assert_int_equal(strlen(cm_run_outcome(job->run)->execution_id), 32);
    snprintf(ret_id, 64, "%s", cm_run_outcome(job->run)->execution_id);
    job_done(job);
}

static void keep(const char *code, char *ret_id)
{
    struct job job = { 0 };

    keep_on(&host, &job, code, ret_id);
}

static void expect_handles(const char *code, const char *wanted)
{
    struct job job = { 0 };
    const struct cm_outcome *outcome;
    char handles[1024] = "";

    start_kept(&host, &job, code);
    outcome = cm_run_outcome(job.run);
    expect_result(&job, NULL);
    for (size_t i = 0; i < outcome->handle_count; i++) {
        strcat(handles, outcome->handles[i]);
        strcat(handles, "|");
    }
    expect_text("handles", handles, wanted);
    assert_int_equal(cm_execution_release(host.executor, outcome->execution_id), 0);
    assert_int_equal(cm_execution_release(host.executor, outcome->execution_id), CM_E_STATE);
    job_done(&job);
}

static void a_function_is_the_handle_default(void **state)
{
    (void)state;
    expect_handles("() => async (request) => new Response('x')", "default|");
}

static void methods_of_an_object_are_handles(void **state)
{
    (void)state;
    expect_handles("() => ({ fetch(r) {}, b: () => 1, notOne: 5 })", "fetch|b|");
}

static void methods_of_the_programs_classes_are_handles(void **state)
{
    (void)state;
    expect_handles(
        "() => { class A { base() {} } class B extends A { fetch() {} get x() { throw 1 }"
        " }; return new B() }",
        "fetch|base|");
}

static void what_takes_no_requests_is_an_ordinary_result(void **state)
{
    static const struct {
        const char *code;
        const char *result;
    } rows[] = {
        { "() => 42", "42" },
        { "() => [1, 2]", "[1,2]" },
        { "() => ({ a: 1 })", "{\"a\":1}" },
        { "() => new Date(0)", "\"1970-01-01T00:00:00.000Z\"" },
        { "() => new Map()", "{}" },
        { "() => new Uint8Array([1])", BINARY("Uint8Array", "AQ==") },
        { "() => null", "null" },
        { "() => undefined", NULL },
        { "() => { throw new Error('no') }", NULL },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct job job = { 0 };

        start_kept(&host, &job, rows[i].code);
        expect_text("result", cm_run_outcome(job.run)->result, rows[i].result);
        assert_null(cm_run_outcome(job.run)->execution_id);
        job_done(&job);
    }
}

static void nothing_is_kept_unless_it_was_asked_for(void **state)
{
    struct job job = { .code = "() => ({ fetch() {} })" };

    (void)state;
    host_start(&host, &job);
    host_finish(&host, &job);
    expect_result(&job, "{}");
    assert_null(cm_run_outcome(job.run)->execution_id);
    job_done(&job);
}

static void a_value_that_throws_when_it_is_looked_at_fails_the_run(void **state)
{
    struct job job = { 0 };

    (void)state;
    start_kept(&host, &job, "() => new Proxy({}, { ownKeys() { throw new Error('hidden') } })");
    expect_error(&job, "result", "hidden");
    job_done(&job);
}

static void ids_differ(void **state)
{
    char a[64];
    char b[64];

    (void)state;
    keep("() => () => 1", a);
    keep("() => () => 1", b);
    assert_string_not_equal(a, b);
    assert_int_equal(cm_execution_release(host.executor, a), 0);
    assert_int_equal(cm_execution_release(host.executor, b), 0);
}

/* ---- calling ---- */

static const struct cm_fetch get = { .url = "https://host.example/a?b",
                                     .url_bytes = 24,
                                     .method = "GET" };

static void finish_call(struct host *on, struct job *job, const char *id)
{
    host_invoke(on, job, id, "default", &get);
    host_finish(on, job);
}

static void call(struct job *job, const char *id)
{
    finish_call(&host, job, id);
}

/* "200 OK|name: value|...|body" */
static void expect_response(const struct job *job, const char *wanted)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);
    char text[4096];
    size_t used;

    expect_text("fault", outcome->message, NULL);
    expect_text("error", outcome->error, NULL);
    assert_non_null(outcome->response);
    used = (size_t)snprintf(text, sizeof(text), "%u %s|", outcome->response->status,
                            outcome->response->status_text);
    for (size_t i = 0; i < outcome->response->header_count; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s: %s|",
                                 outcome->response->headers[i].name,
                                 outcome->response->headers[i].value);
    if (outcome->response->body == NULL)
        snprintf(text + used, sizeof(text) - used, "(null)");
    else
        snprintf(text + used, sizeof(text) - used, "%.*s", (int)outcome->response->body_bytes,
                 (const char *)outcome->response->body);
    expect_text("response", text, wanted);
}

static void expect_call(const char *id, const char *wanted)
{
    struct job job = { 0 };

    call(&job, id);
    expect_response(&job, wanted);
    job_done(&job);
}

static void a_handler_gets_a_request_and_gives_a_response(void **state)
{
    static const struct cm_header headers[] = { { "x-a", 3, "1", 1 },
                                                { "Cookie", 6, "c=\xc3\xa9", 4 } };
    static const struct cm_fetch request = { .url = "https://h.example/p?q=1",
                                             .url_bytes = 23,
                                             .method = "POST",
                                             .headers = headers,
                                             .header_count = 2,
                                             .body = "hello",
                                             .body_bytes = 5 };
    struct job job = { 0 };
    char id[64];

    (void)state;
    keep("() => async (r) => new Response([r instanceof Request, r.method, r.url,"
         " r.headers.get('x-a'), r.headers.get('cookie'), await r.text()].join(), { status: 201,"
         " statusText: 'Made', headers: { 'x-b': '2' } })",
         id);
    host_invoke(&host, &job, id, "default", &request);
    host_finish(&host, &job);
    expect_response(&job, "201 Made|x-b: 2|Content-Type: text/plain;charset=UTF-8|"
                          "true,POST,https://h.example/p?q=1,1,c=\u00e9,hello");
    job_done(&job);
    cm_execution_release(host.executor, id);
}

static void state_stays_between_calls(void **state)
{
    char id[64];

    (void)state;
    keep("() => { let n = 0; return () => new Response(String(++n)) }", id);
    expect_call(id, "200 |Content-Type: text/plain;charset=UTF-8|1");
    expect_call(id, "200 |Content-Type: text/plain;charset=UTF-8|2");
    expect_call(id, "200 |Content-Type: text/plain;charset=UTF-8|3");
    cm_execution_release(host.executor, id);
}

static void a_response_without_body_and_one_from_a_stream(void **state)
{
    char id[64];

    (void)state;
    keep("() => { let n = 0; return () => ++n === 1 ? new Response(null, { status: 204 }) :"
         " new Response(new ReadableStream({ start(c) { c.enqueue(new Uint8Array([104, 105]));"
         " c.close() } })) }",
         id);
    expect_call(id, "204 |(null)");
    expect_call(id, "200 |hi");
    cm_execution_release(host.executor, id);
}

static void a_method_is_called_on_its_object(void **state)
{
    struct job job = { 0 };
    char id[64];

    (void)state;
    keep("() => ({ name: 'me', hi() { return new Response(this.name) } })", id);
    host_invoke(&host, &job, id, "hi", &get);
    host_finish(&host, &job);
    expect_response(&job, "200 |Content-Type: text/plain;charset=UTF-8|me");
    job_done(&job);
    cm_execution_release(host.executor, id);
}

static void a_handler_that_throws_fails_its_call_alone(void **state)
{
    struct job job = { 0 };
    char id[64];

    (void)state;
    keep("() => { let n = 0; return () => { if (++n === 1) throw new Error('first'); return new"
         " Response('ok') } }",
         id);
    call(&job, id);
    expect_error(&job, "thrown", "first");
    assert_non_null(cm_run_outcome(job.run)->stack);
    job_done(&job);
    expect_call(id, "200 |Content-Type: text/plain;charset=UTF-8|ok");
    cm_execution_release(host.executor, id);
}

static void what_is_no_response_fails_the_call(void **state)
{
    struct job job = { 0 };
    char id[64];

    (void)state;
    keep("() => () => 'text'", id);
    call(&job, id);
    expect_error(&job, "thrown",
                 "The handle default takes a Request and gives a Response; this one gave something"
                 " else.");
    job_done(&job);
    cm_execution_release(host.executor, id);
}

static void a_handle_that_is_not_there_is_an_invalid_request(void **state)
{
    struct job job = { 0 };
    char sentence[128];
    char id[64];

    (void)state;
    keep("() => () => 1", id);
    host_invoke(&host, &job, id, "other", &get);
    host_finish(&host, &job);
    snprintf(sentence, sizeof(sentence), "Execution %s has no handle \"other\".", id);
    expect_fault(&job, "INVALID_REQUEST", sentence);
    job_done(&job);
    cm_execution_release(host.executor, id);
}

static void a_request_that_is_none_is_an_invalid_request(void **state)
{
    static const struct cm_header header = { "a b", 3, "", 0 };
    static const struct cm_fetch requests[] = {
        { .url = NULL },
        { .url = "x", .url_bytes = 0 },
        { .url = "\xff", .url_bytes = 1 },
        { .url = "http://h/", .url_bytes = 9, .method = "A B" },
        { .url = "http://h/", .url_bytes = 9, .headers = &header, .header_count = 1 },
        { .url = "http://h/", .url_bytes = 9, .header_count = 1 },
    };
    char id[64];

    (void)state;
    keep("() => () => 1", id);
    for (size_t i = 0; i < CM_ARRAY_LEN(requests); i++) {
        struct job job = { 0 };

        host_invoke(&host, &job, id, "default", &requests[i]);
        host_finish(&host, &job);
        expect_text("fault", cm_fault_name(cm_run_outcome(job.run)->fault), "INVALID_REQUEST");
        job_done(&job);
    }
    cm_execution_release(host.executor, id);
}

/* ---- what belongs to one call ---- */

static void calls_run_side_by_side_and_each_has_its_own_lines_and_tools(void **state)
{
    struct job jobs[3] = { { 0 } };
    char id[64];

    (void)state;
    keep("() => { let n = 0; return async () => { const me = ++n; console.log(`${me} begins`);"
         " await store.hold(me); console.log(`${me} goes on`); await new Promise((done) =>"
         " setTimeout(done, 1)); console.log(`${me} ends`); return new Response(String(me)) } }",
         id);
    for (size_t i = 0; i < 3; i++)
        host_invoke(&host, &jobs[i], id, "default", &get);
    for (size_t i = 0; i < 3; i++)
        host_until_calls(&host, &jobs[i], 1);
    for (size_t i = 3; i-- > 0;)
        assert_int_equal(cm_run_answer(jobs[i].run, jobs[i].open[0], "{}", 2), 0);
    for (size_t i = 0; i < 3; i++) {
        char logs[128];
        char response[128];

        host_finish(&host, &jobs[i]);
        snprintf(response, sizeof(response), "200 |Content-Type: text/plain;charset=UTF-8|%zu",
                 i + 1);
        expect_response(&jobs[i], response);
        snprintf(logs, sizeof(logs), "log %zu begins|log %zu goes on|log %zu ends|", i + 1, i + 1,
                 i + 1);
        expect_logs(&jobs[i], logs);
        job_done(&jobs[i]);
    }
    cm_execution_release(host.executor, id);
}

static void what_runs_after_its_call_logs_nowhere_and_calls_nobody(void **state)
{
    struct job job = { 0 };
    char id[64];

    (void)state;
    keep("() => { let late = ''; return async () => { if (late !== '') return new Response(late);"
         " setTimeout(() => { console.log('lost'); store.echo().catch((e) => { late = e.message })"
         " }, 0); return new Response('first') } }",
         id);
    expect_call(id, "200 |Content-Type: text/plain;charset=UTF-8|first");
    for (int i = 0; i < 1000 && job.ends == 0; i++) { /* until the timer has fired */
        call(&job, id);
        if (strncmp(cm_run_outcome(job.run)->response->body, "first", 5) != 0)
            break;
        job_done(&job);
        job = (struct job){ 0 };
    }
    expect_response(&job, "200 |Content-Type: text/plain;charset=UTF-8|No call of this execution is"
                          " under way, so store.echo cannot be called.");
    expect_logs(&job, "");
    job_done(&job);
    cm_execution_release(host.executor, id);
}

static void each_call_has_its_own_console_bound(void **state)
{
    static const char *const settings[] = { "CONSOLE_LINES", "2", NULL };
    struct host small;
    struct job maker = { 0 };
    char id[64];

    (void)state;
    host_open(&small, settings);
    keep_on(&small, &maker,
            "() => () => { for (let i = 0; i < 3; i++) console.log(i); return new Response() }",
            id);
    for (int i = 0; i < 3; i++) {
        struct job job = { 0 };

        finish_call(&small, &job, id);
        expect_logs(&job,
                    "log 0|log 1|warn Console output stopped at its bound of 2 lines. Log less"
                    " per run.|");
        job_done(&job);
    }
    host_close(&small);
}

static void a_call_without_dispatch_cannot_call_tools(void **state)
{
    struct job job = { .deaf = true };
    char id[64];

    (void)state;
    keep("() => () => store.echo().then(() => new Response())", id);
    call(&job, id);
    expect_error(&job, "thrown", "No dispatch function was given, so store.echo cannot be called.");
    job_done(&job);
    expect_call(id, "200 |(null)");
    cm_execution_release(host.executor, id);
}

static void respond(struct job *job, const struct cm_fetch *fetch)
{
    const struct cm_response response = { .status = 200,
                                          .body = fetch->url,
                                          .body_bytes = fetch->url_bytes };

    assert_int_equal(cm_run_respond(job->run, fetch->id, &response), 0);
}

static void a_handler_fetches_through_the_host_of_its_call(void **state)
{
    struct job maker = { .outbound = CM_OUTBOUND_HOST, .in_fetch = respond };
    struct job with = { .in_fetch = respond };
    struct job without = { 0 };
    char id[64];

    (void)state;
    keep_on(&host, &maker,
            "() => async () => new Response((await (await fetch('http://a/')).text()))", id);
    call(&with, id);
    expect_response(&with, "200 |Content-Type: text/plain;charset=UTF-8|http://a/");
    assert_int_equal(with.fetch_count, 1);
    job_done(&with);
    call(&without, id);
    expect_error(&without, "thrown", "No outbound function was given, so nothing can be fetched.");
    job_done(&without);
    cm_execution_release(host.executor, id);
}

static void a_handler_fetches_over_the_network(void **state)
{
    static const char *const settings[] = { "OUTBOUND_MODE", "open", NULL };
    struct host open;
    struct job maker = { 0 };
    struct job jobs[2] = { { 0 } };
    struct server server;
    char code[256];
    char id[64];

    (void)state;
    server_start(&server);
    host_open(&open, settings);
    snprintf(code, sizeof(code), "() => async () => fetch('http://127.0.0.1:%u/text')",
             server.port);
    keep_on(&open, &maker, code, id);
    for (size_t i = 0; i < 2; i++)
        host_invoke(&open, &jobs[i], id, "default", &get);
    for (size_t i = 0; i < 2; i++) {
        host_finish(&open, &jobs[i]);
        assert_memory_equal(cm_run_outcome(jobs[i].run)->response->body, "hello", 5);
        job_done(&jobs[i]);
    }
    host_close(&open);
    server_stop(&server);
}

/* The server sends more only when it is told to, and it is not. */
static void a_body_that_its_call_has_not_read_does_not_come(void **state)
{
    static const char *const settings[] = { "OUTBOUND_MODE", "open", NULL };
    static const char *const answers[] = { "200", "The rest of this response did not come: what "
                                                  "fetched it has ended. Read a response to its "
                                                  "end before that." };
    struct host open;
    struct job maker = { 0 };
    struct server server;
    char code[512];
    char id[64];

    (void)state;
    server_start(&server);
    host_open(&open, settings);
    snprintf(code, sizeof(code),
             "() => { let r; return async () => { if (r === undefined) { r = await"
             " fetch('http://127.0.0.1:%u/held'); return new Response(r.status) }"
             " try { return new Response(await r.text()) }"
             " catch (e) { return new Response(e.message) } } }",
             server.port);
    keep_on(&open, &maker, code, id);
    for (size_t i = 0; i < CM_ARRAY_LEN(answers); i++) {
        const struct cm_response *response;
        struct job job = { 0 };

        host_invoke(&open, &job, id, "default", &get);
        host_finish(&open, &job);
        response = cm_run_outcome(job.run)->response;
        assert_int_equal(response->body_bytes, strlen(answers[i]));
        assert_memory_equal(response->body, answers[i], response->body_bytes);
        job_done(&job);
        if (i == 0)
            server_await_gone(&server);
    }
    host_close(&open);
    server_stop(&server);
}

/* ---- ends ---- */

static void expect_gone(struct host *on, const char *id)
{
    struct job job = { 0 };
    char sentence[128];

    finish_call(on, &job, id);
    snprintf(sentence, sizeof(sentence), "Execution %s is no longer retained.", id);
    expect_fault(&job, "EXECUTION_GONE", sentence);
    job_done(&job);
}

static void a_released_execution_is_gone(void **state)
{
    char id[64];

    (void)state;
    keep("() => () => 1", id);
    assert_int_equal(cm_execution_release(host.executor, id), 0);
    expect_gone(&host, id);
    expect_gone(&host, "never was");
}

static void a_call_that_times_out_ends_the_execution_and_the_other_calls(void **state)
{
    struct job maker = { .timeout_ms = 1000 };
    struct job waiting = { 0 };
    struct job busy = { 0 };
    struct job *timed_out;
    struct job *other;
    char sentence[128];
    char id[64];

    (void)state;
    keep_on(&host, &maker,
            "() => { let n = 0; return async () => { if (++n === 1) await store.silent();"
            " console.log('busy'); for (;;); } }",
            id);
    host_invoke(&host, &waiting, id, "default", &get);
    host_until_calls(&host, &waiting, 1);
    host_invoke(&host, &busy, id, "default", &get);
    host_finish(&host, &busy);
    host_finish(&host, &waiting);
    /* An isolate that computes charges all of its calls: either may be the first. */
    timed_out = cm_run_outcome(busy.run)->fault == CM_FAULT_NONE ? &busy : &waiting;
    other = timed_out == &busy ? &waiting : &busy;
    expect_error(
        timed_out, "timeout",
        "Execution timed out at its 1000 ms bound. Do less work per run and return the part"
        " that is already finished.");
    snprintf(sentence, sizeof(sentence), "Execution %s is no longer retained.", id);
    expect_fault(other, "EXECUTION_GONE", sentence);
    expect_logs(&busy, "log busy|");
    job_done(&busy);
    job_done(&waiting);
    expect_gone(&host, id);
}

static void a_cancelled_call_ends_the_execution(void **state)
{
    struct job job = { 0 };
    char id[64];

    (void)state;
    keep("() => () => store.silent()", id);
    host_invoke(&host, &job, id, "default", &get);
    host_until_calls(&host, &job, 1);
    cm_run_cancel(job.run);
    host_finish(&host, &job);
    expect_fault(&job, "CANCELLED", "The host cancelled the execution.");
    assert_int_equal(job.drop_count, 1);
    job_done(&job);
    expect_gone(&host, id);
}

static void a_call_that_is_given_back_ends_the_execution(void **state)
{
    struct job job = { 0 };
    char id[64];

    (void)state;
    keep("() => () => store.silent()", id);
    host_invoke(&host, &job, id, "default", &get);
    host_until_calls(&host, &job, 1);
    job_done(&job);
    expect_gone(&host, id);
}

static void memory_is_bounded_over_the_whole_life(void **state)
{
    static const char *const settings[] = { "MEMORY_LIMIT_MB", "128", NULL };
    struct host small;
    struct job maker = { 0 };
    struct job job = { 0 };
    char id[64];
    int calls = 0;

    (void)state;
    host_open(&small, settings);
    keep_on(&small, &maker,
            "() => { const all = []; return () => { all.push(new Uint8Array(4 << 20).fill(1));"
            " return new Response(String(all.length)) } }",
            id);
    for (;;) {
        finish_call(&small, &job, id);
        if (cm_run_outcome(job.run)->response == NULL)
            break;
        assert_true(++calls < (128 + 48 + 64) / 4); /* its slack, and what it had to spare */
        job_done(&job);
        job = (struct job){ 0 };
    }
    assert_true(calls > 1);
    expect_text("error", cm_run_outcome(job.run)->error,
                "Execution exceeded its 128 MB memory bound. Hold less data at once and return the"
                " part that is already finished.");
    job_done(&job);
    expect_gone(&small, id);
    host_close(&small);
}

static void an_execution_ends_when_it_has_been_idle_for_long(void **state)
{
    static const char *const settings[] = { "RETAIN_IDLE_MS", "50", NULL };
    struct host hasty;
    struct job maker = { 0 };
    struct cm_stats stats;
    char id[64];

    (void)state;
    host_open(&hasty, settings);
    keep_on(&hasty, &maker, "() => () => 1", id);
    do {
        host_turn(&hasty);
        cm_executor_stats(hasty.executor, &stats);
    } while (stats.retained_live > 0);
    expect_gone(&hasty, id);
    host_close(&hasty);
}

static void executions_end_with_their_isolation_key(void **state)
{
    struct job a = { .key = "a" };
    struct job b = { .key = "b" };
    char of_a[64];
    char of_b[64];

    (void)state;
    keep_on(&host, &a, "() => () => new Response()", of_a);
    keep_on(&host, &b, "() => () => new Response()", of_b);
    cm_executor_release_key(host.executor, "a");
    expect_gone(&host, of_a);
    expect_call(of_b, "200 |(null)");
    cm_executor_release_key(host.executor, "b");
    expect_gone(&host, of_b);
}

static const char one_too_many[] =
    "The executor is overloaded: its bound of 1 on retained executions is reached. "
    "Release one first.";

static void answer_held(struct host *on, struct job *job)
{
    static const char json[] = "{\"result\":null}";

    assert_int_equal(cm_run_answer(job->run, job->open[0], json, strlen(json)), 0);
    host_finish(on, job);
}

static void of_two_at_once_the_first_to_end_is_retained(void **state)
{
    static const char *const settings[] = { "MAX_RETAINED", "1", NULL };
    static const char code[] = "async () => { console.log('it ran'); await store.hold(); "
                               "return () => 1 }";
    struct host one;
    struct job first = { .code = code, .retain_handles = 1 };
    struct job second = { .code = code, .retain_handles = 1 };

    (void)state;
    host_open(&one, settings);
    host_start(&one, &first);
    host_start(&one, &second);
    host_until_calls(&one, &first, 1);
    host_until_calls(&one, &second, 1);
    answer_held(&one, &first);
    expect_result(&first, NULL);
    answer_held(&one, &second);
    expect_fault(&second, "OVERLOADED", one_too_many);
    assert_int_equal(cm_run_outcome(second.run)->log_count, 1);
    job_done(&first);
    job_done(&second);
    host_close(&one);
}

static void at_most_so_many_are_retained(void **state)
{
    static const char *const settings[] = { "MAX_RETAINED", "1", NULL };
    struct host one;
    struct job first = { 0 };
    struct job second = { 0 };
    char id[64];

    (void)state;
    host_open(&one, settings);
    keep_on(&one, &first, "() => () => 1", id);
    start_kept(&one, &second, "() => { console.log('it ran'); return () => 1 }");
    expect_fault(&second, "OVERLOADED", one_too_many);
    assert_int_equal(cm_run_outcome(second.run)->log_count, 0);
    job_done(&second);
    cm_execution_release(one.executor, id);
    second = (struct job){ 0 };
    keep_on(&one, &second, "() => () => 1", id);
    host_close(&one);
}

static void a_disposed_executor_ends_them(void **state)
{
    struct host brief;
    struct job maker = { 0 };
    struct job job = { 0 };
    struct cm_stats stats;
    char id[64];

    (void)state;
    host_open(&brief, NULL);
    keep_on(&brief, &maker, "() => () => 1", id);
    cm_executor_dispose(brief.executor);
    finish_call(&brief, &job, id);
    expect_fault(&job, "INTERNAL", "The pool is shutting down.");
    job_done(&job);
    host_turn(&brief);
    cm_executor_stats(brief.executor, &stats);
    assert_int_equal(stats.retained_live, 0);
    host_close(&brief);
}

/* Of the largest worker of the host, which is the one that has run for long: the others
 * come and go. */
static size_t resident_kb(void)
{
    pid_t pids[PROCESSES_MAX];
    size_t count = host_workers(pids);
    size_t most = 0;

    for (size_t i = 0; i < count; i++) {
        char path[64];
        char line[256];
        size_t kb = 0;
        FILE *file;

        snprintf(path, sizeof(path), "/proc/%d/status", (int)pids[i]);
        file = fopen(path, "re");
        while (file != NULL && fgets(line, sizeof(line), file) != NULL)
            if (sscanf(line, "VmRSS: %zu", &kb) == 1 && kb > most)
                most = kb;
        if (file != NULL)
            fclose(file);
    }
    return most;
}

static void ten_thousand_calls_leave_memory_flat(void **state)
{
    size_t early_kb = 0;
    char id[64];

    (void)state;
    keep("() => async (r) => { await store.echo(1); return new Response('x'.repeat(1000)) }", id);
    for (int i = 0; i < 10000; i++) {
        struct job job = { 0 };

        call(&job, id);
        assert_non_null(cm_run_outcome(job.run)->response);
        job_done(&job);
        if (i == 2000) /* the collector has run, and what is compiled is compiled */
            early_kb = resident_kb();
    }
    if (resident_kb() > early_kb + 8192)
        fail_msg("%zu KB after 2,000 calls, %zu KB after 10,000", early_kb, resident_kb());
    cm_execution_release(host.executor, id);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_is_the_handle_default),
        cmocka_unit_test(methods_of_an_object_are_handles),
        cmocka_unit_test(methods_of_the_programs_classes_are_handles),
        cmocka_unit_test(what_takes_no_requests_is_an_ordinary_result),
        cmocka_unit_test(nothing_is_kept_unless_it_was_asked_for),
        cmocka_unit_test(a_value_that_throws_when_it_is_looked_at_fails_the_run),
        cmocka_unit_test(ids_differ),
        cmocka_unit_test(a_handler_gets_a_request_and_gives_a_response),
        cmocka_unit_test(state_stays_between_calls),
        cmocka_unit_test(a_response_without_body_and_one_from_a_stream),
        cmocka_unit_test(a_method_is_called_on_its_object),
        cmocka_unit_test(a_handler_that_throws_fails_its_call_alone),
        cmocka_unit_test(what_is_no_response_fails_the_call),
        cmocka_unit_test(a_handle_that_is_not_there_is_an_invalid_request),
        cmocka_unit_test(a_request_that_is_none_is_an_invalid_request),
        cmocka_unit_test(calls_run_side_by_side_and_each_has_its_own_lines_and_tools),
        cmocka_unit_test(what_runs_after_its_call_logs_nowhere_and_calls_nobody),
        cmocka_unit_test(each_call_has_its_own_console_bound),
        cmocka_unit_test(a_call_without_dispatch_cannot_call_tools),
        cmocka_unit_test(a_handler_fetches_through_the_host_of_its_call),
        cmocka_unit_test(a_handler_fetches_over_the_network),
        cmocka_unit_test(a_body_that_its_call_has_not_read_does_not_come),
        cmocka_unit_test(a_released_execution_is_gone),
        cmocka_unit_test(a_call_that_times_out_ends_the_execution_and_the_other_calls),
        cmocka_unit_test(a_cancelled_call_ends_the_execution),
        cmocka_unit_test(a_call_that_is_given_back_ends_the_execution),
        cmocka_unit_test(memory_is_bounded_over_the_whole_life),
        cmocka_unit_test(of_two_at_once_the_first_to_end_is_retained),
        cmocka_unit_test(at_most_so_many_are_retained),
        cmocka_unit_test(a_disposed_executor_ends_them),
        cmocka_unit_test(an_execution_ends_when_it_has_been_idle_for_long),
        cmocka_unit_test(executions_end_with_their_isolation_key),
        cmocka_unit_test(ten_thousand_calls_leave_memory_flat),
    };
    static const struct group group = { .name = "retained",
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests),
                                        .local_count = 4,
                                        .host = &host };

    return group_main(argc, argv, &group);
}
