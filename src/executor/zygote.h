/* The zygote: the process that workers are forked from. */
#ifndef CM_EXECUTOR_ZYGOTE_H
#define CM_EXECUTOR_ZYGOTE_H

#include "base/list.h"
#include "executor/loop.h"

/* Owner: the executor, from zygote_open() until it has been reaped. */
struct zygote {
    struct cm_executor *executor;
    struct cm_list link; /* executor->zygotes */
    struct source control;
    struct source exit;   /* its pidfd: readable once the process has ended */
    struct timer overdue; /* HELLO has to come before */
    bool serving;         /* HELLO has come */
    bool ended;           /* the executor has been told; only the reaping is left */
    bool reaped;
};

/* Starts the process and tells it the configuration. It takes requests for
 * forks from now on, and serves them when it is ready. CM_E_WORKER, CM_E_SYSTEM,
 * CM_E_NOMEM. */
int zygote_open(struct cm_executor *executor, struct zygote **ret_zygote, struct cm_error *err);

/* Asks for a worker that may add so much memory (0: as configured). CM_E_PEER: the process is gone
 * or does not read. */
int zygote_fork(struct zygote *zygote, uint64_t worker_id, uint64_t memory_bytes);

/* Kills the process; a second call does nothing. */
void zygote_kill(struct zygote *zygote);

/* Waits for a killed process, for a bounded time, and frees. */
void zygote_free(struct zygote *zygote);

#endif
