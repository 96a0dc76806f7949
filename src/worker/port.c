/* Frames to and from the supervisor. Runs in a worker. The supervisor is trusted;
 * what it forwards (code, answers) is not looked into here. */
#include "worker/snapshot.h"
#include "worker/worker.h"

#include "base/cleanup.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    READ_BYTES = 16384,   /* room made for a read when nothing is known of its size */
    SOCKET_BYTES = 262144 /* more than a socket holds */
};

/* A frame that cannot be sent or read leaves nothing to do: the supervisor has
 * gone, or the two ends disagree. The zygote tells it how this process ended. */
static void lost(void) __attribute__((noreturn));
static void lost(void)
{
    _exit(0);
}

static void advance(struct iovec **parts, int *count, size_t written)
{
    while (*count > 0 && written >= (*parts)->iov_len) {
        written -= (*parts)->iov_len;
        (*parts)++;
        (*count)--;
    }
    if (*count > 0) {
        (*parts)->iov_base = (char *)(*parts)->iov_base + written;
        (*parts)->iov_len -= written;
    }
}

/* parts[0] is left for the head. */
static void send_frame(struct worker *worker, enum ipc_type type, struct iovec *parts, int count)
{
    struct ipc_head head = { 0, (uint16_t)type, 0 };
    struct iovec *first = parts;

    if (worker->quiet)
        return;
    for (int i = 1; i < count; i++)
        head.body_bytes += (uint32_t)parts[i].iov_len;
    parts[0] = (struct iovec){ &head, sizeof(head) };
    while (count > 0) {
        ssize_t written = writev(worker->fd, parts, count);

        if (written < 0 && errno != EINTR)
            lost();
        if (written > 0)
            advance(&parts, &count, (size_t)written);
    }
    *first = (struct iovec){ 0 };
}

static struct iovec part(const void *bytes, size_t n)
{
    return (struct iovec){ (void *)(uintptr_t)bytes, n };
}

static struct iovec text_of(const struct cm_buf *buf)
{
    return part(buf->len == 0 ? "" : (const char *)cm_buf_bytes(buf), buf->len);
}

/* Before a frame that belongs to one invocation of a retained execution. */
static void tell_context(struct worker *worker)
{
    struct ipc_context context = { worker->contexts.current, 0 };
    struct iovec parts[2];

    if (!worker->contexts.retained || worker->contexts.told == context.invocation)
        return;
    worker->contexts.told = context.invocation;
    parts[1] = part(&context, sizeof(context));
    send_frame(worker, IPC_CONTEXT, parts, 2);
}

void port_ready(struct worker *worker)
{
    struct iovec parts[1];

    send_frame(worker, IPC_READY, parts, 1);
}

void port_log(struct worker *worker, enum cm_level level, const char *text, size_t bytes)
{
    struct ipc_log log = { level, 0 };
    struct iovec parts[4];

    tell_context(worker);
    parts[1] = part(&log, sizeof(log));
    parts[2] = part(text, bytes);
    parts[3] = part("", 1);
    send_frame(worker, IPC_LOG, parts, 4);
}

void port_log_stop(struct worker *worker, enum ipc_stop reason)
{
    struct ipc_log_stop stop = { reason, 0 };
    struct iovec parts[2];

    tell_context(worker);
    parts[1] = part(&stop, sizeof(stop));
    send_frame(worker, IPC_LOG_STOP, parts, 2);
}

void port_wait(struct worker *worker, bool timers)
{
    struct ipc_wait wait = { timers, 0 };
    struct iovec parts[2];

    worker->timers_told = timers;
    parts[1] = part(&wait, sizeof(wait));
    send_frame(worker, IPC_WAIT, parts, 2);
}

void port_call(struct worker *worker, uint32_t id, const char *provider, const char *tool)
{
    struct ipc_call call = { id, (uint16_t)strlen(provider), (uint16_t)strlen(tool) };
    struct iovec parts[6];

    tell_context(worker);
    parts[1] = part(&call, sizeof(call));
    parts[2] = part(provider, call.provider_bytes + 1u);
    parts[3] = part(tool, call.tool_bytes + 1u);
    parts[4] = text_of(&worker->body);
    parts[5] = part("", 1);
    send_frame(worker, IPC_CALL, parts, 6);
}

void port_compiled(struct worker *worker)
{
    struct iovec parts[2];

    parts[1] = text_of(&worker->body);
    send_frame(worker, IPC_COMPILED, parts, 2);
}

void port_fetch(struct worker *worker, const struct ipc_fetch *head, const void *body)
{
    struct iovec parts[4];

    tell_context(worker);
    parts[1] = part(head, sizeof(*head));
    parts[2] = text_of(&worker->scratch);
    parts[3] = part(body, head->body_bytes);
    send_frame(worker, IPC_FETCH, parts, 4);
}

void port_fetch_abort(struct worker *worker, uint32_t id)
{
    struct ipc_fetch_abort abort = { id, 0 };
    struct iovec parts[2];

    tell_context(worker);
    parts[1] = part(&abort, sizeof(abort));
    send_frame(worker, IPC_FETCH_ABORT, parts, 2);
}

void port_fetch_took(struct worker *worker, uint32_t id, uint32_t bytes)
{
    struct ipc_fetch_took took = { id, bytes };
    struct iovec parts[2];

    tell_context(worker);
    parts[1] = part(&took, sizeof(took));
    send_frame(worker, IPC_FETCH_TOOK, parts, 2);
}

void port_retained(struct worker *worker, uint32_t count)
{
    struct ipc_retained retained = { count, (uint32_t)worker->scratch.len };
    struct iovec parts[3];

    parts[1] = part(&retained, sizeof(retained));
    parts[2] = text_of(&worker->scratch);
    send_frame(worker, IPC_RETAINED, parts, 3);
}

void port_reply(struct worker *worker, const struct ipc_response *head, const void *body)
{
    struct iovec parts[4];

    parts[1] = part(head, sizeof(*head));
    parts[2] = text_of(&worker->scratch);
    parts[3] = part(body, head->body_bytes);
    send_frame(worker, IPC_REPLY, parts, 4);
}

void port_done(struct worker *worker)
{
    const struct worker_done *done = &worker->done;
    struct ipc_done head = { done->failure,
                             (uint32_t)worker->error.len,
                             (uint32_t)worker->stack.len,
                             done->has_result,
                             snapshot_spent(),
                             0 };
    struct iovec parts[8];

    tell_context(worker);
    parts[1] = part(&head, sizeof(head));
    parts[2] = text_of(&worker->error);
    parts[3] = part("", 1);
    parts[4] = text_of(&worker->stack);
    parts[5] = part("", 1);
    parts[6] = done->has_result ? text_of(&worker->body) : part("", 0);
    parts[7] = part("", 1);
    head.result_bytes = parts[6].iov_len;
    send_frame(worker, IPC_DONE, parts, 8);
}

/* 1: *ret_frame is set. 0: bytes are missing, *ret_missing of them at least. */
static int whole_frame(const struct cm_buf *in, struct ipc_frame *ret_frame, size_t *ret_missing)
{
    struct ipc_head head;

    if (in->len < sizeof(head)) {
        *ret_missing = sizeof(head) - in->len;
        return 0;
    }
    memcpy(&head, cm_buf_bytes(in), sizeof(head));
    if (in->len - sizeof(head) < head.body_bytes) {
        *ret_missing = head.body_bytes - (in->len - sizeof(head));
        return 0;
    }
    *ret_frame = (struct ipc_frame){ head.type, cm_buf_bytes(in) + sizeof(head), head.body_bytes };
    return 1;
}

/* read() alone would also be woken where the other end has read what was sent to it. */
static bool wait_readable(int fd, int timeout_ms)
{
    struct pollfd pfd = { fd, POLLIN, 0 };

    return poll(&pfd, 1, timeout_ms) > 0 || timeout_ms < 0;
}

/* Into the room that has been made for it. */
static void read_more(struct worker *worker, size_t bytes)
{
    struct cm_buf *in = &worker->in;
    ssize_t got;

    snapshot_touch(cm_buf_tail(in), bytes);
    got = read(worker->fd, cm_buf_tail(in), bytes);
    if (got == 0 || (got < 0 && errno != EINTR))
        lost();
    if (got > 0)
        in->len += (size_t)got;
}

/* An answer that the memory bound has no room for ends the process. */
static void make_room(struct cm_buf *in, size_t bytes)
{
    if (cm_buf_reserve(in, bytes) < 0)
        lost();
    cm_buf_populate(in, bytes < SOCKET_BYTES ? bytes : SOCKET_BYTES);
}

int port_next(struct worker *worker, int timeout_ms, struct ipc_frame *ret_frame)
{
    struct cm_buf *in = &worker->in;
    size_t missing;

    while (whole_frame(in, ret_frame, &missing) == 0) {
        make_room(in, missing > READ_BYTES ? missing : READ_BYTES);
        if (in->len == 0 && !wait_readable(worker->fd, timeout_ms))
            return 0;
        read_more(worker, cm_buf_room(in));
    }
    return 1;
}

bool port_is_readable(const struct worker *worker)
{
    return worker->in.len > 0 || wait_readable(worker->fd, 0);
}

void port_discard(struct worker *worker)
{
    struct cm_buf *in = &worker->in;
    struct ipc_frame frame;
    size_t missing;

    while (in->len > 0) {
        if (whole_frame(in, &frame, &missing) != 0) {
            port_consume(worker, &frame);
        } else {
            make_room(in, missing);
            read_more(worker, missing); /* no more: behind it may be the next program */
        }
    }
}

void port_consume(struct worker *worker, const struct ipc_frame *frame)
{
    cm_buf_consume(&worker->in, sizeof(struct ipc_head) + frame->bytes);
    if (worker->in.len == 0)
        worker_empty(&worker->in);
}
