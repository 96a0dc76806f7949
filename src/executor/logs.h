/* The log lines of one run. */
#ifndef CM_EXECUTOR_LOGS_H
#define CM_EXECUTOR_LOGS_H

#include "codemode/executor.h"

struct logs {
    struct cm_log *lines; /* each text is owned */
    size_t count;
    size_t cap;
    uint64_t bytes; /* of text */
};

/* Copies the line to the end. CM_E_NOMEM. */
int logs_add(struct logs *logs, const struct cm_log *line);
void logs_done(struct logs *logs);

#endif
