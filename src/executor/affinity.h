/* Where a process is woken. Linux wakes one whose processor is busy on another that is
 * idle, and there its caches are cold: a small program takes two to three times as long.
 * A supervisor that hands a program over is about to wait, so that the processor it
 * keeps from a worker is free at once. */
#ifndef CM_EXECUTOR_AFFINITY_H
#define CM_EXECUTOR_AFFINITY_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct affinity {
    pid_t pid;
    cpu_set_t before;
};

/* Whether this thread runs on the processor, as far as the system tells. */
bool affinity_is_here(uint32_t cpu);

/* Until affinity_release() the process stays on `cpu`, one that it may run on. False:
 * nothing was changed, and there is nothing to release. */
bool affinity_hold(struct affinity *affinity, pid_t pid, uint32_t cpu);
void affinity_release(const struct affinity *affinity);

#endif
