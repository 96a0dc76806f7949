/* bench_codemode - measures one thing about the library and prints it as JSON
 *
 *     bench_codemode METHOD FILE BASELINE|- COUNT WIDTH
 *
 * One process a measurement, so that none sees the memory of another. The
 * methods are those of peers/measure.mjs, one by one; what a row means is said
 * in docs/bench.md. Inputs are the benchmark's own files: nothing is hostile. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "bench.h"
#include "proc.h"

int bench_timed_run(struct bench *bench, const struct program *program, struct samples *samples)
{
    struct cm_run *run = NULL;
    double ms;
    int r = host_run(&bench->host, program, NULL, NULL, &ms, &run);

    if (r < 0)
        return r;
    cm_run_free(run);
    if (samples != NULL)
        samples_add(samples, ms);
    return 0;
}

/* Milliseconds of one run after another, each on a pool that is ready again. */
static int measure_latency(struct bench *bench)
{
    struct samples samples;
    int r = samples_init(&samples, bench->count);

    if (r == 0)
        r = bench_timed_run(bench, &bench->program, NULL);
    for (size_t i = 0; r == 0 && i < bench->count; i++)
        r = bench_timed_run(bench, &bench->program, &samples);
    if (r == 0)
        samples_print(&samples, samples_quantile(&samples, 0.5));
    samples_done(&samples);
    return r;
}

/* The pool grows during the first tenth, which is not counted. */
static int warm_up(struct bench *bench)
{
    return host_load(&bench->host, &bench->program, bench->count / 10 + 1, bench->width);
}

/* Programs a second with `width` of them in flight. */
static int measure_throughput(struct bench *bench)
{
    uint64_t began_ns;
    double seconds;
    int r = warm_up(bench);

    if (r < 0)
        return r;
    began_ns = cm_now_ns();
    r = host_load(&bench->host, &bench->program, bench->count, bench->width);
    if (r < 0)
        return r;
    seconds = (double)(cm_now_ns() - began_ns) / 1e9;
    printf("{\"value\":%.6g,\"n\":%zu}\n", (double)bench->count / seconds, bench->count);
    return 0;
}

static double own_cpu_us(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Microseconds of this process's CPU for each run, one at a time. */
static int measure_cpu(struct bench *bench)
{
    double began_us;
    int r = warm_up(bench);

    if (r < 0)
        return r;
    began_us = own_cpu_us();
    r = host_load(&bench->host, &bench->program, bench->count, bench->width);
    if (r < 0)
        return r;
    printf("{\"value\":%.6g,\"n\":%zu}\n", (own_cpu_us() - began_us) / (double)bench->count,
           bench->count);
    return 0;
}

/* Runs that have called a tool and get no answer. */
struct waiters {
    struct host *host;
    size_t waiting;
    int result; /* negative once one of them has ended instead */
};

static void waiters_on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    struct waiters *waiters = user;

    (void)run;
    (void)call;
    waiters->waiting++;
}

static void waiters_on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    struct waiters *waiters = user;

    (void)run;
    waiters->result = host_check(waiters->host, outcome);
    if (waiters->result == 0)
        waiters->result = cm_fail(&waiters->host->err, CM_E_STATE, 0, "a run did not wait");
}

int bench_private_memory(struct bench *bench, struct samples *megabytes)
{
    struct proc_tree tree;
    uint64_t bytes;
    int r = 0;

    if (proc_tree_init(&tree, getpid()) < 0)
        return cm_fail(&bench->host.err, CM_E_SYSTEM, errno, "/proc");
    for (size_t i = 0; r == 0 && i < tree.count; i++) {
        if (!proc_tree_is_leaf(&tree, i))
            continue;
        if (proc_private_bytes(tree.pids[i], &bytes) < 0)
            r = cm_fail(&bench->host.err, CM_E_SYSTEM, errno, "memory of process %d", tree.pids[i]);
        else
            samples_add(megabytes, (double)bytes / 1e6);
    }
    proc_tree_done(&tree);
    return r;
}

/* One of them; owns the run. */
struct waiter {
    struct cm_run *run;
};

/* `width` runs of which each waits for its tool. */
static int waiters_start(struct bench *bench, struct waiters *waiters, struct waiter *each)
{
    static const struct cm_events events = { .on_call = waiters_on_call, .on_end = waiters_on_end };
    int r = 0;

    for (size_t i = 0; r == 0 && i < bench->width; i++)
        r = host_start(&bench->host, &bench->program, &events, waiters, &each[i].run);
    while (r == 0 && waiters->result == 0 && waiters->waiting < bench->width)
        r = host_turn(&bench->host);
    return r < 0 ? r : waiters->result;
}

/* Megabytes of private memory for each of `width` runs that wait for a tool. */
static int measure_waiting(struct bench *bench)
{
    struct waiter *each = calloc(bench->width, sizeof(struct waiter));
    struct waiters waiters = { &bench->host, 0, 0 };
    struct samples megabytes;
    int r = samples_init(&megabytes, 2 * bench->width);

    if (each == NULL)
        r = CM_E_NOMEM;
    if (r == 0)
        r = waiters_start(bench, &waiters, each);
    if (r == 0)
        r = bench_private_memory(bench, &megabytes);
    if (r == 0)
        samples_print(&megabytes, samples_sum(&megabytes) / (double)bench->width);
    for (size_t i = 0; each != NULL && i < bench->width; i++)
        cm_run_free(each[i].run);
    free(each);
    samples_done(&megabytes);
    return r;
}

/* When the calls of one program came. */
struct gaps {
    struct samples us;
    uint64_t last_ns; /* 0 before the first */
};

static void record_gap(void *user, struct cm_run *run, const struct cm_call *call)
{
    struct gaps *gaps = user;
    uint64_t now_ns = cm_now_ns();

    if (gaps->last_ns != 0)
        samples_add(&gaps->us, (double)(now_ns - gaps->last_ns) / 1e3);
    gaps->last_ns = now_ns;
    host_answer(run, call);
}

/* Microseconds from one call of a program to its next, each answered at once, by a host
 * that has answered some before. */
static int measure_calls(struct bench *bench)
{
    enum { CALLS_MAX = 10000, WARM_RUNS = 3 };
    struct gaps gaps = { .last_ns = 0 };
    struct cm_run *run = NULL;
    double ms;
    int r = samples_init(&gaps.us, CALLS_MAX);

    for (int i = 0; r == 0 && i < WARM_RUNS; i++)
        r = bench_timed_run(bench, &bench->program, NULL);
    if (r == 0)
        r = host_run(&bench->host, &bench->program, record_gap, &gaps, &ms, &run);
    if (r == 0)
        samples_print(&gaps.us, samples_sum(&gaps.us) / (double)gaps.us.count);
    cm_run_free(run);
    samples_done(&gaps.us);
    return r;
}

int bench_difference(struct bench *bench)
{
    struct samples with = { NULL, 0, 0 }, without = { NULL, 0, 0 };
    int r = samples_init(&with, bench->count);

    if (r == 0)
        r = samples_init(&without, bench->count);
    if (r == 0)
        r = bench_timed_run(bench, &bench->baseline, NULL);
    if (r == 0)
        r = bench_timed_run(bench, &bench->program, NULL);
    for (size_t i = 0; r == 0 && i < bench->count; i++) {
        r = bench_timed_run(bench, &bench->baseline, &without);
        if (r == 0)
            r = bench_timed_run(bench, &bench->program, &with);
    }
    if (r == 0)
        printf("{\"value\":%.6g,\"n\":%zu}\n",
               samples_quantile(&with, 0.5) - samples_quantile(&without, 0.5), bench->count);
    samples_done(&with);
    samples_done(&without);
    return r;
}

int bench_run_pair(struct bench *bench, double *ret_first, double *ret_second)
{
    const struct cm_outcome *outcome;
    struct cm_run *run = NULL;
    double whole_ms;
    int r = host_run(&bench->host, &bench->program, NULL, NULL, &whole_ms, &run);

    if (r < 0)
        return r;
    outcome = cm_run_outcome(run);
    if (outcome->result == NULL || sscanf(outcome->result, "[%lf,%lf]", ret_first, ret_second) != 2)
        r = cm_fail(&bench->host.err, CM_E_STATE, 0, "the program gives two numbers");
    cm_run_free(run);
    return r;
}

/* Milliseconds that a kernel measures itself, each time in a fresh isolate. */
static int measure_kernel(struct bench *bench)
{
    struct samples samples;
    double ms, check = 0, p50;
    int r = samples_init(&samples, bench->count);

    for (size_t i = 0; r == 0 && i < bench->count; i++) {
        r = bench_run_pair(bench, &ms, &check);
        if (r == 0)
            samples_add(&samples, ms);
    }
    if (r == 0) {
        p50 = samples_quantile(&samples, 0.5);
        printf("{\"value\":%.6g,\"p50\":%.6g,\"p99\":%.6g,\"n\":%zu,\"check\":%.17g}\n", p50, p50,
               samples_quantile(&samples, 0.99), samples.count, check);
    }
    samples_done(&samples);
    return r;
}

/* What a host holds when nothing runs. */
struct holdings {
    double descriptors;
    double processes; /* below this one */
    double rss_mb;
};

static int holdings_take(struct bench *bench, struct holdings *ret_holdings)
{
    struct proc_tree tree;
    int r = host_settle(&bench->host, bench->host.idle_target);

    if (r < 0)
        return r;
    if (proc_tree_init(&tree, getpid()) < 0)
        return cm_fail(&bench->host.err, CM_E_SYSTEM, errno, "/proc");
    *ret_holdings = (struct holdings){ (double)proc_own_descriptors(), (double)tree.count,
                                       (double)proc_own_rss_bytes() / 1e6 };
    proc_tree_done(&tree);
    return 0;
}

static void report_growth(const char *part, double warm, double end, size_t n)
{
    printf("{\"part\":\"%s\",\"value\":%.4g,\"warm\":%.6g,\"end\":%.6g,\"n\":%zu}\n", part,
           warm > 0 ? (end - warm) / warm * 100 : 0, warm, end, n);
}

/* Growth in percent of what the host holds, from the first twentieth of the
 * runs to the last. */
static int measure_endurance(struct bench *bench)
{
    size_t warm_count = bench->count / 20;
    struct holdings warm = { 0, 0, 0 }, end = { 0, 0, 0 };
    int r = host_load(&bench->host, &bench->program, warm_count, bench->width);

    if (r == 0)
        r = holdings_take(bench, &warm);
    if (r == 0)
        r = host_load(&bench->host, &bench->program, bench->count - warm_count, bench->width);
    if (r == 0)
        r = holdings_take(bench, &end);
    if (r < 0)
        return r;
    report_growth("descriptors", warm.descriptors, end.descriptors, bench->count);
    report_growth("processes", warm.processes, end.processes, bench->count);
    report_growth("memory", warm.rss_mb, end.rss_mb, bench->count);
    return 0;
}

/* clang-format off */
/* A method and the one setting that it needs other than by default. */
static const struct method {
    const char *name;
    int (*measure)(struct bench *bench);
    const char *setting;
    const char *value; /* NULL: WIDTH */
} methods[] = {
    { "latency",    measure_latency,    NULL,             NULL  },
    { "throughput", measure_throughput, NULL,             NULL  },
    { "cpu",        measure_cpu,        NULL,             NULL  },
    { "waiting",    measure_waiting,    "WORKERS_MAX",    NULL  },
    { "calls",      measure_calls,      NULL,             NULL  },
    { "difference", bench_difference,   NULL,             NULL  },
    { "kernel",     measure_kernel,     NULL,             NULL  },
    { "endurance",  measure_endurance,  "WORKER_IDLE_MS", "200" },
    { "fetch",      measure_fetch,      "OUTBOUND_MODE",  "open" },
    { "invoke",     measure_invoke,     NULL,             NULL  },
    { "imports",    measure_imports,    NULL,             NULL  },
    { "imports_of_many", measure_imports_of_many, NULL, NULL },
    { "inlined",    measure_inlined,    NULL,             NULL  },
    { "cold",       measure_cold,       NULL,             NULL  },
    { "cold_values", measure_cold_values, NULL,            NULL  },
    { "cold_imports", measure_cold_imports, NULL, NULL },
    { "cold_typescript", measure_cold_typescript, NULL, NULL },
};
/* clang-format on */

static const struct method *method_find(const char *name)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(methods); i++) {
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    }
    return NULL;
}

static int bench_main(struct bench *bench, const struct method *method, char *const *args)
{
    int r = program_read(&bench->host, args[0], &bench->program);

    if (r == 0 && strcmp(args[1], "-") != 0)
        r = program_read(&bench->host, args[1], &bench->baseline);
    if (r == 0)
        r = host_open(&bench->host, BENCH_WORKER, method->setting,
                      method->value != NULL ? method->value : args[3]);
    if (r == 0)
        r = host_settle(&bench->host, UINT64_MAX);
    if (r == 0)
        r = method->measure(bench);
    host_close(&bench->host);
    program_done(&bench->program);
    program_done(&bench->baseline);
    return r;
}

int main(int argc, char **argv)
{
    struct bench bench = { .host = { .err = CM_ERROR_INIT } };
    const struct method *method;

    if (argc != 6 || (method = method_find(argv[1])) == NULL) {
        fputs("usage: bench_codemode METHOD FILE BASELINE|- COUNT WIDTH\n", stderr);
        return 2;
    }
    bench.count = strtoull(argv[4], NULL, 10);
    bench.width = strtoull(argv[5], NULL, 10);
    if (bench_main(&bench, method, argv + 2) < 0) {
        fprintf(stderr, "bench_codemode: %s\n",
                bench.host.err.text[0] != '\0' ? bench.host.err.text : "no memory");
        return 1;
    }
    return 0;
}
