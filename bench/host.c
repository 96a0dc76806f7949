/* Runs in the benchmark's own process. The programs are its own files, so a run
 * that does not succeed is a failure of the measurement, never a figure. */
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"

enum { STALL_MS = 30000 };

static const char *const store_tools[] = { "call" };
static const struct cm_provider store = { "store", store_tools, CM_ARRAY_LEN(store_tools) };

int program_read(struct host *host, const char *path, struct program *ret_program)
{
    CM_AUTO_FREE char *text = NULL;
    struct stat status;
    FILE *file = fopen(path, "re");
    size_t bytes;

    if (file == NULL)
        return cm_fail(&host->err, CM_E_SYSTEM, errno, "%s", path);
    if (fstat(fileno(file), &status) < 0 || (text = malloc((size_t)status.st_size + 1)) == NULL) {
        fclose(file);
        return cm_fail(&host->err, CM_E_SYSTEM, errno, "%s", path);
    }
    bytes = fread(text, 1, (size_t)status.st_size, file);
    text[bytes] = '\0';
    fclose(file);

    ret_program->has_store = strstr(text, "store.") != NULL;
    ret_program->bytes = bytes;
    ret_program->text = CM_TAKE(text);
    return 0;
}

void program_done(struct program *program)
{
    free(program->text);
    *program = (struct program){ 0 };
}

static int host_configure(struct host *host, struct cm_settings *settings, const char *name,
                          const char *value)
{
    if (name == NULL || value == NULL)
        return 0;
    return cm_settings_set(settings, name, value, &host->err);
}

int host_open(struct host *host, const char *worker_path, const char *setting, const char *value)
{
    struct cm_settings *settings = cm_settings_new();
    const char *idle;
    int r;

    if (settings == NULL)
        return cm_fail(&host->err, CM_E_NOMEM, 0, "settings");
    r = host_configure(host, settings, "WORKER_PATH", worker_path);
    if (r == 0)
        r = host_configure(host, settings, setting, value);
    if (r == 0) {
        idle = cm_settings_get(settings, "WORKERS_IDLE");
        host->idle_target = idle == NULL ? 1 : strtoull(idle, NULL, 10);
        r = cm_executor_new(settings, &host->executor, &host->err);
    }
    cm_settings_free(settings);
    if (r == 0)
        r = cm_executor_start(host->executor, &host->err);
    return r;
}

void host_close(struct host *host)
{
    cm_executor_free(CM_TAKE(host->executor));
}

int host_turn(struct host *host)
{
    struct pollfd pfd = { cm_executor_fd(host->executor), POLLIN, 0 };
    int timeout_ms = cm_executor_timeout_ms(host->executor);
    int capped = timeout_ms < 0 || timeout_ms > STALL_MS;
    int ready = poll(&pfd, 1, capped ? STALL_MS : timeout_ms);

    if (ready == 0 && capped)
        return cm_fail(&host->err, CM_E_STATE, 0, "nothing happened for %d ms", STALL_MS);
    if (cm_executor_process(host->executor) < 0)
        return cm_fail(&host->err, CM_E_STATE, 0, "cm_executor_process");
    return 0;
}

/* The compiler of modules, which waits for the next one, counts as live only. */
static int has_settled(const struct host *host, const struct cm_stats *stats, uint64_t max_live)
{
    return stats->workers_ready >= host->idle_target && stats->workers_live <= max_live &&
           stats->workers_starting + stats->workers_running == 0;
}

int host_settle(struct host *host, uint64_t max_live)
{
    struct cm_stats stats;
    int r = 0;

    cm_executor_stats(host->executor, &stats);
    while (r == 0 && !has_settled(host, &stats, max_live)) {
        r = host_turn(host);
        cm_executor_stats(host->executor, &stats);
    }
    return r;
}

int host_start(struct host *host, const struct program *program, const struct cm_events *events,
               void *user, struct cm_run **ret_run)
{
    struct cm_request request = CM_REQUEST_INIT;

    request.code = program->text;
    request.code_bytes = program->bytes;
    if (program->has_store) {
        request.providers = &store;
        request.provider_count = 1;
    }
    request.modules = program->modules;
    request.module_count = program->module_count;
    request.language = program->language;
    return cm_run_start(host->executor, &request, events, user, ret_run, &host->err);
}

void host_answer(struct cm_run *run, const struct cm_call *call)
{
    static const char one[] = "{\"result\":1}";

    /* A failure shows as the run's own: it waits for this answer. */
    (void)cm_run_answer(run, call->id, one, sizeof(one) - 1);
}

int host_check(struct host *host, const struct cm_outcome *outcome)
{
    if (outcome->fault != CM_FAULT_NONE)
        return cm_fail(&host->err, CM_E_STATE, 0, "%s: %s", cm_fault_name(outcome->fault),
                       outcome->message);
    if (outcome->error != NULL)
        return cm_fail(&host->err, CM_E_STATE, 0, "the program failed: %s", outcome->error);
    return 0;
}

/* One run that somebody waits for. */
struct single {
    void (*on_call)(void *user, struct cm_run *run, const struct cm_call *call);
    void *user;
    uint64_t ended_ns; /* 0 until on_end */
};

static void single_on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    struct single *single = user;

    if (single->on_call != NULL)
        single->on_call(single->user, run, call);
    else
        host_answer(run, call);
}

static void single_on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    struct single *single = user;

    (void)run;
    (void)outcome;
    single->ended_ns = cm_now_ns();
}

int host_run(struct host *host, const struct program *program,
             void (*on_call)(void *user, struct cm_run *run, const struct cm_call *call),
             void *user, double *ret_ms, struct cm_run **ret_run)
{
    static const struct cm_events events = { .on_call = single_on_call, .on_end = single_on_end };
    struct single single = { on_call, user, 0 };
    struct cm_run *run = NULL;
    uint64_t began_ns;
    int r = host_settle(host, UINT64_MAX);

    if (r < 0)
        return r;
    began_ns = cm_now_ns();
    r = host_start(host, program, &events, &single, &run);
    while (r == 0 && single.ended_ns == 0)
        r = host_turn(host);
    if (r == 0)
        r = host_check(host, cm_run_outcome(run));
    if (r < 0) {
        cm_run_free(run);
        return r;
    }
    *ret_ms = (double)(single.ended_ns - began_ns) / (double)CM_NS_PER_MS;
    *ret_run = run;
    return 0;
}

/* Runs that replace one another until `left` is 0. */
struct load {
    struct host *host;
    const struct program *program;
    size_t left; /* not submitted yet */
    size_t live;
    int result; /* the first failure; nothing is submitted after it */
};

static void load_on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    (void)user;
    host_answer(run, call);
}

static void load_on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome);

static void load_start_one(struct load *load)
{
    static const struct cm_events events = { .on_call = load_on_call, .on_end = load_on_end };
    struct cm_run *run = NULL; /* freed by load_on_end() */

    if (load->left == 0 || load->result < 0)
        return;
    load->left--;
    load->live++;
    load->result = host_start(load->host, load->program, &events, load, &run);
    if (load->result < 0)
        load->live--;
}

static void load_on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    struct load *load = user;

    load->live--;
    if (load->result == 0)
        load->result = host_check(load->host, outcome);
    cm_run_free(run);
    load_start_one(load);
}

int host_load(struct host *host, const struct program *program, size_t count, size_t width)
{
    struct load load = { host, program, count, 0, 0 };
    int r = 0;

    for (size_t i = 0; i < width; i++)
        load_start_one(&load);
    while (r == 0 && load.live > 0)
        r = host_turn(host);
    return r < 0 ? r : load.result;
}
