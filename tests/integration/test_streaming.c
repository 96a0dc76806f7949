/* Bodies of responses that the executor receives itself, while they come: a program
 * has the response when the head is there and reads the rest as the server sends it.
 * The server's next piece waits for a tool call of the program's, which proves that
 * the program has the piece before without anybody sleeping. */
#include "base/cleanup.h"
#include "harness.h"
#include "server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct server server;
static struct host wide_host;   /* OUTBOUND_MODE=open */
static struct host narrow_host; /* the same with a small bound on responses, and few fetches */
static struct host hasty_host;  /* the same with a short time */

static const char *const wide_settings[] = { "OUTBOUND_MODE", "open", "MEMORY_LIMIT_MB", "64",
                                             NULL };
static const char *const narrow_settings[] = {
    "OUTBOUND_MODE", "open", "OUTBOUND_LIMIT_BYTES", "1000000", "FETCHES_IN_FLIGHT", "4", NULL
};
static const char *const hasty_settings[] = { "OUTBOUND_MODE", "open", "OUTBOUND_TIMEOUT_MS",
                                              "1000", NULL };

static int open_all(void **state)
{
    (void)state;
    server_start(&server);
    host_open(&wide_host, wide_settings);
    host_open(&narrow_host, narrow_settings);
    host_open(&hasty_host, hasty_settings);
    return 0;
}

static int close_all(void **state)
{
    struct host *const hosts[] = { &wide_host, &narrow_host, &hasty_host };

    (void)state;
    hosts_close(hosts, CM_ARRAY_LEN(hosts));
    server_stop(&server);
    return 0;
}

/* ---- the tools of a program ---- */

/* step() has the server send its next piece. gone() answers when the server has seen
 * a connection closed, sent() with how many bytes of floods it has sent. */
static void on_call(struct job *job, const struct cm_call *call)
{
    char text[64] = "{}";

    if (strcmp(call->tool, "step") == 0)
        server_step(&server);
    else if (strcmp(call->tool, "gone") == 0)
        server_await_gone(&server);
    else if (strcmp(call->tool, "sent") == 0)
        snprintf(text, sizeof(text), "{\"result\":%zu}", server_sent(&server));
    assert_int_equal(cm_run_answer(job->run, call->id, text, strlen(text)), 0);
}

/* The program may use `base`, "http://127.0.0.1:PORT"; `why(promise)`, what it rejects
 * with as a text, or what it is; `text(chunk)` of bytes; `step()`, `gone()`; and
 * `steps(n, read)`: what read(response) gives of n pieces that come while it reads. */
static char *with_tools(const char *program)
{
    char *code;

    assert_true(
        asprintf(&code,
                 "((base) => { const { step, gone } = store;"
                 " const why = (p) => p.then((v) => v, (e) => e?.name === undefined ? e :"
                 " `${e.name}: ${e.message}`);"
                 " const text = (bytes) => String.fromCharCode(...bytes);"
                 " const steps = async (n, read) => { const r = await fetch(base + '/steps/' + n);"
                 " const p = read(r); for (let i = 0; i < n; i++) await step(); return p };"
                 " return %s; })('http://127.0.0.1:%u')",
                 program, server.port) > 0);
    return code;
}

static void start(struct host *host, struct job *job, const char *program)
{
    CM_AUTO_FREE char *code = with_tools(program);

    job->code = code;
    job->in_call = on_call;
    host_start(host, job);
    job->code = NULL;
}

static void expect_run(struct host *host, const char *program, const char *result)
{
    struct job job = { 0 };

    start(host, &job, program);
    host_finish(host, &job);
    expect_result(&job, result);
    expect_logs(&job, "");
    job_done(&job);
}

/* ---- rows ---- */

static const struct streaming_row {
    const char *name;
    struct host *host;
    const char *program;
    const char *result;
} rows[] = {
    /* ---- while it comes ---- */
    { "a response is there when its head is, and each piece when the server sends it", &wide_host,
      "async () => { const r = await fetch(base + '/steps/2'); const reader = r.body.getReader();"
      " const used = r.bodyUsed; await step(); const a = await reader.read(); await step();"
      " const b = await reader.read(); const c = await reader.read(); await reader.closed;"
      " return [r.status, used, text(a.value), text(b.value), c.done, r.bodyUsed] }",
      "[200,false,\"1\",\"2\",true,true]" },
    { "a reader that waits gets the piece when it comes", &wide_host,
      "async () => { const reader = (await fetch(base + '/steps/2')).body.getReader();"
      " const p = [reader.read(), reader.read(), reader.read()]; const seen = [];"
      " for (let i = 0; i < 2; i++) { await step(); seen.push(text((await p[i]).value)) }"
      " return [seen, (await p[2]).done] }",
      "[[\"1\",\"2\"],true]" },
    { "a loop over the body runs while it comes", &wide_host,
      "async () => { const r = await fetch(base + '/steps/3'); const seen = []; await step();"
      " for await (const c of r.body) { seen.push(text(c)); if (seen.length < 3) await step() }"
      " return seen }",
      "[\"1\",\"2\",\"3\"]" },
    { "a buffer of the program's own is filled as the bytes come", &wide_host,
      "async () => { const r = await fetch(base + '/steps/2');"
      " const reader = r.body.getReader({ mode: 'byob' }); const p = reader.read(new "
      "Uint8Array(8));"
      " await step(); const a = await p; await step(); const b = await reader.read(a.value);"
      " const c = await reader.read(new Uint8Array(8));"
      " return [a.value.buffer.byteLength || b.value.buffer.byteLength, text(b.value), c.done,"
      " c.value.length] }",
      "[8,\"2\",true,0]" },
    { "every way to read all of a body waits for the end of it", &wide_host,
      "async () => [await steps(2, (r) => r.text()), await steps(3, (r) => r.json()),"
      " (await steps(2, (r) => r.arrayBuffer())).byteLength, text(await steps(2, (r) => "
      "r.bytes())),"
      " await (await steps(2, (r) => r.blob())).text(),"
      " [...(await steps(2, (r) => r.formData())).keys()]]",
      "[\"12\",123,2,\"12\",\"12\",[\"12\"]]" },
    { "a body that has come before it is asked for is read", &wide_host,
      "async () => [await steps(2, async (r) => { await step(); await step(); return 0 })]",
      "[0]" },
    { "a text of a body whose stream has been looked at", &wide_host,
      "() => steps(2, (r) => (r.body, r.text()))", "\"12\"" },
    { "a body can be read once", &wide_host,
      "async () => { const r = await fetch(base + '/steps/1'); const p = r.text();"
      " const again = await why(r.text()); const used = r.bodyUsed; const b = r.body;"
      " await step(); return [await p, used, again, b.locked] }",
      "[\"1\",true,\"TypeError: The body of this Response has been read already, or is locked.\","
      "true]" },
    { "a clone has each piece too", &wide_host,
      "() => steps(2, async (r) => { const c = r.clone(); return [await r.text(), await c.text()] "
      "})",
      "[\"12\",\"12\"]" },
    { "both branches of a tee have each piece", &wide_host,
      "() => steps(2, async (r) => { const [a, b] = r.body.tee();"
      " return [await new Response(a).text(), await new Response(b).text(), r.bodyUsed] })",
      "[\"12\",\"12\",true]" },
    { "a body is piped through a stream while it comes", &wide_host,
      "() => steps(2, async (r) => { let t = ''; for await (const s of r.body.pipeThrough("
      "new TextDecoderStream())) t += s; return t })",
      "\"12\"" },
    { "a body is the body of another request", &wide_host,
      "() => steps(2, async (r) => (await (await fetch(base + '/echo', { method: 'POST',"
      " body: r.body, duplex: 'half' })).text()).split('\\r\\n').pop())",
      "\"12\"" },
    { "a response without a body has none", &wide_host,
      "async () => { const r = await fetch(base + '/held', { method: 'HEAD' });"
      " return [r.body, await r.text()] }",
      "[null,\"\"]" },
    { "fifteen megabytes are read as one text", &wide_host,
      "async () => (await (await fetch(base + '/bytes/15000000')).text()).length", "15000000" },
    { "a body that is larger than memory has room for is read piece by piece", &wide_host,
      "async () => { let n = 0; for (let i = 0; i < 8; i++)"
      " for await (const c of (await fetch(base + '/bytes/16000000')).body) n += c.length;"
      " return n }",
      "128000000" },
    { "what a program does to a piece stays with it", &wide_host,
      "async () => { let n = 0; for await (const c of (await fetch(base + '/bytes/3000000')).body)"
      " { n += c.filter((b) => b === 120).length; c.fill(0); structuredClone(c, { transfer:"
      " [c.buffer] }) } return n }",
      "3000000" },

    /* ---- ends before its end ---- */
    { "an abort rejects the reader that waits, and ends the request", &wide_host,
      "async () => { const c = new AbortController();"
      " const r = await fetch(base + '/held', { signal: c.signal });"
      " const reader = r.body.getReader(); const first = text((await reader.read()).value);"
      " const p = why(reader.read()); c.abort(); await gone();"
      " return [first, await p, await why(reader.closed)] }",
      "[\"hello\",\"AbortError: The operation was aborted.\","
      "\"AbortError: The operation was aborted.\"]" },
    { "an abort between two pieces rejects the next read with its reason", &wide_host,
      "async () => { const c = new AbortController();"
      " const r = await fetch(base + '/held', { signal: c.signal });"
      " const reader = r.body.getReader(); await reader.read(); c.abort('why'); await gone();"
      " return why(reader.read()) }",
      "\"why\"" },
    { "an abort rejects who waits for all of a body", &wide_host,
      "async () => { const c = new AbortController();"
      " const r = await fetch(base + '/held', { signal: c.signal }); const p = why(r.text());"
      " c.abort('why'); await gone(); return p }",
      "\"why\"" },
    { "an abort before anybody reads rejects who reads then", &wide_host,
      "async () => { const c = new AbortController(); const get = () => fetch(base + '/held',"
      " { signal: c.signal }); const a = await get(), b = await get(), d = await get();"
      " c.abort('why'); await gone(); await gone(); await gone();"
      " return [await why(a.text()), await why(b.body.getReader().read()),"
      " await why(d.clone().text())] }",
      "[\"why\",\"why\",\"why\"]" },
    { "a timeout ends a response, wherever it is", &wide_host,
      "() => why(fetch(base + '/held', { signal: AbortSignal.timeout(50) }).then((r) => r.text()))",
      "\"TimeoutError: The operation timed out.\"" },
    { "an abort after the last byte changes nothing", &wide_host,
      "async () => { const c = new AbortController();"
      " const r = await fetch(base + '/steps/1', { signal: c.signal }); const p = r.text();"
      " await step(); const t = await p; c.abort(); return t }",
      "\"1\"" },
    { "an abort leaves the bodies of others alone", &wide_host,
      "async () => { const c = new AbortController();"
      " const held = await fetch(base + '/held', { signal: c.signal });"
      " const r = await fetch(base + '/steps/1'); c.abort(); await gone(); const p = r.text();"
      " await step(); return p }",
      "\"1\"" },
    { "to cancel a body ends the request", &wide_host,
      "async () => { const r = await fetch(base + '/held'); await r.body.cancel(); await gone();"
      " return [r.bodyUsed, await why(r.text())] }",
      "[true,\"TypeError: The body of this Response has been read already, or is locked.\"]" },
    { "to cancel a reader that waits ends the request", &wide_host,
      "async () => { const reader = (await fetch(base + '/held')).body.getReader();"
      " await reader.read(); const p = reader.read(); await reader.cancel(); await gone();"
      " return (await p).done }",
      "true" },
    { "to leave a loop over the body ends the request", &wide_host,
      "async () => { for await (const c of (await fetch(base + '/held')).body) { var t = text(c);"
      " break } await gone(); return t }",
      "\"hello\"" },
    { "to cancel both branches of a tee ends the request", &wide_host,
      "async () => { const [a, b] = (await fetch(base + '/held')).body.tee(); const p = a.cancel();"
      " await b.cancel(); await p; await gone(); return 1 }",
      "1" },

    /* ---- what goes wrong in the middle ---- */
    { "the bound on a response is met in the middle of it", &narrow_host,
      "async () => { const r = await fetch(base + '/flood/100000000'); let n = 0;"
      " const e = await why((async () => { for await (const c of r.body) n += c.length })());"
      " await gone(); return [r.status, n > 0 && n <= 1000000, e] }",
      "[200,true,\"TypeError: The response of 127.0.0.1 exceeds the 1,000,000 byte bound on one"
      " response. Ask for less data.\"]" },
    { "the bound on a response is met by who waits for all of it", &narrow_host,
      "async () => { const r = await fetch(base + '/flood/100000000'); const e = await "
      "why(r.text());"
      " await gone(); return [r.status, e] }",
      "[200,\"TypeError: The response of 127.0.0.1 exceeds the 1,000,000 byte bound on one"
      " response. Ask for less data.\"]" },
    { "the bound on time is met in the middle of a body", &hasty_host,
      "async () => { const reader = (await fetch(base + '/held')).body.getReader();"
      " const t = text((await reader.read()).value); const e = await why(reader.read());"
      " await gone(); return [t, e] }",
      "[\"hello\",\"TypeError: The request to 127.0.0.1 reached its 1,000 ms bound.\"]" },
    { "the time in which a body waits for the program is not counted", &hasty_host,
      "async () => { const reader = (await fetch(base + '/flood/100000000')).body.getReader();"
      " await reader.read(); await new Promise((r) => setTimeout(r, 1500)); let n = 0;"
      " while (n < 1000000) n += (await reader.read()).value.length; await reader.cancel();"
      " await gone(); return n >= 1000000 }",
      "true" },
    { "a server that closes in the middle is an error of the body", &wide_host,
      "async () => { const r = await fetch(base + '/cut'); const reader = r.body.getReader();"
      " const t = text((await reader.read()).value); return [r.status, t,"
      " await why(reader.read()), await why(fetch(base + '/cut').then((r) => r.text()))] }",
      "[200,\"hello\",\"TypeError: The request to 127.0.0.1 failed: Transferred a partial file.\","
      "\"TypeError: The request to 127.0.0.1 failed: Transferred a partial file.\"]" },
    { "a body that failed and that nobody reads is no rejection that nobody handles", &wide_host,
      "async () => { const r = await fetch(base + '/cut'); await fetch(base + '/text');"
      " return r.status }",
      "200" },

    /* ---- nobody reads it ---- */
    { "bodies that nobody reads do not keep others from coming", &wide_host,
      "async () => { const all = []; for (let i = 0; i < 100; i++) all.push((await fetch(base +"
      " '/bytes/400000')).status); return [all.length, await (await fetch(base + '/text')).text()] "
      "}",
      "[100,\"hello\"]" },
    { "nor do those that are read in part", &wide_host,
      "async () => { const all = []; for (let i = 0; i < 100; i++) { const reader = (await "
      "fetch(base"
      " + '/bytes/400000')).body.getReader(); await reader.read(); all.push(reader) }"
      " return [all.length, await (await fetch(base + '/text')).text()] }",
      "[100,\"hello\"]" },
    { "nor where few fetches may be in flight", &narrow_host,
      "async () => { const all = []; for (let i = 0; i < 20; i++) all.push((await fetch(base +"
      " '/bytes/900000')).status); return [all.length, await (await fetch(base + '/text')).text()] "
      "}",
      "[20,\"hello\"]" },
    { "any number of responses can be waited for before the first is read", &wide_host,
      "async () => { const all = await Promise.all(Array.from({ length: 100 }, (_, i) =>"
      " fetch(base + '/bytes/' + (400000 + i)))); const sizes = await Promise.all(all.map("
      "async (r) => (await r.bytes()).length)); return sizes.every((n, i) => n === 400000 + i) }",
      "true" },
    { "and be read as streams then", &wide_host,
      "async () => { const all = await Promise.all(Array.from({ length: 100 }, (_, i) =>"
      " fetch(base + '/bytes/' + (400000 + i)))); const sizes = await Promise.all(all.map("
      "async (r) => { let n = 0; for await (const c of r.body) n += c.length; return n }));"
      " return sizes.every((n, i) => n === 400000 + i) }",
      "true" },

    /* ---- a patched realm ---- */
    { "a body that is coming does not notice a patched realm", &wide_host,
      "async () => { const patch = (o) => { const keys = Reflect.ownKeys(o);"
      " for (let i = 0; i < keys.length; i++) { const k = keys[i];"
      " const d = Reflect.getOwnPropertyDescriptor(o, k);"
      " const fail = () => { throw new Error(`patched ${String(k)}`) };"
      " if (typeof k === 'string' && k !== 'constructor' && k !== 'text' && k !== 'body' && k !== "
      "'getReader' &&"
      " k !== 'read' && d.configurable)"
      " Reflect.defineProperty(o, k, d.get ? { get: fail } : { value: fail }) } };"
      " const all = [Response, ReadableStream, ReadableByteStreamController,"
      " ReadableStreamDefaultReader, Array, Map, Promise, Uint8Array, ArrayBuffer, Function,"
      " Reflect.getPrototypeOf(Uint8Array)]; const list = []; const get = (p) => fetch(base + p);"
      " for (let i = 0; i < all.length; i++) patch(all[i].prototype);"
      " Reflect.defineProperty(Array.prototype, '0', { set() { throw new Error('setter') } });"
      " const a = await get('/steps/1'), b = await get('/steps/1'); const p = a.text();"
      " const q = b.body.getReader().read();"
      " await step(); await step(); const { value, done } = await q;"
      " return [await p, value[0], done] }",
      "[\"1\",49,false]" },
};

static void run_row(void **state)
{
    const struct streaming_row *row = *state;

    expect_run(row->host, row->program, row->result);
}

/* ---- ends of a run, and the server's side ---- */

static void a_run_ends_while_a_body_comes_that_nobody_reads(void **state)
{
    (void)state;
    expect_run(&wide_host, "async () => (await fetch(base + '/held')).status", "200");
    server_await_gone(&server);
    expect_run(&wide_host, "async () => { (await fetch(base + '/held')).text(); return 1 }", "1");
    server_await_gone(&server);
}

/* More than the bound on a response, and than sockets hold: a server that were read on
 * would have met the bound long before the program reads on. */
static void a_server_waits_for_a_program_that_does_not_read(void **state)
{
    struct job job = { 0 };
    size_t before = server_sent(&server);

    (void)state;
    start(&wide_host, &job,
          "async () => { const reader = (await fetch(base + '/flood/100000000')).body.getReader();"
          " await reader.read(); for (let i = 0; i < 500; i++) await store.sent();"
          " let n = 0; while (n < 1000000) n += (await reader.read()).value.length;"
          " await reader.cancel(); await gone(); return n >= 1000000 }");
    host_finish(&wide_host, &job);
    expect_result(&job, "true");
    assert_true(server_sent(&server) - before < 16 << 20);
    job_done(&job);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_while_a_body_comes_that_nobody_reads),
        cmocka_unit_test(a_server_waits_for_a_program_that_does_not_read),
    };
    struct CMUnitTest all[CM_ARRAY_LEN(rows) + CM_ARRAY_LEN(tests)];
    struct group group = { .name = "streaming",
                           .tests = all,
                           .test_count = CM_ARRAY_LEN(all),
                           .open = open_all,
                           .close = close_all };

    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        all[i] = (struct CMUnitTest){ .name = rows[i].name,
                                      .test_func = run_row,
                                      .initial_state = (void *)(uintptr_t)&rows[i] };
    memcpy(&all[CM_ARRAY_LEN(rows)], tests, sizeof(tests));
    return group_main(argc, argv, &group);
}
