/* Calls of a retained execution, one after another. Runs in the benchmark's own
 * process; the program is its own file. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fail.h"
#include "bench.h"

enum { ID_CHARS = 64 };

static void on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    (void)run;
    (void)outcome;
    *(uint64_t *)user = cm_now_ns();
}

static const struct cm_events events = { .on_end = on_end };

/* Turns until the run is over and gives it back. */
static int finish(struct host *host, struct cm_run *run, const uint64_t *ended_ns,
                  int (*check)(struct host *host, const struct cm_outcome *outcome, void *user),
                  void *user)
{
    int r = 0;

    while (r == 0 && *ended_ns == 0)
        r = host_turn(host);
    if (r == 0)
        r = host_check(host, cm_run_outcome(run));
    if (r == 0)
        r = check(host, cm_run_outcome(run), user);
    cm_run_free(run);
    return r;
}

static int take_id(struct host *host, const struct cm_outcome *outcome, void *user)
{
    if (outcome->execution_id == NULL)
        return cm_fail(&host->err, CM_E_STATE, 0, "the program gives a handler");
    snprintf(user, ID_CHARS, "%s", outcome->execution_id);
    return 0;
}

static int keep(struct bench *bench, char *ret_id)
{
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_run *run = NULL;
    uint64_t ended_ns = 0;
    int r;

    request.code = bench->program.text;
    request.code_bytes = bench->program.bytes;
    request.retain_handles = 1;
    r = cm_run_start(bench->host.executor, &request, &events, &ended_ns, &run, &bench->host.err);
    return r < 0 ? r : finish(&bench->host, run, &ended_ns, take_id, ret_id);
}

static int check_response(struct host *host, const struct cm_outcome *outcome, void *user)
{
    (void)user;
    if (outcome->response == NULL || outcome->response->status != 200)
        return cm_fail(&host->err, CM_E_STATE, 0, "the handler gives status 200");
    return 0;
}

static int invoke(struct bench *bench, const char *id, struct samples *ms)
{
    static const char url[] = "https://app/orders?of=ada";
    const struct cm_fetch request = { .url = url, .url_bytes = sizeof(url) - 1, .method = "GET" };
    struct cm_run *run = NULL;
    uint64_t began_ns = cm_now_ns(), ended_ns = 0;
    int r = cm_invoke_start(bench->host.executor, id, "default", &request, &events, &ended_ns, &run,
                            &bench->host.err);

    if (r == 0)
        r = finish(&bench->host, run, &ended_ns, check_response, NULL);
    if (r == 0)
        samples_add(ms, (double)(ended_ns - began_ns) / (double)CM_NS_PER_MS);
    return r;
}

static int memory_now(struct bench *bench, double *ret_mb)
{
    enum { PROCESSES_MAX = 1024 };
    struct samples megabytes;
    int r = samples_init(&megabytes, PROCESSES_MAX);

    if (r == 0)
        r = bench_private_memory(bench, &megabytes);
    *ret_mb = samples_sum(&megabytes);
    samples_done(&megabytes);
    return r;
}

static int invoke_many(struct bench *bench, const char *id, size_t count, struct samples *ms)
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < count; i++)
        r = invoke(bench, id, ms);
    return r;
}

/* Milliseconds of a call, and the megabytes that the workers hold more after the
 * last one than after half of them, when heap and compiled code have their size. */
int measure_invoke(struct bench *bench)
{
    char id[ID_CHARS] = "";
    double warm_mb = 0, end_mb = 0;
    size_t warm_count = bench->count / 2;
    struct samples ms;
    int r = samples_init(&ms, bench->count);

    if (r == 0)
        r = keep(bench, id);
    if (r == 0)
        r = invoke_many(bench, id, warm_count, &ms);
    if (r == 0)
        r = memory_now(bench, &warm_mb);
    if (r == 0)
        r = invoke_many(bench, id, bench->count - warm_count, &ms);
    if (r == 0)
        r = memory_now(bench, &end_mb);
    if (r == 0) {
        samples_print_part(&ms, "latency");
        printf("{\"part\":\"growth\",\"value\":%.6g,\"warm\":%.6g,\"end\":%.6g,\"n\":%zu}\n",
               end_mb - warm_mb, warm_mb, end_mb, bench->count);
    }
    samples_done(&ms);
    return r;
}
