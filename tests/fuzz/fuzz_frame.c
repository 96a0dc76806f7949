/*
 * A worker that sends anything: the supervisor's reader of frames. The first
 * byte of the input is the worker's state, the second how much of the rest
 * arrives at a time; the rest is its stream.
 */
#include "fuzz.h"

#include "base/text.h"
#include "ipc/frame.h"

#include <stdlib.h>
#include <string.h>

/* Small, so that an input of some kilobytes reaches both sides of each bound. */
static const struct ipc_limits limits = { 256, 64 };

/* A text that was handed out: UTF-8, with its NUL, inside its frame. */
static void must_be_text(const struct ipc_frame *frame, const char *text, size_t bytes)
{
    const char *body = (const char *)frame->body;

    MUST(text >= body && bytes < frame->bytes && text + bytes < body + frame->bytes);
    MUST(text[bytes] == '\0');
    MUST(cm_utf8_valid(text, bytes));
}

static void must_be_string(const struct ipc_frame *frame, const char *text, size_t bytes)
{
    must_be_text(frame, text, bytes);
    MUST(strlen(text) == bytes);
}

static void try_call(const struct ipc_frame *frame)
{
    struct cm_call call;

    if (ipc_read_call(frame, &call) < 0)
        return;
    must_be_string(frame, call.provider, strlen(call.provider));
    must_be_string(frame, call.tool, strlen(call.tool));
    must_be_string(frame, call.args, call.args_bytes);
    MUST(strlen(call.provider) <= IPC_PROVIDER_MAX && strlen(call.tool) <= IPC_TOOL_MAX);
}

static void try_log(const struct ipc_frame *frame)
{
    struct cm_log log;

    if (ipc_read_log(frame, &log) < 0)
        return;
    must_be_text(frame, log.text, log.text_bytes);
    MUST(log.level <= CM_LEVEL_ERROR);
}

static void try_done(const struct ipc_frame *frame)
{
    struct ipc_done_body done;

    if (ipc_read_done(frame, &done) < 0)
        return;
    must_be_text(frame, done.error, done.error_bytes);
    if (done.stack != NULL)
        must_be_text(frame, done.stack, done.stack_bytes);
    if (done.result != NULL)
        must_be_string(frame, done.result, done.result_bytes);
    MUST(done.stack != NULL || done.stack_bytes == 0);
    MUST(done.result != NULL || done.result_bytes == 0);
    MUST(done.failure <= CM_FAILURE_MODULE);
    MUST(done.failure == CM_FAILURE_NONE ? done.error_bytes == 0 : done.result == NULL);
}

static void must_be_headers(const struct ipc_frame *frame, const char *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct cm_header header = ipc_next_header(&at);

        must_be_string(frame, header.name, header.name_bytes);
        must_be_string(frame, header.value, header.value_bytes);
        MUST(ipc_wrong_header(&header) == NULL);
    }
}

static void must_be_inside(const struct ipc_frame *frame, const uint8_t *bytes, size_t n)
{
    MUST(bytes == NULL || (bytes >= frame->body && n <= frame->bytes &&
                           (size_t)(bytes - frame->body) <= frame->bytes - n));
    MUST(bytes != NULL || n == 0);
}

static void try_messages(const struct ipc_frame *frame)
{
    struct ipc_fetch_body fetch;
    struct ipc_reply_body reply;

    if (ipc_read_fetch(frame, &fetch) == 0) {
        must_be_string(frame, fetch.url, fetch.url_bytes);
        MUST(ipc_is_token(fetch.method, strlen(fetch.method)));
        must_be_headers(frame, fetch.headers, fetch.header_count);
        must_be_inside(frame, fetch.body, fetch.body_bytes);
    }
    if (ipc_read_reply(frame, &reply) == 0) {
        MUST(reply.status >= 200 && reply.status <= 599);
        must_be_string(frame, reply.status_text, strlen(reply.status_text));
        must_be_headers(frame, reply.headers, reply.header_count);
        must_be_inside(frame, reply.body, reply.body_bytes);
    }
}

static void try_handles(const struct ipc_frame *frame)
{
    struct ipc_handles handles;
    const char *at;

    if (ipc_read_retained(frame, &handles) < 0)
        return;
    at = handles.names;
    for (size_t i = 0; i < handles.count; i++, at += strlen(at) + 1)
        must_be_string(frame, at, strlen(at));
    MUST(at == handles.names + handles.bytes);
}

static void try_numbers(const struct ipc_frame *frame)
{
    enum ipc_stop reason;
    bool timers;

    if (ipc_read_log_stop(frame, &reason) == 0)
        MUST(reason == IPC_STOP_LINES || reason == IPC_STOP_BYTES);
    if (ipc_read_wait(frame, &timers) == 0)
        MUST(frame->bytes == sizeof(struct ipc_wait));
}

/* Every reader on every body, whatever its type, in a block of exactly its size. */
static void try_readers(const struct ipc_frame *frame)
{
    uint8_t *body = malloc(frame->bytes);
    const struct ipc_frame copy = { frame->type, body, frame->bytes };

    MUST(body != NULL);
    memcpy(body, frame->body, frame->bytes);
    try_call(&copy);
    try_log(&copy);
    try_done(&copy);
    try_messages(&copy);
    try_handles(&copy);
    try_numbers(&copy);
    free(body);
}

/* Takes what frames are whole. False: the worker broke a rule. */
static bool take_frames(struct cm_buf *in, enum ipc_state state)
{
    struct ipc_frame frame;
    const char *rule = NULL;
    int r;

    while ((r = ipc_frame_peek(in, state, &limits, &frame, &rule)) == 1) {
        MUST(sizeof(struct ipc_head) + frame.bytes <= in->len);
        MUST(sizeof(struct ipc_head) + frame.bytes <= ipc_frame_max(&limits));
        MUST(state != IPC_S_ENDING && state != IPC_S_READY);
        try_readers(&frame);
        cm_buf_consume(in, sizeof(struct ipc_head) + frame.bytes);
    }
    MUST(r == 0 || rule != NULL);
    /* What waits for the rest of a frame fits the buffer when it has come. */
    MUST(r < 0 || in->len < ipc_frame_max(&limits));
    return r == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    enum ipc_state state;
    struct cm_buf in;
    size_t step;

    if (n < 2)
        return 0;
    state = (enum ipc_state)(bytes[0] % (IPC_S_ENDING + 1));
    step = bytes[1] == 0 ? n : bytes[1];
    bytes += 2;
    n -= 2;
    cm_buf_init(&in, ipc_frame_max(&limits));
    while (n > 0) {
        size_t room = in.max - in.len;
        size_t now = n < step ? n : step;

        now = now < room ? now : room;
        MUST(cm_buf_append(&in, bytes, now) == 0);
        if (!take_frames(&in, state))
            break;
        bytes += now;
        n -= now;
    }
    cm_buf_done(&in);
    return 0;
}
