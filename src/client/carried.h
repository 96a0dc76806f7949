/* Runs that a daemon carries out for a client. */
#ifndef CM_CLIENT_CARRIED_H
#define CM_CLIENT_CARRIED_H

#include "client/client.h"

/* The part of remote_ops that is about runs. */
int carried_start(struct remote *remote, struct cm_run *run, const struct cm_request *request);
int carried_invoke(struct remote *remote, struct cm_run *run, const char *execution_id,
                   const char *handle, const struct cm_fetch *request);
int carried_answer(struct cm_run *run, uint32_t id, const char *json, size_t bytes);
int carried_respond(struct cm_run *run, uint32_t id, const struct cm_response *response);
int carried_reject(struct cm_run *run, uint32_t id, const char *message, size_t bytes);
void carried_stop(struct cm_run *run);

/* Ends every run of the client. `sentence` is copied; NULL: no memory. */
void carried_end_all(struct client *client, enum cm_fault fault, const char *sentence,
                     int retryable);

#endif
