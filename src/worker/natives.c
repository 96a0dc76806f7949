/* What the core of the isolate calls in C. Runs in a worker, in the middle of the
 * program: the arguments come from runtime/core.js, but texts, numbers and sizes
 * in them are the program's. */
#include "worker/worker.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "worker/contexts.h"
#include "worker/isolate.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"
#include "worker/quote.h"
#include "worker/random.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES_MAX = 10 }; /* what a model can use of a stack */

/* ---- conversions ---- */

JSValueRef natives_string(JSContextRef ctx, const char *text)
{
    JSStringRef string = natives_utf_8(text);
    JSValueRef value = JSValueMakeString(ctx, string);

    JSStringRelease(string);
    return value;
}

void natives_set(JSContextRef ctx, JSObjectRef object, const char *name, JSValueRef value)
{
    JSStringRef key = JSStringCreateWithUTF8CString(name);

    JSObjectSetProperty(ctx, object, key, value, kJSPropertyAttributeNone, NULL);
    JSStringRelease(key);
}

JSObjectRef natives_get(JSContextRef ctx, JSObjectRef object, const char *name)
{
    JSStringRef key = JSStringCreateWithUTF8CString(name);
    JSValueRef value = JSObjectGetProperty(ctx, object, key, NULL);

    JSStringRelease(key);
    return JSValueToObject(ctx, value, NULL);
}

JSObjectRef natives_get_kept(JSContextRef ctx, JSObjectRef object, const char *name)
{
    JSObjectRef value = natives_get(ctx, object, name);

    JSValueProtect(ctx, value);
    return value;
}

static JSValueRef undefined(const struct args *args)
{
    return JSValueMakeUndefined(args->ctx);
}

/* The engine's own error for a failed allocation, which the core knows. */
JSValueRef natives_out_of_memory(const struct args *args)
{
    JSStringRef source = JSStringCreateWithUTF8CString("throw new RangeError('Out of memory')");

    JSEvaluateScript(args->ctx, source, NULL, NULL, 1, args->exception);
    JSStringRelease(source);
    return undefined(args);
}

static double number_at(const struct args *args, size_t i)
{
    return i < args->count ? JSValueToNumber(args->ctx, args->values[i], NULL) : 0;
}

int natives_append_text(JSContextRef ctx, JSValueRef value, struct cm_buf *to)
{
    JSStringRef string = JSValueToStringCopy(ctx, value, NULL);
    size_t max;
    int r;

    if (string == NULL)
        return CM_E_NOMEM;
    max = JSStringGetMaximumUTF8CStringSize(string);
    r = cm_buf_reserve(to, max);
    if (r == 0) {
        size_t written;

        cm_buf_populate(to, JSStringGetLength(string));
        written = JSStringGetUTF8CString(string, (char *)cm_buf_tail(to), max);
        to->len += written > 0 ? written - 1 : 0;
    }
    JSStringRelease(string);
    return r;
}

/* Argument i; what is missing is empty. */
static int append_text(const struct args *args, size_t i, struct cm_buf *to)
{
    return i >= args->count ? 0 : natives_append_text(args->ctx, args->values[i], to);
}

static void clear(struct cm_buf *buf)
{
    cm_buf_consume(buf, buf->len);
}

/* Argument i as a C string in the scratch buffer; NULL when it holds U+0000, is
 * longer than max or there is no memory. */
static const char *scratch_string(const struct args *args, size_t i, size_t max)
{
    struct cm_buf *scratch = &args->worker->scratch;
    size_t start = scratch->len;
    const char *text;

    if (append_text(args, i, scratch) < 0 || cm_buf_append(scratch, "", 1) < 0)
        return NULL;
    text = (const char *)cm_buf_bytes(scratch) + start;
    return strlen(text) == scratch->len - start - 1 && strlen(text) <= max ? text : NULL;
}

/* "store.listUsers" from arguments 0 and 1, cut to what fits. */
struct tool_name {
    char text[IPC_PROVIDER_MAX + IPC_TOOL_MAX + 2];
};

static struct tool_name tool_name(const struct args *args)
{
    struct tool_name name = { "" };
    struct cm_buf *scratch = &args->worker->scratch;

    clear(scratch);
    if (append_text(args, 0, scratch) == 0 && cm_buf_append(scratch, ".", 1) == 0 &&
        append_text(args, 1, scratch) == 0)
        snprintf(name.text, sizeof(name.text), "%.*s", (int)scratch->len,
                 (const char *)cm_buf_bytes(scratch));
    return name;
}

static JSValueRef sentence(const struct args *args, enum cm_message message, const char *first)
{
    char text[2048];

    cm_message_write(text, sizeof(text), message, first, NULL);
    return natives_string(args->ctx, text);
}

/* ---- JSON text on its way out ---- */

static JSValueRef native_begin(const struct args *args)
{
    clear(&args->worker->body);
    args->worker->body_bytes = 0;
    return undefined(args);
}

static bool too_large(const struct worker *worker, uint64_t bytes)
{
    return bytes > worker->run.message_limit_bytes;
}

/* Where text of the message goes that is being written, of which `follows` bytes
 * come for certain. Past the ceiling it is only counted, so that the sentence can
 * name its size, and what has been kept goes first: memory may be short. */
static struct cm_buf *message_buf(struct worker *worker, double follows)
{
    if (!too_large(worker, worker->body_bytes + (uint64_t)follows))
        return &worker->body;
    cm_buf_done(&worker->body);
    clear(&worker->scratch);
    return &worker->scratch;
}

/* append(text) */
static JSValueRef native_append(const struct args *args)
{
    struct cm_buf *to = message_buf(args->worker, 0);
    size_t before = to->len;

    if (append_text(args, 0, to) < 0)
        return natives_out_of_memory(args);
    args->worker->body_bytes += to->len - before;
    return undefined(args);
}

/* appendQuoted(text, follows): as it stands inside a JSON string */
static JSValueRef native_append_quoted(const struct args *args)
{
    struct cm_buf *to = message_buf(args->worker, number_at(args, 1));
    JSStringRef text = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    size_t before = to->len;
    int r;

    if (text == NULL)
        return natives_out_of_memory(args);
    r = quote_append(to, JSStringGetCharactersPtr(text), JSStringGetLength(text));
    JSStringRelease(text);
    if (r < 0)
        return natives_out_of_memory(args);
    args->worker->body_bytes += to->len - before;
    return undefined(args);
}

static void too_large_text(const struct worker *worker, const char *what, uint64_t bytes, char *to,
                           size_t cap)
{
    cm_message_write(to, cap, CM_MSG_TOO_LARGE, what, cm_number_grouped(bytes).text,
                     cm_number_grouped(worker->run.message_limit_bytes).text, NULL);
}

/* ---- tool calls ---- */

/* What keeps a call from being made, as the sentence that it rejects with; NULL
 * when nothing does. */
static JSValueRef refuse_call(const struct args *args)
{
    const struct worker *worker = args->worker;
    const struct ipc_run *run = &worker->run;

    if (worker->tally == NULL)
        return sentence(args, CM_MSG_NO_INVOCATION, tool_name(args).text);
    if ((run->flags & IPC_RUN_DISPATCH) == 0)
        return sentence(args, CM_MSG_NO_DISPATCH, tool_name(args).text);
    if (worker->tally->calls_made >= run->calls_a_run)
        return sentence(args, CM_MSG_CALLS_A_RUN, cm_number_grouped(run->calls_a_run).text);
    if (worker->calls_open >= run->calls_in_flight)
        return sentence(args, CM_MSG_CALLS_IN_FLIGHT, cm_number_grouped(run->calls_in_flight).text);
    if (too_large(worker, worker->body_bytes)) {
        char what[sizeof(struct tool_name) + 32];
        char text[2048];

        snprintf(what, sizeof(what), "The arguments of %s", tool_name(args).text);
        too_large_text(worker, what, worker->body_bytes, text, sizeof(text));
        return natives_string(args->ctx, text);
    }
    return NULL;
}

static JSValueRef native_call(const struct args *args)
{
    struct worker *worker = args->worker;
    JSValueRef refusal = refuse_call(args);
    size_t provider_bytes;
    const char *tool;

    if (refusal != NULL)
        return refusal;
    clear(&worker->scratch);
    if (scratch_string(args, 0, IPC_PROVIDER_MAX) == NULL)
        return natives_out_of_memory(args);
    provider_bytes = worker->scratch.len;
    tool = scratch_string(args, 1, IPC_TOOL_MAX);
    if (tool == NULL)
        return sentence(args, CM_MSG_TOOL_NAME, cm_number_grouped(IPC_TOOL_MAX).text);
    if (contexts_add_call(worker, worker->last_call + 1) < 0)
        return natives_out_of_memory(args);
    port_call(worker, ++worker->last_call, tool - provider_bytes, tool);
    worker->tally->calls_made++;
    worker->calls_open++;
    return JSValueMakeNumber(args->ctx, worker->last_call);
}

static JSValueRef native_not_json(const struct args *args)
{
    return sentence(args, CM_MSG_ANSWER_NOT_JSON, tool_name(args).text);
}

static JSValueRef native_not_a_function(const struct args *args)
{
    const char *kind;

    clear(&args->worker->scratch);
    kind = scratch_string(args, 0, 64);
    return sentence(args, CM_MSG_NOT_A_FUNCTION, kind == NULL ? "something else" : kind);
}

/* ---- console ---- */

static void stop_log(struct worker *worker, enum ipc_stop reason)
{
    worker->tally->log_stopped = true;
    port_log_stop(worker, reason);
}

static JSValueRef native_log(const struct args *args)
{
    struct worker *worker = args->worker;
    struct cm_buf *text = &worker->scratch;
    struct tally *tally = worker->tally;

    if (tally == NULL || tally->log_stopped)
        return undefined(args);
    if (tally->log_lines == worker->run.console_lines) {
        stop_log(worker, IPC_STOP_LINES);
        return undefined(args);
    }
    clear(text);
    if (append_text(args, 1, text) < 0 ||
        text->len > worker->run.console_bytes - tally->log_bytes) {
        stop_log(worker, IPC_STOP_BYTES);
        return undefined(args);
    }
    tally->log_lines++;
    tally->log_bytes += text->len;
    port_log(worker, (enum cm_level)number_at(args, 0),
             text->len == 0 ? "" : (const char *)cm_buf_bytes(text), text->len);
    return undefined(args);
}

/* ---- timers, random ---- */

static JSValueRef native_start_timer(const struct args *args)
{
    uint64_t delay_ns = (uint64_t)number_at(args, 1) * CM_NS_PER_MS;
    uint64_t due_ns = cm_deadline(cm_now_ns(), delay_ns);

    if (timers_start(&args->worker->timers, (uint32_t)number_at(args, 0), due_ns) < 0)
        return natives_out_of_memory(args);
    return undefined(args);
}

/* part(name): what a part of the core gave */
static JSValueRef native_part(const struct args *args)
{
    JSObjectRef given = NULL;
    const char *name;
    enum part part;

    clear(&args->worker->scratch);
    name = scratch_string(args, 0, 64);
    part = name == NULL ? PARTS : parts_find(name);
    if (part != PARTS)
        given = isolate_part(args->worker->isolate, part);
    return given == NULL ? natives_out_of_memory(args) : given;
}

/* evaluate(text): of a timer that was given a text instead of a function */
static JSValueRef native_evaluate(const struct args *args)
{
    struct cm_buf *scratch = &args->worker->scratch;
    JSStringRef source = JSValueToStringCopy(args->ctx, args->values[0], NULL);

    clear(scratch);
    if (source == NULL || append_text(args, 0, scratch) < 0)
        return natives_out_of_memory(args);
    isolate_scan(args->worker->isolate, (const char *)cm_buf_bytes(scratch), scratch->len);
    JSEvaluateScript(args->ctx, source, NULL, NULL, 1, args->exception);
    JSStringRelease(source);
    return undefined(args);
}

static JSValueRef native_stop_timer(const struct args *args)
{
    timers_stop(&args->worker->timers, (uint32_t)number_at(args, 0));
    return undefined(args);
}

static JSValueRef native_seed(const struct args *args)
{
    uint32_t seed;

    random_fill(&seed, sizeof(seed));
    return JSValueMakeNumber(args->ctx, seed);
}

static JSValueRef native_nonce(const struct args *args)
{
    uint64_t bits[2];
    char text[33];

    random_fill(bits, sizeof(bits));
    snprintf(text, sizeof(text), "%016llx%016llx", (unsigned long long)bits[0],
             (unsigned long long)bits[1]);
    return natives_string(args->ctx, text);
}

/* ---- the second realm ---- */

static JSValueRef native_rare(const struct args *args)
{
    JSObjectRef functions = isolate_rare(args->worker->isolate);

    return functions == NULL ? natives_out_of_memory(args) : functions;
}

static void free_bytes(void *bytes, void *context)
{
    (void)context;
    free(bytes);
}

/* The bytes of a Uint8Array of the second realm, as one of the program's own, or
 * as an ArrayBuffer of it: adopt(bytes, asBuffer). */
static JSValueRef native_adopt(const struct args *args)
{
    JSObjectRef from = JSValueToObject(args->ctx, args->values[0], NULL);
    size_t bytes = JSObjectGetTypedArrayByteLength(args->ctx, from, NULL);
    const void *source = JSObjectGetTypedArrayBytesPtr(args->ctx, from, NULL);
    void *copy = malloc(bytes + 1); /* never of 0 bytes */

    if (copy == NULL)
        return natives_out_of_memory(args);
    if (bytes > 0)
        memcpy(copy, source, bytes);
    if (JSValueToBoolean(args->ctx, args->values[1]))
        return JSObjectMakeArrayBufferWithBytesNoCopy(args->ctx, copy, bytes, free_bytes, NULL,
                                                      args->exception);
    return JSObjectMakeTypedArrayWithBytesNoCopy(args->ctx, kJSTypedArrayTypeUint8Array, copy,
                                                 bytes, free_bytes, NULL, args->exception);
}

/* driving(promise) */
static JSValueRef native_driving(const struct args *args)
{
    if (args->count == 1)
        isolate_driving(args->worker->isolate, args->values[0]);
    return undefined(args);
}

/* rejected(promise, reason) */
static JSValueRef native_rejected(const struct args *args)
{
    if (args->count == 2)
        isolate_rejected(args->worker->isolate, args->values[0], args->values[1]);
    return undefined(args);
}

/* ---- the end ---- */

/* One frame of an engine stack: "name@program.js:2:18", "name@codemode:/lib.js:2:18",
 * either without the name. */
struct frame {
    const char *function;
    size_t function_bytes;
    const char *file;
    size_t file_bytes;
    unsigned row;
    unsigned column;
};

/* Where `place` is in the line: at its start, or behind an @. */
static const char *place_in(const char *line, const char *place)
{
    const char *at = line;

    if (strncmp(line, place, strlen(place)) == 0)
        return line;
    while ((at = strchr(at, '@')) != NULL)
        if (strncmp(++at, place, strlen(place)) == 0)
            return at;
    return NULL;
}

/* False for frames that are not the program's or a module's. */
static bool read_frame(const char *line, struct frame *ret_frame)
{
    const char *module = place_in(line, ISOLATE_MODULE_URL);
    const char *file = module != NULL ? module : place_in(line, "program.js:");
    struct frame frame = { .function = line };
    const char *end;

    if (file == NULL)
        return false;
    frame.file = module != NULL ? module + strlen(ISOLATE_MODULE_URL) : file;
    frame.function_bytes = file > line ? (size_t)(file - line - 1) : 0;
    end = memrchr(frame.file, ':', strlen(frame.file));
    if (end != NULL)
        end = memrchr(frame.file, ':', (size_t)(end - frame.file));
    if (end == NULL || sscanf(end, ":%u:%u", &frame.row, &frame.column) != 2)
        return false;
    frame.file_bytes = (size_t)(end - frame.file);
    *ret_frame = frame;
    return true;
}

/* The column in the text as it was given. */
static unsigned own_column(const struct worker *worker, const struct frame *frame)
{
    for (size_t i = 0; i < worker->modules.count; i++) {
        const struct module *module = &worker->modules.rows[i];

        if (strlen(module->name) == frame->file_bytes &&
            memcmp(module->name, frame->file, frame->file_bytes) == 0 &&
            modules_compiled(module->kind))
            return modules_column(module, frame->row, frame->column);
    }
    if (frame->row == 1 && frame->column > ISOLATE_PREFIX_CHARS)
        return frame->column - ISOLATE_PREFIX_CHARS;
    return frame->column;
}

/* The innermost frames of the program in an engine stack, one a line and in the
 * texts' own positions: "at name (program.js:2:18)". */
static void append_frames(const struct worker *worker, struct cm_buf *to, char *stack)
{
    char *rest = NULL;
    int frames = 0;

    for (char *line = strtok_r(stack, "\n", &rest); line != NULL && frames < FRAMES_MAX;
         line = strtok_r(NULL, "\n", &rest)) {
        struct frame frame;
        char text[2048];
        int len;

        if (!read_frame(line, &frame))
            continue;
        frames++;
        frame.column = own_column(worker, &frame);
        if (frame.function_bytes == 0)
            len = snprintf(text, sizeof(text), "at %.*s:%u:%u\n", (int)frame.file_bytes, frame.file,
                           frame.row, frame.column);
        else
            len = snprintf(text, sizeof(text), "at %.*s (%.*s:%u:%u)\n",
                           (int)(frame.function_bytes > 200 ? 200 : frame.function_bytes),
                           frame.function, (int)frame.file_bytes, frame.file, frame.row,
                           frame.column);
        if (len > 0 && (size_t)len < sizeof(text) && to->len + (size_t)len < IPC_STACK_MAX)
            cm_buf_append(to, text, (size_t)len);
    }
    if (to->len > 0)
        to->len--; /* the last line's end */
}

void natives_end(struct worker *worker, enum cm_failure failure, const char *error)
{
    if (worker->done.set)
        return;
    worker->done = (struct worker_done){ .set = true, .failure = failure };
    clear(&worker->error);
    clear(&worker->stack);
    if (error != NULL)
        cm_buf_append(&worker->error, error, strlen(error));
}

static void end_too_large(struct worker *worker, const char *what, uint64_t bytes)
{
    char text[512];

    too_large_text(worker, what, bytes, text, sizeof(text));
    natives_end(worker, CM_FAILURE_TOO_LARGE, text);
}

void natives_end_with_error(const struct args *args, enum cm_failure failure, size_t first)
{
    struct worker *worker = args->worker;
    struct cm_buf *scratch = &worker->scratch;

    clear(scratch);
    if (append_text(args, first + 1, scratch) < 0 || cm_buf_append(scratch, "", 1) < 0) {
        natives_end(worker, CM_FAILURE_MEMORY, NULL);
        return;
    }
    natives_end(worker, failure, NULL);
    append_frames(worker, &worker->stack, (char *)cm_buf_bytes(scratch));
    if (append_text(args, first, &worker->error) < 0)
        worker->done.failure = CM_FAILURE_MEMORY;
    if (too_large(worker, worker->error.len)) {
        worker->done.set = false;
        end_too_large(worker, "The error", worker->error.len);
    }
}

/* done(failure, hasResult, message, stack) */
static JSValueRef native_done(const struct args *args)
{
    struct worker *worker = args->worker;
    enum cm_failure failure = (enum cm_failure)number_at(args, 0);

    if (worker->done.set)
        return undefined(args);
    if (failure != CM_FAILURE_NONE) {
        natives_end_with_error(args, failure, 2);
    } else if (too_large(worker, worker->body_bytes)) {
        end_too_large(worker, "The result", worker->body_bytes);
    } else {
        natives_end(worker, CM_FAILURE_NONE, NULL);
        worker->done.has_result = JSValueToBoolean(args->ctx, args->values[1]);
    }
    return undefined(args);
}

/* ---- the table ---- */

#define NATIVES(X)                         \
    X(begin, native_begin)                 \
    X(append, native_append)               \
    X(appendQuoted, native_append_quoted)  \
    X(call, native_call)                   \
    X(notJson, native_not_json)            \
    X(notAFunction, native_not_a_function) \
    X(log, native_log)                     \
    X(startTimer, native_start_timer)      \
    X(stopTimer, native_stop_timer)        \
    X(evaluate, native_evaluate)           \
    X(part, native_part)                   \
    X(seed, native_seed)                   \
    X(nonce, native_nonce)                 \
    X(rare, native_rare)                   \
    X(adopt, native_adopt)                 \
    X(driving, native_driving)             \
    X(rejected, native_rejected)           \
    X(done, native_done)

NATIVES(NATIVE_CALLBACK)

static const struct native_row native_rows[] = { NATIVES(NATIVE_ROW) };

JSObjectRef natives_function(JSContextRef ctx, struct worker *worker, const struct native_row *row)
{
    JSClassDefinition definition = kJSClassDefinitionEmpty;
    JSObjectRef function;
    JSClassRef class;

    definition.attributes = kJSClassAttributeNoAutomaticPrototype; /* half the cost */
    definition.callAsFunction = row->call;
    class = JSClassCreate(&definition);
    function = JSObjectMake(ctx, class, worker);
    JSClassRelease(class);
    return function;
}

JSObjectRef natives_object(JSContextRef ctx, struct worker *worker)
{
    JSObjectRef object = JSObjectMake(ctx, NULL, NULL);

    for (size_t i = 0; i < CM_ARRAY_LEN(native_rows); i++)
        natives_set(ctx, object, native_rows[i].name,
                    natives_function(ctx, worker, &native_rows[i]));
    return object;
}

/* ---- families ---- */

static const struct native_family *const families[] = {
#define CM_NATIVES(name) &natives_##name,
#include "tables/natives.def"
#undef CM_NATIVES
};

JSObjectRef natives_family(JSContextRef ctx, struct worker *worker,
                           const struct native_family *family)
{
    JSObjectRef object = JSObjectMake(ctx, NULL, NULL);

    JSObjectSetPrototype(ctx, object, JSValueMakeNull(ctx)); /* which may have setters by now */
    for (size_t i = 0; i < family->count; i++)
        natives_set(ctx, object, family->rows[i].name,
                    natives_function(ctx, worker, &family->rows[i]));
    return object;
}

static JSValueRef family_property(JSContextRef ctx, JSObjectRef object, JSStringRef key,
                                  JSValueRef *exception)
{
    struct worker *worker = JSObjectGetPrivate(object);

    (void)exception;
    for (size_t i = 0; i < CM_ARRAY_LEN(families); i++) {
        const struct native_family *family = families[i];

        if (!family->direct && JSStringIsEqualToUTF8CString(key, family->name))
            return natives_family(ctx, worker, family);
        for (size_t k = 0; family->direct && k < family->count; k++)
            if (JSStringIsEqualToUTF8CString(key, family->rows[k].name))
                return natives_function(ctx, worker, &family->rows[k]);
    }
    return NULL;
}

JSObjectRef natives_families(JSContextRef ctx, struct worker *worker)
{
    JSClassDefinition definition = kJSClassDefinitionEmpty;
    JSObjectRef object;
    JSClassRef class;

    definition.getProperty = family_property;
    class = JSClassCreate(&definition);
    object = JSObjectMake(ctx, class, worker);
    JSClassRelease(class);
    return object;
}

/* A sentence's {} is at its end or missing: the core appends what stands there. */
JSObjectRef natives_texts(JSContextRef ctx)
{
    static const struct {
        const char *name;
        enum cm_message message;
    } rows[] = {
        { "BIGINT", CM_MSG_BIGINT },
        { "CACHES", CM_MSG_CACHES },
        { "UNCAUGHT", CM_MSG_UNCAUGHT },
        { "REJECTION", CM_MSG_REJECTION },
    };
    JSObjectRef texts = JSObjectMake(ctx, NULL, NULL);
    char text[256];

    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        cm_message_write(text, sizeof(text), rows[i].message, "", NULL);
        natives_set(ctx, texts, rows[i].name, natives_string(ctx, text));
    }
    natives_set(ctx, texts, "USER_AGENT", natives_string(ctx, "codemode-executor/" CM_VERSION));
    return texts;
}

JSObjectRef natives_failures(JSContextRef ctx)
{
    JSObjectRef failures = JSObjectMake(ctx, NULL, NULL);

    natives_set(ctx, failures, "NONE", JSValueMakeNumber(ctx, CM_FAILURE_NONE));
#define FAILURE_ROW(name, word) \
    natives_set(ctx, failures, #name, JSValueMakeNumber(ctx, CM_FAILURE_##name));
    CM_FAILURE_MAP(FAILURE_ROW)
#undef FAILURE_ROW
    return failures;
}
