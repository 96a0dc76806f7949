/* Runs in the host's process. The processor that a worker names is its word: it decides
 * where that worker runs for a moment, among those where it may. */
#include "executor/affinity.h"

bool affinity_is_here(uint32_t cpu)
{
    int here = sched_getcpu();

    return here >= 0 && (uint32_t)here == cpu;
}

bool affinity_hold(struct affinity *affinity, pid_t pid, uint32_t cpu)
{
    cpu_set_t one;

    affinity->pid = pid;
    if (cpu >= CPU_SETSIZE ||
        sched_getaffinity(pid, sizeof(affinity->before), &affinity->before) < 0 ||
        CPU_COUNT(&affinity->before) < 2 || !CPU_ISSET(cpu, &affinity->before))
        return false;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(pid, sizeof(one), &one) == 0;
}

void affinity_release(const struct affinity *affinity)
{
    (void)sched_setaffinity(affinity->pid, sizeof(affinity->before), &affinity->before);
}
