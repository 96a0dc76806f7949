/* What check found out, and how it is told. */
#ifndef CM_CLI_VERDICT_H
#define CM_CLI_VERDICT_H

#include "cli/advice.h"

#include <stdbool.h>

/* Texts are borrowed. */
struct verdict {
    bool ok;
    const struct cm_report *report; /* NULL when no worker answered */
    const char *worker_path;
    const char *daemon; /* the URL of who was asked; NULL: this machine was */
    const char *answer; /* JSON text; NULL when the job returned nothing */
    size_t answer_bytes;
    double duration_ms; /* of the job, the start of the pool or connection included */
    const char *failure;
    size_t failure_bytes;
    struct advice advice;
};

/* A drawing for people; the last line is the verdict. */
void verdict_draw(const struct verdict *verdict);

/* One object on one line. */
void verdict_json(const struct verdict *verdict);

#endif
