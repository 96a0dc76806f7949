/* The requests that the executor performs for one run: libcurl in the executor's
 * loop. Connections, names and everything else that libcurl remembers are the
 * run's alone. */
#ifndef CM_EXECUTOR_OUTBOUND_H
#define CM_EXECUTOR_OUTBOUND_H

#include "executor/watches.h"

#include <curl/curl.h>

struct cm_run;

/* Owner: its run. */
struct outbound {
    struct cm_run *run;
    CURLM *multi; /* NULL: stopped */
    struct watches watches;
    struct timer timer;
    struct cm_list transfers;
    uint64_t body_bytes; /* of the requests under way */
};

/* CM_E_NOMEM. */
int outbound_new(struct cm_run *run, struct outbound **ret_outbound);

/* Ends every transfer and closes every connection; nothing is told. */
void outbound_stop(struct outbound *outbound);

/* After the turn. NULL may be freed. */
void outbound_free(struct outbound *outbound);

#endif
