/* The timers of one isolate. Runs in a worker; ids and delays are the program's. */
#include "worker/timers.h"

#include "base/clock.h"
#include "codemode/executor.h"

#include <stdlib.h>

static bool before(const struct timer *a, const struct timer *b)
{
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void swap(struct timer *a, struct timer *b)
{
    struct timer kept = *a;

    *a = *b;
    *b = kept;
}

static void sift_up(struct timers *timers, size_t at)
{
    while (at > 0 && before(&timers->heap[at], &timers->heap[(at - 1) / 2])) {
        swap(&timers->heap[at], &timers->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct timers *timers, size_t at)
{
    for (;;) {
        size_t least = at;
        size_t child = 2 * at + 1;

        if (child < timers->count && before(&timers->heap[child], &timers->heap[least]))
            least = child;
        if (child + 1 < timers->count && before(&timers->heap[child + 1], &timers->heap[least]))
            least = child + 1;
        if (least == at)
            return;
        swap(&timers->heap[at], &timers->heap[least]);
        at = least;
    }
}

static void remove_at(struct timers *timers, size_t at)
{
    timers->heap[at] = timers->heap[--timers->count];
    if (at < timers->count) {
        sift_up(timers, at);
        sift_down(timers, at);
    }
}

int timers_start(struct timers *timers, uint32_t id, uint64_t due_ns)
{
    if (timers->count == timers->cap) {
        size_t cap = timers->cap == 0 ? 16 : timers->cap * 2;
        struct timer *grown = reallocarray(timers->heap, cap, sizeof(*grown));

        if (grown == NULL)
            return CM_E_NOMEM;
        timers->heap = grown;
        timers->cap = cap;
    }
    timers->heap[timers->count] = (struct timer){ due_ns, timers->order++, id, timers->context };
    sift_up(timers, timers->count++);
    return 0;
}

void timers_stop(struct timers *timers, uint32_t id)
{
    for (size_t i = 0; i < timers->count; i++)
        if (timers->heap[i].id == id) {
            remove_at(timers, i);
            return;
        }
}

bool timers_take(struct timers *timers, uint64_t now_ns, uint64_t order, uint32_t *ret_id)
{
    const struct timer *first = timers->heap;

    if (timers->count == 0 || first->due_ns > now_ns || first->order >= order)
        return false;
    *ret_id = first->id;
    timers->context = first->context;
    remove_at(timers, 0);
    return true;
}

uint64_t timers_next_ns(const struct timers *timers)
{
    return timers->count == 0 ? CM_NEVER : timers->heap[0].due_ns;
}

void timers_done(struct timers *timers)
{
    free(timers->heap);
    *timers = (struct timers){ 0 };
}
