/* What worker.c and worker_io.c have between them. */
#ifndef CM_EXECUTOR_WORKER_IO_H
#define CM_EXECUTOR_WORKER_IO_H

#include "executor/worker.h"

/* worker_io.c: bytes and frames */
void worker_io_init(struct worker *worker);
void worker_on_socket(struct source *source, uint32_t events);
void worker_read_to_end(struct worker *worker);

/* `units` has one for each entry of the request that is compiled. CM_E_PEER: the
 * worker is gone, nothing was sent. CM_E_NOMEM: the same. */
int worker_send_run(struct worker *worker, const struct ipc_run *head,
                    const struct request *request, struct unit *const *units);

/* worker.c: what they mean for its life */
void worker_on_ready(struct worker *worker);
void worker_on_run_over(struct worker *worker, bool reusable);
void worker_on_eof(struct worker *worker);
void worker_on_breach(struct worker *worker, const char *rule);

/* It ended, or has to, for a reason that is its own. */
void worker_lost(struct worker *worker);

#endif
