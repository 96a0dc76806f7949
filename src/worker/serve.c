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

/* How long a program may have to wait for modules to be read, now and then. */
#define LEARN_NS (UINT64_C(10) * CM_NS_PER_MS)

enum {
    BODY_SLACK_BYTES = 1 << 20, /* one piece of JSON text past the ceiling */
    KEPT_BYTES = 65536,         /* a buffer above this is given back when it is empty */
    COLLECT_AFTER = 256,        /* invocations of a retained execution */
    OTHERS_MAX = 4,             /* programs in a row with modules that were not kept */
    LEARN_FACTOR = 10           /* to read a text writes so many times its size, at most */
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
        modules_take(&worker->modules, &worker->kept->modules, &worker->in, entries,
                     (size_t)(frame->body + frame->bytes - entries), worker->run.module_count) < 0)
        _exit(1); /* no memory, or the two ends disagree */
    isolate_run(isolate, providers, worker->run.provider_count, code, worker->run.code_bytes);
    if (worker->run.module_count == 0)
        port_consume(worker, frame);
}

/* A worker whose programs have come to import other modules ends, so that the next one
 * keeps those. */
static void count_others(const struct modules *modules, struct kept *kept)
{
    size_t found = 0;
    size_t brought = 0;

    if (kept->modules.count == 0)
        return;
    for (size_t i = 0; i + 1 < modules->count; i++)
        *(modules->rows[i].kept > 0 ? &found : &brought) +=
            modules->rows[i].compiled.head.code_bytes;
    if (found + brought > 0)
        kept->others = brought > found ? kept->others + 1 : 0;
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
    count_others(&worker->modules, worker->kept);
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

static void keep(struct worker *worker, const struct ipc_frame *frame)
{
    struct ipc_keep head;

    memcpy(&head, frame->body, sizeof(head));
    if (modules_keep(&worker->kept->modules, frame->body + sizeof(head),
                     frame->bytes - sizeof(head), head.module_count) < 0)
        _exit(1); /* the two ends disagree */
}

/* The program of one snapshot, and the way back. */
static void serve_one(struct worker *worker, struct isolate *isolate) __attribute__((noreturn));
static void serve_one(struct worker *worker, struct isolate *isolate)
{
    struct ipc_frame frame;

    /* Answers that the last program did not wait for may still be on their way. */
    while (port_next(worker, -1, &frame) > 0 && frame.type != IPC_RUN &&
           frame.type != IPC_COMPILE) {
        if (frame.type == IPC_KEEP)
            keep(worker, &frame);
        port_consume(worker, &frame);
    }
    if (frame.type == IPC_COMPILE)
        serve_compiler(worker, isolate, &frame);
    worker->kept->has_learned = false;
    run_program(worker, isolate, &frame);
    if (!snapshot_spent())    /* else DONE has told it */
        port_discard(worker); /* answers that the program did not wait for */
    if (snapshot_spent())
        _exit(0);
    snapshot_return();
}

static size_t next_used(const struct kept *kept, size_t i)
{
    while (i < kept->modules.count && kept->states[i] != KEPT_USED)
        i++;
    return i;
}

/* A program that comes has waited for long enough. */
static bool is_wanted(struct worker *worker, uint64_t since_ns)
{
    return cm_now_ns() - since_ns > LEARN_NS && port_is_readable(worker);
}

/* Has modules read that programs have used: some at least after each program, and more
 * while no other comes. True: they are in the snapshot, for which a new point comes next. */
static bool learn(struct worker *worker, struct isolate *isolate)
{
    struct kept *kept = worker->kept;
    const struct module *modules = kept->modules.rows;
    size_t i = next_used(kept, 0);
    uint64_t began_ns;
    bool learned = false;

    if (i == kept->modules.count || (kept->has_learned && port_is_readable(worker)) ||
        snapshot_extend() < 0) /* makes room for notes */
        return false;
    began_ns = cm_now_ns();
    for (; i < kept->modules.count; i = next_used(kept, i)) {
        bool fits = snapshot_has_room((size_t)modules[i].compiled.head.code_bytes * LEARN_FACTOR);

        if (learned && (!fits || is_wanted(worker, began_ns)))
            break;
        kept->states[i] = KEPT_LEARNED; /* or it never fits */
        if (fits)
            isolate_learn(isolate, i);
        learned = learned || fits;
    }
    if (learned && snapshot_extend() == 0) {
        kept->has_learned = true;
        return true;
    }
    if (learned && !snapshot_spent())
        snapshot_return(); /* without them, once and for all */
    return false;
}

void worker_serve(struct worker *worker, struct isolate *isolate)
{
    do {
        if (setjmp(*snapshot_point()) == 0) {
            snapshot_save();
            isolate_warm(isolate); /* writes what any program writes */
            if (!snapshot_spent())
                snapshot_return();
            if (!worker->kept->ready)
                _exit(1);
        }
        if (!worker->kept->ready) {
            worker->kept->ready = true;
            port_ready(worker);
        }
    } while (learn(worker, isolate));
    serve_one(worker, isolate);
}
