/* Invocations of a retained execution. Runs in a worker; numbers come from the
 * supervisor and from ourselves. */
#include "worker/contexts.h"

#include "codemode/executor.h"
#include "worker/fetches.h"
#include "worker/worker.h"

#include <stdlib.h>

struct invocation {
    uint32_t id;
    struct tally tally;
};

struct pending {
    uint32_t call_id;
    uint32_t invocation;
};

/* Room for one more in an array of `size` bytes an item. CM_E_NOMEM. */
static int make_room(void **items, size_t count, size_t *cap, size_t size)
{
    size_t more = *cap == 0 ? 8 : *cap * 2;
    void *grown;

    if (count < *cap)
        return 0;
    grown = reallocarray(*items, more, size);
    if (grown == NULL)
        return CM_E_NOMEM;
    *items = grown;
    *cap = more;
    return 0;
}

void contexts_enter(struct worker *worker, uint32_t invocation)
{
    struct contexts *contexts = &worker->contexts;

    contexts->current = invocation;
    worker->timers.context = invocation;
    if (!contexts->retained)
        return;
    worker->tally = NULL;
    for (size_t i = 0; i < contexts->live_count; i++)
        if (contexts->live[i].id == invocation)
            worker->tally = &contexts->live[i].tally;
}

void contexts_retain(struct worker *worker)
{
    worker->contexts.retained = true;
    worker->calls_open = 0; /* the run is over for the supervisor: nobody will answer */
    fetches_forget(worker, 0);
    contexts_enter(worker, 0);
}

int contexts_begin(struct worker *worker, uint32_t invocation)
{
    struct contexts *contexts = &worker->contexts;
    void *items = contexts->live;
    int r = make_room(&items, contexts->live_count, &contexts->live_cap, sizeof(*contexts->live));

    contexts->live = items;
    if (r < 0)
        return r;
    contexts->live[contexts->live_count++] = (struct invocation){ .id = invocation };
    contexts_enter(worker, invocation);
    return 0;
}

void contexts_end(struct worker *worker, uint32_t invocation)
{
    struct contexts *contexts = &worker->contexts;

    for (size_t i = 0; i < contexts->live_count; i++)
        if (contexts->live[i].id == invocation)
            contexts->live[i--] = contexts->live[--contexts->live_count];
    contexts->ended++;
    for (size_t i = 0; i < contexts->call_count; i++)
        if (contexts->calls[i].invocation == invocation) {
            contexts->calls[i--] = contexts->calls[--contexts->call_count];
            worker->calls_open--;
        }
    fetches_forget(worker, invocation);
    contexts_enter(worker, contexts->current); /* the tallies may have moved */
}

int contexts_add_call(struct worker *worker, uint32_t call_id)
{
    struct contexts *contexts = &worker->contexts;
    void *items = contexts->calls;
    int r;

    if (!contexts->retained)
        return 0;
    r = make_room(&items, contexts->call_count, &contexts->call_cap, sizeof(*contexts->calls));
    contexts->calls = items;
    if (r < 0)
        return r;
    contexts->calls[contexts->call_count++] = (struct pending){ call_id, contexts->current };
    return 0;
}

bool contexts_take_call(struct worker *worker, uint32_t call_id)
{
    struct contexts *contexts = &worker->contexts;

    if (!contexts->retained)
        return true;
    for (size_t i = 0; i < contexts->call_count; i++)
        if (contexts->calls[i].call_id == call_id) {
            contexts_enter(worker, contexts->calls[i].invocation);
            contexts->calls[i] = contexts->calls[--contexts->call_count];
            return true;
        }
    return false;
}
