/*
 * A value that takes requests: how runtime/surface/retained.js keeps it and answers
 * for it. Runs in a worker, in the middle of the program; names, headers and bodies
 * are the program's.
 *
 * retain(names) keeps the isolate and gives true. reply(invocation, status,
 * statusText, headers, body) and fail(invocation, message, stack, outOfMemory) end
 * one invocation: headers is a flat array of names and values, body a Uint8Array or
 * null.
 */
#include "base/cleanup.h"
#include "worker/contexts.h"
#include "worker/natives.h"
#include "worker/worker.h"

#include <string.h>

/* The names, each with its NUL, into the scratch buffer. Those that are too long,
 * or more than a frame may have, are not offered. */
static int append_names(const struct args *args, uint32_t *ret_count)
{
    struct cm_buf *to = &args->worker->scratch;
    JSObjectRef names = JSValueToObject(args->ctx, args->values[0], NULL);
    unsigned length = natives_length(args->ctx, names);
    uint32_t count = 0;

    for (unsigned i = 0; i < length && count < IPC_HANDLES_MAX; i++) {
        JSValueRef name = JSObjectGetPropertyAtIndex(args->ctx, names, i, NULL);
        size_t before = to->len;

        if (natives_append_text(args->ctx, name, to) < 0 || cm_buf_append(to, "", 1) < 0)
            return CM_E_NOMEM;
        if (strlen((const char *)cm_buf_bytes(to) + before) != to->len - before - 1 ||
            to->len > IPC_HANDLES_BYTES)
            to->len = before; /* U+0000 in it, or no room */
        else
            count++;
    }
    *ret_count = count;
    return 0;
}

static JSValueRef native_retain(const struct args *args)
{
    struct worker *worker = args->worker;
    uint32_t count;

    cm_buf_consume(&worker->scratch, worker->scratch.len);
    if (append_names(args, &count) < 0)
        return natives_out_of_memory(args);
    if (count == 0)
        return JSValueMakeBoolean(args->ctx, false);
    contexts_retain(worker);
    port_retained(worker, count);
    return JSValueMakeBoolean(args->ctx, true);
}

static bool is_too_large(const struct worker *worker, const struct ipc_response *head)
{
    return head->headers_bytes > IPC_FETCH_HEAD_MAX ||
           head->status_text_bytes > IPC_FETCH_HEAD_MAX ||
           head->body_bytes > worker->run.message_limit_bytes;
}

static void end_too_large(struct worker *worker, const struct ipc_response *head)
{
    char text[512];

    cm_message_write(text, sizeof(text), CM_MSG_TOO_LARGE, "The response",
                     cm_number_grouped(head->body_bytes + head->headers_bytes).text,
                     cm_number_grouped(worker->run.message_limit_bytes).text, NULL);
    natives_end(worker, CM_FAILURE_TOO_LARGE, text);
    port_done(worker);
    worker->done = (struct worker_done){ 0 };
}

static JSValueRef native_reply(const struct args *args)
{
    struct worker *worker = args->worker;
    struct ipc_response head = { .id = (uint32_t)JSValueToNumber(args->ctx, args->values[0], NULL),
                                 .status =
                                     (uint32_t)JSValueToNumber(args->ctx, args->values[1], NULL) };
    const void *body = NULL;

    cm_buf_consume(&worker->scratch, worker->scratch.len);
    if (natives_append_string(args, args->values[2], &head.status_text_bytes) < 0 ||
        natives_append_headers(args, args->values[3], &head.header_count, &head.headers_bytes) < 0)
        return natives_out_of_memory(args);
    head.has_body = natives_body(args->ctx, args->values[4], &body, &head.body_bytes);
    contexts_enter(worker, head.id);
    if (is_too_large(worker, &head))
        end_too_large(worker, &head);
    else
        port_reply(worker, &head, body);
    contexts_end(worker, head.id);
    return JSValueMakeUndefined(args->ctx);
}

static JSValueRef native_fail(const struct args *args)
{
    struct worker *worker = args->worker;
    uint32_t invocation = (uint32_t)JSValueToNumber(args->ctx, args->values[0], NULL);
    bool out_of_memory = JSValueToBoolean(args->ctx, args->values[3]);

    contexts_enter(worker, invocation);
    natives_end_with_error(args, out_of_memory ? CM_FAILURE_MEMORY : CM_FAILURE_THROWN, 1);
    if (worker->done.failure == CM_FAILURE_MEMORY) /* of the whole isolate, which ends */
        return JSValueMakeUndefined(args->ctx);
    port_done(worker);
    worker->done = (struct worker_done){ 0 };
    contexts_end(worker, invocation);
    return JSValueMakeUndefined(args->ctx);
}

#define RETAINED(X)          \
    X(retain, native_retain) \
    X(reply, native_reply)   \
    X(fail, native_fail)
RETAINED(NATIVE_CALLBACK)

static const struct native_row retained_rows[] = { RETAINED(NATIVE_ROW) };
const struct native_family natives_retained = { "retained", retained_rows,
                                                CM_ARRAY_LEN(retained_rows), 0 };
