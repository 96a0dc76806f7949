/* What a test that must leave nothing behind counts. */
#ifndef CM_TESTS_PROCESSES_H
#define CM_TESTS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Descriptors that are open, those of the look itself included: for a comparison. */
size_t processes_descriptors(void);

/* Whether that process runs the program, a path without links. A dead one runs none. */
bool processes_runs(pid_t pid, const char *program);

#endif
