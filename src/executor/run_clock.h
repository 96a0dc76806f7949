/* What a run is charged: wall time, or the CPU time of its worker while it does
 * nothing but wait for the host. Pure: the caller reads the clocks. */
#ifndef CM_EXECUTOR_RUN_CLOCK_H
#define CM_EXECUTOR_RUN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct run_clock {
    uint64_t timeout_ns; /* CM_NEVER: none */
    uint64_t wall_end_ns;
    uint64_t charged_ns;
    uint64_t wall_mark_ns; /* up to where wall time has been charged */
    uint64_t cpu_mark_ns;  /* the same for CPU time; meaningful on_cpu only */
    bool on_cpu;
};

enum run_bound { RUN_BOUND_NONE, RUN_BOUND_TIMEOUT, RUN_BOUND_WALL };

void run_clock_start(struct run_clock *clock, uint64_t now_ns, uint64_t timeout_ns,
                     uint64_t max_wall_ns);

/* Charges what has passed since the last charge. `cpu_ns` is the worker's CPU
 * clock, or CM_NEVER when it cannot be read: then wall time is charged. */
void run_clock_charge(struct run_clock *clock, uint64_t now_ns, uint64_t cpu_ns);

/* Charges, and from now on charges the other clock. */
void run_clock_switch(struct run_clock *clock, bool to_cpu, uint64_t now_ns, uint64_t cpu_ns);

/* The bound that has been met, as of the last charge; the earlier of two. */
enum run_bound run_clock_bound(const struct run_clock *clock);

/* When a bound can be met at the earliest, as of the last charge. */
uint64_t run_clock_due(const struct run_clock *clock);

#endif
