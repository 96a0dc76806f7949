/*
 * A worker: one process, one program at a time. Shared by the files of this
 * folder; everything here runs inside the jail, beside the program, and so has
 * nothing that the program must not have.
 */
#ifndef CM_WORKER_WORKER_H
#define CM_WORKER_WORKER_H

#include "base/buf.h"
#include "base/text.h"
#include "ipc/frame.h"
#include "worker/contexts.h"
#include "worker/modules.h"
#include "worker/timers.h"

#include <stdbool.h>
#include <stdint.h>

struct fetches;
struct isolate;

/* How the program ended, from native.done() until it is sent. */
struct worker_done {
    bool set;
    enum cm_failure failure;
    bool has_result; /* its text is in worker.body */
};

struct worker {
    struct isolate *isolate; /* the one that the natives serve */
    int fd;                  /* to the supervisor; -1 in the zygote */
    struct cm_buf in;        /* frames from the supervisor */
    struct cm_buf body;      /* JSON text of the result or arguments being written */
    uint64_t body_bytes;     /* its length, also where it went past the ceiling */
    struct cm_buf scratch;
    struct cm_buf error;
    struct cm_buf stack;
    struct timers timers;
    struct ipc_run run; /* what the supervisor granted */
    struct modules modules;
    uint64_t run_start_ns;
    uint32_t last_call; /* of calls and fetches: they share one sequence */
    uint32_t calls_open;
    struct fetches *fetches; /* of the isolate; NULL until it fetches */
    struct tally *tally;     /* of what runs now; NULL: an invocation that is over */
    struct tally of_program;
    struct contexts contexts;
    bool timers_told;  /* the last WAIT said so */
    bool answers_slow; /* the last one of the host took longer than AWAKE_NS */
    bool quiet;        /* a program of ours warms the isolate up: send nothing */
    struct worker_done done;
    uint64_t memory_limit_bytes;
    struct kept *kept;
};

/* What a worker remembers from one program to the next. All zero at first. */
struct kept {
    bool ready; /* it has been told */
    struct kept_modules modules;
    enum kept_state { KEPT_UNUSED, KEPT_USED, KEPT_LEARNED } states[IPC_KEEP_MAX];
    bool has_learned; /* since the last program */
    unsigned others;  /* programs in a row that brought more than they found kept */
};

/* What a worker may map beyond its bound. The engine's allocator reserves aligned
 * pieces of address space, of up to 32 MB at a time, and RLIMIT_DATA counts them
 * whole. How much of them is to spare when a program comes depends on the addresses
 * that the system chose: without this, one zygote in eight leaves its programs a
 * quarter of a small bound. */
enum { ALLOCATOR_SLACK_BYTES = 48 << 20 };

void worker_init(struct worker *worker, uint64_t memory_limit_bytes);

/* Forgets the run that has ended, which was one of ours. */
void worker_reset_run(struct worker *worker);

/* Serves programs, each with `isolate` as it is now, in the jail, until the
 * supervisor closes the socket. Never returns. */
void worker_serve(struct worker *worker, struct isolate *isolate) __attribute__((noreturn));

/* Empties a buffer, and gives back what only a large message needed. */
void worker_empty(struct cm_buf *buf);

/* ---- frames to the supervisor (port.c). They block until all is written; a
 * supervisor that is gone ends the process. ---- */

void port_ready(struct worker *worker);
void port_log(struct worker *worker, enum cm_level level, const char *text, size_t bytes);
void port_log_stop(struct worker *worker, enum ipc_stop reason);
void port_wait(struct worker *worker, bool timers);

/* Sends worker.body as the arguments. */
void port_call(struct worker *worker, uint32_t id, const char *provider, const char *tool);

/* Sends worker.body. */
void port_compiled(struct worker *worker);
/* The URL, method and headers are in worker.scratch. */
void port_fetch(struct worker *worker, const struct ipc_fetch *head, const void *body);
void port_fetch_abort(struct worker *worker, uint32_t id);
void port_fetch_took(struct worker *worker, uint32_t id, uint32_t bytes);

/* The names are in worker.scratch. */
void port_retained(struct worker *worker, uint32_t count);

/* Status text and headers are in worker.scratch. */
void port_reply(struct worker *worker, const struct ipc_response *head, const void *body);

/* Sends worker.done, .error, .stack and .body. */
void port_done(struct worker *worker);

/*
 * The next frame from the supervisor: *ret_frame points into worker.in until
 * port_consume(). Waits up to timeout_ms (-1: for ever). 0 when the time is up.
 * The supervisor closing the socket ends the process.
 */
int port_next(struct worker *worker, int timeout_ms, struct ipc_frame *ret_frame);

/* Whether port_next() has something to take or to read. */
bool port_is_readable(const struct worker *worker);
void port_consume(struct worker *worker, const struct ipc_frame *frame);

/* Consumes what has been read, and the rest of the last frame of it. */
void port_discard(struct worker *worker);

/* ---- a crash for want of memory (crash.c) ---- */

/* Before snapshot_take(). CM_E_NOMEM. */
int crash_prepare(void);

/* Installs handlers that note what a program writes for its snapshot, and tell the
 * supervisor EXHAUSTED when the engine crashes because it got no memory. Once a process.
 * `worker` must live as long as it. */
int crash_init(struct worker *worker);

#endif
