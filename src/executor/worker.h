/* A worker process as the supervisor knows it. */
#ifndef CM_EXECUTOR_WORKER_H
#define CM_EXECUTOR_WORKER_H

#include "base/buf.h"
#include "base/list.h"
#include "executor/loop.h"
#include "ipc/frame.h"

#include <time.h>

struct compiler;
struct request;
struct unit;

enum worker_state {
    WORKER_FORKING,   /* asked for; the zygote has not answered */
    WORKER_STARTING,  /* forked; READY has not come */
    WORKER_READY,     /* waits for a program */
    WORKER_RUNNING,   /* has one */
    WORKER_RETAINED,  /* serves the invocations of an execution */
    WORKER_COMPILING, /* it is one of the executor's compilers, at work or idle */
    WORKER_ENDING,    /* killed or dead; kept until that is certain */
    WORKER_GONE,      /* on the list of what is freed after the turn */
    WORKER_STATES
};

/* Owner: the pool. */
struct worker {
    struct cm_executor *executor;
    struct cm_list link;  /* pool->workers, then executor->graves */
    struct cm_list ready; /* pool->ready while READY */
    uint64_t id;
    enum worker_state state;
    struct source socket;
    int pidfd;
    struct compiler *compiler; /* once ready it will be COMPILING, and never have a run; NULL:
                                  it has runs */
    struct timer timer;        /* how long its state may last */
    uint64_t asked_ns;         /* when the zygote was asked for it */
    struct cm_buf in;
    struct cm_buf out; /* what the socket did not take */
    char *key;         /* the isolation key of its runs; NULL: it has had none */
    uint64_t programs;
    uint64_t *kept; /* numbers of the units that it keeps, in the order of KEEP */
    size_t kept_count;
    size_t kept_bytes;           /* of their entries */
    struct cm_run *run;          /* while RUNNING, and ENDING with a run to settle; while
                                    RETAINED what its frames belong to, or NULL */
    struct execution *execution; /* while RETAINED */
    bool exited;                 /* the zygote has reaped it, or is gone itself */
    bool exit_known;
    struct ipc_exited exit;
    pid_t pid;      /* in this process's namespace; 0: not looked for, -1: unknown */
    bool cpu_known; /* `cpu` has been looked for */
    bool cpu_usable;
    clockid_t cpu;
};

/* A record in state FORKING. CM_E_NOMEM. */
int worker_new(struct cm_executor *executor, uint64_t id, struct worker **ret_worker);
void worker_free(struct worker *worker);

/* The zygote's answers. Takes both descriptors, which are -1 when they were lost
 * on the way. */
void worker_forked(struct worker *worker, int socket_fd, int pidfd);
void worker_exited(struct worker *worker, const struct ipc_exited *exit);

/* The zygote is gone, and no exit will be reported. */
void worker_orphaned(struct worker *worker);

/* Hands the run over. CM_E_PEER: the worker died while it was idle and the run
 * has not reached it. CM_E_NOMEM. */
int worker_run(struct worker *worker, struct cm_run *run, const struct ipc_run *head);

/* Sends ANSWER. CM_E_NOMEM: nothing was sent. A dead worker is no error. */
int worker_answer(struct worker *worker, uint32_t id, enum ipc_answer_kind kind, const char *text,
                  size_t bytes);

/* Sends COMPILE with a source that has a NUL behind it. CM_E_PEER: it is dead.
 * CM_E_NOMEM. Nothing was sent then. */
int worker_compile(struct worker *worker, const struct ipc_compile *job, const char *source,
                   size_t bytes);

/* How long a compiler may stay as it is. */
void worker_set_deadline(struct worker *worker, uint64_t delay_ms);
/* Send RESPONSE, BODY and FETCH_FAILED, each as worker_answer() does. `headers` are
 * head->headers_bytes as they stand in the frame. */
int worker_response(struct worker *worker, const struct ipc_response *head, const char *status_text,
                    const char *url, const void *headers);
int worker_body(struct worker *worker, uint32_t id, bool last, const void *bytes, size_t n);
int worker_fetch_failed(struct worker *worker, uint32_t id, const char *message);

/* Its run ends and its isolate stays, as this execution. */
void worker_retain(struct worker *worker, struct execution *execution);

/* Hands a request to a handler. CM_E_PEER, CM_E_NOMEM: it was not sent. */
int worker_invoke(struct worker *worker, uint32_t invocation, const char *handle,
                  const struct cm_fetch *request);

/* Kills it. Its run, if it has one, is settled once the socket has been read to
 * its end. A second call does nothing. */
void worker_kill(struct worker *worker);

/* The run is over or given up: what the worker still says is nobody's. */
void worker_detach_run(struct worker *worker);

/* Reads what is there now, once. */
void worker_read(struct worker *worker);

/* Its CPU clock, or CM_NEVER when it cannot be read. */
uint64_t worker_cpu_ns(struct worker *worker);

#endif
