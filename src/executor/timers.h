/* Deadlines: a binary heap whose members bring their own place with them, so
 * that arming a timer never needs memory. */
#ifndef CM_EXECUTOR_TIMERS_H
#define CM_EXECUTOR_TIMERS_H

#include "base/list.h"

#include <stdint.h>

struct timer {
    struct timers *timers;
    uint64_t deadline_ns; /* CM_NEVER when it is not in the heap */
    size_t slot;
    struct cm_list due; /* linked while timers_run() is about to fire it */
    void (*fire)(struct timer *timer, uint64_t now_ns);
};

struct timers {
    struct timer **heap;
    size_t count;
    size_t cap; /* at least `made` */
    size_t made;
};

void timers_done(struct timers *timers);

/* CM_E_NOMEM: the timer may then only be given to timer_done(). */
int timer_init(struct timer *timer, struct timers *timers,
               void (*fire)(struct timer *timer, uint64_t now_ns));

/* Takes a timer of zeros too, and one that is done already. */
void timer_done(struct timer *timer);

/* Arms or moves; CM_NEVER disarms. O(log n). */
void timer_arm(struct timer *timer, uint64_t deadline_ns);
void timer_disarm(struct timer *timer);

/* The earliest deadline, or CM_NEVER. */
uint64_t timers_next(const struct timers *timers);

/* Fires what is due. A handler may arm, disarm or end any timer; what is armed
 * here fires in a later call at the earliest, so timers cannot starve I/O. */
void timers_run(struct timers *timers, uint64_t now_ns);

#endif
