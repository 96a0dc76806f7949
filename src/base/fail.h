/* Recording a failure: code, errno and one sentence. The first failure stored
 * is the cause, later ones do not overwrite it. */
#ifndef CM_BASE_FAIL_H
#define CM_BASE_FAIL_H

#include "codemode/executor.h"

/* Stores into `err` (may be NULL) unless a failure is stored there, and returns
 * `code`. With sys_errno, ": strerror" follows the text. */
int cm_fail(struct cm_error *err, enum cm_err code, int sys_errno, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
