/* One VM with one realm, and the calls into it. Runs in a worker (the first
 * isolate is made in the zygote and inherited). Programs are hostile: what they
 * can reach of the core is runtime/core.js' business, and what that reaches in C
 * is natives.c. */
#include "worker/isolate.h"

#include "base/cleanup.h"
#include "worker/natives.h"
#include "worker/worker.h"

#include <jsc/jsc.h>
#include <stdio.h>
#include <string.h>

/* Exported by the library, missing in its headers. */
extern void JSGlobalContextSetUnhandledRejectionCallback(JSGlobalContextRef ctx,
                                                         JSObjectRef function,
                                                         JSValueRef *exception);
extern void JSDisableGCTimer(void);
extern void pas_scavenger_suspend(void) __attribute__((weak));

/* runtime/core.js, by runtime.S. */
extern const char runtime_core_start[];

#define HOOKS(X) X(install) X(run) X(thrown) X(answer) X(reject) X(timer) X(rejection)

struct isolate {
    struct worker *worker;
    JSContextGroupRef group;
    JSGlobalContextRef ctx;
    JSStringRef url; /* program.js */
#define HOOK_FIELD(name) JSObjectRef name;
    HOOKS(HOOK_FIELD)
#undef HOOK_FIELD
};

void isolate_engine_init(uint64_t memory_limit_bytes)
{
    /* A thread of the allocator would be lost in a fork, and the zygote has to
     * have one thread; pages go back to the system when the worker ends. */
    if (pas_scavenger_suspend != NULL)
        pas_scavenger_suspend();
    jsc_options_set_boolean("useWasm", FALSE);
    jsc_options_set_boolean("useConcurrentJIT", FALSE);
    /* How much the collector believes there is: it gets busy before the bound. */
    jsc_options_set_size("forceRAMSize", memory_limit_bytes);
    JSDisableGCTimer();
}

void isolate_engine_name(char *to, size_t cap)
{
    snprintf(to, cap, "JavaScriptCore %u.%u.%u", jsc_get_major_version(), jsc_get_minor_version(),
             jsc_get_micro_version());
}

/* ---- making and destroying ---- */

static JSObjectRef hook_of(JSContextRef ctx, JSObjectRef hooks, const char *name)
{
    JSStringRef key = JSStringCreateWithUTF8CString(name);
    JSValueRef value = JSObjectGetProperty(ctx, hooks, key, NULL);

    JSStringRelease(key);
    JSValueProtect(ctx, value);
    return JSValueToObject(ctx, value, NULL);
}

static JSObjectRef evaluate_core(JSContextRef ctx)
{
    JSStringRef source = JSStringCreateWithUTF8CString(runtime_core_start);
    JSStringRef url = JSStringCreateWithUTF8CString("codemode:core");
    JSValueRef value = JSEvaluateScript(ctx, source, NULL, url, 1, NULL);

    JSStringRelease(url);
    JSStringRelease(source);
    return value == NULL ? NULL : JSValueToObject(ctx, value, NULL);
}

static int install_core(struct isolate *isolate)
{
    JSContextRef ctx = isolate->ctx;
    JSObjectRef core = evaluate_core(ctx);
    JSValueRef args[3];
    JSValueRef made;
    JSObjectRef hooks;

    if (core == NULL)
        return CM_E_STATE;
    args[0] = natives_object(ctx, isolate->worker);
    args[1] = natives_texts(ctx);
    args[2] = natives_failures(ctx);
    made = JSObjectCallAsFunction(ctx, core, NULL, 3, args, NULL);
    if (made == NULL)
        return CM_E_STATE;
    hooks = JSValueToObject(ctx, made, NULL);
#define HOOK_GET(name) isolate->name = hook_of(ctx, hooks, #name);
    HOOKS(HOOK_GET)
#undef HOOK_GET
    JSGlobalContextSetUnhandledRejectionCallback(isolate->ctx, isolate->rejection, NULL);
    return 0;
}

/* A run of ours, whose end and output go nowhere: what the first run of a realm
 * compiles and allocates lazily is there when the program comes. */
static void rehearse(struct isolate *isolate, const char *code)
{
    struct worker *worker = isolate->worker;

    worker->quiet = true;
    worker->run.message_limit_bytes = UINT32_MAX;
    isolate_run(isolate, "", 0, code, strlen(code));
    worker_reset_run(worker);
    worker->quiet = false;
}

struct isolate *isolate_new(struct worker *worker)
{
    struct isolate *isolate = calloc(1, sizeof(*isolate));

    if (isolate == NULL)
        return NULL;
    isolate->worker = worker;
    isolate->group = JSContextGroupCreate();
    isolate->ctx = JSGlobalContextCreateInGroup(isolate->group, NULL);
    isolate->url = JSStringCreateWithUTF8CString("program.js");
    if (install_core(isolate) < 0) {
        isolate_free(isolate);
        return NULL;
    }
    rehearse(isolate, "async () => 1");
    return isolate;
}

void isolate_free(struct isolate *isolate)
{
    if (isolate == NULL)
        return;
#define HOOK_RELEASE(name)     \
    if (isolate->name != NULL) \
        JSValueUnprotect(isolate->ctx, isolate->name);
    HOOKS(HOOK_RELEASE)
#undef HOOK_RELEASE
    JSStringRelease(isolate->url);
    JSGlobalContextRelease(isolate->ctx);
    JSContextGroupRelease(isolate->group);
    free(isolate);
}

void isolate_warm_up(struct isolate *isolate)
{
    rehearse(isolate,
             "async () => {"
             "  new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1.5);"
             "  new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(0);"
             "  new Date(2020, 1, 1).toLocaleString();"
             "  ['b', 'a'].sort(new Intl.Collator('en').compare);"
             "  /(?<y>\\d+)-\\p{L}/u.exec('2020-a');"
             "  'a\\u0301'.normalize('NFC').toLocaleUpperCase('tr');"
             "  return JSON.parse(JSON.stringify({ a: [1, 'x'] }));"
             "}");
}

/* ---- calls into the realm ---- */

/* A hook throws only when the engine has no memory or stack left for it. */
static void call_hook(struct isolate *isolate, JSObjectRef hook, size_t count,
                      const JSValueRef *args)
{
    JSValueRef exception = NULL;

    JSObjectCallAsFunction(isolate->ctx, hook, NULL, count, args, &exception);
    if (exception != NULL)
        natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
}

void isolate_answer(struct isolate *isolate, uint32_t call_id, const char *json)
{
    JSValueRef args[] = { JSValueMakeNumber(isolate->ctx, call_id),
                          natives_string(isolate->ctx, json) };

    call_hook(isolate, isolate->answer, CM_ARRAY_LEN(args), args);
}

void isolate_reject(struct isolate *isolate, uint32_t call_id, const char *message)
{
    JSValueRef args[] = { JSValueMakeNumber(isolate->ctx, call_id),
                          natives_string(isolate->ctx, message) };

    call_hook(isolate, isolate->reject, CM_ARRAY_LEN(args), args);
}

void isolate_timer(struct isolate *isolate, uint32_t timer_id)
{
    JSValueRef args[] = { JSValueMakeNumber(isolate->ctx, timer_id) };

    call_hook(isolate, isolate->timer, CM_ARRAY_LEN(args), args);
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

/* The engine's message and our position: "Unexpected token ';' [program.js:1]".
 * The closing line is ours: what is missing is missing at the end of the text. */
static void end_with_syntax(struct isolate *isolate, JSValueRef error, unsigned text_lines,
                            bool escaped)
{
    struct worker *worker = isolate->worker;
    JSStringRef message = JSValueToStringCopy(isolate->ctx, error, NULL);
    double line = line_of(isolate->ctx, error);
    char text[1024];
    char place[64];
    char *start = text;

    if (message == NULL || JSStringGetUTF8CString(message, text, sizeof(text)) == 0)
        text[0] = '\0';
    if (message != NULL)
        JSStringRelease(message);
    if (strncmp(text, "SyntaxError: ", 13) == 0)
        start += 13;
    if (escaped && strstr(start, ". Expected") != NULL)
        *strstr(start, ". Expected") = '\0'; /* what follows speaks of our brackets */
    snprintf(place, sizeof(place), " [program.js:%u]",
             line > text_lines ? text_lines : (unsigned)line);
    natives_end(worker, CM_FAILURE_SYNTAX, start);
    cm_buf_append(&worker->error, place, strlen(place));
}

static unsigned lines_in(const char *code, size_t code_bytes)
{
    unsigned lines = 1;

    for (size_t i = 0; i < code_bytes; i++)
        lines += code[i] == '\n';
    return lines;
}

/*
 * Whether the text is one expression. Between parentheses alone a text such as
 * "1); (() => 2" passes as well; between brackets its first unmatched closer does
 * not fit, and what fits both is balanced. Ends the run when it is not.
 */
static bool check_form(struct isolate *isolate, const char *code, size_t code_bytes)
{
    static const char open[] = "([";
    static const char close[] = ")]";

    for (int i = 0; i < 2; i++) {
        JSStringRef source = wrapped(isolate->worker, open[i], close[i], code, code_bytes);
        JSValueRef error = NULL;

        if (source == NULL) {
            natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
            return false;
        }
        JSCheckScriptSyntax(isolate->ctx, source, isolate->url, 1, &error);
        JSStringRelease(source);
        if (error != NULL) {
            end_with_syntax(isolate, error, lines_in(code, code_bytes), i == 1);
            return false;
        }
    }
    return true;
}

static void install_providers(struct isolate *isolate, const char *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        JSValueRef name = natives_string(isolate->ctx, names);

        call_hook(isolate, isolate->install, 1, &name);
        names += strlen(names) + 1;
    }
}

void isolate_run(struct isolate *isolate, const char *providers, uint32_t provider_count,
                 const char *code, size_t code_bytes)
{
    JSStringRef source;
    JSValueRef exception = NULL;
    JSValueRef program;

    install_providers(isolate, providers, provider_count);
    if (!check_form(isolate, code, code_bytes))
        return;
    source = wrapped(isolate->worker, '(', ')', code, code_bytes);
    if (source == NULL) {
        natives_end(isolate->worker, CM_FAILURE_MEMORY, NULL);
        return;
    }
    program = JSEvaluateScript(isolate->ctx, source, NULL, isolate->url, 1, &exception);
    JSStringRelease(source);
    if (exception != NULL)
        call_hook(isolate, isolate->thrown, 1, &exception);
    else
        call_hook(isolate, isolate->run, 1, &program);
}
