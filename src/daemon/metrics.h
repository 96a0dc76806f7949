/* What the daemon counts, and how it is told: to Prometheus, and to the admin page. */
#ifndef CM_DAEMON_METRICS_H
#define CM_DAEMON_METRICS_H

#include "base/buf.h"
#include "codemode/executor.h"

#include <time.h>

enum metric {
#define METRIC_OWN(id, name, type, help) METRIC_##id,
#include "tables/metrics.def"
    METRIC_COUNT
};

enum metric_histogram {
#define METRIC_HISTOGRAM(id, name, help) METRIC_##id,
#include "tables/metrics.def"
    METRIC_HISTOGRAMS
};

/* How executions end: ok, the failures, the faults. */
enum outcome_kind {
    OUTCOME_OK,
#define OUTCOME_FAILURE(name, word) OUTCOME_##name,
    CM_FAILURE_MAP(OUTCOME_FAILURE)
#undef OUTCOME_FAILURE
#define OUTCOME_FAULT(name, retryable) OUTCOME_##name,
        CM_FAULT_MAP(OUTCOME_FAULT)
#undef OUTCOME_FAULT
            OUTCOME_KINDS
};

enum { METRIC_BUCKETS = 16 };

struct histogram {
    uint64_t counts[METRIC_BUCKETS]; /* not cumulative; the last one is without bound */
    uint64_t sum_ns;
};

struct metrics {
    uint64_t values[METRIC_COUNT];
    uint64_t outcomes[OUTCOME_KINDS];
    time_t last[OUTCOME_KINDS]; /* when the latest of each kind ended */
    struct histogram histograms[METRIC_HISTOGRAMS];
    double start_seconds;
};

void metrics_init(struct metrics *metrics);

static inline void metrics_add(struct metrics *metrics, enum metric metric, uint64_t n)
{
    metrics->values[metric] += n;
}

static inline void metrics_sub(struct metrics *metrics, enum metric metric, uint64_t n)
{
    metrics->values[metric] -= n;
}

void metrics_observe(struct metrics *metrics, enum metric_histogram histogram, uint64_t ns);

enum outcome_kind outcome_kind_of(const struct cm_outcome *outcome);
enum outcome_kind outcome_kind_of_fault(enum cm_fault fault);
const char *outcome_word(enum outcome_kind kind);
void metrics_count_outcome(struct metrics *metrics, enum outcome_kind kind);

/* Resident memory of this process. */
double metrics_resident_bytes(void);

/* The text format of Prometheus, into an empty buffer. CM_E_NOMEM, CM_E_LIMIT. */
int metrics_write(const struct metrics *metrics, const struct cm_executor *executor,
                  struct cm_buf *out);

#endif
