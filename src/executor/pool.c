/* Assignment and sizing. Runs in the host's process. Invariants: a READY worker
 * and a queued run that it may take never stay side by side after
 * pool_balance(); a worker whose key is set takes runs of that key only, so no
 * two keys ever share a process. */
#include "executor/pool.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "executor/run.h"
#include "executor/state.h"

#include <string.h>
#include <unistd.h>

enum {
    /* The zygote forks one at a time, so asking for more only forks workers that
     * shorter runs would not have needed by the time they are there. */
    STARTING_AT_ONCE = 4,
    FAILURES_MAX = 3
};

void pool_init(struct pool *pool)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    *pool = (struct pool){ .processors = processors > 0 ? (size_t)processors : 1 };
    cm_list_init(&pool->workers);
    cm_list_init(&pool->ready);
    cm_list_init(&pool->queue);
}

void pool_kill(struct cm_executor *executor)
{
    CM_LIST_EACH(&executor->pool.workers, link, after)
    {
        worker_kill(CM_CONTAINER_OF(link, struct worker, link));
    }
}

int pool_enqueue(struct cm_executor *executor, struct cm_run *run)
{
    struct pool *pool = &executor->pool;

    /* A run that may still get a worker of its own does not count as waiting. */
    size_t max = executor->settings.workers_max;
    size_t busy = pool->count[WORKER_RUNNING] < max ? pool->count[WORKER_RUNNING] : max;

    if (pool->queued >= executor->settings.queue_limit + (max - busy))
        return CM_E_LIMIT;
    cm_list_append(&pool->queue, &run->link);
    pool->queued++;
    pool->dirty = true;
    return 0;
}

void pool_dequeue(struct cm_executor *executor, struct cm_run *run)
{
    if (cm_list_empty(&run->link)) /* it never was in the queue */
        return;
    cm_list_unlink(&run->link);
    executor->pool.queued--;
}

/* Linear, like the search by key: there are as many as WORKERS_MAX. Revisit when
 * that is in the thousands. */
struct worker *pool_find(struct cm_executor *executor, uint64_t id)
{
    CM_LIST_EACH(&executor->pool.workers, link, after)
    {
        struct worker *worker = CM_CONTAINER_OF(link, struct worker, link);

        if (worker->id == id)
            return worker;
    }
    return NULL;
}

static struct worker *find_ready(const struct pool *pool, const char *key)
{
    CM_LIST_EACH(&pool->ready, link, after)
    {
        struct worker *worker = CM_CONTAINER_OF(link, struct worker, ready);

        if (worker->key != NULL && strcmp(worker->key, key) == 0)
            return worker;
    }
    return NULL;
}

static struct worker *find_fresh(const struct pool *pool)
{
    CM_LIST_EACH(&pool->ready, link, after)
    {
        struct worker *worker = CM_CONTAINER_OF(link, struct worker, ready);

        if (worker->key == NULL)
            return worker;
    }
    return NULL;
}

/* The workers of one key, as a queued run of it finds them. */
struct prospects {
    size_t workers;
    size_t computing; /* of them: each keeps a processor busy, and is back soon */
};

static struct prospects look_at(const struct pool *pool, const char *key)
{
    struct prospects of_key = { 0 };

    CM_LIST_EACH(&pool->workers, link, after)
    {
        const struct worker *worker = CM_CONTAINER_OF(link, struct worker, link);

        if (worker->key == NULL || strcmp(worker->key, key) != 0)
            continue;
        of_key.workers++;
        of_key.computing += worker->state == WORKER_RUNNING && !run_waits(worker->run);
    }
    return of_key;
}

/* The worker that the run gets now; NULL: it waits, and *ret_demand tells
 * whether somebody has to be forked for it.
 *
 * A worker that has run before has its pages in place and is several times as
 * fast as a fresh one. So a run waits its turn where the workers of its key keep
 * every processor busy, unless that has taken long, or one more worker would give an
 * idle processor work. */
static struct worker *choose(struct pool *pool, const struct cm_run *run, bool *ret_demand)
{
    const char *key = run->request->key;
    struct worker *worker = find_ready(pool, key);
    struct prospects of_key;

    *ret_demand = false;
    if (worker != NULL)
        return worker;
    of_key = look_at(pool, key);
    worker = find_fresh(pool);
    if (!run->waited_long && of_key.computing >= pool->processors &&
        (worker == NULL || of_key.workers >= pool->processors))
        return NULL;
    *ret_demand = worker == NULL;
    return worker;
}

static void begin(struct cm_run *run, struct worker *worker)
{
    int r = run_refuse_retained(run) ? 0 : run_begin(run, worker);

    if (r == CM_E_PEER) /* it died while it was idle: the run is still queued */
        run->executor->pool.dirty = true;
    else if (r < 0)
        run_stop_fault(run, CM_FAULT_INTERNAL, cm_message_new(CM_MSG_NO_MEMORY, NULL));
}

/* Hands out what is ready and returns how many runs need a worker that is not
 * there yet. Stops where more demand would change nothing. */
static size_t assign_queued(struct pool *pool, size_t enough)
{
    size_t demand = 0;

    CM_LIST_EACH(&pool->queue, link, after)
    {
        struct cm_run *run = CM_CONTAINER_OF(link, struct cm_run, link);
        struct worker *worker;
        bool needs_another;

        if (demand >= enough && cm_list_empty(&pool->ready))
            break;
        if (!run_is_compiled(run))
            continue;
        worker = choose(pool, run, &needs_another);
        demand += needs_another;
        if (worker != NULL)
            begin(run, worker);
    }
    return demand;
}

static size_t existing(const struct pool *pool)
{
    size_t count = 0;

    for (enum worker_state state = 0; state < WORKER_GONE; state++)
        count += pool->count[state];
    return count - pool->count[WORKER_COMPILING];
}

static size_t coming(const struct pool *pool)
{
    return pool->count[WORKER_FORKING] + pool->count[WORKER_STARTING];
}

static size_t fresh_ready(const struct pool *pool)
{
    size_t count = 0;

    CM_LIST_EACH(&pool->ready, link, after)
    {
        count += CM_CONTAINER_OF(link, struct worker, ready)->key == NULL;
    }
    return count;
}

/* The least recently used worker gives way to a run of another key. */
static void evict(struct pool *pool)
{
    if (!cm_list_empty(&pool->ready))
        worker_kill(CM_CONTAINER_OF(pool->ready.prev, struct worker, ready));
}

static void fail_queue(struct cm_executor *executor, const char *reason)
{
    executor->pool.failures = 0; /* the next run tries anew */
    CM_LIST_EACH(&executor->pool.queue, link, after)
    {
        run_stop_fault(CM_CONTAINER_OF(link, struct cm_run, link), CM_FAULT_INTERNAL,
                       cm_message_new(CM_MSG_NO_WORKER, reason, NULL));
    }
}

static bool have_zygote(struct cm_executor *executor)
{
    struct cm_error err = CM_ERROR_INIT;

    if (executor->zygote != NULL)
        return executor->zygote->control.fd >= 0; /* closed: its exit will be reported */
    if (zygote_open(executor, &executor->zygote, &err) == 0)
        return true;
    fail_queue(executor, err.text);
    return false;
}

static struct worker *fork_one(struct cm_executor *executor, uint64_t memory_bytes)
{
    struct pool *pool = &executor->pool;
    struct worker *worker;

    if (!have_zygote(executor))
        return NULL;
    if (worker_new(executor, pool->last_id + 1, &worker) < 0) {
        fail_queue(executor, "no memory for its record");
        return NULL;
    }
    pool->last_id++;
    if (zygote_fork(executor->zygote, worker->id, memory_bytes) == 0)
        return worker;
    worker_orphaned(worker);
    zygote_kill(executor->zygote);
    return NULL;
}

struct worker *pool_fork_compiler(struct cm_executor *executor, struct compiler *compiler)
{
    struct worker *worker = NULL;

    if (executor->pool.failures < FAILURES_MAX)
        worker = fork_one(executor, executor->settings.compile_memory_mb << 20);
    if (worker != NULL)
        worker->compiler = compiler;
    return worker;
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t idle_target(const struct cm_executor *executor)
{
    return min(executor->settings.workers_idle, executor->settings.workers_max);
}

/* Fresh workers that are missing from WORKERS_IDLE. Only fresh ones count: they
 * alone serve a run of any key at once. None is started on speculation while
 * starting fails, or when there is no zygote. */
static size_t missing_idle(const struct cm_executor *executor, size_t demand)
{
    const struct pool *pool = &executor->pool;
    size_t have = fresh_ready(pool) + coming(pool);

    if (executor->disposed || executor->zygote == NULL || pool->failures > 0)
        return 0;
    return have < idle_target(executor) + demand ? idle_target(executor) + demand - have : 0;
}

static void grow(struct cm_executor *executor, size_t demand)
{
    struct pool *pool = &executor->pool;
    size_t max = executor->settings.workers_max;
    size_t room = existing(pool) < max ? max - existing(pool) : 0;
    size_t wanted = demand > coming(pool) ? demand - coming(pool) : 0;

    if (pool->failures >= FAILURES_MAX) /* a worker that gets ready clears it */
        return;
    if (room == 0) {
        if (wanted > pool->count[WORKER_ENDING])
            evict(pool);
        return;
    }
    if (missing_idle(executor, demand) > wanted)
        wanted = missing_idle(executor, demand);
    if (coming(pool) >= STARTING_AT_ONCE)
        return;
    wanted = min(min(wanted, room), STARTING_AT_ONCE - coming(pool));
    while (wanted-- > 0)
        if (fork_one(executor, 0) == NULL)
            break;
}

void pool_balance(struct cm_executor *executor)
{
    struct pool *pool = &executor->pool;

    while (pool->dirty) { /* again when a worker turned out to be dead */
        pool->dirty = false;
        modules_balance(executor);
        grow(executor, assign_queued(pool, executor->settings.workers_max));
    }
}

void pool_on_started(struct cm_executor *executor)
{
    executor->pool.failures = 0;
}

void pool_on_start_failed(struct cm_executor *executor, const char *reason)
{
    struct pool *pool = &executor->pool;

    pool->dirty = true;
    pool->failures++;
    if (pool->failures >= FAILURES_MAX && existing(pool) == pool->count[WORKER_ENDING])
        fail_queue(executor, reason);
}

void pool_on_idle(struct worker *worker)
{
    const struct cm_executor *executor = worker->executor;

    if (worker->key != NULL || fresh_ready(&executor->pool) > idle_target(executor))
        worker_kill(worker);
}

void pool_on_zygote_gone(struct cm_executor *executor, const char *reason, bool final)
{
    CM_LIST_EACH(&executor->pool.workers, link, after)
    {
        worker_orphaned(CM_CONTAINER_OF(link, struct worker, link));
    }
    executor->pool.dirty = true;
    if (final)
        fail_queue(executor, reason);
    else
        pool_on_start_failed(executor, reason);
}
