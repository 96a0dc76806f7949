/* fetch, Headers, Request and Response as a program finds them, with a host that
 * answers what the path of the URL says. What the executor does by itself over the
 * network is in test_outbound.c. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct host host;

/* ---- the host ---- */

static struct cm_header header(const char *name, const char *value)
{
    return (struct cm_header){ name, strlen(name), value, strlen(value) };
}

/* "/echo": method, URL, headers and body of the request as text. */
static void echo(struct job *job, const struct cm_fetch *fetch)
{
    const struct cm_header plain = header("content-type", "text/plain");
    struct cm_response response = { .status = 200, .headers = &plain, .header_count = 1 };
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);

    fprintf(to, "%s %s|", fetch->method, fetch->url);
    for (size_t i = 0; i < fetch->header_count; i++)
        fprintf(to, "%s: %s|", fetch->headers[i].name, fetch->headers[i].value);
    if (fetch->body == NULL)
        fprintf(to, "null");
    else
        fwrite(fetch->body, 1, fetch->body_bytes, to);
    fclose(to);
    response.body = text;
    response.body_bytes = bytes;
    assert_int_equal(cm_run_respond(job->run, fetch->id, &response), 0);
    free(text);
}

/* "/302/echo": a redirect of that status to "/echo" of the same host, and
 * "/302//other/echo" to another. */
static void redirect(struct job *job, const struct cm_fetch *fetch, unsigned status, const char *to)
{
    const struct cm_header location = header("location", to);
    const struct cm_response response = { .status = status,
                                          .headers = &location,
                                          .header_count = 1 };

    assert_int_equal(cm_run_respond(job->run, fetch->id, &response), 0);
}

/* "/bytes/N": N bytes "x". */
static void answer_bytes(struct job *job, const struct cm_fetch *fetch, size_t count)
{
    char *body = malloc(count + 1);
    struct cm_response response = { .status = 200, .body = body, .body_bytes = count };

    assert_non_null(body);
    memset(body, 'x', count);
    assert_int_equal(cm_run_respond(job->run, fetch->id, &response), 0);
    free(body);
}

static void on_fetch(struct job *job, const struct cm_fetch *fetch)
{
    const char *path = strchr(strstr(fetch->url, "://") + 3, '/');
    unsigned number;
    int len = 0;

    if (strncmp(path, "/echo", 5) == 0)
        echo(job, fetch);
    else if (sscanf(path, "/bytes/%u", &number) == 1)
        answer_bytes(job, fetch, number);
    else if (sscanf(path, "/status/%u", &number) == 1)
        assert_int_equal(
            cm_run_respond(job->run, fetch->id, &(struct cm_response){ .status = number }), 0);
    else if (sscanf(path, "/%3u%n", &number, &len) == 1 && path[len] == '/')
        redirect(job, fetch, number, path + len);
    /* "/never" is not answered. */
}

/* ---- rows ---- */

#define MESSAGE "const message = (p) => p.then((r) => r.status, (e) => `${e.name}: ${e.message}`);"

static const struct fetch_row {
    const char *name;
    const char *body; /* of an async function */
    const char *result;
} rows[] = {
    /* ---- what a request carries ---- */
    { "a plain request has no headers and no body",
      "return (await fetch('http://h/echo?q#f')).text()", "\"GET http://h/echo?q|null\"" },
    { "method, headers and text reach the host",
      "return (await fetch('http://h/echo', { method: 'patch', headers: { A: '1', b: '2' },"
      " body: 'hi' })).text()",
      "\"patch http://h/echo|A: 1|b: 2|Content-Type: text/plain;charset=UTF-8|hi\"" },
    { "common methods are written in capitals",
      "return (await fetch('http://h/echo', { method: 'post' })).text()",
      "\"POST http://h/echo|null\"" },
    { "headers that a request may not set are left out",
      "return (await fetch('http://h/echo', { headers: { Host: 'x', cookie: 'c', 'sec-x': '1',"
      " 'proxy-x': '1', ok: 'y' } })).text()",
      "\"GET http://h/echo|ok: y|null\"" },
    { "a form of URLSearchParams is a body",
      "return (await fetch('http://h/echo', { method: 'POST',"
      " body: new URLSearchParams({ a: 'x y' }) })).text()",
      "\"POST http://h/echo|Content-Type: application/x-www-form-urlencoded;charset=UTF-8|"
      "a=x+y\"" },
    { "a blob is a body, and so is a slice of one",
      "return (await fetch('http://h/echo', { method: 'POST',"
      " body: new Blob(['012345'], { type: 'a/b' }).slice(2, 4, 'c/d') })).text()",
      "\"POST http://h/echo|Content-Type: c/d|23\"" },
    { "a view is a body as the bytes that it shows",
      "return (await fetch('http://h/echo', { method: 'POST',"
      " body: new Uint8Array([64, 65, 66, 67]).subarray(1, 3) })).text()",
      "\"POST http://h/echo|AB\"" },
    { "a stream is read to its end before it is sent",
      "const s = new ReadableStream({ async start(c) { for (const t of ['a', 'b']) {"
      " await null; c.enqueue(new Uint8Array([t.charCodeAt()])) } c.close() } });"
      "return (await fetch('http://h/echo', { method: 'POST', body: s, duplex: 'half' })).text()",
      "\"POST http://h/echo|ab\"" },
    { "a stream without duplex is refused",
      MESSAGE "return message(fetch('http://h/echo', { method: 'POST',"
              " body: new ReadableStream() }))",
      "\"TypeError: Request: a body that is a stream needs the member duplex, which is "
      "\\\"half\\\".\"" },
    { "a stream with a chunk of text makes fetch reject",
      MESSAGE "const s = new ReadableStream({ start(c) { c.enqueue('text'); c.close() } });"
              "return message(fetch('http://h/echo', { method: 'POST', body: s, duplex: 'half' }))",
      "\"TypeError: The body has a chunk that is not a Uint8Array.\"" },
    { "a stream that fails makes fetch reject with its reason",
      MESSAGE "const s = new ReadableStream({ start(c) { c.error(new RangeError('mine')) } });"
              "return message(fetch('http://h/echo', { method: 'POST', body: s, duplex: 'half' }))",
      "\"RangeError: mine\"" },
    { "a form is a multipart body",
      "const f = new FormData(); f.append('a', 'b'); const t = await (await fetch('http://h/echo',"
      " { method: 'POST', body: f })).text(); return /boundary=----formdata-\\w{24}\\|--/.test(t)",
      "true" },
    { "a Request can be fetched, and is used then",
      "const r = new Request('http://h/echo', { method: 'POST', body: 'x' });"
      " const t = await (await fetch(r)).text(); return [t, r.bodyUsed]",
      "[\"POST http://h/echo|Content-Type: text/plain;charset=UTF-8|x\",true]" },
    { "a GET request with a body is refused",
      MESSAGE "return message(fetch('http://h/echo', { body: 'x' }))",
      "\"TypeError: A request with the method GET cannot have a body.\"" },
    { "a relative URL is refused", MESSAGE "return message(fetch('/echo'))",
      "\"TypeError: \\\"/echo\\\" cannot be parsed as a URL.\"" },
    { "a URL with a password is refused", MESSAGE "return message(fetch('http://u:p@h/echo'))",
      "\"TypeError: \\\"http://u:p@h/echo\\\" has credentials, which a request cannot have.\"" },
    { "another scheme is refused",
      MESSAGE "return [await message(fetch('file:///etc/passwd')),"
              " await message(fetch('about:blank'))]",
      "[\"TypeError: fetch does not know the scheme file:.\","
      "\"TypeError: fetch does not know the scheme about:.\"]" },
    { "methods that tunnel are refused",
      MESSAGE "return message(fetch('http://h/echo', { method: 'connect' }))",
      "\"TypeError: The HTTP method connect is not allowed.\"" },

    /* ---- what comes back ---- */
    { "a status without a body has none",
      "const r = await fetch('http://h/status/204'); return [r.status, r.ok, r.body,"
      " await r.text()]",
      "[204,true,null,\"\"]" },
    { "a body is read once",
      MESSAGE "const r = await fetch('http://h/bytes/3'); await r.text();"
              " return [r.bodyUsed, await message(r.text())]",
      "[true,\"TypeError: The body of this Response has been read already, or is locked.\"]" },
    { "a clone has the body once more",
      "const r = await fetch('http://h/bytes/3'); const c = r.clone();"
      " return [await r.text(), await c.text()]",
      "[\"xxx\",\"xxx\"]" },
    { "a body is a stream of bytes",
      "const r = await fetch('http://h/bytes/150000'); let n = 0, chunks = 0;"
      " for await (const c of r.body) { n += c.length; chunks++ }"
      " return [n, chunks > 1, r.bodyUsed]",
      "[150000,true,true]" },
    { "the headers of a response cannot be changed",
      MESSAGE "const r = await fetch('http://h/echo'); return message((async () =>"
              " r.headers.set('a', 'b'))())",
      "\"TypeError: These headers cannot be changed\"" },
    { "fifteen megabytes come in and can be read as bytes",
      "const r = await fetch('http://h/bytes/15000000'); return (await r.bytes()).length",
      "15000000" },

    /* ---- redirects that the host answers with ---- */
    { "a redirect is followed through the host again",
      "const r = await fetch('http://h/302/echo#f'); return [r.url, r.redirected, await r.text()]",
      "[\"http://h/echo\",true,\"GET http://h/echo|null\"]" },
    { "a POST that is found elsewhere becomes a GET",
      "return (await fetch('http://h/302/echo', { method: 'POST', body: 'x',"
      " headers: { a: 'b' } })).text()",
      "\"GET http://h/echo|a: b|null\"" },
    { "a POST that is moved for a while stays one",
      "return (await fetch('http://h/307/echo', { method: 'POST', body: 'x' })).text()",
      "\"POST http://h/echo|Content-Type: text/plain;charset=UTF-8|x\"" },
    { "credentials are not carried to another origin",
      "const o = { headers: { authorization: 'secret' } };"
      " return [await (await fetch('http://h/302/echo', o)).text(),"
      " await (await fetch('http://h/302//other/echo', o)).text()]",
      "[\"GET http://h/echo|authorization: secret|null\",\"GET http://other/echo|null\"]" },
    { "redirect mode error rejects",
      MESSAGE "return message(fetch('http://h/302/echo', { redirect: 'error' }))",
      "\"TypeError: The response is a redirect, and the request does not take one.\"" },
    { "redirect mode manual shows the redirect",
      "const r = await fetch('http://h/302/echo', { redirect: 'manual' });"
      " return [r.type, r.status, r.headers.get('location'), r.url]",
      "[\"opaqueredirect\",302,\"/echo\",\"http://h/302/echo\"]" },
    /* ---- signals ---- */
    { "a signal that has been aborted keeps the request from being made",
      "try { await fetch('http://h/never', { signal: AbortSignal.abort() }) }"
      " catch (e) { return [e.name, e instanceof DOMException] }",
      "[\"AbortError\",true]" },
    { "an abort ends a request that is under way, with its reason",
      "const c = new AbortController(); const p = fetch('http://h/never', { signal: c.signal });"
      " c.abort('why'); try { await p } catch (e) { return e }",
      "\"why\"" },
    { "a timeout ends a request that is under way",
      "try { await fetch('http://h/never', { signal: AbortSignal.timeout(1) }) }"
      " catch (e) { return e.name }",
      "\"TimeoutError\"" },
    { "an abort cancels a body that is still being read",
      "const c = new AbortController(); let canceled; const s = new ReadableStream({"
      " async pull(q) { await null; q.enqueue(new Uint8Array(1)); if (!c.signal.aborted)"
      " c.abort('why') }, cancel(reason) { canceled = reason } });"
      " const e = await fetch('http://h/echo', { method: 'POST', body: s, duplex: 'half',"
      " signal: c.signal }).catch((e) => e); await new Promise((r) => setTimeout(r));"
      " return [e, canceled]",
      "[\"why\",\"why\"]" },
    { "a body whose request is not made is canceled",
      "let canceled; const s = new ReadableStream({ cancel(reason) { canceled = reason } });"
      " await fetch('http://h/echo', { method: 'POST', body: s, duplex: 'half',"
      " signal: AbortSignal.abort('no') }).catch(() => 0); return canceled",
      "\"no\"" },
    { "an abort after the response changes nothing",
      "const c = new AbortController(); const r = await fetch('http://h/bytes/2',"
      " { signal: c.signal }); c.abort(); return r.text()",
      "\"xx\"" },

    /* ---- without a network ---- */
    { "a data: URL is fetched without the host",
      "const r = await fetch('data:text/html;base64,aGk='); return [r.status, r.statusText,"
      " r.headers.get('content-type'), await r.text()]",
      "[200,\"OK\",\"text/html\",\"hi\"]" },

    /* ---- a patched realm ---- */
    { "fetch does not notice a patched realm",
      "const patch = (prototype) => { const keys = Reflect.ownKeys(prototype);"
      " for (let i = 0; i < keys.length; i++) { const k = keys[i];"
      " const d = Reflect.getOwnPropertyDescriptor(prototype, k);"
      " const fail = () => { throw new Error(`patched ${String(k)}`) };"
      " if (k !== 'constructor' && k !== 'text' && d.configurable)"
      " Reflect.defineProperty(prototype, k, d.get ? { get: fail } : { value: fail }) } };"
      " const all = [Headers, Request, Response, Array, String, Map, RegExp, Promise, Uint8Array,"
      " ArrayBuffer, Function, Reflect.getPrototypeOf(Uint8Array)];"
      " for (let i = 0; i < all.length; i++) patch(all[i].prototype);"
      " Reflect.defineProperty(Array.prototype, '0', { set() { throw new Error('setter') } });"
      " const r = await fetch('http://h/302/echo', { method: 'POST', body: 'x' });"
      " return await r.text()",
      "\"GET http://h/echo|null\"" },
};

static void run_row(void **state)
{
    const struct fetch_row *row = *state;
    struct job job = { .outbound = CM_OUTBOUND_HOST, .in_fetch = on_fetch };
    char *code;

    assert_true(asprintf(&code, "async () => { %s }", row->body) > 0);
    job.code = code;
    host_run(&host, &job);
    expect_result(&job, row->result);
    job_done(&job);
    free(code);
}

static void an_aborted_fetch_is_dropped_at_the_host(void **state)
{
    struct job job = {
        .outbound = CM_OUTBOUND_HOST,
        .in_fetch = on_fetch,
        .code = "async () => { const c = new AbortController();"
                " const p = fetch('http://h/never', { signal: c.signal }).catch(() => 0);"
                " await store.x(); c.abort(); await p; await store.x() }",
    };

    (void)state;
    host_run(&host, &job);
    assert_int_equal(job.fetch_count, 1);
    assert_int_equal(job.drop_count, 1);
    job_done(&job);
}

int main(int argc, char **argv)
{
    struct CMUnitTest all[CM_ARRAY_LEN(rows) + 1];
    struct group group = {
        .name = "fetch", .tests = all, .test_count = CM_ARRAY_LEN(all), .host = &host
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        all[i] = (struct CMUnitTest){ .name = rows[i].name,
                                      .test_func = run_row,
                                      .initial_state = (void *)(uintptr_t)&rows[i] };
    all[CM_ARRAY_LEN(rows)] =
        (struct CMUnitTest)cmocka_unit_test(an_aborted_fetch_is_dropped_at_the_host);
    return group_main(argc, argv, &group);
}
