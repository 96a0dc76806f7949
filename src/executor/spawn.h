/* Starting the worker program in namespaces of its own. */
#ifndef CM_EXECUTOR_SPAWN_H
#define CM_EXECUTOR_SPAWN_H

#include "codemode/executor.h"

struct spawned {
    int pidfd;
    uint32_t namespaces; /* IPC_SPAWN_* that the process was started in */
    int namespace_errno; /* why none is among them; 0 */
};

/*
 * spawn_worker_program - start `path` as a child, `control_fd` as its descriptor 3
 *
 * The child has nothing else of the host's: no descriptor, no environment, no
 * signal setting. The host's own state (signal handlers, dumpable flag, other
 * children) is as before.
 *
 * Owns:    ret_spawned->pidfd is the caller's; control_fd stays the caller's.
 * Blocks:  until the child has called execve(2).
 * Errors:  CM_E_WORKER: the program cannot be executed. CM_E_SYSTEM.
 */
int spawn_worker_program(const char *path, int control_fd, struct spawned *ret_spawned,
                         struct cm_error *err);

/* Waits for the process, which has ended or is about to. `ret_status` is as
 * wait(2) gives it, or -1 when the host has taken the status itself. */
void spawn_reap(int pidfd, int *ret_status);

#endif
