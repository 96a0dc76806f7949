/* What a test that must leave nothing behind counts. All of it is the test's own, so that
 * no test minds what else runs on the machine. */
#ifndef CM_TESTS_PROCESSES_H
#define CM_TESTS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESSES_MAX = 64 };

/* Descriptors that are open, those of the look itself included: for a comparison. */
size_t processes_descriptors(void);

/* From now on what is below this process stays below it: an orphan becomes its child. */
void processes_adopt(void);

/* The children of a process that have not ended, into room for PROCESSES_MAX. */
size_t processes_children(pid_t parent, pid_t *ret_pids);

/* How many below a process, at any depth, have not ended. */
size_t processes_below(pid_t parent);

/* Whether a process runs the program, a path without links. A dead one runs none. */
bool processes_runs(pid_t pid, const char *program);

#endif
