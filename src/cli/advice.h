/* What to do about what a machine lacks. */
#ifndef CM_CLI_ADVICE_H
#define CM_CLI_ADVICE_H

#include "codemode/executor.h"

#include <stddef.h>

enum { ADVICE_MAX = 8 };

struct advice {
    const char *lines[ADVICE_MAX]; /* static texts */
    size_t count;
};

/* For layers of the jail that could not be set up. */
void advice_on_layers(const struct cm_report *report, struct advice *advice);

/* For a sandbox that did not start: what of its needs is not there. */
void advice_on_start(const char *worker_path, struct advice *advice);

#endif
