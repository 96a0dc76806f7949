/* Retained executions: the isolate of a run that has ended with a value that takes
 * requests, and the invocations of it. */
#ifndef CM_EXECUTOR_EXECUTION_H
#define CM_EXECUTOR_EXECUTION_H

#include "base/list.h"
#include "executor/request.h"
#include "executor/timers.h"
#include "ipc/frame.h"

struct cm_run;
struct worker;

enum { EXECUTION_ID_CHARS = 32 };

/* Owner: executor->executions, while its worker lives. */
struct execution {
    struct cm_list link;
    struct cm_executor *executor;
    struct worker *worker;
    char id[EXECUTION_ID_CHARS + 1];
    char *key;
    char *handles; /* as on the wire */
    size_t handle_count;
    double timeout_ms; /* of the request that made it, as are the next two */
    bool count_host_waits;
    enum cm_outbound outbound;
    struct cm_list invocations; /* runs */
    size_t live;                /* of them */
    uint32_t last_invocation;
    uint32_t last_id;      /* of the calls and fetches of all of them */
    bool sleeps_on_timers; /* the last WAIT said so: what an invocation begins with */
    struct timer idle;
};

/* Keeps the isolate of `run`, which is about to end. CM_E_NOMEM, CM_E_SYSTEM. */
int execution_new(struct cm_run *run, const struct ipc_handles *handles,
                  struct execution **ret_execution);

/* NULL: none is retained under this id. */
struct execution *execution_find(struct cm_executor *executor, const char *id);

bool execution_has_handle(const struct execution *execution, const char *handle);

/* Kills its worker; what is under way in it ends, with fault EXECUTION_GONE where
 * nothing else has been decided. The memory is freed. */
void execution_end(struct execution *execution);

/* The same when the worker is being killed already. */
void execution_worker_gone(struct execution *execution);

/* An invocation begins or ends. */
void execution_add(struct execution *execution, struct cm_run *run);
void execution_remove(struct execution *execution, struct cm_run *run);

/* Its worker sleeps; see run_on_wait(). */
void execution_on_wait(struct execution *execution, bool timers);

/* The live one of this number, or NULL. */
struct cm_run *execution_invocation(const struct execution *execution, uint32_t invocation);

#endif
