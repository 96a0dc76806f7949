/* The fetches of one run that are under way. */
#ifndef CM_EXECUTOR_FETCHES_H
#define CM_EXECUTOR_FETCHES_H

#include "base/list.h"

#include <stdint.h>

struct cm_run;
struct transfer;

/* Owner: run->fetches. */
struct fetch {
    struct cm_list link;
    struct cm_run *run;
    uint32_t id;
    struct transfer *transfer; /* NULL: the host performs it */
    char url[];                /* for sentences; "" where the host does not perform it */
};

/* How a fetch ends; the transfer of one that has it is freed. `sentence` is taken,
 * NULL where there was no memory for it. */
void fetch_fail(struct fetch *fetch, char *sentence);
void fetch_close(struct fetch *fetch);

#endif
