/*
 * Executors whose runs are carried out elsewhere. Whoever brings them there (src/client)
 * gives an executor a `remote`; its loop, its runs and their ends stay what they are, and
 * the pool stays empty.
 *
 * A run that is carried is RUNNING from the moment that the remote has taken it. It ends
 * by run_carried_end(), or from the host's side, with stop().
 */
#ifndef CM_EXECUTOR_REMOTE_H
#define CM_EXECUTOR_REMOTE_H

#include "codemode/executor.h"

struct carried; /* what the remote keeps of a run */
struct remote;

/* Those that take a run are not called for one that has ended. CM_E_NOMEM where they
 * return something. */
struct remote_ops {
    /* Connects, unless it is. */
    int (*connect)(struct remote *remote);

    /* Ends the connection, if there is one. */
    void (*disconnect)(struct remote *remote);

    /* Take a run: run_carry(). Requests have been checked. */
    int (*start)(struct remote *remote, struct cm_run *run, const struct cm_request *request);
    int (*invoke)(struct remote *remote, struct cm_run *run, const char *execution_id,
                  const char *handle, const struct cm_fetch *request);

    /* What the host says to an open call or fetch. */
    int (*answer)(struct cm_run *run, uint32_t id, const char *json, size_t bytes);
    int (*respond)(struct cm_run *run, uint32_t id, const struct cm_response *response);
    int (*reject)(struct cm_run *run, uint32_t id, const char *message, size_t bytes);

    /* The run is over, whoever ended it: nothing more is said of it. */
    void (*stop)(struct cm_run *run);

    /* One retained execution, or with NULL all of them. CM_E_STATE: it is not retained. */
    int (*release)(struct remote *remote, const char *execution_id);

    /* No run is carried any more. */
    void (*free)(struct remote *remote);
};

/* Owner: its executor. */
struct remote {
    const struct remote_ops *ops;
};

/* The run is the remote's from now on. */
void run_carry(struct cm_run *run, struct carried *carried);

/* The id of its next call or fetch. */
uint32_t run_next_id(const struct cm_run *run);

/* The program calls a tool, makes a request (with the next id), logs a line: the host is
 * called back, and may end or free any run. */
void run_carried_call(struct cm_run *run, const struct cm_call *call);
void run_carried_fetch(struct cm_run *run, const struct cm_fetch *fetch);
void run_carried_log(struct cm_run *run, const struct cm_log *line);

/* A call or fetch is not waited for any more. */
void run_carried_drop(struct cm_run *run, uint32_t id);

/*
 * How it ended. `outcome` is copied; its texts live as long as `brought`, which is taken:
 * release(brought) is called with the run's end, release may be NULL. Where it has no
 * logs, those that were told live are the run's.
 */
void run_carried_end(struct cm_run *run, const struct cm_outcome *outcome, void *brought,
                     void (*release)(void *brought));

/* Ends it with a fault; `sentence` is taken, NULL where there was no memory for it. */
void run_carried_fault(struct cm_run *run, enum cm_fault fault, char *sentence, int retryable);

#endif
