/* A worker's socket. Runs in the host's process; every byte that comes is
 * hostile and is taken only as a frame that ipc_frame_peek() has let through. A
 * breach ends the worker. Memory is reserved for what a checked head announces. */
#include "executor/worker_io.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "executor/execution.h"
#include "executor/request.h"
#include "executor/run.h"
#include "executor/state.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum {
    READ_BYTES = 4096,       /* a trivial run's frames fit, and the pages stay warm */
    READ_MORE_BYTES = 65536, /* once a read has filled its room */
    SOCKET_BYTES = 262144,   /* more than a socket holds */
    READS_A_TURN = 16,       /* then other workers have their turn */
    COPY_BYTES = 65536       /* bodies up to this are copied out of the buffer, larger ones
                                take the buffer with them */
};

void worker_io_init(struct worker *worker)
{
    const struct cm_executor *executor = worker->executor;
    const uint64_t message = executor->limits.message_bytes + sizeof(struct ipc_head) + 256;

    cm_buf_init(&worker->in, ipc_frame_max(&executor->limits) + READ_MORE_BYTES);
    /* One program with its names, and an answer for each call and fetch that may be
     * open. */
    cm_buf_init(&worker->out, (message + (uint64_t)2 * IPC_FETCH_HEAD_MAX) *
                                  (executor->settings.calls_in_flight +
                                   executor->settings.fetches_in_flight + 2));
}

/* ---- reading ---- */

/* What to make room for: the rest of the frame whose head is there. */
static size_t wanted(const struct cm_buf *in, bool more)
{
    struct ipc_head head;
    size_t rest;

    if (in->len >= sizeof(head)) {
        memcpy(&head, cm_buf_bytes(in), sizeof(head)); /* let through by ipc_frame_peek() */
        rest = sizeof(head) + head.body_bytes - in->len;
        if (rest > READ_BYTES)
            return rest;
    }
    return more ? READ_MORE_BYTES : READ_BYTES;
}

/* 1: bytes came; *ret_full: there may be more. 0: none are there. CM_E_PEER: the
 * end of file. CM_E_NOMEM. */
static int fill(struct worker *worker, bool more, bool *ret_full)
{
    struct cm_buf *in = &worker->in;
    const size_t want = wanted(in, more);
    ssize_t n;
    int r;

    r = cm_buf_reserve(in, want);
    if (r < 0)
        return r;
    if (want > READ_MORE_BYTES)
        cm_buf_populate(in, want < SOCKET_BYTES ? want : SOCKET_BYTES);
    n = recv(worker->socket.fd, cm_buf_tail(in), cm_buf_room(in), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0)
        return CM_E_PEER;
    *ret_full = (size_t)n == cm_buf_room(in);
    in->len += (size_t)n;
    return 1;
}

static const char *on_ready(struct worker *worker, const struct ipc_frame *frame)
{
    (void)frame;
    worker_on_ready(worker);
    return NULL;
}

static const char *on_call(struct worker *worker, const struct ipc_frame *frame)
{
    struct cm_call call;

    if (ipc_read_call(frame, &call) < 0)
        return "a CALL that is malformed";
    return run_on_call(worker->run, &call);
}

static const char *on_log(struct worker *worker, const struct ipc_frame *frame)
{
    struct cm_log line;

    if (ipc_read_log(frame, &line) < 0)
        return "a LOG that is malformed";
    return run_on_log(worker->run, &line);
}

static const char *on_log_stop(struct worker *worker, const struct ipc_frame *frame)
{
    enum ipc_stop reason;

    if (ipc_read_log_stop(frame, &reason) < 0)
        return "a LOG_STOP that is malformed";
    return run_on_log_stop(worker->run, reason);
}

static const char *on_fetch(struct worker *worker, const struct ipc_frame *frame)
{
    struct ipc_fetch_body request;

    if (ipc_read_fetch(frame, &request) < 0)
        return "a FETCH that is malformed";
    return run_on_fetch(worker->run, &request);
}

static const char *on_fetch_abort(struct worker *worker, const struct ipc_frame *frame)
{
    uint32_t id;

    if (ipc_read_fetch_abort(frame, &id) < 0)
        return "a FETCH_ABORT that is malformed";
    return run_on_fetch_abort(worker->run, id);
}

static const char *on_fetch_took(struct worker *worker, const struct ipc_frame *frame)
{
    struct ipc_fetch_took took;

    if (ipc_read_fetch_took(frame, &took) < 0)
        return "a FETCH_TOOK that is malformed";
    return run_on_fetch_took(worker->run, &took);
}

static const char *on_wait(struct worker *worker, const struct ipc_frame *frame)
{
    bool timers;

    if (ipc_read_wait(frame, &timers) < 0)
        return "a WAIT that is malformed";
    if (worker->execution != NULL)
        execution_on_wait(worker->execution, timers);
    else
        run_on_wait(worker->run, timers);
    return NULL;
}

/* Moves the body of the frame at the front to memory of its own and the buffer
 * past the frame. A large one is not copied: its buffer goes with it, and what
 * lies behind the frame starts the next. */
static int take_body(struct worker *worker, struct ipc_frame *frame, uint8_t **ret_owner)
{
    const size_t frame_bytes = sizeof(struct ipc_head) + frame->bytes;
    struct cm_buf *in = &worker->in;
    struct cm_buf rest;
    uint8_t *owner;

    if (frame->bytes > COPY_BYTES) {
        cm_buf_init(&rest, in->max);
        if (cm_buf_append(&rest, cm_buf_bytes(in) + frame_bytes, in->len - frame_bytes) < 0)
            return CM_E_NOMEM;
        *ret_owner = in->data; /* frame->body points into it */
        *in = rest;
        return 0;
    }
    owner = malloc(frame->bytes + 1);
    if (owner == NULL)
        return CM_E_NOMEM;
    memcpy(owner, frame->body, frame->bytes);
    frame->body = owner;
    cm_buf_consume(in, frame_bytes);
    *ret_owner = owner;
    return 0;
}

/* Takes the frame off the buffer itself. */
static const char *on_done(struct worker *worker, const struct ipc_frame *at_front)
{
    struct ipc_frame frame = *at_front;
    struct ipc_done_body done;
    uint8_t *owner;

    if (take_body(worker, &frame, &owner) < 0) {
        cm_buf_consume(&worker->in, sizeof(struct ipc_head) + frame.bytes);
        run_stop_fault(worker->run, CM_FAULT_INTERNAL, cm_message_new(CM_MSG_NO_MEMORY, NULL));
        return NULL;
    }
    if (ipc_read_done(&frame, &done) < 0) {
        free(owner);
        return "a DONE that is malformed";
    }
    if (worker->state == WORKER_RETAINED && done.failure == CM_FAILURE_NONE) {
        free(owner);
        return "a DONE instead of a REPLY";
    }
    if (done.failure == CM_FAILURE_TIMEOUT || done.failure == CM_FAILURE_WALL) {
        free(owner);
        return "a DONE with a failure that is not the worker's to state";
    }
    run_on_done(worker->run, &done, owner);
    if (worker->execution != NULL && done.failure == CM_FAILURE_MEMORY)
        execution_end(worker->execution);
    worker_on_run_over(worker, !done.spent && done.failure != CM_FAILURE_MEMORY);
    return NULL;
}

static const char *on_retained(struct worker *worker, const struct ipc_frame *frame)
{
    struct ipc_handles handles;

    if (ipc_read_retained(frame, &handles) < 0)
        return "a RETAINED that is malformed";
    if (worker->run->state != RUN_RUNNING) /* killed */
        return NULL;
    return run_on_retained(worker->run, &handles);
}

static const char *on_context(struct worker *worker, const struct ipc_frame *frame)
{
    uint32_t invocation;

    if (ipc_read_context(frame, &invocation) < 0)
        return "a CONTEXT that is malformed";
    worker->run = execution_invocation(worker->execution, invocation);
    return worker->run == NULL && invocation != 0 ? "a CONTEXT of no invocation" : NULL;
}

/* Takes the frame off the buffer itself. */
static const char *on_reply(struct worker *worker, const struct ipc_frame *at_front)
{
    struct ipc_frame frame = *at_front;
    struct ipc_reply_body reply;
    struct cm_run *run;
    uint8_t *owner;

    if (take_body(worker, &frame, &owner) < 0) {
        execution_end(worker->execution);
        return NULL;
    }
    run = ipc_read_reply(&frame, &reply) < 0
              ? NULL
              : execution_invocation(worker->execution, reply.invocation);
    if (run == NULL) {
        free(owner);
        return "a REPLY that is malformed or to no invocation";
    }
    run_on_reply(run, &reply, owner);
    return NULL;
}

static const char *on_exhausted(struct worker *worker, const struct ipc_frame *frame)
{
    (void)frame;
    if (worker->run != NULL)
        run_on_exhausted(worker->run);
    else
        worker_lost(worker);
    return NULL;
}

static const char *on_compiled(struct worker *worker, const struct ipc_frame *frame)
{
    return modules_on_compiled(worker, frame);
}

static const struct handler {
    uint16_t type;
    bool takes;  /* the handler consumes the frame */
    bool of_run; /* it belongs to one, and there has to be one */
    const char *(*handle)(struct worker *worker, const struct ipc_frame *frame);
} handlers[] = {
    { IPC_READY, false, false, on_ready },
    { IPC_CALL, false, true, on_call },
    { IPC_LOG, false, true, on_log },
    { IPC_LOG_STOP, false, true, on_log_stop },
    { IPC_WAIT, false, false, on_wait },
    { IPC_DONE, true, true, on_done },
    { IPC_EXHAUSTED, false, false, on_exhausted },
    { IPC_FETCH, false, true, on_fetch },
    { IPC_FETCH_ABORT, false, true, on_fetch_abort },
    { IPC_FETCH_TOOK, false, true, on_fetch_took },
    { IPC_RETAINED, false, true, on_retained },
    { IPC_CONTEXT, false, false, on_context },
    { IPC_REPLY, true, false, on_reply },
    { IPC_COMPILED, false, false, on_compiled },
};

static const char *handle(struct worker *worker, const struct ipc_frame *frame)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(handlers); i++) {
        const char *rule;

        if (handlers[i].type != frame->type)
            continue;
        if (handlers[i].of_run && worker->run == NULL)
            return "a frame that belongs to no invocation";
        rule = handlers[i].handle(worker, frame);
        if (!handlers[i].takes)
            cm_buf_consume(&worker->in, sizeof(struct ipc_head) + frame->bytes);
        return rule;
    }
    return "a frame of unknown type"; /* each row of frames.def has a handler; a test walks them */
}

/* The state by which its frames are judged: as long as it has a run, a killed
 * worker's last words are those of a running one. */
static enum ipc_state frame_state(const struct worker *worker)
{
    static const enum ipc_state states[WORKER_STATES] = {
        [WORKER_FORKING] = IPC_S_ENDING,    [WORKER_STARTING] = IPC_S_STARTING,
        [WORKER_READY] = IPC_S_READY,       [WORKER_RUNNING] = IPC_S_RUNNING,
        [WORKER_RETAINED] = IPC_S_RETAINED, [WORKER_COMPILING] = IPC_S_COMPILING,
        [WORKER_ENDING] = IPC_S_ENDING,     [WORKER_GONE] = IPC_S_ENDING,
    };

    if (worker->run == NULL || worker->state == WORKER_RETAINED)
        return states[worker->state];
    return IPC_S_RUNNING;
}

static void handle_frames(struct worker *worker)
{
    while (worker->socket.fd >= 0) { /* a callback may have ended it */
        const char *rule = NULL;
        struct ipc_frame frame;
        int r = ipc_frame_peek(&worker->in, frame_state(worker), &worker->executor->limits, &frame,
                               &rule);

        if (r == 0)
            return;
        if (r > 0)
            rule = handle(worker, &frame);
        if (rule != NULL)
            worker_on_breach(worker, rule);
    }
}

static void on_no_memory(struct worker *worker)
{
    if (worker->run != NULL)
        run_stop_fault(worker->run, CM_FAULT_INTERNAL, cm_message_new(CM_MSG_NO_MEMORY, NULL));
    worker_on_eof(worker);
}

/* Reads up to `reads` times, as long as there seems to be more. true: the last
 * read brought something. */
static bool read_some(struct worker *worker, int reads)
{
    bool full = true;
    int r = 0;

    for (int i = 0; i < reads && full && worker->socket.fd >= 0; i++) {
        r = fill(worker, i > 0, &full);
        if (r == 0)
            return false;
        if (r == CM_E_PEER)
            worker_on_eof(worker);
        else if (r < 0)
            on_no_memory(worker);
        else
            handle_frames(worker);
    }
    return r > 0;
}

void worker_read(struct worker *worker)
{
    read_some(worker, READS_A_TURN);
}

/* The process is dead, so what its socket holds is bounded by the kernel. */
void worker_read_to_end(struct worker *worker)
{
    while (worker->socket.fd >= 0 && read_some(worker, READS_A_TURN))
        ;
}

/* ---- writing ---- */

static void flush(struct worker *worker)
{
    struct cm_buf *out = &worker->out;

    while (out->len > 0) {
        ssize_t n =
            send(worker->socket.fd, cm_buf_bytes(out), out->len, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n <= 0) /* a dead worker is noticed by reading: its last words count */
            break;
        cm_buf_consume(out, (size_t)n);
    }
    if (out->len == 0)
        loop_want(&worker->executor->loop, &worker->socket, EPOLLIN);
}

void worker_on_socket(struct source *source, uint32_t events)
{
    struct worker *worker = CM_CONTAINER_OF(source, struct worker, socket);

    if ((events & EPOLLOUT) != 0)
        flush(worker);
    if ((events & ~(uint32_t)EPOLLOUT) != 0)
        worker_read(worker);
}

static int keep_rest(struct worker *worker, const struct iovec *parts, size_t count, size_t sent)
{
    for (size_t i = 0; i < count; i++) {
        size_t skip = sent < parts[i].iov_len ? sent : parts[i].iov_len;
        int r = cm_buf_append(&worker->out, (const uint8_t *)parts[i].iov_base + skip,
                              parts[i].iov_len - skip);

        if (r < 0)
            return r;
        sent -= skip;
    }
    loop_want(&worker->executor->loop, &worker->socket, EPOLLIN | EPOLLOUT);
    return 0;
}

/* Sends at once what the socket takes and keeps the rest. CM_E_PEER, CM_E_NOMEM:
 * nothing was sent. When memory runs out in the middle of a frame, the stream is
 * broken and the worker with it. */
static int send_parts(struct worker *worker, struct iovec *parts, size_t count)
{
    struct msghdr header = { .msg_iov = parts, .msg_iovlen = count < IOV_MAX ? count : IOV_MAX };
    size_t total = 0;
    ssize_t n = 0;
    int r;

    for (size_t i = 0; i < count; i++)
        total += parts[i].iov_len;
    if (worker->out.len > 0) {
        r = cm_buf_reserve(&worker->out, total);
        return r < 0 ? CM_E_NOMEM : keep_rest(worker, parts, count, 0);
    }
    n = sendmsg(worker->socket.fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        return CM_E_PEER;
    if (n == (ssize_t)total)
        return 0;
    r = keep_rest(worker, parts, count, n < 0 ? 0 : (size_t)n);
    if (r < 0 && n > 0)
        on_no_memory(worker);
    return r < 0 ? CM_E_NOMEM : 0;
}

static struct iovec part(const void *bytes, size_t n)
{
    return (struct iovec){ (void *)(uintptr_t)bytes, n }; /* sendmsg() only reads */
}

static struct iovec text_part(const char *text)
{
    return part(text, strlen(text) + 1);
}

/* parts[0] is left for the head. */
static int send_frame(struct worker *worker, enum ipc_type type, struct iovec *parts, size_t count)
{
    struct ipc_head head = { 0, (uint16_t)type, 0 };
    uint64_t bytes = 0;

    for (size_t i = 1; i < count; i++)
        bytes += parts[i].iov_len;
    if (bytes > UINT32_MAX)
        return CM_E_NOMEM;
    head.body_bytes = (uint32_t)bytes;
    parts[0] = part(&head, sizeof(head));
    return send_parts(worker, parts, count);
}

/* ---- modules ---- */

/* From 1; 0: the worker does not keep it. */
static uint16_t place_of(const struct worker *worker, const struct unit *unit)
{
    for (size_t i = 0; unit != NULL && i < worker->kept_count; i++)
        if (worker->kept[i] == unit->number)
            return (uint16_t)(i + 1);
    return 0;
}

/* Two parts of an entry: what stands before its body, and the body. */
static void put_module(struct iovec *parts, const struct request_module *module,
                       const struct unit *unit, uint16_t place)
{
    if (place > 0)
        parts[1] = part("", 0);
    else if (unit != NULL)
        parts[1] = part(unit->body, unit->body_bytes);
    else
        parts[1] = part(module->source, module->source_bytes + 1);
    parts[0] = part(module->head, sizeof(struct ipc_module) + module->name_bytes + 1);
    module->head->body_bytes = parts[1].iov_len;
    module->head->kept = place;
}

/* A text that has come twice is likely to come again. */
static bool is_worth_keeping(const struct worker *worker, const struct request_module *module,
                             const struct unit *unit)
{
    return module->kind != IPC_KIND_PROGRAM && unit != NULL && unit->again && unit->body != NULL &&
           unit->compiled.head.failed == 0 && place_of(worker, unit) == 0;
}

static bool has_room(const struct worker *worker, const struct iovec *entry)
{
    return worker->kept_count < IPC_KEEP_MAX &&
           entry[0].iov_len + entry[1].iov_len <= IPC_KEEP_BYTES - worker->kept_bytes;
}

/* Notes what goes into KEEP. Returns how many parts that is. */
static size_t choose_kept(struct worker *worker, const struct request *request,
                          struct unit *const *units, struct iovec *parts)
{
    size_t count = 0;

    for (size_t i = 0; i < request->module_count; i++) {
        if (!is_worth_keeping(worker, &request->modules[i], units[i]))
            continue;
        put_module(&parts[count], &request->modules[i], units[i], 0);
        if (!has_room(worker, &parts[count]))
            continue;
        worker->kept[worker->kept_count++] = units[i]->number;
        worker->kept_bytes += parts[count].iov_len + parts[count + 1].iov_len;
        count += 2;
    }
    return count;
}

/* What the run has that later ones are likely to have: it is sent once. `parts` has
 * room for it. */
static int send_keep(struct worker *worker, const struct request *request,
                     struct unit *const *units, struct iovec *parts)
{
    enum { FIXED = 2 };
    const size_t kept_count = worker->kept_count;
    const size_t kept_bytes = worker->kept_bytes;
    struct ipc_keep keep = { 0 };
    size_t count;
    int r = 0;

    if (worker->kept == NULL)
        worker->kept = calloc(IPC_KEEP_MAX, sizeof(*worker->kept));
    if (worker->kept == NULL)
        return CM_E_NOMEM;
    count = choose_kept(worker, request, units, &parts[FIXED]);
    parts[1] = part(&keep, sizeof(keep));
    keep.module_count = (uint32_t)count / 2;
    if (count > 0)
        r = send_frame(worker, IPC_KEEP, parts, FIXED + count);
    if (r < 0) {
        worker->kept_count = kept_count;
        worker->kept_bytes = kept_bytes;
    }
    return r;
}

int worker_send_run(struct worker *worker, const struct ipc_run *run, const struct request *request,
                    struct unit *const *units)
{
    enum { FIXED = 5 };
    const size_t count = FIXED + 2 * (size_t)run->module_count;
    CM_AUTO_FREE struct iovec *parts = calloc(count, sizeof(*parts));
    int r = 0;

    if (parts == NULL)
        return CM_E_NOMEM;
    if (run->module_count > 0)
        r = send_keep(worker, request, units, parts);
    if (r < 0)
        return r;
    parts[1] = part(run, sizeof(*run));
    parts[2] = part(request->providers, request->providers_bytes);
    parts[3] = part(request->code, run->code_bytes);
    parts[4] = part("", 1);
    for (size_t i = 0; i < run->module_count; i++)
        put_module(&parts[FIXED + 2 * i], &request->modules[i], units[i],
                   place_of(worker, units[i]));
    return send_frame(worker, IPC_RUN, parts, count);
}

int worker_compile(struct worker *worker, const struct ipc_compile *job, const char *source,
                   size_t bytes)
{
    struct iovec parts[] = { { 0 }, part(job, sizeof(*job)), part(source, bytes + 1) };

    return send_frame(worker, IPC_COMPILE, parts, CM_ARRAY_LEN(parts));
}

/* What belongs to a run in a worker that may be dead already. */
static int send_if_alive(struct worker *worker, enum ipc_type type, struct iovec *parts,
                         size_t count)
{
    int r = worker->socket.fd < 0 ? 0 : send_frame(worker, type, parts, count);

    return r == CM_E_PEER ? 0 : r;
}

int worker_answer(struct worker *worker, uint32_t id, enum ipc_answer_kind kind, const char *text,
                  size_t bytes)
{
    struct ipc_answer answer = { id, kind };
    struct iovec parts[] = { { 0 }, part(&answer, sizeof(answer)), part(text, bytes), part("", 1) };

    return send_if_alive(worker, IPC_ANSWER, parts, CM_ARRAY_LEN(parts));
}

int worker_response(struct worker *worker, const struct ipc_response *head, const char *status_text,
                    const char *url, const void *headers)
{
    struct ipc_response response = *head;
    struct iovec parts[] = { { 0 },
                             part(&response, sizeof(response)),
                             text_part(status_text),
                             text_part(url),
                             part(headers, head->headers_bytes) };

    response.status_text_bytes = (uint32_t)parts[2].iov_len - 1;
    response.url_bytes = (uint32_t)parts[3].iov_len - 1;
    return send_if_alive(worker, IPC_RESPONSE, parts, CM_ARRAY_LEN(parts));
}

int worker_body(struct worker *worker, uint32_t id, bool last, const void *bytes, size_t n)
{
    struct ipc_body body = { id, last };
    struct iovec parts[] = { { 0 }, part(&body, sizeof(body)), part(bytes, n) };

    return send_if_alive(worker, IPC_BODY, parts, CM_ARRAY_LEN(parts));
}

int worker_fetch_failed(struct worker *worker, uint32_t id, const char *message)
{
    struct ipc_fetch_failed failed = { id, 0 };
    struct iovec parts[] = { { 0 }, part(&failed, sizeof(failed)), text_part(message) };

    return send_if_alive(worker, IPC_FETCH_FAILED, parts, CM_ARRAY_LEN(parts));
}

int worker_invoke(struct worker *worker, uint32_t invocation, const char *handle,
                  const struct cm_fetch *request)
{
    const char *method = request->method == NULL ? "GET" : request->method;
    struct ipc_invoke invoke = { .invocation = invocation,
                                 .handle_bytes = (uint32_t)strlen(handle),
                                 .request = { .url_bytes = (uint32_t)request->url_bytes,
                                              .method_bytes = (uint32_t)strlen(method),
                                              .header_count = (uint32_t)request->header_count,
                                              .has_body = request->body != NULL } };
    struct cm_buf headers;
    int r = ipc_pack_headers(request->headers, request->header_count, &headers);

    if (request->body != NULL)
        invoke.request.body_bytes = request->body_bytes;
    invoke.request.headers_bytes = (uint32_t)headers.len;
    if (r == 0) {
        struct iovec parts[] = { { 0 },
                                 part(&invoke, sizeof(invoke)),
                                 text_part(handle),
                                 part(request->url, request->url_bytes),
                                 part("", 1),
                                 text_part(method),
                                 part(cm_buf_bytes(&headers), headers.len),
                                 part(request->body, invoke.request.body_bytes) };

        r = worker->socket.fd < 0 ? CM_E_PEER
                                  : send_frame(worker, IPC_INVOKE, parts, CM_ARRAY_LEN(parts));
    }
    cm_buf_done(&headers);
    return r;
}
