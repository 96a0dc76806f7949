/* A worker's life: states, deadlines, death. Runs in the host's process. The
 * worker is hostile; nothing here waits for it without a bound.
 *
 * A dead worker is known from two sides, in any order: its socket has been read
 * to the end, and the zygote has reported how it exited. Its run is settled when
 * both are known, or the first is and the run's end has been decided before; and
 * in any case ENDING_NS after it was killed. */
#include "executor/worker.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "executor/execution.h"
#include "executor/run.h"
#include "executor/state.h"
#include "executor/worker_io.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>

#define START_NS  (10000 * CM_NS_PER_MS)
#define ENDING_NS (1000 * CM_NS_PER_MS)

/* Buffers above this are given back after a run. */
enum { BUFFER_KEEP_BYTES = 65536 };

#define MAY(state) (1u << WORKER_##state)

static const uint16_t legal_moves[WORKER_STATES] = {
    [WORKER_FORKING] = MAY(STARTING) | MAY(GONE),
    [WORKER_STARTING] = MAY(READY) | MAY(COMPILING) | MAY(ENDING),
    [WORKER_READY] = MAY(RUNNING) | MAY(ENDING),
    [WORKER_RUNNING] = MAY(RETAINED) | MAY(READY) | MAY(ENDING),
    [WORKER_RETAINED] = MAY(ENDING),
    [WORKER_COMPILING] = MAY(ENDING),
    [WORKER_ENDING] = MAY(GONE),
};

static void set_state(struct worker *worker, enum worker_state state)
{
    struct pool *pool = &worker->executor->pool;

    if ((legal_moves[worker->state] & (1u << state)) == 0)
        abort(); /* our bug: no message leads here, ipc_frame_peek() checks the state */
    pool->count[worker->state]--;
    pool->count[state]++;
    pool->dirty = true;
    worker->state = state;
    cm_list_unlink(&worker->ready);
    if (state == WORKER_READY)
        cm_list_prepend(&pool->ready, &worker->ready);
    if (state == WORKER_GONE)
        cm_list_move(&worker->executor->worker_graves, &worker->link);
    if (state >= WORKER_ENDING && worker->compiler != NULL && worker->compiler->worker == worker)
        modules_on_gone(worker);
}

static void arm(struct worker *worker, uint64_t delay_ns)
{
    timer_arm(&worker->timer, cm_deadline(cm_now_ns(), delay_ns));
}

static void bury(struct worker *worker)
{
    loop_drop(&worker->executor->loop, &worker->socket);
    timer_disarm(&worker->timer);
    set_state(worker, WORKER_GONE);
}

/* Goes on with the burial of an ENDING worker as far as what is known allows. */
static void settle(struct worker *worker)
{
    struct cm_run *run = worker->run;

    if (worker->state != WORKER_ENDING || worker->socket.fd >= 0)
        return;
    if (run != NULL && (run->decided || worker->exited))
        run_on_worker_gone(run, worker->exit_known ? &worker->exit : NULL);
    if (worker->run == NULL && worker->exited)
        bury(worker);
}

static void on_overdue_end(struct worker *worker)
{
    loop_drop(&worker->executor->loop, &worker->socket);
    worker->exited = true; /* as far as we are concerned; the kill is on its way */
    settle(worker);
}

static void on_timer(struct timer *timer, uint64_t now_ns)
{
    struct worker *worker = CM_CONTAINER_OF(timer, struct worker, timer);
    struct cm_executor *executor = worker->executor;

    (void)now_ns;
    switch (worker->state) {
    case WORKER_FORKING: /* the zygote is stuck; its exit is reported like any other */
        if (executor->zygote != NULL)
            zygote_kill(executor->zygote);
        break;
    case WORKER_STARTING:
        worker_lost(worker);
        break;
    case WORKER_READY:
        pool_on_idle(worker);
        break;
    case WORKER_COMPILING:
        modules_on_timer(worker);
        break;
    case WORKER_ENDING:
        on_overdue_end(worker);
        break;
    default:
        break;
    }
}

int worker_new(struct cm_executor *executor, uint64_t id, struct worker **ret_worker)
{
    struct worker *worker = calloc(1, sizeof(*worker));

    if (worker == NULL)
        return CM_E_NOMEM;
    *worker = (struct worker){ .executor = executor,
                               .id = id,
                               .state = WORKER_FORKING,
                               .asked_ns = cm_now_ns(),
                               .socket = { -1, 0, worker_on_socket },
                               .pidfd = -1 };
    if (timer_init(&worker->timer, &executor->loop.timers, on_timer) < 0) {
        free(worker);
        return CM_E_NOMEM;
    }
    cm_list_init(&worker->ready);
    worker_io_init(worker);
    executor->pool.count[WORKER_FORKING]++;
    cm_list_append(&executor->pool.workers, &worker->link);
    arm(worker, START_NS);
    *ret_worker = worker;
    return 0;
}

void worker_free(struct worker *worker)
{
    struct pool *pool = &worker->executor->pool;

    loop_drop(&worker->executor->loop, &worker->socket);
    cm_close_fd(&worker->pidfd);
    timer_done(&worker->timer);
    cm_list_unlink(&worker->link);
    cm_list_unlink(&worker->ready);
    cm_buf_done(&worker->in);
    cm_buf_done(&worker->out);
    free(worker->key);
    free(worker->kept);
    pool->count[worker->state]--;
    free(worker);
}

void worker_kill(struct worker *worker)
{
    if (worker->state >= WORKER_ENDING)
        return;
    if (worker->execution != NULL)
        execution_worker_gone(worker->execution);
    if (worker->state == WORKER_FORKING) {
        bury(worker); /* only at the end of the zygote: there is nothing to kill */
        return;
    }
    if (worker->pidfd >= 0)
        pidfd_send_signal(worker->pidfd, SIGKILL, NULL, 0);
    set_state(worker, WORKER_ENDING);
    arm(worker, ENDING_NS);
    if (worker->run == NULL)
        loop_drop(&worker->executor->loop, &worker->socket);
    settle(worker);
}

void worker_lost(struct worker *worker)
{
    bool starting = worker->state == WORKER_STARTING;

    if (worker->state >= WORKER_ENDING)
        return;
    worker->executor->stats.workers_lost++;
    worker_kill(worker);
    if (starting)
        pool_on_start_failed(worker->executor, "the worker ended before it was ready");
}

void worker_on_eof(struct worker *worker)
{
    loop_drop(&worker->executor->loop, &worker->socket);
    worker_lost(worker);
    settle(worker);
}

void worker_on_breach(struct worker *worker, const char *rule)
{
    if (worker->run != NULL)
        run_on_breach(worker->run, rule);
    worker_on_eof(worker); /* nothing more is taken from it */
}

void worker_forked(struct worker *worker, int socket_fd, int pidfd)
{
    struct cm_executor *executor = worker->executor;

    executor->stats.workers_started++;
    set_state(worker, WORKER_STARTING);
    arm(worker, START_NS);
    worker->pidfd = pidfd;
    if (socket_fd >= 0 && fcntl(socket_fd, F_SETFL, O_NONBLOCK) == 0 &&
        loop_add(&executor->loop, &worker->socket, socket_fd, EPOLLIN) == 0)
        return;
    cm_close_fd(&socket_fd); /* the worker sees its end of file and exits */
    executor->stats.workers_lost++;
    worker_kill(worker);
    pool_on_start_failed(executor, "this process has no descriptor left for the worker's socket");
}

void worker_exited(struct worker *worker, const struct ipc_exited *exit)
{
    worker->exited = true;
    worker->exit_known = true;
    worker->exit = *exit;
    worker_read_to_end(worker);
    worker_on_eof(worker);
}

void worker_orphaned(struct worker *worker)
{
    worker->exited = true;
    worker_kill(worker);
    settle(worker);
}

static void be_ready(struct worker *worker)
{
    set_state(worker, WORKER_READY);
    arm(worker, worker->executor->settings.worker_idle_ms * CM_NS_PER_MS);
}

void worker_on_ready(struct worker *worker)
{
    if (worker->state == WORKER_STARTING) {
        worker->executor->stats.spawns++;
        worker->executor->stats.spawn_ns += cm_now_ns() - worker->asked_ns;
        pool_on_started(worker->executor);
    }
    if (worker->compiler != NULL) {
        set_state(worker, WORKER_COMPILING);
        modules_on_ready(worker);
        return;
    }
    be_ready(worker);
}

void worker_set_deadline(struct worker *worker, uint64_t delay_ms)
{
    arm(worker, delay_ms * CM_NS_PER_MS);
}

/* Bytes that it has not read belong to a run that is over: a worker that would
 * have to read them first is not worth keeping. */
void worker_on_run_over(struct worker *worker, bool reusable)
{
    if (worker->state != WORKER_RUNNING)
        return;
    if (!reusable || worker->out.len > 0 ||
        worker->programs >= worker->executor->settings.programs_per_worker) {
        worker_kill(worker);
        return;
    }
    be_ready(worker);
    if (worker->in.len == 0 && worker->in.cap > BUFFER_KEEP_BYTES)
        cm_buf_done(&worker->in);
    if (worker->out.cap > BUFFER_KEEP_BYTES)
        cm_buf_done(&worker->out);
}

void worker_detach_run(struct worker *worker)
{
    worker->run = NULL;
    if (worker->state == WORKER_ENDING)
        loop_drop(&worker->executor->loop, &worker->socket);
}

void worker_retain(struct worker *worker, struct execution *execution)
{
    worker->execution = execution;
    set_state(worker, WORKER_RETAINED);
}

static int take_key(struct worker *worker, const char *key)
{
    if (worker->key == NULL)
        worker->key = strdup(key);
    return worker->key == NULL ? CM_E_NOMEM : 0;
}

/* The pid in the proc file system of this process, which need not be the
 * worker's own idea of it. */
static pid_t read_pid(int pidfd)
{
    char path[64];
    char line[128];
    int pid = -1;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
    file = fopen(path, "re");
    if (file == NULL)
        return -1;
    while (fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "Pid: %d", &pid) == 1)
            break;
    fclose(file);
    return pid;
}

static pid_t pid_of(struct worker *worker)
{
    if (worker->pid == 0)
        worker->pid = read_pid(worker->pidfd);
    return worker->pid;
}

int worker_run(struct worker *worker, struct cm_run *run, const struct ipc_run *head)
{
    int r = take_key(worker, run->request->key);

    if (r < 0)
        return r;
    r = worker_send_run(worker, head, run->request, run->units);
    if (r == CM_E_PEER)
        worker_lost(worker);
    if (r < 0)
        return r;
    timer_disarm(&worker->timer);
    set_state(worker, WORKER_RUNNING);
    worker->run = run;
    worker->programs++;
    return 0;
}

uint64_t worker_cpu_ns(struct worker *worker)
{
    struct timespec time;

    if (!worker->cpu_known) {
        worker->cpu_known = true;
        worker->cpu_usable =
            pid_of(worker) > 0 && clock_getcpuclockid(worker->pid, &worker->cpu) == 0;
    }
    if (!worker->cpu_usable || clock_gettime(worker->cpu, &time) < 0)
        return CM_NEVER;
    return cm_timespec_ns(&time);
}
