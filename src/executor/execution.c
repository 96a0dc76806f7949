/* Retained executions. Runs in the host's process. Their workers are as hostile as
 * any; ids come from a host's clients and are compared only. An execution and its
 * worker end together: whoever is told first tells the other. */
#include "executor/execution.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "executor/run.h"
#include "executor/state.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static void arm_idle(struct execution *execution)
{
    uint64_t idle_ns = execution->executor->settings.retain_idle_ms * CM_NS_PER_MS;

    if (cm_list_empty(&execution->invocations))
        timer_arm(&execution->idle, cm_deadline(cm_now_ns(), idle_ns));
    else
        timer_disarm(&execution->idle);
}

static void on_idle(struct timer *timer, uint64_t now_ns)
{
    (void)now_ns;
    execution_end(CM_CONTAINER_OF(timer, struct execution, idle));
}

static void execution_free(struct execution *execution)
{
    timer_done(&execution->idle);
    cm_list_unlink(&execution->link);
    free(execution->key);
    free(execution->handles);
    free(execution);
}

/* 128 bits that nobody can guess. CM_E_SYSTEM. */
static int make_id(char *to)
{
    uint64_t bits[2];

    if (getrandom(bits, sizeof(bits), 0) != sizeof(bits))
        return CM_E_SYSTEM;
    snprintf(to, EXECUTION_ID_CHARS + 1, "%016llx%016llx", (unsigned long long)bits[0],
             (unsigned long long)bits[1]);
    return 0;
}

static int fill(struct execution *execution, const struct ipc_handles *handles, const char *key)
{
    execution->key = strdup(key);
    execution->handles = malloc(handles->bytes);
    if (execution->key == NULL || execution->handles == NULL)
        return CM_E_NOMEM;
    memcpy(execution->handles, handles->names, handles->bytes);
    execution->handle_count = handles->count;
    return make_id(execution->id);
}

int execution_new(struct cm_run *run, const struct ipc_handles *handles,
                  struct execution **ret_execution)
{
    struct cm_executor *executor = run->executor;
    struct execution *execution = calloc(1, sizeof(*execution));
    int r;

    if (execution == NULL)
        return CM_E_NOMEM;
    *execution = (struct execution){ .executor = executor,
                                     .worker = run->worker,
                                     .timeout_ms = run->request->timeout_ms,
                                     .count_host_waits = run->request->count_host_waits,
                                     .outbound = run->request->outbound,
                                     .last_id = run->calls.last_id };
    cm_list_init(&execution->invocations);
    cm_list_append(&executor->executions, &execution->link);
    r = timer_init(&execution->idle, &executor->loop.timers, on_idle);
    if (r == 0)
        r = fill(execution, handles, run->request->key);
    if (r < 0) {
        execution_free(execution);
        return r;
    }
    executor->stats.retained_live++;
    executor->stats.retained_made++;
    worker_retain(run->worker, execution);
    arm_idle(execution);
    *ret_execution = execution;
    return 0;
}

struct execution *execution_find(struct cm_executor *executor, const char *id)
{
    CM_LIST_EACH(&executor->executions, link, after)
    {
        struct execution *execution = CM_CONTAINER_OF(link, struct execution, link);

        if (strcmp(execution->id, id) == 0)
            return execution;
    }
    return NULL;
}

bool execution_has_handle(const struct execution *execution, const char *handle)
{
    const char *at = execution->handles;

    for (size_t i = 0; i < execution->handle_count; i++, at += strlen(at) + 1)
        if (strcmp(at, handle) == 0)
            return true;
    return false;
}

void execution_worker_gone(struct execution *execution)
{
    execution->worker->execution = NULL;
    execution->worker->run = NULL;
    execution->executor->stats.retained_live--;
    CM_LIST_EACH(&execution->invocations, link, after)
    {
        run_on_execution_gone(CM_CONTAINER_OF(link, struct cm_run, of_execution));
    }
    execution_free(execution);
}

void execution_end(struct execution *execution)
{
    struct worker *worker = execution->worker;

    execution->executor->stats.workers_killed++;
    execution_worker_gone(execution);
    worker_kill(worker);
}

void execution_add(struct execution *execution, struct cm_run *run)
{
    run->execution = execution;
    run->worker = execution->worker;
    run->invocation = ++execution->last_invocation;
    run->sleeps_on_timers = execution->sleeps_on_timers;
    cm_list_append(&execution->invocations, &run->of_execution);
    execution->live++;
    execution->executor->stats.invocations++;
    arm_idle(execution);
}

void execution_remove(struct execution *execution, struct cm_run *run)
{
    cm_list_unlink(&run->of_execution);
    execution->live--;
    run->execution = NULL;
    run->worker = NULL;
    if (execution->worker->run == run)
        execution->worker->run = NULL;
    arm_idle(execution);
}

void execution_on_wait(struct execution *execution, bool timers)
{
    execution->sleeps_on_timers = timers;
    CM_LIST_EACH(&execution->invocations, link, after)
    {
        run_on_wait(CM_CONTAINER_OF(link, struct cm_run, of_execution), timers);
    }
}

struct cm_run *execution_invocation(const struct execution *execution, uint32_t invocation)
{
    CM_LIST_EACH(&execution->invocations, link, after)
    {
        struct cm_run *run = CM_CONTAINER_OF(link, struct cm_run, of_execution);

        if (run->invocation == invocation)
            return run;
    }
    return NULL;
}

/* ---- the public calls ---- */

int cm_execution_release(struct cm_executor *executor, const char *execution_id)
{
    struct execution *execution;

    if (executor == NULL || execution_id == NULL)
        return CM_E_INVAL;
    if (executor->remote != NULL)
        return executor->remote->ops->release(executor->remote, execution_id);
    execution = execution_find(executor, execution_id);
    if (execution == NULL)
        return CM_E_STATE;
    execution_end(execution);
    return 0;
}

void cm_executor_release_key(struct cm_executor *executor, const char *isolation_key)
{
    const char *key = isolation_key == NULL ? "" : isolation_key;

    if (executor == NULL)
        return;
    if (executor->remote != NULL && key[0] == '\0')
        executor->remote->ops->release(executor->remote, NULL);
    CM_LIST_EACH(&executor->executions, link, after)
    {
        struct execution *execution = CM_CONTAINER_OF(link, struct execution, link);

        if (strcmp(execution->key, key) == 0)
            execution_end(execution);
    }
}
