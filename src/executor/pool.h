/* The workers of an executor and the runs that wait for one. */
#ifndef CM_EXECUTOR_POOL_H
#define CM_EXECUTOR_POOL_H

#include "executor/worker.h"

struct pool {
    struct cm_list workers; /* all but those that are GONE */
    struct cm_list ready;   /* most recently used first */
    struct cm_list queue;   /* runs, oldest first */
    size_t queued;
    size_t count[WORKER_STATES];
    uint64_t last_id;
    size_t processors;
    unsigned failures; /* workers in a row that did not get ready */
    bool dirty;        /* pool_balance() may have something to do */
};

void pool_init(struct pool *pool);

/* Kills every worker. */
void pool_kill(struct cm_executor *executor);

/* Queues a run; CM_E_LIMIT: the queue is full. */
int pool_enqueue(struct cm_executor *executor, struct cm_run *run);
void pool_dequeue(struct cm_executor *executor, struct cm_run *run);

/* Hands queued runs to workers, and starts, keeps or ends workers so that there
 * will be as many as are needed. Calls nobody back. */
void pool_balance(struct cm_executor *executor);

/* Starts the worker of a compiler; it does not count against WORKERS_MAX. NULL: none can
 * be started now. */
struct worker *pool_fork_compiler(struct cm_executor *executor, struct compiler *compiler);

struct worker *pool_find(struct cm_executor *executor, uint64_t id);

/* A worker has become ready for the first time. */
void pool_on_started(struct cm_executor *executor);

/* A worker did not get ready. After some in a row, and with no other that may
 * get ready, the queued runs end with `reason`. */
void pool_on_start_failed(struct cm_executor *executor, const char *reason);

/* A READY worker has not been used for WORKER_IDLE_MS. */
void pool_on_idle(struct worker *worker);

/* The zygote is gone and so are its workers. `final`: it never served, so that
 * another try would end the same way: the queued runs end with `reason`. */
void pool_on_zygote_gone(struct cm_executor *executor, const char *reason, bool final);

#endif
