/* Requests that the executor performs itself, against a server of the test's own:
 * what reaches the server, what comes back, redirects, bounds, the address policy,
 * and what ends them. Then those that the host performs. */
#include "base/cleanup.h"
#include "harness.h"
#include "server.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static size_t threads_started;

/* Instead of the system's, for libcurl too: nothing may start a thread in the host's
 * process. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*run)(void *), void *argument)
{
    (void)thread;
    (void)attributes;
    (void)run;
    (void)argument;
    threads_started++;
    return EAGAIN;
}

static struct server server;
static struct host open_host;   /* OUTBOUND_MODE=open, with small bounds */
static struct host hasty_host;  /* the same with a short time */
static struct host public_host; /* the default */

#define SMALL_LIMIT "100000"

static const char *const open_settings[] = {
    "OUTBOUND_MODE", "open", "OUTBOUND_LIMIT_BYTES", SMALL_LIMIT, "FETCHES_IN_FLIGHT", "100", NULL
};

static const char *const hasty_settings[] = { "OUTBOUND_MODE", "open", "OUTBOUND_TIMEOUT_MS", "300",
                                              NULL };

static int open_all(void **state)
{
    (void)state;
    server_start(&server);
    host_open(&open_host, open_settings);
    host_open(&hasty_host, hasty_settings);
    host_open(&public_host, NULL);
    return 0;
}

static int close_all(void **state)
{
    struct host *const hosts[] = { &open_host, &hasty_host, &public_host };

    (void)state;
    hosts_close(hosts, CM_ARRAY_LEN(hosts));
    assert_int_equal(threads_started, 0);
    server_stop(&server);
    return 0;
}

/* The program may use `base`, "http://127.0.0.1:PORT", and `message(promise)`. */
static char *with_base(const char *program)
{
    char *code;

    assert_true(asprintf(&code,
                         "((base) => { const message = (promise) => promise.then((r) => r.status,"
                         " (e) => `${e.name}: ${e.message}`); return %s; })"
                         "('http://127.0.0.1:%u')",
                         program, server.port) > 0);
    return code;
}

static void start(struct host *host, struct job *job, const char *program)
{
    CM_AUTO_FREE char *code = with_base(program);

    job->code = code;
    host_start(host, job);
    job->code = NULL;
}

static void expect_run(struct host *host, const char *program, const char *result)
{
    struct job job = { 0 };

    start(host, &job, program);
    host_finish(host, &job);
    expect_result(&job, result);
    job_done(&job);
}

/* ---- rows ---- */

#define REFUSED(host) "Outbound requests to " host " are not allowed from this executor."

static const struct outbound_row {
    const char *name;
    struct host *host;
    const char *program;
    const char *result;
} rows[] = {
    { "a port of another protocol is not connected to, whatever the mode", &open_host,
      "() => message(fetch('http://127.0.0.1:25/'))",
      "\"TypeError: Outbound requests do not go to port 25 of 127.0.0.1: it is not one of web"
      " servers.\"" },
    { "a response has its status, headers, URL and body", &open_host,
      "async () => { const r = await fetch(base + '/text'); return [r.status, r.statusText,"
      " r.headers.get('x-a'), r.headers.get('x-latin'), r.url === base + '/text', await r.text()] "
      "}",
      "[200,\"Fine \u00e9\",\"1, 2\",\"caf\u00e9\",true,\"hello\"]" },
    { "a plain request says who asks and nothing of the host", &open_host,
      "async () => (await (await fetch(base + "
      "'/echo')).text()).toLowerCase().trim().split('\\r\\n')"
      ".filter((line) => !/^(host|accept-encoding):/.test(line))"
      ".map((line) => line.replace(/codemode-executor\\/.*/, 'codemode-executor')).sort()",
      "[\"accept: */*\",\"get /echo http/1.1\",\"user-agent: codemode-executor\"]" },
    { "method, headers and body reach the server", &open_host,
      "async () => { const text = await (await fetch(base + '/echo', { method: 'PATCH', headers:"
      " { 'x-b': 'caf\\u00e9', 'content-type': 'text/x', 'user-agent': 'me' }, body: 'abc' "
      "})).text();"
      " return [/^PATCH /.test(text), text.includes('x-b: caf\\u00c3'),"
      " text.includes('content-type: text/x'), text.includes('user-agent: me'),"
      " /content-length: 3/i.test(text), text.endsWith('\\r\\n\\r\\nabc')] }",
      "[true,false,true,true,true,true]" },
    { "a body of no bytes says so", &open_host,
      "async () => /content-length: 0/i.test(await (await fetch(base + '/echo', { method: 'POST' "
      "}))"
      ".text())",
      "true" },
    { "a HEAD request has headers and no body", &open_host,
      "async () => { const r = await fetch(base + '/bytes/9', { method: 'HEAD' });"
      " return [r.status, r.headers.get('content-length'), await r.text()] }",
      "[200,\"9\",\"\"]" },
    { "compressed bodies are decoded", &open_host,
      "async () => { const r = await fetch(base + '/gzip'); return [await r.text(),"
      " r.headers.get('content-encoding')] }",
      "[\"hello\",\"gzip\"]" },
    { "an interim response is not the response", &open_host,
      "async () => { const r = await fetch(base + '/interim'); return [r.status,"
      " r.headers.get('x-early'), await r.text()] }",
      "[200,null,\"hello\"]" },
    { "every status is a response", &open_host,
      "async () => { const all = []; for (const s of [201, 204, 304, 404, 500, 599])"
      " all.push(await message(fetch(base + '/status/' + s))); return all }",
      "[201,204,304,404,500,599]" },
    { "one run reuses its connections", &open_host,
      "async () => { const serial = async () => (await fetch(base + '/serial')).text();"
      " return await serial() === await serial() }",
      "true" },
    { "many requests run at once", &open_host,
      "async () => { const all = await Promise.all(Array.from({ length: 90 }, (_, i) =>"
      " fetch(base + '/bytes/' + i).then((r) => r.text())));"
      " return all.every((text, i) => text.length === i) }",
      "true" },
    { "more than the bound reject, and the rest go on", &open_host,
      "async () => { const all = await Promise.all(Array.from({ length: 102 }, () =>"
      " message(fetch(base + '/text')))); return [...new Set(all)] }",
      "[200,\"TypeError: More than 100 fetches are in flight. Await some before starting "
      "more.\"]" },

    /* ---- redirects ---- */
    { "a redirect is followed, and the URL is the last one", &open_host,
      "async () => { const r = await fetch(base + '/a/relative?a=1');"
      " return [r.status, r.url === base + '/text', await r.text()] }",
      "[200,true,\"hello\"]" },
    { "301 and 302 make POST a GET without its body, 307 and 308 keep both, 303 is GET", &open_host,
      "async () => { const all = []; for (const s of [301, 302, 303, 307, 308]) {"
      " const text = await (await fetch(base + `/to/${s}//echo`, { method: 'POST', body: 'abc',"
      " headers: { 'content-type': 'a/b' } })).text();"
      " all.push([text.split(' ')[0], text.endsWith('abc'), /content-type/i.test(text)].join()) }"
      " return all }",
      "[\"GET,false,false\",\"GET,false,false\",\"GET,false,false\",\"POST,true,true\","
      "\"POST,true,true\"]" },
    { "other methods stay as they are on 301 and 302", &open_host,
      "async () => { const all = []; for (const s of [301, 302, 303]) all.push((await (await"
      " fetch(base + `/to/${s}//echo`, { method: 'PUT', body: 'x' })).text()).split(' ')[0]);"
      " return all }",
      "[\"PUT\",\"PUT\",\"GET\"]" },
    { "redirect mode error rejects", &open_host,
      "() => message(fetch(base + '/to/302//text', { redirect: 'error' }))",
      "\"TypeError: The request to 127.0.0.1 was redirected, and its redirect mode is error.\"" },
    { "a redirect to another scheme is not followed", &open_host,
      "() => message(fetch(base + '/to/302/ftp://127.0.0.1/x'))",
      "\"TypeError: Outbound requests use http or https, and not ftp.\"" },
    { "a redirect to a URL with credentials is not followed", &open_host,
      "() => message(fetch(base + '/to/302/' + base.replace('//', '//user:pass@')))",
      "\"TypeError: The request to 127.0.0.1 was redirected to a URL that cannot be followed.\"" },
    { "at most 20 redirects are followed", &open_host, "() => message(fetch(base + '/loop'))",
      "\"TypeError: The request to 127.0.0.1 was redirected more than 20 times.\"" },
    { "authorization stays with its origin", &open_host,
      "async () => { const headers = { authorization: 'Bearer x', 'x-kept': '1' };"
      " const seen = (text) => ['authorization', 'x-kept'].filter((h) =>"
      " text.includes('\\r\\n' + h + ': '));"
      " const other = base.replace('127.0.0.1', 'localhost');"
      " return [seen(await (await fetch(base + '/to/307//echo', { headers })).text()),"
      " seen(await (await fetch(base + '/to/307/' + other + '/echo', { headers })).text())] }",
      "[[\"authorization\",\"x-kept\"],[\"x-kept\"]]" },
    { "cookies that a server sets are not sent again", &open_host,
      "async () => { await fetch(base + '/text'); return /cookie/i.test(await (await fetch(base +"
      " '/echo')).text()) }",
      "false" },

    /* ---- what goes wrong ---- */
    { "a response above the bound rejects", &open_host,
      "() => message(fetch(base + '/bytes/100001').then((r) => r.text()))",
      "\"TypeError: The response of 127.0.0.1 exceeds the 100,000 byte bound on one response. Ask"
      " for less data.\"" },
    { "a response at the bound is taken", &open_host,
      "async () => (await (await fetch(base + '/bytes/" SMALL_LIMIT "')).text()).length",
      SMALL_LIMIT },
    { "the bound is on the decoded bytes", &open_host,
      "() => message(fetch(base + '/bomb').then((r) => r.text()))",
      "\"TypeError: The response of 127.0.0.1 exceeds the 100,000 byte bound on one response. Ask"
      " for less data.\"" },
    { "a head without end rejects", &open_host, "() => message(fetch(base + '/head'))",
      "\"TypeError: The request to 127.0.0.1 failed: the head of the response is too long.\"" },
    { "a server that does not answer meets the time bound", &hasty_host,
      "() => message(fetch(base + '/silent'))",
      "\"TypeError: The request to 127.0.0.1 reached its 300 ms bound.\"" },
    { "a server that stops in the middle meets the time bound", &hasty_host,
      "() => message(fetch(base + '/stuck').then((r) => r.text()))",
      "\"TypeError: The request to 127.0.0.1 reached its 300 ms bound.\"" },
    { "a server that closes in the middle is an error", &open_host,
      "() => message(fetch(base + '/cut').then((r) => r.text()))",
      "\"TypeError: The request to 127.0.0.1 failed: Transferred a partial file.\"" },
    { "a server that closes at once is an error", &open_host, "() => message(fetch(base + '/die'))",
      "\"TypeError: The request to 127.0.0.1 failed: Server returned nothing (no headers, no"
      " data).\"" },
    { "what is not HTTP is an error", &open_host, "() => message(fetch(base + '/junk'))",
      "\"TypeError: The request to 127.0.0.1 failed: Unsupported protocol.\"" },
    { "a name that does not exist is an error", &open_host,
      "() => message(fetch('http://nothing.invalid/'))",
      "\"TypeError: The request to nothing.invalid failed: its name cannot be resolved.\"" },
    { "an aborted request leaves the other requests alone", &open_host,
      "async () => { const controller = new AbortController(); const p = message(fetch(base +"
      " '/silent', { signal: controller.signal })); await fetch(base + '/text'); "
      "controller.abort();"
      " return [(await p).split(':')[0], await message(fetch(base + '/text'))] }",
      "[\"AbortError\",200]" },
    { "a timeout of the program's own ends its request", &open_host,
      "async () => (await message(fetch(base + '/silent', { signal: AbortSignal.timeout(20) })))"
      ".split(':')[0]",
      "\"TimeoutError\"" },
    { "an error leaves the other requests alone", &open_host,
      "() => Promise.all([message(fetch(base + '/die')), message(fetch(base + '/text'))])"
      ".then((all) => all[1])",
      "200" },
    { "environment of the host names no proxy", &open_host, "() => message(fetch(base + '/text'))",
      "200" },

    /* ---- the policy ---- */
    { "an address that is not public is refused", &public_host,
      "() => Promise.all(['127.0.0.1:9', '10.1.2.3', '169.254.169.254', '[::1]', '0.0.0.0',"
      " '[::ffff:7f00:1]'].map((host) => message(fetch('http://' + host + '/'))))",
      "[\"TypeError: " REFUSED("127.0.0.1") "\",\"TypeError: " REFUSED(
          "10.1.2.3") "\","
                      "\"TypeError: " REFUSED("169.254.169.254") "\",\"TypeError: " REFUSED(
                          "[::1]") "\","
                                   "\"TypeError: " REFUSED("0.0.0.0") "\",\"TypeError: " REFUSED(
                                       "[::ffff:7f00:1]") "\"]" },
    { "an absolute name is the same name", &open_host,
      "() => message(fetch(base.replace('127.0.0.1', 'localhost.') + '/text'))", "200" },
    { "a name is judged by the address that it has", &public_host,
      "() => message(fetch('http://localhost:9/'))", "\"TypeError: " REFUSED("localhost") "\"" },
};

static void run_row(void **state)
{
    const struct outbound_row *row = *state;

    expect_run(row->host, row->program, row->result);
}

/* ---- bounds and ends ---- */

static void a_request_of_the_executor_runs_on_the_run_clock(void **state)
{
    struct job job = { .timeout_ms = 200 };

    (void)state;
    start(&open_host, &job, "async () => { console.log('before'); await fetch(base + '/silent') }");
    host_finish(&open_host, &job);
    expect_error(&job, "timeout",
                 "Execution timed out at its 200 ms bound. Do less work per run and return the "
                 "part that is already finished.");
    expect_logs(&job, "log before|");
    job_done(&job);
}

static void cancelling_a_run_ends_its_requests(void **state)
{
    struct job job = { 0 };

    (void)state;
    start(&open_host, &job,
          "async () => { const all = [fetch(base + '/silent'), fetch('http://localhost:1/')];"
          " await store.silent(); return all }");
    host_until_calls(&open_host, &job, 1);
    cm_run_cancel(job.run);
    host_finish(&open_host, &job);
    expect_fault(&job, "CANCELLED", "The host cancelled the execution.");
    assert_int_equal(job.drop_count, 1); /* the tool call: fetches were not the host's */
    job_done(&job);
}

static void a_run_that_is_given_back_ends_its_requests(void **state)
{
    struct job job = { 0 };

    (void)state;
    start(&open_host, &job, "async () => { fetch(base + '/stuck'); await store.silent() }");
    host_until_calls(&open_host, &job, 1);
    job_done(&job);
    expect_run(&open_host, "() => message(fetch(base + '/text'))", "200");
}

static void a_run_that_ends_first_leaves_no_request_behind(void **state)
{
    struct job job = { 0 };

    (void)state;
    start(&open_host, &job, "async () => { fetch(base + '/silent'); return 1 }");
    host_finish(&open_host, &job);
    expect_result(&job, "1");
    expect_logs(&job, "");
    job_done(&job);
}

static void a_closed_network_rejects_whatever_the_mode(void **state)
{
    struct job job = { .outbound = CM_OUTBOUND_NONE };

    (void)state;
    start(&open_host, &job, "() => message(fetch(base + '/text'))");
    host_finish(&open_host, &job);
    expect_result(&job, "\"TypeError: Outbound network access is disabled for this execution.\"");
    job_done(&job);
}

static void mode_null_closes_the_network(void **state)
{
    static const char *const settings[] = { "OUTBOUND_MODE", "null", NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    expect_run(&host, "() => message(fetch(base + '/text'))",
               "\"TypeError: Outbound network access is disabled for this execution.\"");
    host_close(&host);
}

/* ---- by the host ---- */

static void respond(struct job *job, const struct cm_fetch *fetch)
{
    const struct cm_header headers[] = { { "x-one", 5, "1", 1 }, { "x-two", 5, "\xc3\xa9", 2 } };
    const struct cm_response response = { .status = 201,
                                          .status_text = "Made",
                                          .headers = headers,
                                          .header_count = CM_ARRAY_LEN(headers),
                                          .body = "from the host",
                                          .body_bytes = 13 };

    assert_string_equal(fetch->url, "https://api.internal/ping");
    assert_string_equal(fetch->method, "POST");
    assert_memory_equal(fetch->body, "hi", 2);
    assert_int_equal(fetch->body_bytes, 2);
    assert_string_equal(fetch->headers[0].name, "x-a");
    assert_string_equal(fetch->headers[0].value, "b");
    assert_int_equal(cm_run_respond(job->run, fetch->id, &response), 0);
    assert_int_equal(cm_run_respond(job->run, fetch->id, &response), CM_E_STATE);
}

static void a_request_reaches_the_host_and_its_response_the_program(void **state)
{
    struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = respond };

    (void)state;
    start(&public_host, &job,
          "async () => { const r = await fetch('https://api.internal/ping', { method: 'POST',"
          " headers: { 'x-a': 'b' }, body: 'hi' }); return [r.status, r.statusText, r.url,"
          " r.headers.get('x-one'), r.headers.get('x-two'), await r.text()] }");
    host_finish(&public_host, &job);
    expect_result(&job, "[201,\"Made\",\"https://api.internal/ping\",\"1\",\"\u00e9\","
                        "\"from the host\"]");
    job_done(&job);
}

static void refuse(struct job *job, const struct cm_fetch *fetch)
{
    assert_int_equal(cm_run_refuse(job->run, fetch->id, "policy says no", 14), 0);
}

static void a_host_that_refuses_makes_fetch_reject(void **state)
{
    struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = refuse };

    (void)state;
    start(&public_host, &job, "() => message(fetch('https://api.internal/'))");
    host_finish(&public_host, &job);
    expect_result(&job, "\"TypeError: policy says no\"");
    job_done(&job);
}

static void respond_wrongly(struct job *job, const struct cm_fetch *fetch)
{
    static const struct cm_header newline = { "x", 1, "a\r\nb: c", 7 };
    static const struct cm_header blank = { "x y", 3, "", 0 };
    static const struct cm_response responses[] = {
        { .status = 101 },
        { .status = 600 },
        { .status = 200, .status_text = "a\nb" },
        { .status = 200, .headers = &newline, .header_count = 1 },
        { .status = 200, .headers = &blank, .header_count = 1 },
    };
    const struct cm_response *response = &responses[job->fetch_count - 1];

    assert_int_equal(cm_run_respond(job->run, fetch->id, response), 0);
}

static void a_response_that_is_none_makes_fetch_reject(void **state)
{
    struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = respond_wrongly };

    (void)state;
    start(&public_host, &job,
          "async () => { const all = []; for (let i = 0; i < 5; i++) all.push((await"
          " message(fetch('http://h/'))).replace(/.*not valid: /, '')); return all }");
    host_finish(&public_host, &job);
    expect_result(&job, "[\"its status is not a number from 200 to 599.\","
                        "\"its status is not a number from 200 to 599.\","
                        "\"its status text has a character that none may have.\","
                        "\"the value of a header has a character that none may have.\","
                        "\"the name of a header is not a token.\"]");
    job_done(&job);
}

static void without_a_function_the_sentence_says_so(void **state)
{
    struct job job = { .outbound = CM_OUTBOUND_HOST };

    (void)state;
    start(&public_host, &job, "() => message(fetch('http://h/'))");
    host_finish(&public_host, &job);
    expect_result(&job,
                  "\"TypeError: No outbound function was given, so nothing can be fetched.\"");
    job_done(&job);
}

static void respond_at_once(struct job *job, const struct cm_fetch *fetch)
{
    static const struct cm_response response = { .status = 200, .body = "late", .body_bytes = 4 };

    assert_int_equal(cm_run_respond(job->run, fetch->id, &response), 0);
}

/* The program does not wait, so that the response and the end of the run cross. */
static void a_worker_takes_the_next_program_after_a_response_that_came_too_late(void **state)
{
    struct cm_stats stats;

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = respond_at_once };

        start(&public_host, &job, "() => { fetch('http://h/'); return 1 }");
        host_finish(&public_host, &job);
        expect_result(&job, "1");
        job_done(&job);
    }
    cm_executor_stats(public_host.executor, &stats);
    assert_int_equal(stats.workers_lost, 0);
}

static void keep(struct job *job, const struct cm_fetch *fetch)
{
    assert_true(job->open_count < OPEN_CALLS_MAX);
    job->open[job->open_count++] = fetch->id;
}

static void a_fetch_that_the_run_left_behind_is_dropped(void **state)
{
    static const struct cm_response late = { .status = 200 };
    struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = keep };

    (void)state;
    start(&public_host, &job, "async () => { fetch('http://h/'); await store.echo(); return 1 }");
    host_finish(&public_host, &job);
    expect_result(&job, "1");
    assert_int_equal(job.fetch_count, 1);
    assert_int_equal(job.drop_count, 1);
    assert_int_equal(job.last_drop, job.open[0]);
    assert_int_equal(cm_run_respond(job.run, job.open[0], &late), CM_E_STATE);
    assert_int_equal(cm_run_refuse(job.run, job.open[0], "x", 1), CM_E_STATE);
    job_done(&job);
}

/* Held until a tool call of the program's tells that it has waited long enough:
 * the fetch is answered then. */
static void answer_held(struct job *job, const struct cm_call *call)
{
    static const struct cm_response response = { .status = 200 };

    assert_int_equal(cm_run_respond(job->run, job->open[0], &response), 0);
    assert_int_equal(cm_run_answer(job->run, call->id, "{}", 2), 0);
}

static void calls_and_fetches_of_a_host_share_their_ids(void **state)
{
    struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = keep, .in_call = answer_held };

    (void)state;
    start(
        &public_host, &job,
        "async () => { const p = fetch('http://h/'); await store.go(); return (await p).status }");
    host_finish(&public_host, &job);
    expect_result(&job, "200");
    assert_int_equal(job.open[0], 1);
    job_done(&job);
}

static void hold_then_abort(struct job *job, const struct cm_call *call)
{
    static const struct cm_response late = { .status = 200 };

    if (strcmp(call->tool, "aborted") == 0) {
        assert_int_equal(job->drop_count, 1);
        assert_int_equal(job->last_drop, job->open[0]);
        assert_int_equal(cm_run_respond(job->run, job->open[0], &late), CM_E_STATE);
    }
    assert_int_equal(cm_run_answer(job->run, call->id, "{}", 2), 0);
}

static void a_fetch_that_the_program_aborts_is_dropped(void **state)
{
    struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = keep, .in_call = hold_then_abort };

    (void)state;
    start(&public_host, &job,
          "async () => { const controller = new AbortController();"
          " const p = message(fetch('http://h/', { signal: controller.signal }));"
          " await store.sent(); controller.abort(); await store.aborted(); return p }");
    host_finish(&public_host, &job);
    expect_result(&job, "\"AbortError: The operation was aborted.\"");
    job_done(&job);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_of_the_executor_runs_on_the_run_clock),
        cmocka_unit_test(cancelling_a_run_ends_its_requests),
        cmocka_unit_test(a_run_that_is_given_back_ends_its_requests),
        cmocka_unit_test(a_run_that_ends_first_leaves_no_request_behind),
        cmocka_unit_test(a_closed_network_rejects_whatever_the_mode),
        cmocka_unit_test(mode_null_closes_the_network),
        cmocka_unit_test(a_request_reaches_the_host_and_its_response_the_program),
        cmocka_unit_test(a_host_that_refuses_makes_fetch_reject),
        cmocka_unit_test(a_response_that_is_none_makes_fetch_reject),
        cmocka_unit_test(without_a_function_the_sentence_says_so),
        cmocka_unit_test(a_fetch_that_the_run_left_behind_is_dropped),
        cmocka_unit_test(a_worker_takes_the_next_program_after_a_response_that_came_too_late),
        cmocka_unit_test(calls_and_fetches_of_a_host_share_their_ids),
        cmocka_unit_test(a_fetch_that_the_program_aborts_is_dropped),
    };
    struct CMUnitTest all[CM_ARRAY_LEN(rows) + CM_ARRAY_LEN(tests)];
    struct group group = { .name = "outbound",
                           .tests = all,
                           .test_count = CM_ARRAY_LEN(all),
                           .open = open_all,
                           .close = close_all };

    setenv("http_proxy", "http://127.0.0.1:1/", 1);
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        all[i] = (struct CMUnitTest){ .name = rows[i].name,
                                      .test_func = run_row,
                                      .initial_state = (void *)(uintptr_t)&rows[i] };
    memcpy(&all[CM_ARRAY_LEN(rows)], tests, sizeof(tests));
    return group_main(argc, argv, &group);
}
