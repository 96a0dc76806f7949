/* The timers of one isolate: a heap of ids by due time, equal times in the order
 * of their arming. No I/O, no clock of its own. */
#ifndef CM_WORKER_TIMERS_H
#define CM_WORKER_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
    uint64_t due_ns;
    uint64_t order;
    uint32_t id;
    uint32_t context; /* the invocation that armed it */
};

struct timers {
    struct timer *heap;
    size_t count;
    size_t cap;
    uint64_t order;   /* of the next one armed */
    uint32_t context; /* the same; timers_take() makes it that of the timer taken */
};

/* CM_E_NOMEM: nothing changed. */
int timers_start(struct timers *timers, uint32_t id, uint64_t due_ns);

/* An id that is not armed is ignored. O(n). */
void timers_stop(struct timers *timers, uint32_t id);

/* Takes the first timer that is due at now_ns and was armed before `order`.
 * False when there is none. */
bool timers_take(struct timers *timers, uint64_t now_ns, uint64_t order, uint32_t *ret_id);

/* When the first is due; CM_NEVER without one. */
uint64_t timers_next_ns(const struct timers *timers);

/* Disarms all and frees. */
void timers_done(struct timers *timers);

#endif
