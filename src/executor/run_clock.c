/* The clock of a run. Runs in the host's process. The worker is hostile: that it
 * says it waits is believed, because its CPU time is charged meanwhile. */
#include "executor/run_clock.h"

#include "base/clock.h"

/* CPU time has no deadline that could be waited for: it is looked at again at
 * this interval at least, so a worker that computes while it claims to wait
 * overruns its bound by no more. */
#define CPU_LOOK_NS (20 * CM_NS_PER_MS)

void run_clock_start(struct run_clock *clock, uint64_t now_ns, uint64_t timeout_ns,
                     uint64_t max_wall_ns)
{
    *clock = (struct run_clock){ .timeout_ns = timeout_ns,
                                 .wall_end_ns = cm_deadline(now_ns, max_wall_ns),
                                 .wall_mark_ns = now_ns };
}

void run_clock_charge(struct run_clock *clock, uint64_t now_ns, uint64_t cpu_ns)
{
    if (!clock->on_cpu || cpu_ns == CM_NEVER)
        clock->charged_ns += now_ns - clock->wall_mark_ns;
    else if (cpu_ns > clock->cpu_mark_ns)
        clock->charged_ns += cpu_ns - clock->cpu_mark_ns;
    clock->wall_mark_ns = now_ns;
    if (cpu_ns != CM_NEVER)
        clock->cpu_mark_ns = cpu_ns;
}

void run_clock_switch(struct run_clock *clock, bool to_cpu, uint64_t now_ns, uint64_t cpu_ns)
{
    run_clock_charge(clock, now_ns, cpu_ns);
    clock->on_cpu = to_cpu && cpu_ns != CM_NEVER;
}

enum run_bound run_clock_bound(const struct run_clock *clock)
{
    bool timed_out = clock->charged_ns >= clock->timeout_ns;
    bool wall = clock->wall_mark_ns >= clock->wall_end_ns;

    if (timed_out && wall) {
        uint64_t over_ns = clock->charged_ns - clock->timeout_ns;

        return over_ns >= clock->wall_mark_ns - clock->wall_end_ns ? RUN_BOUND_TIMEOUT
                                                                   : RUN_BOUND_WALL;
    }
    return timed_out ? RUN_BOUND_TIMEOUT : wall ? RUN_BOUND_WALL : RUN_BOUND_NONE;
}

uint64_t run_clock_due(const struct run_clock *clock)
{
    uint64_t left_ns =
        clock->charged_ns < clock->timeout_ns ? clock->timeout_ns - clock->charged_ns : 0;
    uint64_t due_ns;

    if (clock->on_cpu && left_ns < CPU_LOOK_NS)
        left_ns = CPU_LOOK_NS;
    due_ns = cm_deadline(clock->wall_mark_ns, left_ns);
    return due_ns < clock->wall_end_ns ? due_ns : clock->wall_end_ns;
}
