/* Deadlines of runs, workers and zygotes. Runs in the host's process; nothing
 * here comes from a peer. Invariant: heap[t->slot] == t for each armed t. */
#include "executor/timers.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "codemode/executor.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 16 };

void timers_done(struct timers *timers)
{
    free(timers->heap);
    *timers = (struct timers){ 0 };
}

int timer_init(struct timer *timer, struct timers *timers,
               void (*fire)(struct timer *timer, uint64_t now_ns))
{
    *timer = (struct timer){ .deadline_ns = CM_NEVER, .fire = fire };
    cm_list_init(&timer->due);
    if (timers->made == timers->cap) {
        size_t cap = timers->cap == 0 ? FIRST_SLOTS : timers->cap * 2;
        struct timer **heap = realloc(timers->heap, cap * sizeof(struct timer *));

        if (heap == NULL)
            return CM_E_NOMEM;
        timers->heap = heap;
        timers->cap = cap;
    }
    timers->made++;
    timer->timers = timers;
    return 0;
}

void timer_done(struct timer *timer)
{
    if (timer->timers == NULL)
        return;
    timer_disarm(timer);
    timer->timers->made--;
    timer->timers = NULL;
}

static void put(struct timers *timers, size_t slot, struct timer *timer)
{
    timers->heap[slot] = timer;
    timer->slot = slot;
}

/* Moves the member of `slot` to where its deadline belongs. */
static void settle(struct timers *timers, size_t slot)
{
    struct timer *timer = timers->heap[slot];

    while (slot > 0 && timers->heap[(slot - 1) / 2]->deadline_ns > timer->deadline_ns) {
        put(timers, slot, timers->heap[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    for (;;) {
        size_t child = slot * 2 + 1;

        if (child + 1 < timers->count &&
            timers->heap[child + 1]->deadline_ns < timers->heap[child]->deadline_ns)
            child++;
        if (child >= timers->count || timers->heap[child]->deadline_ns >= timer->deadline_ns)
            break;
        put(timers, slot, timers->heap[child]);
        slot = child;
    }
    put(timers, slot, timer);
}

void timer_arm(struct timer *timer, uint64_t deadline_ns)
{
    struct timers *timers = timer->timers;

    if (deadline_ns == CM_NEVER) {
        timer_disarm(timer);
        return;
    }
    cm_list_unlink(&timer->due);
    if (timer->deadline_ns == CM_NEVER)
        put(timers, timers->count++, timer);
    timer->deadline_ns = deadline_ns;
    settle(timers, timer->slot);
}

void timer_disarm(struct timer *timer)
{
    struct timers *timers = timer->timers;
    struct timer *last;

    cm_list_unlink(&timer->due);
    if (timer->deadline_ns == CM_NEVER)
        return;
    timer->deadline_ns = CM_NEVER;
    last = timers->heap[--timers->count];
    if (last == timer)
        return;
    put(timers, timer->slot, last);
    settle(timers, timer->slot);
}

uint64_t timers_next(const struct timers *timers)
{
    return timers->count == 0 ? CM_NEVER : timers->heap[0]->deadline_ns;
}

void timers_run(struct timers *timers, uint64_t now_ns)
{
    struct timer *timer;
    struct cm_list due;

    cm_list_init(&due);
    while (timers_next(timers) <= now_ns && timers->count > 0) {
        timer = timers->heap[0];
        timer_disarm(timer);
        cm_list_append(&due, &timer->due);
    }
    while ((timer = CM_LIST_FIRST(&due, struct timer, due)) != NULL) {
        cm_list_unlink(&timer->due);
        timer->fire(timer, now_ns);
    }
}
