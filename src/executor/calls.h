/* The tool calls of one run that were reported and not answered. */
#ifndef CM_EXECUTOR_CALLS_H
#define CM_EXECUTOR_CALLS_H

#include "codemode/executor.h"

struct open_call {
    uint32_t id;
    char *name; /* "store.listUsers", owned; NULL: answered */
};

struct calls {
    struct open_call *rows; /* by id, answered ones among them until they are in the way */
    size_t count;
    size_t cap;
    size_t open;
    uint64_t made;
    uint32_t last_id; /* of calls and fetches: they share one sequence */
};

/* CM_E_NOMEM. The call's id is above last_id. */
int calls_open(struct calls *calls, const struct cm_call *call);

/* The open call of this id, valid until the next calls_open(), or NULL. */
struct open_call *calls_find(const struct calls *calls, uint32_t id);
void calls_close(struct calls *calls, struct open_call *call);

/* "store.slow, store.other", long lists cut; free() it. NULL without memory. */
char *calls_names(const struct calls *calls);

void calls_done(struct calls *calls);

#endif
