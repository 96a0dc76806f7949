/* One VM with one realm, and the calls into it. Runs in a worker (the isolate is
 * made in the zygote and inherited). Programs are hostile: what they
 * can reach of the core is runtime/core.js' business, and what that reaches in C
 * is natives.c. */
#include "worker/isolate.h"

#include "base/cleanup.h"
#include "worker/compiler.h"
#include "worker/fetches.h"
#include "worker/linker.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"
#include "worker/parts.h"
#include "worker/surface.h"
#include "worker/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exported by the library, missing in its headers. */
extern void JSGlobalContextSetUnhandledRejectionCallback(JSGlobalContextRef ctx,
                                                         JSObjectRef function,
                                                         JSValueRef *exception);

extern void JSSynchronousGarbageCollectForDebugging(JSContextRef ctx);

/* As runtime/build.mjs writes it. */
extern const char runtime_rare[];

struct isolate {
    struct worker *worker;
    JSContextGroupRef group;
    JSGlobalContextRef ctx;
    JSGlobalContextRef rare_ctx; /* NULL until isolate_rare() */
    JSStringRef url;             /* program.js */
    JSValueRef driving;          /* the core's promise that the run ends; protected */
    struct parts parts;
    struct surface surface;
    struct compiler compiler;
    JSObjectRef keep; /* of runtime/surface/retained.js, protected; NULL: nothing is kept */
    JSObjectRef invoke;
    struct linker linker;
};

/* ---- making and destroying ---- */

JSObjectRef isolate_part(struct isolate *isolate, enum part part)
{
    return parts_get(&isolate->parts, isolate->ctx, isolate->worker, part);
}

static int install_core(struct isolate *isolate)
{
    for (int part = 0; part < PARTS; part++)
        if (isolate_part(isolate, (enum part)part) == NULL)
            return CM_E_NOMEM;
    JSGlobalContextSetUnhandledRejectionCallback(isolate->ctx, isolate->parts.rejected, NULL);
    return 0;
}

JSObjectRef isolate_rare(struct isolate *isolate)
{
    JSObjectRef given;
    JSValueRef value;

    if (isolate->rare_ctx == NULL)
        isolate->rare_ctx = JSGlobalContextCreateInGroup(isolate->group, NULL);
    given = parts_givens(isolate->rare_ctx, isolate->worker);
    value = parts_evaluate(isolate->rare_ctx, runtime_rare, given);
    return value == NULL ? NULL : JSValueToObject(isolate->rare_ctx, value, NULL);
}

struct isolate *isolate_new(struct worker *worker, const struct isolate *same_vm)
{
    struct isolate *isolate = calloc(1, sizeof(*isolate));

    if (isolate == NULL)
        return NULL;
    isolate->worker = worker;
    worker->isolate = isolate;
    isolate->group =
        same_vm == NULL ? JSContextGroupCreate() : JSContextGroupRetain(same_vm->group);
    isolate->ctx = JSGlobalContextCreateInGroup(isolate->group, NULL);
    isolate->url = JSStringCreateWithUTF8CString("program.js");
    if (install_core(isolate) < 0) {
        isolate_free(isolate);
        return NULL;
    }
    return isolate;
}

int isolate_prepare(struct isolate *isolate)
{
    int r = surface_prepare(&isolate->surface, isolate->ctx, isolate->worker,
                            isolate->parts.given[PART_core]);

    return r < 0 ? r : linker_prepare(&isolate->linker, isolate->ctx, isolate->worker);
}

void isolate_learn(struct isolate *isolate, size_t index)
{
    linker_learn(&isolate->linker, isolate->ctx, isolate->worker, index);
}

void isolate_free(struct isolate *isolate)
{
    if (isolate == NULL)
        return;
    parts_done(&isolate->parts, isolate->ctx);
    if (isolate->driving != NULL)
        JSValueUnprotect(isolate->ctx, isolate->driving);
    fetches_done(isolate->worker);
    surface_done(&isolate->surface, isolate->ctx);
    JSStringRelease(isolate->url);
    if (isolate->rare_ctx != NULL)
        JSGlobalContextRelease(isolate->rare_ctx);
    JSGlobalContextRelease(isolate->ctx);
    JSContextGroupRelease(isolate->group);
    free(isolate);
}

/* ---- calls into the realm ---- */

/* A hook throws only when the engine has no memory or stack left for it. Returns
 * what the hook returned, NULL when it threw. */
static JSValueRef call_hook(struct isolate *isolate, JSObjectRef hook, size_t count,
                            const JSValueRef *args)
{
    JSValueRef exception = NULL;
    JSValueRef returned = JSObjectCallAsFunction(isolate->ctx, hook, NULL, count, args, &exception);

    if (exception != NULL)
        natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
    return exception != NULL ? NULL : returned;
}

void isolate_call(struct isolate *isolate, JSObjectRef function, size_t count,
                  const JSValueRef *args)
{
    call_hook(isolate, function, count, args);
}

/* The promise of the core itself rejects only where there was no memory left to
 * say how the program ended. */
void isolate_rejected(struct isolate *isolate, JSValueRef promise, JSValueRef reason)
{
    JSValueRef args[] = { promise, reason };

    if (isolate->driving != NULL && JSValueIsStrictEqual(isolate->ctx, promise, isolate->driving))
        natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
    else
        call_hook(isolate, isolate->parts.rejection, CM_ARRAY_LEN(args), args);
}

/* Installs what has been found in the texts. */
static void install_found(struct isolate *isolate)
{
    struct surface *surface = &isolate->surface;
    JSObjectRef core = isolate->parts.given[PART_core];

    if (surface_lacks(surface) && surface_install(surface, isolate->ctx, isolate->worker, core) < 0)
        natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
}

void isolate_scan(struct isolate *isolate, const char *text, size_t bytes)
{
    surface_scan(&isolate->surface.found, text, bytes);
    install_found(isolate);
}

JSValueRef isolate_module(struct isolate *isolate, const struct module *module,
                          JSValueRef *exception)
{
    const struct lesson *lesson = linker_find(&isolate->linker, module);

    if (lesson == NULL) {
        if (module->kept > 0)
            isolate->worker->kept->states[module->kept - 1] = KEPT_USED;
        isolate_scan(isolate, module->compiled.code, module->compiled.head.code_bytes);
        return natives_module(isolate->ctx, module, exception);
    }
    surface_add(&isolate->surface, &lesson->found);
    install_found(isolate);
    return lesson->code;
}

JSValueRef isolate_intrinsic(struct isolate *isolate, size_t index, JSValueRef *exception)
{
    return surface_intrinsic(&isolate->surface, isolate->ctx, index, exception);
}

/* The functions of runtime/surface/retained.js, made before the program runs; false
 * where there is no memory for them. */
static bool load_retained(struct isolate *isolate)
{
    JSContextRef ctx = isolate->ctx;
    JSObjectRef exports = surface_use(&isolate->surface, ctx, isolate->worker,
                                      isolate->parts.given[PART_core], "retained");

    if (exports == NULL) {
        natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
        return false;
    }
    isolate->keep = natives_get_kept(ctx, exports, "keep");
    isolate->invoke = natives_get_kept(ctx, exports, "invoke");
    return true;
}

void isolate_collect(struct isolate *isolate)
{
    JSSynchronousGarbageCollectForDebugging(isolate->ctx);
}

void isolate_exhausted(struct isolate *isolate)
{
    natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
}

void isolate_invoke(struct isolate *isolate, const struct ipc_invoke *head, const char *texts)
{
    JSContextRef ctx = isolate->ctx;
    const struct ipc_fetch *request = &head->request;
    const char *url = texts + head->handle_bytes + 1;
    const char *method = url + request->url_bytes + 1;
    const char *headers = method + request->method_bytes + 1;
    struct cm_buf body;

    cm_buf_init(&body, SIZE_MAX);
    if (cm_buf_append(&body, headers + request->headers_bytes, request->body_bytes) < 0) {
        isolate_exhausted(isolate);
        return;
    }
    JSValueRef args[] = {
        JSValueMakeNumber(ctx, head->invocation),
        natives_string(ctx, texts),
        natives_string(ctx, url),
        natives_string(ctx, method),
        natives_headers(ctx, headers, request->header_count),
        request->has_body ? natives_adopt(ctx, &body, false) : JSValueMakeNull(ctx),
    };

    call_hook(isolate, isolate->invoke, CM_ARRAY_LEN(args), args);
}

static void start(struct isolate *isolate, JSValueRef program)
{
    JSValueRef args[] = { program, isolate->keep };

    call_hook(isolate, isolate->parts.run, isolate->keep == NULL ? 1 : 2, args);
}

void isolate_driving(struct isolate *isolate, JSValueRef promise)
{
    JSValueProtect(isolate->ctx, promise);
    if (isolate->driving != NULL) /* of the rehearsal */
        JSValueUnprotect(isolate->ctx, isolate->driving);
    isolate->driving = promise;
}

void isolate_answer(struct isolate *isolate, uint32_t call_id, const char *json)
{
    JSValueRef args[] = { JSValueMakeNumber(isolate->ctx, call_id),
                          natives_string(isolate->ctx, json) };

    call_hook(isolate, isolate->parts.answer, CM_ARRAY_LEN(args), args);
}

void isolate_reject(struct isolate *isolate, uint32_t call_id, const char *message)
{
    JSValueRef args[] = { JSValueMakeNumber(isolate->ctx, call_id),
                          natives_string(isolate->ctx, message) };

    call_hook(isolate, isolate->parts.reject, CM_ARRAY_LEN(args), args);
}

void isolate_timer(struct isolate *isolate, uint32_t timer_id)
{
    JSValueRef args[] = { JSValueMakeNumber(isolate->ctx, timer_id) };

    call_hook(isolate, isolate->parts.timer, CM_ARRAY_LEN(args), args);
}

/* ---- a program ---- */

/* The text where one expression is expected, in strict mode. It starts on the
 * first line, so that its own line numbers are the engine's; columns of that line
 * are ISOLATE_PREFIX_CHARS too high. */
static JSStringRef wrapped(struct worker *worker, char open, char close, const char *code,
                           size_t code_bytes)
{
    struct cm_buf *text = &worker->scratch;
    char head[ISOLATE_PREFIX_CHARS + 1];
    char tail[3] = { '\n', close, '\0' };

    snprintf(head, sizeof(head), "'use strict';%c", open);
    cm_buf_consume(text, text->len);
    if (cm_buf_append(text, head, ISOLATE_PREFIX_CHARS) < 0 ||
        cm_buf_append(text, code, code_bytes) < 0 || cm_buf_append(text, tail, sizeof(tail)) < 0)
        return NULL;
    return JSStringCreateWithUTF8CString((const char *)cm_buf_bytes(text));
}

static double line_of(JSContextRef ctx, JSValueRef syntax_error)
{
    JSStringRef key = JSStringCreateWithUTF8CString("line");
    JSObjectRef error = JSValueToObject(ctx, syntax_error, NULL);
    JSValueRef line = error == NULL ? NULL : JSObjectGetProperty(ctx, error, key, NULL);

    JSStringRelease(key);
    return line == NULL ? 1 : JSValueToNumber(ctx, line, NULL);
}

struct compiler *isolate_compiler(struct isolate *isolate)
{
    return &isolate->compiler;
}

int isolate_compile(struct isolate *isolate, enum ipc_kind kind, const char *text, bool typescript)
{
    struct worker *worker = isolate->worker;
    int r = 0;

    if (isolate->compiler.compile == NULL)
        r = compiler_open(&isolate->compiler, isolate->group, worker);
    return r < 0 ? r : compiler_compile(&isolate->compiler, kind, text, typescript, &worker->body);
}

/* What the parser knows of a text that the engine refused at `line`: the column, 0
 * for unknown, and whether it is TypeScript. */
static unsigned column_of(struct isolate *isolate, const char *code, unsigned line,
                          bool *ret_typescript)
{
    struct ipc_compiled head;

    if (isolate_compile(isolate, IPC_KIND_PROGRAM, code, false) < 0)
        return 0;
    memcpy(&head, cm_buf_bytes(&isolate->worker->body), sizeof(head));
    *ret_typescript = head.typescript != 0;
    return head.line == line ? head.column : 0;
}

static unsigned lines_in(const char *code, size_t code_bytes)
{
    unsigned lines = 1;

    for (size_t i = 0; i < code_bytes; i++)
        lines += code[i] == '\n';
    return lines;
}

struct program {
    const char *code;
    size_t bytes;
};

static void append_place(struct isolate *isolate, const char *code, unsigned line)
{
    struct cm_buf *error = &isolate->worker->error;
    bool typescript = false;
    unsigned column = column_of(isolate, code, line, &typescript);
    const char *hint = typescript ? cm_message_text(CM_MSG_TYPESCRIPT) : "";
    bool stopped = error->len > 0 && cm_buf_tail(error)[-1] == '.';
    const char *separator = typescript ? stopped ? " " : ". " : "";
    char columns[32] = "";
    char place[256];

    if (column > 0)
        snprintf(columns, sizeof(columns), ":%u", column);
    snprintf(place, sizeof(place), "%s%s [program.js:%u%s]", separator, hint, line, columns);
    cm_buf_append(error, place, strlen(place));
}

/* The engine's message and our position: "Unexpected token ';' [program.js:1:18]".
 * The line after the text is ours: its bracket is where the text ended too early. */
static void end_with_syntax(struct isolate *isolate, JSValueRef error,
                            const struct program *program, bool escaped)
{
    struct worker *worker = isolate->worker;
    JSStringRef message = JSValueToStringCopy(isolate->ctx, error, NULL);
    unsigned text_lines = lines_in(program->code, program->bytes);
    double error_line = line_of(isolate->ctx, error);
    bool at_end = error_line > text_lines;
    unsigned line = at_end ? text_lines : (unsigned)error_line;
    char text[1024];
    char *start = text;
    char *hint;

    if (message == NULL || JSStringGetUTF8CString(message, text, sizeof(text)) == 0)
        text[0] = '\0';
    if (message != NULL)
        JSStringRelease(message);
    if (strncmp(text, "SyntaxError: ", 13) == 0)
        start += 13;
    hint = strstr(start, escaped ? ". Expected" : ". Expected ')' to end a compound");
    if (hint != NULL)
        *hint = '\0'; /* it speaks of our brackets */
    natives_end(worker, CM_FAILURE_SYNTAX, at_end ? "Unexpected end of input" : start);
    append_place(isolate, program->code, line);
}

/* The syntax error of the text between these brackets; NULL when it has none. */
static JSValueRef syntax_error(struct isolate *isolate, const struct program *program, char open,
                               char close)
{
    JSStringRef source = wrapped(isolate->worker, open, close, program->code, program->bytes);
    JSValueRef error = NULL;

    if (source == NULL) /* what comes next meets the same end and reports it */
        return NULL;
    JSCheckScriptSyntax(isolate->ctx, source, isolate->url, 1, &error);
    JSStringRelease(source);
    return error;
}

/* Ends the run when the text between parentheses does not parse. */
static bool end_if_syntax(struct isolate *isolate, const struct program *program)
{
    JSValueRef error = syntax_error(isolate, program, '(', ')');

    if (error != NULL)
        end_with_syntax(isolate, error, program, false);
    return error != NULL;
}

/*
 * Ends the run when the text is not one expression. Between parentheses alone a
 * text such as "1); (() => 2" passes as well; between brackets its first unmatched
 * closer does not fit, and what fits both is balanced. Whether it fits between
 * parentheses shows when it is evaluated.
 */
static bool end_if_unbalanced(struct isolate *isolate, const struct program *program)
{
    JSValueRef error = syntax_error(isolate, program, '[', ']');

    if (error == NULL)
        return false;
    if (!end_if_syntax(isolate, program))
        end_with_syntax(isolate, error, program, true);
    return true;
}

static void install_providers(struct isolate *isolate, JSObjectRef scope, const char *names,
                              uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        JSValueRef args[] = { scope, natives_string(isolate->ctx, names) };

        call_hook(isolate, isolate->parts.install, CM_ARRAY_LEN(args), args);
        names += strlen(names) + 1;
    }
}

/* `scope` has the providers, and is `this` of the program. */
static void run_in(struct isolate *isolate, JSObjectRef scope, const char *providers,
                   uint32_t provider_count, const char *code, size_t code_bytes)
{
    struct program program = { code, code_bytes };
    struct worker *worker = isolate->worker;
    JSValueRef exception = NULL;
    JSValueRef value;
    JSStringRef source;

    isolate_scan(isolate, code, code_bytes);
    if (worker->done.set)
        return;
    install_providers(isolate, scope, providers, provider_count);
    if ((worker->run.flags & IPC_RUN_RETAIN) != 0 && !load_retained(isolate))
        return;
    if (worker->modules.count > 0) {
        start(isolate, isolate->linker.run);
        return;
    }
    if (end_if_unbalanced(isolate, &program))
        return;
    source = wrapped(worker, '(', ')', code, code_bytes);
    if (source == NULL) {
        natives_end(worker, CM_FAILURE_MEMORY, NULL);
        return;
    }
    value = JSEvaluateScript(isolate->ctx, source, scope, isolate->url, 1, &exception);
    JSStringRelease(source);
    if (exception == NULL)
        start(isolate, value);
    else if (!end_if_syntax(isolate, &program))
        call_hook(isolate, isolate->parts.thrown, 1, &exception);
}

void isolate_run(struct isolate *isolate, const char *providers, uint32_t provider_count,
                 const char *code, size_t code_bytes)
{
    run_in(isolate, JSContextGetGlobalObject(isolate->ctx), providers, provider_count, code,
           code_bytes);
}

/* ---- programs of ours ---- */

static const char *answer_to(uint32_t call)
{
    static const char rows[] = "{\"result\":{\"rows\":[{\"id\":1},{\"id\":2}]}}";
    static const char *const results[] = { "{\"result\":1}", "{\"result\":\"x\"}", rows, rows };

    if (call == 1)
        return "{\"error\":{\"message\":\"m\",\"name\":\"n\"}}";
    return results[call % CM_ARRAY_LEN(results)];
}

/* The answer to a call, or a timer, of a program of ours. False: it waits for none. */
static bool go_on(struct isolate *isolate, uint32_t *answered)
{
    struct worker *worker = isolate->worker;
    uint32_t timer;

    if (*answered < worker->last_call) {
        ++*answered;
        isolate_answer(isolate, *answered, answer_to(*answered));
        return true;
    }
    if (!timers_take(&worker->timers, UINT64_MAX, UINT64_MAX, &timer))
        return false;
    isolate_timer(isolate, timer);
    return true;
}

/* A run of ours, whose end and output go nowhere, and whose provider is `this.store`. */
static void rehearse(struct isolate *isolate, const char *code)
{
    JSObjectRef scope = JSObjectMake(isolate->ctx, NULL, NULL);
    struct worker *worker = isolate->worker;
    uint32_t answered = 0;

    worker->quiet = true;
    worker->run = (struct ipc_run){ .flags = IPC_RUN_DISPATCH,
                                    .calls_in_flight = UINT32_MAX,
                                    .calls_a_run = UINT32_MAX,
                                    .console_lines = UINT32_MAX,
                                    .outbound = IPC_OUTBOUND_CLOSED,
                                    .fetches_in_flight = 1,
                                    .console_bytes = UINT32_MAX,
                                    .message_limit_bytes = UINT32_MAX };
    run_in(isolate, scope, "store", 1, code, strlen(code));
    while (!worker->done.set && (fetches_tell_refused(worker) || go_on(isolate, &answered)))
        continue;
    worker_reset_run(worker);
    worker->quiet = false;
}

void isolate_warm(struct isolate *isolate)
{
    rehearse(isolate, "async () => 1");
}

/* So often that the engine has optimised what calls and log lines run through, for
 * values of every kind; else each program would have it optimised anew. */
void isolate_exercise(struct isolate *isolate)
{
    rehearse(isolate, "async () => {"
                      "  for (let i = 0; i < 400; i++) {"
                      "    try {"
                      "      await this.store.list({ id: i, name: 'x' });"
                      "      await this.store.get(i, 'x');"
                      "      await this.store.find(['a', true, null]);"
                      "      await this.store.count();"
                      "      console.log('a', i);"
                      "    } catch {}"
                      "  }"
                      "}");
}

/* What programs do, for the engine to load and compile what they need of the language,
 * of the core and of the surface. What it has compiled belongs to the VM. */
static const char *const rehearsals[] = {
    "async () => {"
    "  new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1.5);"
    "  new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(0);"
    "  new Date(2020, 1, 1).toLocaleString();"
    "  ['b', 'a'].sort(new Intl.Collator('en').compare);"
    "  /(?<y>\\d+)-\\p{L}/u.exec('2020-a');"
    "  'a\\u0301'.normalize('NFC').toLocaleUpperCase('tr');"
    "  return JSON.parse(JSON.stringify({ a: [1, 'x'] }));"
    "}",
    "async () => {"
    "  console.log('a', { b: [1, null, true] });"
    "  try { await this.store.refuse(); } catch (error) { console.error(error); }"
    "  const { rows } = await this.store.list({ a: 1, b: 'x' });"
    "  await Promise.all(rows.map((row) => this.store.get(row.id)));"
    "  await Promise.allSettled([1, Promise.reject(new Error('e'))]);"
    "  await new Promise((resolve) => setTimeout(resolve, 0));"
    "  const byId = new Map(rows.map((row) => [row.id, row]));"
    "  const sums = rows.filter(({ id }) => id > 0).reduce((sum, { id }) => sum + id, 0);"
    "  for (const [key, value] of Object.entries({ a: 1 })) byId.set(key, value);"
    "  for await (const x of rows) new Set([x]).add(Math.random());"
    "  return { sums, rows: [...byId.keys()].sort(), at: new Date(0), text: `${sums}`.split('') };"
    "}",
    "async () => { throw new TypeError('m'); }",
    "async () => { return { f() {} }; }",
    "() => { null.x; }",
    /* The allocator reserves another 64 MB for the first of these, once: here, where that
     * does not count against a program's memory. */
    "async () => {"
    "  const url = new URL('/a?b=1#c', 'http://a/');"
    "  url.searchParams.append('k', 'v');"
    "  const signal = AbortSignal.timeout(0);"
    "  try { await fetch(url, { headers: { a: 'b' }, signal }); } catch {}"
    "  const response = new Response(JSON.stringify({ a: 1 }), { headers: [['a', 'b']] });"
    "  const request = new Request(url, { method: 'POST', body: 'x' });"
    "  const bytes = new TextEncoder().encode(await request.text());"
    "  new TextDecoder().decode(await crypto.subtle.digest('SHA-256', bytes));"
    "  new Headers(response.headers).get('a');"
    "  await response.json();"
    "  atob(btoa('a'));"
    "  structuredClone({ id: crypto.randomUUID() });"
    "  return url.href;"
    "}",
};

void isolate_rehearse(struct isolate *isolate)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rehearsals); i++)
        rehearse(isolate, rehearsals[i]);
}
