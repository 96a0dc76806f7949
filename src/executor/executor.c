/* The executor: its turn, its beginning and its end. Runs in the host's process,
 * on one thread of it; no signal is taken and nothing is global. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/text.h"
#include "executor/run.h"
#include "executor/state.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Killed processes are gone by then, unless the kernel holds them. */
enum { KILLED_MS = 5000 };

int cm_executor_new(const struct cm_settings *settings, struct cm_executor **ret_executor,
                    struct cm_error *err)
{
    struct cm_settings *defaults = NULL;
    struct cm_executor *executor;
    int r;

    if (ret_executor == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "ret_executor is required");
    if (settings == NULL)
        settings = defaults = cm_settings_new();
    executor = calloc(1, sizeof(*executor));
    if (settings == NULL || executor == NULL || settings_copy(&executor->settings, settings) < 0) {
        cm_settings_free(defaults);
        free(executor);
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for an executor");
    }
    cm_settings_free(defaults);
    pool_init(&executor->pool);
    modules_init(&executor->modules);
    cm_list_init(&executor->zygotes);
    cm_list_init(&executor->runs);
    cm_list_init(&executor->executions);
    cm_list_init(&executor->ends);
    cm_list_init(&executor->worker_graves);
    cm_list_init(&executor->run_graves);
    executor->limits = (struct ipc_limits){ executor->settings.message_limit_bytes,
                                            executor->settings.console_bytes };
    r = loop_open(&executor->loop, err);
    if (r < 0) {
        cm_executor_free(executor);
        return r;
    }
    *ret_executor = executor;
    return 0;
}

int cm_executor_fd(const struct cm_executor *executor)
{
    return executor == NULL ? -1 : executor->loop.epoll_fd;
}

int cm_executor_timeout_ms(const struct cm_executor *executor)
{
    if (executor == NULL)
        return -1;
    return cm_list_empty(&executor->ends) ? loop_timeout_ms(&executor->loop) : 0;
}

int cm_executor_start(struct cm_executor *executor, struct cm_error *err)
{
    int r;

    if (executor == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "executor is required");
    if (executor->disposed)
        return cm_fail(err, CM_E_STATE, 0, "%s", cm_message_text(CM_MSG_SHUTTING_DOWN));
    if (executor->remote != NULL) {
        r = executor->remote->ops->connect(executor->remote);
        return r < 0 ? cm_fail(err, r, 0, "no memory for a connection") : 0;
    }
    if (executor->zygote != NULL)
        return 0;
    r = zygote_open(executor, &executor->zygote, err);
    if (r < 0)
        return r;
    executor->pool.dirty = true;
    pool_balance(executor);
    return 0;
}

/* ---- the turn ---- */

void executor_bury(struct cm_executor *executor)
{
    CM_LIST_EACH(&executor->worker_graves, link, after)
    {
        worker_free(CM_CONTAINER_OF(link, struct worker, link));
    }
    CM_LIST_EACH(&executor->run_graves, run_link, run_after)
    {
        run_destroy(CM_CONTAINER_OF(run_link, struct cm_run, link));
    }
    CM_LIST_EACH(&executor->zygotes, zygote_link, zygote_after)
    {
        struct zygote *zygote = CM_CONTAINER_OF(zygote_link, struct zygote, link);

        if (zygote->reaped)
            zygote_free(zygote);
    }
}

/* A run that ends in one of these callbacks waits for the next turn, or a host
 * that submits malformed requests in on_end would never get out of here. */
static void deliver_ends(struct cm_executor *executor)
{
    struct cm_list due;
    struct cm_run *run;

    cm_list_init(&due);
    CM_LIST_EACH(&executor->ends, link, after)
    {
        cm_list_move(&due, link);
    }
    while ((run = CM_LIST_FIRST(&due, struct cm_run, link)) != NULL) {
        cm_list_unlink(&run->link);
        run_deliver(run);
    }
}

static void end_children(struct cm_executor *executor)
{
    pool_kill(executor);
    if (executor->remote != NULL)
        executor->remote->ops->disconnect(executor->remote);
    if (executor->zygote != NULL)
        zygote_kill(executor->zygote);
}

int cm_executor_process(struct cm_executor *executor)
{
    if (executor == NULL || executor->turning)
        return CM_E_INVAL;
    executor->turning = true;
    loop_turn(&executor->loop);
    pool_balance(executor);
    deliver_ends(executor);
    pool_balance(executor);
    if (executor->disposed && executor->stats.runs_live == 0)
        end_children(executor);
    executor->turning = false;
    executor_bury(executor);
    if (!cm_list_empty(&executor->ends))
        loop_wake(&executor->loop);
    return (int)executor->stats.runs_live;
}

/* ---- the end ---- */

void cm_executor_dispose(struct cm_executor *executor)
{
    if (executor == NULL || executor->disposed)
        return;
    executor->disposed = true;
    loop_wake(&executor->loop); /* with no run left, the next turn ends the children */
}

static void end_runs(struct cm_executor *executor)
{
    CM_LIST_EACH(&executor->runs, link, after)
    {
        struct cm_run *run = CM_CONTAINER_OF(link, struct cm_run, all);

        run_stop_fault(run, CM_FAULT_INTERNAL, cm_message_new(CM_MSG_SHUTTING_DOWN, NULL));
        if (run->state == RUN_RUNNING || run->state == RUN_KILLED)
            run_on_worker_gone(run, NULL); /* without its last log lines */
    }
    deliver_ends(executor);
}

/* The kernel has them gone when their pidfds are readable. */
static void wait_for_workers(struct cm_executor *executor)
{
    const uint64_t end_ns = cm_deadline(cm_now_ns(), KILLED_MS * CM_NS_PER_MS);

    CM_LIST_EACH(&executor->pool.workers, link, after)
    {
        struct worker *worker = CM_CONTAINER_OF(link, struct worker, link);
        struct pollfd ended = { worker->pidfd, POLLIN, 0 };
        uint64_t now_ns = cm_now_ns();

        if (worker->pidfd >= 0 && now_ns < end_ns)
            poll(&ended, 1, (int)((end_ns - now_ns) / CM_NS_PER_MS));
    }
}

static void free_children(struct cm_executor *executor)
{
    wait_for_workers(executor);
    CM_LIST_EACH(&executor->pool.workers, link, after)
    {
        worker_free(CM_CONTAINER_OF(link, struct worker, link));
    }
    CM_LIST_EACH(&executor->zygotes, zygote_link, zygote_after)
    {
        zygote_free(CM_CONTAINER_OF(zygote_link, struct zygote, link));
    }
}

/* Runs outlive their executor in the host's hands: with their outcome, and with
 * nothing that refers to it. */
static void forget_runs(struct cm_executor *executor)
{
    CM_LIST_EACH(&executor->runs, link, after)
    {
        struct cm_run *run = CM_CONTAINER_OF(link, struct cm_run, all);

        timer_done(&run->timer);
        cm_list_unlink(&run->all);
        run->executor = NULL;
    }
}

void cm_executor_free(struct cm_executor *executor)
{
    if (executor == NULL || executor->turning)
        return;
    executor->turning = true;
    executor->disposed = true;
    executor->freeing = true;
    end_runs(executor);
    end_children(executor);
    free_children(executor);
    executor_bury(executor);
    forget_runs(executor);
    if (executor->remote != NULL)
        executor->remote->ops->free(executor->remote);
    modules_done(&executor->modules);
    resolver_free(executor->resolver);
    loop_close(&executor->loop);
    settings_done(&executor->settings);
    free(executor);
}

/* ---- the blocking call ---- */

static int wait_for(struct cm_executor *executor, const struct run_watch *watch,
                    struct cm_error *err)
{
    struct pollfd ready = { executor->loop.epoll_fd, POLLIN, 0 };

    while (!watch->over) {
        if (poll(&ready, 1, cm_executor_timeout_ms(executor)) < 0 && errno != EINTR)
            return cm_fail(err, CM_E_SYSTEM, errno, "waiting for a run");
        cm_executor_process(executor);
    }
    return 0;
}

int cm_execute(struct cm_executor *executor, const struct cm_request *request,
               const struct cm_events *events, void *user, struct cm_run **ret_run,
               struct cm_error *err)
{
    struct run_watch watch = { false, false };
    struct cm_run *run;
    int r;

    if (executor == NULL || ret_run == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "executor and ret_run are required");
    if (executor->turning)
        return cm_fail(err, CM_E_INVAL, 0, "a callback cannot wait for a run");
    r = cm_run_start(executor, request, events, user, &run, err);
    if (r < 0)
        return r;
    run->watch = &watch;
    r = wait_for(executor, &watch, err);
    if (!watch.freed)
        run->watch = NULL;
    if (r < 0)
        cm_run_free(run);
    else
        *ret_run = watch.freed ? NULL : run;
    return r;
}

/* ---- reports ---- */

static const struct {
    const char *name;
    const char *why;
} layer_rows[IPC_LAYER_COUNT] = {
#define CM_LAYER(name, text, why) { text, why },
#include "tables/layers.def"
#undef CM_LAYER
};

static const char *layer_detail(bool in_force, int sys_errno, const char *why)
{
    const char *reason = sys_errno == 0 ? NULL : strerrordesc_np(sys_errno);

    if (in_force)
        return why;
    return reason == NULL ? "not needed here" : reason;
}

void executor_set_report(struct cm_executor *executor, const struct ipc_hello *hello)
{
    for (size_t i = 0; i < IPC_LAYER_COUNT; i++) {
        bool in_force = hello->layers[i].in_force != 0;

        executor->layers[i] = (struct cm_layer){ layer_rows[i].name, in_force,
                                                 layer_detail(in_force, hello->layers[i].sys_errno,
                                                              layer_rows[i].why) };
    }
    snprintf(executor->engine, sizeof(executor->engine), "%s", hello->engine);
    executor->report = (struct cm_report){ executor->layers, IPC_LAYER_COUNT, executor->engine,
                                           executor->settings.worker_path };
    executor->reported = true;
}

const struct cm_report *cm_executor_report(const struct cm_executor *executor)
{
    return executor != NULL && executor->reported ? &executor->report : NULL;
}

void cm_executor_stats(const struct cm_executor *executor, struct cm_stats *ret_stats)
{
    const size_t *count;

    if (executor == NULL || ret_stats == NULL)
        return;
    *ret_stats = executor->stats;
    count = executor->pool.count;
    ret_stats->runs_queued = executor->pool.queued;
    ret_stats->workers_starting = count[WORKER_FORKING] + count[WORKER_STARTING];
    ret_stats->workers_ready = count[WORKER_READY];
    ret_stats->workers_running = count[WORKER_RUNNING];
    ret_stats->workers_ending = count[WORKER_ENDING];
    for (enum worker_state state = WORKER_STARTING; state < WORKER_GONE; state++)
        ret_stats->workers_live += count[state];
}
