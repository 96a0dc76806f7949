/* A host as an application would write it: the executor's loop, one run after
 * another, or many in flight. Public API only. */
#ifndef CM_BENCH_HOST_H
#define CM_BENCH_HOST_H

#include "codemode/executor.h"

/* A program's text and whether it is given tools. */
struct program {
    char *text; /* owned */
    size_t bytes;
    int has_store;                   /* the provider `store` is in reach */
    const struct cm_module *modules; /* what it may import; not owned */
    size_t module_count;
    enum cm_language language;
};

/* One thread, one executor. Owns the executor. */
struct host {
    struct cm_executor *executor;
    uint64_t idle_target; /* workers that the pool keeps ready when nothing runs */
    struct cm_error err;  /* the first failure, for the last line of the process */
};

/* Text of the file, comments and all. Negative: host->err says why. */
int program_read(struct host *host, const char *path, struct program *ret_program);
void program_done(struct program *program);

/* Makes the executor with one setting other than its default (NULL: none) and
 * starts the pool. */
int host_open(struct host *host, const char *worker_path, const char *setting, const char *value);
void host_close(struct host *host);

/* One turn of the loop: waits, processes. Negative when nothing happens for so
 * long that something must be broken. */
int host_turn(struct host *host);

/* Turns until the pool is as it was before the first run: every worker that it
 * keeps is ready, and at most max_live exist. */
int host_settle(struct host *host, uint64_t max_live);

/* Submits one program. on_end is the caller's; nothing else is checked. */
int host_start(struct host *host, const struct program *program, const struct cm_events *events,
               void *user, struct cm_run **ret_run);

/* One program from submission to on_end, on an executor that has settled. The
 * milliseconds are those in between. *ret_run is the caller's (cm_run_free());
 * its outcome is a success. on_call may be NULL. */
int host_run(struct host *host, const struct program *program,
             void (*on_call)(void *user, struct cm_run *run, const struct cm_call *call),
             void *user, double *ret_ms, struct cm_run **ret_run);

/* `count` programs with `width` of them in flight; the next one is submitted
 * from on_end of the last. Tool calls are answered at once with 1. */
int host_load(struct host *host, const struct program *program, size_t count, size_t width);

/* Answers a call with 1, as every peer does. */
void host_answer(struct cm_run *run, const struct cm_call *call);

/* 0 when the program succeeded; else the error is recorded. */
int host_check(struct host *host, const struct cm_outcome *outcome);

#endif
