/* The executor itself: the parts and what they share. */
#ifndef CM_EXECUTOR_STATE_H
#define CM_EXECUTOR_STATE_H

#include "executor/loop.h"
#include "executor/modules.h"
#include "executor/pool.h"
#include "executor/remote.h"
#include "executor/resolver.h"
#include "executor/settings.h"
#include "executor/zygote.h"
#include "ipc/frame.h"

struct cm_executor {
    struct cm_settings settings;
    struct ipc_limits limits;
    struct loop loop;
    struct remote *remote;  /* carries the runs elsewhere; NULL: the pool has them */
    struct zygote *zygote;  /* the one that serves or starts; NULL: none */
    struct cm_list zygotes; /* all that have not been reaped, that one too */
    struct pool pool;
    struct modules modules;
    struct resolver *resolver; /* NULL until a name has to be resolved */
    struct cm_list runs;       /* all that the host has not given back */
    struct cm_list executions;
    struct cm_list ends; /* runs whose on_end is due */
    /* What died in this turn: freed after it, because the batch of events and
     * the callers of a callback may still refer to it. */
    struct cm_list worker_graves;
    struct cm_list run_graves;
    struct cm_stats stats;
    struct cm_report report;
    struct cm_layer layers[IPC_LAYER_COUNT];
    char engine[64];
    bool reported;
    bool turning;  /* inside cm_executor_process() or cm_executor_free() */
    bool disposed; /* no more runs */
    bool freeing;
};

/* Frees what is in the graves; never inside a turn. */
void executor_bury(struct cm_executor *executor);

/* The zygote has introduced itself. */
void executor_set_report(struct cm_executor *executor, const struct ipc_hello *hello);

#endif
