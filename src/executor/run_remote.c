/* Runs that are carried out elsewhere. Runs in the host's process; what a remote brings
 * has been checked by it as far as types go. */
#include "executor/remote.h"

#include "base/clock.h"
#include "executor/run.h"
#include "executor/state.h"

#include <stdlib.h>

void run_carry(struct cm_run *run, struct carried *carried)
{
    run->carried = carried;
    run->started_ns = cm_now_ns();
    run_set_state(run, RUN_RUNNING);
}

uint32_t run_next_id(const struct cm_run *run)
{
    return run->calls.last_id + 1;
}

void run_carried_call(struct cm_run *run, const struct cm_call *call)
{
    run->calls.last_id = call->id;
    if (calls_open(&run->calls, call) < 0) {
        run_stop_no_memory(run);
        return;
    }
    run->executor->stats.calls++;
    run->events->on_call(run->user, run, call);
}

void run_carried_fetch(struct cm_run *run, const struct cm_fetch *fetch)
{
    run->calls.last_id = fetch->id;
    if (run_open_fetch(run, fetch->id, fetch->url) < 0) {
        run_stop_no_memory(run);
        return;
    }
    run->executor->stats.fetches++;
    run->events->on_fetch(run->user, run, fetch);
}

void run_carried_log(struct cm_run *run, const struct cm_log *line)
{
    run_add_line(run, line);
}

void run_carried_drop(struct cm_run *run, uint32_t id)
{
    struct open_call *call = calls_find(&run->calls, id);

    if (call != NULL)
        calls_close(&run->calls, call);
    else
        run_close_fetch(run, id);
    if (run->events->on_drop != NULL)
        run->events->on_drop(run->user, run, id);
}

void run_carried_end(struct cm_run *run, const struct cm_outcome *outcome, void *brought,
                     void (*release)(void *brought))
{
    run->brought = brought;
    run->release_brought = release;
    run->decided = true;
    run->outcome = *outcome;
    run_end(run);
}

void run_carried_fault(struct cm_run *run, enum cm_fault fault, char *sentence, int retryable)
{
    if (run->decided) {
        free(sentence);
        return;
    }
    run_stop_fault(run, fault, sentence);
    run->outcome.retryable = retryable;
}
