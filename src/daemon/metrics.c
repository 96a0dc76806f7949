/* What the daemon counts. Runs in the daemon, on its one thread; labels come from
 * tables only, so a caller cannot make a metric grow. */
#include "daemon/metrics.h"

#include "base/cleanup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Upper bounds of the buckets, in seconds. */
static const double bounds[METRIC_BUCKETS - 1] = { 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                   0.025,  0.05,  0.1,    0.25,  0.5,
                                                   1,      2.5,   5,      10,    60 };

static const double ns_per_second = 1e9;

void metrics_init(struct metrics *metrics)
{
    struct timespec now;

    *metrics = (struct metrics){ 0 };
    clock_gettime(CLOCK_REALTIME, &now);
    metrics->start_seconds = (double)now.tv_sec + (double)now.tv_nsec / ns_per_second;
}

void metrics_observe(struct metrics *metrics, enum metric_histogram which, uint64_t ns)
{
    struct histogram *histogram = &metrics->histograms[which];
    double seconds = (double)ns / ns_per_second;
    size_t bucket = 0;

    while (bucket < CM_ARRAY_LEN(bounds) && seconds > bounds[bucket])
        bucket++;
    histogram->counts[bucket]++;
    histogram->sum_ns += ns;
}

/* ---- outcomes ---- */

static const char *const outcome_words[OUTCOME_KINDS] = { [OUTCOME_OK] = "ok",
#define OUTCOME_FAILURE(name, word) [OUTCOME_##name] = #word,
                                                          CM_FAILURE_MAP(OUTCOME_FAILURE)
#undef OUTCOME_FAILURE
#define OUTCOME_FAULT(name, retryable) [OUTCOME_##name] = #name,
                                                              CM_FAULT_MAP(OUTCOME_FAULT)
#undef OUTCOME_FAULT
};

enum outcome_kind outcome_kind_of_fault(enum cm_fault fault)
{
    switch (fault) {
#define OUTCOME_FAULT(name, retryable) \
    case CM_FAULT_##name:              \
        return OUTCOME_##name;
        CM_FAULT_MAP(OUTCOME_FAULT)
#undef OUTCOME_FAULT
    default:
        return OUTCOME_INTERNAL;
    }
}

enum outcome_kind outcome_kind_of(const struct cm_outcome *outcome)
{
    if (outcome->fault != CM_FAULT_NONE)
        return outcome_kind_of_fault(outcome->fault);
    switch (outcome->failure) {
#define OUTCOME_FAILURE(name, word) \
    case CM_FAILURE_##name:         \
        return OUTCOME_##name;
        CM_FAILURE_MAP(OUTCOME_FAILURE)
#undef OUTCOME_FAILURE
    default:
        return OUTCOME_OK;
    }
}

const char *outcome_word(enum outcome_kind kind)
{
    return outcome_words[kind];
}

void metrics_count_outcome(struct metrics *metrics, enum outcome_kind kind)
{
    metrics->outcomes[kind]++;
    metrics->last[kind] = time(NULL);
}

/* ---- the process ---- */

double metrics_resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double resident_bytes(const struct metrics *metrics)
{
    (void)metrics;
    return metrics_resident_bytes();
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double cpu_seconds(const struct metrics *metrics)
{
    struct rusage usage;

    (void)metrics;
    if (getrusage(RUSAGE_SELF, &usage) < 0)
        return 0;
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

static double start_seconds(const struct metrics *metrics)
{
    return metrics->start_seconds;
}

/* ---- the text ---- */

static void put_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void put_own(FILE *out, const struct metrics *metrics)
{
#define METRIC_OWN(id, name, type, help) \
    put_head(out, name, #type, help);    \
    fprintf(out, "%s %" PRIu64 "\n", name, metrics->values[METRIC_##id]);
#include "tables/metrics.def"
}

static void put_outcomes(FILE *out, const struct metrics *metrics)
{
#define METRIC_OUTCOMES(id, name, label, help)                                     \
    put_head(out, name, "counter", help);                                          \
    for (size_t i = 0; i < OUTCOME_KINDS; i++)                                     \
        fprintf(out, "%s{%s=\"%s\"} %" PRIu64 "\n", name, label, outcome_words[i], \
                metrics->outcomes[i]);
#include "tables/metrics.def"
}

static void put_histogram(FILE *out, const char *name, const char *help,
                          const struct histogram *histogram)
{
    uint64_t count = 0;

    put_head(out, name, "histogram", help);
    for (size_t i = 0; i < CM_ARRAY_LEN(bounds); i++) {
        count += histogram->counts[i];
        fprintf(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, bounds[i], count);
    }
    count += histogram->counts[CM_ARRAY_LEN(bounds)];
    fprintf(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_sum %.9f\n%s_count %" PRIu64 "\n", name,
            count, name, (double)histogram->sum_ns / ns_per_second, name, count);
}

static void put_histograms(FILE *out, const struct metrics *metrics)
{
#define METRIC_HISTOGRAM(id, name, help) \
    put_histogram(out, name, help, &metrics->histograms[METRIC_##id]);
#include "tables/metrics.def"
}

static void put_stats(FILE *out, const struct cm_stats *stats)
{
#define METRIC_STAT(field, name, type, help) \
    put_head(out, name, #type, help);        \
    fprintf(out, "%s %" PRIu64 "\n", name, stats->field);
#include "tables/metrics.def"
}

static void put_families(FILE *out, const struct cm_stats *stats)
{
    const char *family = NULL;
    const char *key = NULL;

#define METRIC_FAMILY(id, name, type, label, help) \
    family = name;                                 \
    key = label;                                   \
    put_head(out, name, #type, help);
#define METRIC_MEMBER(id, word, field) \
    fprintf(out, "%s{%s=\"%s\"} %" PRIu64 "\n", family, key, #word, stats->field);
#include "tables/metrics.def"
}

/* A summary without quantiles: how many workers got ready, and how long it took
 * them together. */
static void put_spawns(FILE *out, const struct cm_stats *stats)
{
    static const char name[] = "codemode_worker_spawn_seconds";

    put_head(out, name, "summary", "Time from asking for a worker process to its readiness.");
    fprintf(out, "%s_sum %.9f\n%s_count %" PRIu64 "\n", name,
            (double)stats->spawn_ns / ns_per_second, name, stats->spawns);
}

static void put_process(FILE *out, const struct metrics *metrics)
{
#define METRIC_PROCESS(read, name, type, help) \
    put_head(out, name, #type, help);          \
    fprintf(out, "%s %.3f\n", name, read(metrics));
#include "tables/metrics.def"
}

static void put_build(FILE *out, const struct cm_executor *executor)
{
    static const char name[] = "codemode_build_info";
    const struct cm_report *report = cm_executor_report(executor);

    put_head(out, name, "gauge", "Always 1; version and engine are in the labels.");
    fprintf(out, "%s{version=\"%s\",engine=\"%s\"} 1\n", name, cm_version(),
            report == NULL ? "" : report->engine);
}

int metrics_write(const struct metrics *metrics, const struct cm_executor *executor,
                  struct cm_buf *out)
{
    CM_AUTO_FREE char *text = NULL;
    struct cm_stats stats = { 0 };
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);

    if (stream == NULL)
        return CM_E_NOMEM;
    cm_executor_stats(executor, &stats);
    put_own(stream, metrics);
    put_outcomes(stream, metrics);
    put_histograms(stream, metrics);
    put_stats(stream, &stats);
    put_families(stream, &stats);
    put_spawns(stream, &stats);
    put_process(stream, metrics);
    put_build(stream, executor);
    if (fclose(stream) != 0)
        return CM_E_NOMEM;
    return cm_buf_append(out, text, bytes);
}
