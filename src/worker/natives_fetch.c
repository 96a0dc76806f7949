/*
 * fetch, below what JavaScript makes of it. Runs in a worker, in the middle of the
 * program: the arguments come from a chunk of ours that has checked them (URL,
 * method and header names and values), their sizes are the program's. Responses
 * come from the supervisor, which has them from servers or the host: they are data.
 *
 * fetch(id, url, method, headers, body, redirect) starts one: headers is a flat
 * array of names and values, body a Uint8Array or null, redirect "follow", "error"
 * or "manual". fetchAbort(id) gives it up. onFetch(fetched, failed, arrived) says once
 * what hears of it, which is never within fetch() itself: fetched(id, status,
 * statusText, headers, url, body) or failed(id, message). Ids are the caller's.
 *
 * body is null, a Uint8Array, or true when it is still coming. Of such a body a
 * window waits here at most, until it is asked for: fetchRead(id) gives what has
 * come or null, and then arrived(id, bytes, false) the next piece; fetchReadAll(id)
 * asks for all of it at once. When the last byte comes, arrived(id, bytes, true) hands
 * over what is left, whether it was asked for or not; failed() may come instead.
 */
#include "worker/fetches.h"

#include "base/cleanup.h"
#include "worker/contexts.h"
#include "worker/isolate.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"
#include "worker/worker.h"

#include <stdlib.h>
#include <string.h>

struct fetch {
    uint32_t context; /* the invocation that made it */
    double key;       /* the caller's id */
    uint32_t id;      /* the supervisor's; 0: the supervisor has none */
    char *refusal;    /* the sentence of one that was refused, or lost its invocation */
    uint8_t *head;    /* the body of its RESPONSE, until it is told */
    bool told;        /* fetched() was called, and the body is coming */
    bool wanted;      /* a reader waits for the next piece */
    bool takes_all;   /* what comes is taken at once */
    struct cm_buf body;
    uint32_t untaken_bytes; /* of it: the supervisor has not heard that they are taken */
};

/* Bodies that nobody reads keep their connections, of which there are some more. Where
 * so many of them hold back half a window, the oldest is taken to its end: a program
 * can wait for any number of responses before it reads the first, and forget them. */
enum { HELD_BACK_MAX = 32 };

/* Owner: worker->fetches, for one isolate. */
struct fetches {
    JSContextRef ctx;
    JSObjectRef fetched; /* protected */
    JSObjectRef failed;  /* protected */
    JSObjectRef arrived; /* protected */
    struct fetch *rows;  /* in no order */
    size_t count;
    size_t cap;
    size_t refused;
};

/* ---- the table ---- */

static struct fetch *add_row(struct fetches *fetches, double key, uint32_t context)
{
    if (fetches->count == fetches->cap) {
        size_t cap = fetches->cap == 0 ? 8 : fetches->cap * 2;
        struct fetch *rows = reallocarray(fetches->rows, cap, sizeof(*rows));

        if (rows == NULL)
            return NULL;
        fetches->rows = rows;
        fetches->cap = cap;
    }
    fetches->rows[fetches->count] = (struct fetch){ .key = key, .context = context };
    cm_buf_init(&fetches->rows[fetches->count].body, SIZE_MAX);
    return &fetches->rows[fetches->count++];
}

/* What it holds goes as well, but for what has been taken out of it. */
static void drop_row(struct fetches *fetches, struct fetch *fetch)
{
    fetches->refused -= fetch->refusal != NULL;
    free(fetch->refusal);
    free(fetch->head);
    cm_buf_done(&fetch->body);
    *fetch = fetches->rows[--fetches->count];
}

static struct fetch *find_id(struct fetches *fetches, uint32_t id)
{
    for (size_t i = 0; i < fetches->count; i++)
        if (fetches->rows[i].id == id)
            return &fetches->rows[i];
    return NULL;
}

static struct fetch *find_key(struct fetches *fetches, double key)
{
    for (size_t i = 0; i < fetches->count; i++)
        if (fetches->rows[i].key == key)
            return &fetches->rows[i];
    return NULL;
}

/* Those without a response. */
static size_t in_flight(const struct fetches *fetches)
{
    size_t count = 0;

    for (size_t i = 0; i < fetches->count; i++)
        count += !fetches->rows[i].told && fetches->rows[i].refusal == NULL;
    return count;
}

size_t fetches_open(const struct worker *worker)
{
    return worker->fetches == NULL ? 0 : worker->fetches->count - worker->fetches->refused;
}

/* Another invocation may have the response: it must not wait for the rest. */
static bool lose_body(struct fetches *fetches, struct fetch *fetch)
{
    if (!fetch->told || fetch->refusal != NULL)
        return false;
    fetch->id = 0;
    fetch->refusal = cm_message_new(CM_MSG_FETCH_LOST, NULL);
    fetches->refused += fetch->refusal != NULL;
    return fetch->refusal != NULL;
}

void fetches_forget(struct worker *worker, uint32_t invocation)
{
    struct fetches *fetches = worker->fetches;

    for (size_t i = 0; fetches != NULL && i < fetches->count; i++)
        if (fetches->rows[i].context == invocation && !lose_body(fetches, &fetches->rows[i]))
            drop_row(fetches, &fetches->rows[i--]);
}

void fetches_done(struct worker *worker)
{
    struct fetches *fetches = CM_TAKE(worker->fetches);

    if (fetches == NULL)
        return;
    while (fetches->count > 0)
        drop_row(fetches, &fetches->rows[0]);
    free(fetches->rows);
    JSValueUnprotect(fetches->ctx, fetches->fetched);
    JSValueUnprotect(fetches->ctx, fetches->failed);
    JSValueUnprotect(fetches->ctx, fetches->arrived);
    free(fetches);
}

/* ---- onFetch(fetched, failed, arrived) ---- */

static JSObjectRef keep(const struct args *args, size_t i)
{
    JSObjectRef function = JSValueToObject(args->ctx, args->values[i], NULL);

    JSValueProtect(args->ctx, function);
    return function;
}

static JSValueRef native_on_fetch(const struct args *args)
{
    struct fetches *fetches = calloc(1, sizeof(*fetches));

    if (fetches == NULL)
        return natives_out_of_memory(args);
    fetches_done(args->worker);
    fetches->ctx = JSContextGetGlobalContext(args->ctx);
    fetches->fetched = keep(args, 0);
    fetches->failed = keep(args, 1);
    fetches->arrived = keep(args, 2);
    args->worker->fetches = fetches;
    return JSValueMakeUndefined(args->ctx);
}

/* ---- fetch() ---- */

/* The request as it will stand in the frame: texts in worker->scratch. */
struct request {
    struct ipc_fetch head;
    const void *body;
};

static enum ipc_redirect redirect_of(const struct args *args)
{
    static const struct {
        const char *word;
        enum ipc_redirect mode;
    } modes[] = { { "error", IPC_REDIRECT_ERROR }, { "manual", IPC_REDIRECT_MANUAL } };
    JSStringRef word = JSValueToStringCopy(args->ctx, args->values[5], NULL);
    enum ipc_redirect mode = IPC_REDIRECT_FOLLOW;

    for (size_t i = 0; word != NULL && i < CM_ARRAY_LEN(modes); i++)
        if (JSStringIsEqualToUTF8CString(word, modes[i].word))
            mode = modes[i].mode;
    if (word != NULL)
        JSStringRelease(word);
    return mode;
}

/* CM_E_NOMEM. */
static int read_request(const struct args *args, struct request *request)
{
    int r;

    cm_buf_consume(&args->worker->scratch, args->worker->scratch.len);
    r = natives_append_string(args, args->values[1], &request->head.url_bytes);
    if (r == 0)
        r = natives_append_string(args, args->values[2], &request->head.method_bytes);
    if (r == 0)
        r = natives_append_headers(args, args->values[3], &request->head.header_count,
                                   &request->head.headers_bytes);
    request->head.has_body =
        natives_body(args->ctx, args->values[4], &request->body, &request->head.body_bytes);
    request->head.redirect = redirect_of(args);
    return r;
}

/* The sentence of a fetch that is not made; free() it. NULL: it is made. */
static char *refusal_of(const struct worker *worker, const struct request *request)
{
    const struct ipc_run *run = &worker->run;

    if (worker->tally == NULL)
        return cm_message_new(CM_MSG_NO_INVOCATION, "fetch", NULL);
    if (run->outbound == IPC_OUTBOUND_CLOSED)
        return cm_message_new(CM_MSG_FETCH_CLOSED, NULL);
    if (run->outbound == IPC_OUTBOUND_NO_HOST)
        return cm_message_new(CM_MSG_FETCH_NO_HOST, NULL);
    if (in_flight(worker->fetches) >= run->fetches_in_flight)
        return cm_message_new(CM_MSG_FETCH_IN_FLIGHT,
                              cm_number_grouped(run->fetches_in_flight).text, NULL);
    if (worker->scratch.len > IPC_FETCH_HEAD_MAX || request->head.method_bytes > IPC_METHOD_MAX)
        return cm_message_new(CM_MSG_FETCH_HEAD, cm_number_grouped(IPC_FETCH_HEAD_MAX).text, NULL);
    if (request->head.body_bytes > run->message_limit_bytes)
        return cm_message_new(CM_MSG_TOO_LARGE, "The body of the request",
                              cm_number_grouped(request->head.body_bytes).text,
                              cm_number_grouped(run->message_limit_bytes).text, NULL);
    return NULL;
}

static JSValueRef native_fetch(const struct args *args)
{
    struct worker *worker = args->worker;
    double key = JSValueToNumber(args->ctx, args->values[0], NULL);
    struct request request = { 0 };
    struct fetch *fetch;
    char *refusal;

    if (read_request(args, &request) < 0)
        return natives_out_of_memory(args);
    refusal = refusal_of(worker, &request);
    fetch = add_row(worker->fetches, key, worker->contexts.current);
    if (fetch == NULL) {
        free(refusal);
        return natives_out_of_memory(args);
    }
    fetch->refusal = refusal;
    if (refusal != NULL) {
        worker->fetches->refused++;
    } else {
        fetch->id = request.head.id = ++worker->last_call;
        port_fetch(worker, &request.head, request.body);
    }
    return JSValueMakeUndefined(args->ctx);
}

/* It may be another invocation that gives it up. */
static void abort_in_context(struct worker *worker, const struct fetch *fetch)
{
    uint32_t current = worker->contexts.current;

    contexts_enter(worker, fetch->context);
    port_fetch_abort(worker, fetch->id);
    contexts_enter(worker, current);
}

static struct fetch *fetch_of(const struct args *args)
{
    return find_key(args->worker->fetches, JSValueToNumber(args->ctx, args->values[0], NULL));
}

static JSValueRef native_fetch_abort(const struct args *args)
{
    struct fetch *fetch = fetch_of(args);

    if (fetch != NULL) {
        if (fetch->refusal == NULL)
            abort_in_context(args->worker, fetch);
        drop_row(args->worker->fetches, fetch);
    }
    return JSValueMakeUndefined(args->ctx);
}

/* ---- fetchRead(), fetchReadAll() ---- */

/* So that the supervisor sends more. Also for one that another invocation reads. */
static void take(struct worker *worker, struct fetch *fetch)
{
    uint32_t current = worker->contexts.current;

    if (fetch->untaken_bytes == 0 || fetch->refusal != NULL)
        return;
    contexts_enter(worker, fetch->context);
    port_fetch_took(worker, fetch->id, fetch->untaken_bytes);
    contexts_enter(worker, current);
    fetch->untaken_bytes = 0;
}

static JSValueRef native_fetch_read(const struct args *args)
{
    struct fetch *fetch = fetch_of(args);

    if (fetch == NULL)
        return JSValueMakeNull(args->ctx);
    fetch->takes_all = false;
    fetch->wanted = fetch->body.len == 0;
    take(args->worker, fetch);
    return fetch->wanted ? JSValueMakeNull(args->ctx) : natives_give(args, &fetch->body, false);
}

static JSValueRef native_fetch_read_all(const struct args *args)
{
    struct fetch *fetch = fetch_of(args);

    if (fetch != NULL) {
        fetch->takes_all = true;
        take(args->worker, fetch);
    }
    return JSValueMakeUndefined(args->ctx);
}

static bool is_held_back(const struct fetch *fetch)
{
    return fetch->told && fetch->refusal == NULL && fetch->untaken_bytes >= IPC_BODY_WINDOW / 2;
}

/* One more may be. */
static void bound_held_back(struct worker *worker)
{
    const struct fetches *fetches = worker->fetches;
    struct fetch *oldest = NULL;
    size_t count = 0;

    for (size_t i = 0; i < fetches->count; i++) {
        struct fetch *fetch = &fetches->rows[i];

        if (!is_held_back(fetch))
            continue;
        count++;
        if (oldest == NULL || fetch->id < oldest->id)
            oldest = fetch;
    }
    if (count > HELD_BACK_MAX) {
        oldest->takes_all = true;
        take(worker, oldest);
    }
}

/* ---- what comes of one ---- */

/* Null where there is no memory: the run has ended. */
static JSValueRef adopt_body(struct worker *worker, struct fetch *fetch)
{
    JSValueRef bytes = natives_adopt(worker->fetches->ctx, &fetch->body, false);

    if (JSValueIsNull(worker->fetches->ctx, bytes))
        natives_end(worker, CM_FAILURE_MEMORY, NULL);
    return bytes;
}

static JSValueRef first_of_body(struct worker *worker, struct fetch *fetch)
{
    const struct ipc_response *head = (const void *)fetch->head;

    if (!head->has_body)
        return JSValueMakeNull(worker->fetches->ctx);
    return head->whole ? adopt_body(worker, fetch) : JSValueMakeBoolean(worker->fetches->ctx, true);
}

static void tell_fetched(struct worker *worker, struct fetch *fetch)
{
    struct fetches *fetches = worker->fetches;
    JSContextRef ctx = fetches->ctx;
    const struct ipc_response *head = (const void *)fetch->head;
    const char *status_text = (const char *)(head + 1);
    const char *url = status_text + head->status_text_bytes + 1;
    JSValueRef args[] = { JSValueMakeNumber(ctx, fetch->key),
                          JSValueMakeNumber(ctx, head->status),
                          natives_string(ctx, status_text),
                          natives_headers(ctx, url + head->url_bytes + 1, head->header_count),
                          natives_string(ctx, url),
                          first_of_body(worker, fetch) };

    if (head->has_body && !head->whole) {
        free(CM_TAKE(fetch->head));
        fetch->told = true;
    } else {
        drop_row(fetches, fetch);
    }
    isolate_call(worker->isolate, fetches->fetched, CM_ARRAY_LEN(args), args);
}

static void tell_arrived(struct worker *worker, struct fetch *fetch, bool last)
{
    struct fetches *fetches = worker->fetches;
    JSValueRef args[] = { JSValueMakeNumber(fetches->ctx, fetch->key), adopt_body(worker, fetch),
                          JSValueMakeBoolean(fetches->ctx, last) };

    fetch->wanted = false;
    if (last)
        drop_row(fetches, fetch);
    else
        take(worker, fetch);
    isolate_call(worker->isolate, fetches->arrived, CM_ARRAY_LEN(args), args);
}

static void tell_failed(struct worker *worker, struct fetch *fetch, const char *message)
{
    struct fetches *fetches = worker->fetches;
    JSValueRef args[] = { JSValueMakeNumber(fetches->ctx, fetch->key),
                          natives_string(fetches->ctx, message) };

    drop_row(fetches, fetch); /* and `message`, where it was its refusal */
    isolate_call(worker->isolate, fetches->failed, CM_ARRAY_LEN(args), args);
}

bool fetches_tell_refused(struct worker *worker)
{
    struct fetches *fetches = worker->fetches;

    if (fetches == NULL || fetches->refused == 0)
        return false;
    for (size_t i = 0; i < fetches->count; i++)
        if (fetches->rows[i].refusal != NULL) {
            contexts_enter(worker, fetches->rows[i].context);
            tell_failed(worker, &fetches->rows[i], fetches->rows[i].refusal);
            break;
        }
    return true;
}

static void on_response(struct worker *worker, struct fetch *fetch, const struct ipc_frame *frame)
{
    struct ipc_response head;

    memcpy(&head, frame->body, sizeof(head));
    fetch->head = malloc(frame->bytes);
    if (fetch->head == NULL) {
        natives_end(worker, CM_FAILURE_MEMORY, NULL);
        return;
    }
    memcpy(fetch->head, frame->body, frame->bytes);
    if (!head.whole)
        tell_fetched(worker, fetch);
}

static void on_body(struct worker *worker, struct fetch *fetch, const struct ipc_frame *frame)
{
    struct ipc_body head;
    size_t bytes = frame->bytes - sizeof(head);

    memcpy(&head, frame->body, sizeof(head));
    if (cm_buf_append(&fetch->body, frame->body + sizeof(head), bytes) < 0) {
        natives_end(worker, CM_FAILURE_MEMORY, NULL);
        return;
    }
    fetch->untaken_bytes += (uint32_t)bytes;
    if (!fetch->told)
        tell_fetched(worker, fetch);
    else if (fetch->wanted || head.last)
        tell_arrived(worker, fetch, head.last);
    else if (fetch->takes_all)
        take(worker, fetch);
    else
        bound_held_back(worker);
}

void fetches_on_frame(struct worker *worker, const struct ipc_frame *frame)
{
    struct fetch *fetch;
    uint32_t id; /* each body begins with it */

    memcpy(&id, frame->body, sizeof(id));
    fetch = worker->fetches == NULL ? NULL : find_id(worker->fetches, id);
    if (fetch == NULL)
        return;
    contexts_enter(worker, fetch->context);
    if (frame->type == IPC_RESPONSE)
        on_response(worker, fetch, frame);
    else if (frame->type == IPC_BODY)
        on_body(worker, fetch, frame);
    else
        tell_failed(worker, fetch, (const char *)frame->body + sizeof(struct ipc_fetch_failed));
}

/* ---- the table ---- */

#define FETCH(X)                           \
    X(fetch, native_fetch)                 \
    X(fetchAbort, native_fetch_abort)      \
    X(fetchRead, native_fetch_read)        \
    X(fetchReadAll, native_fetch_read_all) \
    X(onFetch, native_on_fetch)
FETCH(NATIVE_CALLBACK)

static const struct native_row fetch_rows[] = { FETCH(NATIVE_ROW) };
const struct native_family natives_fetch = { "fetch", fetch_rows, CM_ARRAY_LEN(fetch_rows), 1 };
