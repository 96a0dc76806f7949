/* The run loop of a worker: a program, its events, its end, and back to the isolate as
 * it was. Runs inside the jail. */
#include "worker/fetches.h"
#include "worker/isolate.h"
#include "worker/snapshot.h"
#include "worker/worker.h"

#include "base/clock.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

/* To fall asleep and be woken costs this process and the host more than most answers
 * of a host that is not busy take. */
#define AWAKE_NS (UINT64_C(50) * 1000)

enum {
    BODY_SLACK_BYTES = 1 << 20, /* one piece of JSON text past the ceiling */
    KEPT_BYTES = 65536,         /* a buffer above this is given back when it is empty */
    COLLECT_AFTER = 256,        /* invocations of a retained execution */
    OTHERS_MAX = 4              /* programs in a row with modules that were not learned */
};

void worker_init(struct worker *worker, uint64_t memory_limit_bytes)
{
    *worker = (struct worker){ .fd = -1, .memory_limit_bytes = memory_limit_bytes };
    cm_buf_init(&worker->in, SIZE_MAX);
    cm_buf_init(&worker->body, SIZE_MAX);
    cm_buf_init(&worker->scratch, SIZE_MAX);
    cm_buf_init(&worker->error, SIZE_MAX);
    cm_buf_init(&worker->stack, IPC_STACK_MAX);
    worker->tally = &worker->of_program;
}

void worker_empty(struct cm_buf *buf)
{
    cm_buf_consume(buf, buf->len);
    if (buf->cap > KEPT_BYTES)
        cm_buf_done(buf);
}

void worker_reset_run(struct worker *worker)
{
    worker_empty(&worker->body);
    worker_empty(&worker->scratch);
    worker_empty(&worker->error);
    worker_empty(&worker->stack);
    timers_done(&worker->timers);
    modules_done(&worker->modules);
    worker->run = (struct ipc_run){ 0 };
    worker->body_bytes = 0;
    worker->last_call = 0;
    worker->calls_open = 0;
    worker->tally = &worker->of_program;
    worker->of_program = (struct tally){ 0 };
    worker->timers_told = false;
    worker->answers_slow = false;
    worker->done = (struct worker_done){ 0 };
}

/* Those that were due and armed when the turn began: one that re-arms itself
 * cannot keep answers waiting. */
static void fire_timers(struct worker *worker, struct isolate *isolate)
{
    uint64_t now_ns = cm_now_ns();
    uint64_t order = worker->timers.order;
    uint32_t id;

    while (!worker->done.set && timers_take(&worker->timers, now_ns, order, &id)) {
        contexts_enter(worker, worker->timers.context);
        isolate_timer(isolate, id);
    }
}

/* How long poll(2) may sleep: rounded up, so that a timer is due afterwards. */
static int sleep_ms(const struct worker *worker)
{
    uint64_t next_ns = timers_next_ns(&worker->timers);
    uint64_t now_ns;
    uint64_t ms;

    if (next_ns == CM_NEVER)
        return -1;
    now_ns = cm_now_ns();
    ms = next_ns <= now_ns ? 0 : (next_ns - now_ns + CM_NS_PER_MS - 1) / CM_NS_PER_MS;
    return ms > INT32_MAX ? INT32_MAX : (int)ms;
}

static void on_answer(struct worker *worker, struct isolate *isolate, const struct ipc_frame *frame)
{
    struct ipc_answer head;
    const char *text = (const char *)frame->body + sizeof(head);

    memcpy(&head, frame->body, sizeof(head));
    if (!contexts_take_call(worker, head.id))
        return;
    worker->calls_open--;
    if (head.kind == IPC_ANSWER_JSON)
        isolate_answer(isolate, head.id, text);
    else
        isolate_reject(isolate, head.id, text);
}

static void on_invoke(struct worker *worker, struct isolate *isolate, const struct ipc_frame *frame)
{
    struct ipc_invoke head;

    memcpy(&head, frame->body, sizeof(head));
    if (contexts_begin(worker, head.invocation) < 0)
        isolate_exhausted(isolate);
    else
        isolate_invoke(isolate, &head, (const char *)frame->body + sizeof(head));
}

/* What the host answers. Looks for it awake first, as long as answers come that soon;
 * another process that wants the processor has it meanwhile. */
static int next_answer(struct worker *worker, int timeout_ms, struct ipc_frame *ret_frame)
{
    uint64_t began_ns = cm_now_ns();
    int r = 0;

    while (!worker->answers_slow && r == 0 && cm_now_ns() - began_ns < AWAKE_NS) {
        r = port_next(worker, 0, ret_frame);
        if (r == 0)
            sched_yield();
    }
    if (r == 0)
        r = port_next(worker, timeout_ms, ret_frame);
    worker->answers_slow = cm_now_ns() - began_ns > 2 * AWAKE_NS;
    return r;
}

/* What invocations leave behind is collected between two of them: the engine waits
 * until there is several times as much. */
static void collect(struct worker *worker, struct isolate *isolate)
{
    if (worker->contexts.ended < COLLECT_AFTER || worker->contexts.live_count > 0)
        return;
    worker->contexts.ended = 0;
    isolate_collect(isolate);
}

/* One turn: sleep until something happens, then do it. */
static void turn(struct worker *worker, struct isolate *isolate)
{
    int timeout_ms = sleep_ms(worker);
    bool waits = worker->calls_open > 0 || fetches_open(worker) > 0;
    struct ipc_frame frame;
    int got;

    if (fetches_tell_refused(worker))
        return;
    collect(worker, isolate);
    if (waits && (timeout_ms >= 0) != worker->timers_told)
        port_wait(worker, timeout_ms >= 0);
    got = waits && timeout_ms != 0 ? next_answer(worker, timeout_ms, &frame)
                                   : port_next(worker, timeout_ms, &frame);
    if (got > 0) {
        if (frame.type == IPC_ANSWER)
            on_answer(worker, isolate, &frame);
        else if (frame.type == IPC_INVOKE)
            on_invoke(worker, isolate, &frame);
        else
            fetches_on_frame(worker, &frame);
        port_consume(worker, &frame);
    }
    if (!worker->done.set && worker->timers.count > 0)
        fire_timers(worker, isolate);
}

static void on_run(struct worker *worker, struct isolate *isolate, struct ipc_frame *frame)
{
    const char *providers = (const char *)frame->body + sizeof(worker->run);
    const char *code = providers + worker->run.providers_bytes;
    const uint8_t *entries = (const uint8_t *)code + worker->run.code_bytes + 1;

    if (worker->run.module_count > 0 &&
        modules_take(&worker->modules, &worker->in, entries,
                     (size_t)(frame->body + frame->bytes - entries), worker->run.module_count) < 0)
        _exit(1); /* no memory, or the two ends disagree */
    isolate_run(isolate, providers, worker->run.provider_count, code, worker->run.code_bytes);
    if (worker->run.module_count == 0)
        port_consume(worker, frame);
}

static bool is_learned(const struct modules *modules, const struct kept *kept)
{
    return modules->count == kept->module_count && modules->entries_bytes == kept->modules_bytes &&
           memcmp(modules->entries, kept->modules, kept->modules_bytes) == 0;
}

/* Keeps the first modules for the isolate to learn them: the next programs are likely
 * to import the same. A worker whose programs have come to import others ends, so that
 * the next one learns those. */
static void keep_modules(const struct modules *modules, struct kept *kept)
{
    if (modules->count == 0 || modules->entries_bytes > sizeof(kept->modules))
        return;
    if (kept->module_count == 0) {
        memcpy(kept->modules, modules->entries, modules->entries_bytes);
        kept->modules_bytes = modules->entries_bytes;
        kept->module_count = modules->count;
    }
    kept->others = is_learned(modules, kept) ? 0 : kept->others + 1;
    if (kept->others == OTHERS_MAX)
        snapshot_spend();
}

static void run_program(struct worker *worker, struct isolate *isolate, struct ipc_frame *frame)
{
    memcpy(&worker->run, frame->body, sizeof(worker->run));
    worker->run_start_ns = cm_now_ns();
    worker->body.max = worker->run.message_limit_bytes + BODY_SLACK_BYTES;
    on_run(worker, isolate, frame);
    while (!worker->done.set)
        turn(worker, isolate);
    keep_modules(&worker->modules, worker->kept);
    port_done(worker); /* in a retained execution for want of memory: this process ends */
}

/* Why a module that the compiler has no memory or room for has none. */
static void set_too_large(struct worker *worker, const struct ipc_compile *job)
{
    static const char message[] = "The text is too large to be compiled";
    static const char meta[] = "{\"error\":{\"message\":\"The text is too large to be compiled\"}}";
    struct ipc_compiled head = { .id = job->id,
                                 .failed = 1,
                                 .meta_bytes = sizeof(meta) - 1,
                                 .code_bytes = sizeof(message) - 1 };

    cm_buf_consume(&worker->body, worker->body.len);
    cm_buf_append(&worker->body, &head, sizeof(head));
    cm_buf_append(&worker->body, meta, sizeof(meta));
    cm_buf_append(&worker->body, message, sizeof(message));
}

static void compile(struct worker *worker, struct isolate *isolate, const struct ipc_frame *frame)
{
    struct ipc_compile job;
    int r;

    memcpy(&job, frame->body, sizeof(job));
    worker->body.max = job.limit_bytes;
    r = isolate_compile(isolate, (enum ipc_kind)job.kind, (const char *)frame->body + sizeof(job),
                        job.typescript != 0);
    if (r < 0)
        set_too_large(worker, &job);
    else
        memcpy(cm_buf_bytes(&worker->body), &job.id, sizeof(job.id)); /* its first member */
    port_compiled(worker);
    worker_empty(&worker->body);
}

/* Has them read, once a process: with that they belong to the snapshot. */
static void learn_modules(struct worker *worker, struct isolate *isolate)
{
    struct kept *kept = worker->kept;
    struct cm_buf frame;

    kept->learned = true;
    cm_buf_init(&frame, SIZE_MAX);
    if (cm_buf_append(&frame, kept->modules, kept->modules_bytes) < 0 ||
        modules_take(&worker->usual_modules, &frame, cm_buf_bytes(&frame), frame.len,
                     kept->module_count) < 0)
        cm_buf_done(&frame);
    else
        isolate_learn(isolate);
}

/* A worker that is asked to compile does nothing else from then on. */
static void serve_compiler(struct worker *worker, struct isolate *isolate, struct ipc_frame *frame)
    __attribute__((noreturn));
static void serve_compiler(struct worker *worker, struct isolate *isolate, struct ipc_frame *frame)
{
    for (;;) {
        if (frame->type == IPC_COMPILE)
            compile(worker, isolate, frame);
        port_consume(worker, frame);
        port_next(worker, -1, frame);
    }
}

/* The program of one snapshot, and the way back. */
static void serve_one(struct worker *worker, struct isolate *isolate) __attribute__((noreturn));
static void serve_one(struct worker *worker, struct isolate *isolate)
{
    struct ipc_frame frame;

    /* More of them may be on their way. */
    while (port_next(worker, -1, &frame) > 0 && frame.type != IPC_RUN && frame.type != IPC_COMPILE)
        port_consume(worker, &frame);
    if (frame.type == IPC_COMPILE)
        serve_compiler(worker, isolate, &frame);
    run_program(worker, isolate, &frame);
    if (!snapshot_spent())    /* else DONE has told it */
        port_discard(worker); /* answers that the program did not wait for */
    if (snapshot_spent())
        _exit(0);
    snapshot_return();
}

void worker_serve(struct worker *worker, struct isolate *isolate)
{
    if (setjmp(*snapshot_point()) == 0) {
        snapshot_save();
        isolate_warm(isolate); /* writes what any program writes */
        if (snapshot_spent())
            _exit(1);
        snapshot_return();
    }
    if (!worker->kept->ready) {
        worker->kept->ready = true;
        port_ready(worker);
    }
    if (worker->kept->module_count > 0 && !worker->kept->learned) {
        learn_modules(worker, isolate);
        if (!snapshot_spent() && snapshot_extend() == 0 && setjmp(*snapshot_point()) == 0)
            snapshot_save();
    }
    serve_one(worker, isolate);
}
