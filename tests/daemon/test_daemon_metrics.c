/* What /metrics says: every row of src/tables/metrics.def. promtool reads the same
 * text in tests/e2e. */
#include "daemon/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct metrics metrics;
static struct cm_buf text;

static const char *written(void)
{
    struct cm_error err = CM_ERROR_INIT;
    struct cm_executor *executor = NULL;

    assert_int_equal(cm_executor_new(NULL, &executor, &err), 0);
    cm_buf_init(&text, 1 << 20);
    assert_int_equal(metrics_write(&metrics, executor, &text), 0);
    cm_executor_free(executor);
    assert_int_equal(cm_buf_append(&text, "", 1), 0);
    return (const char *)cm_buf_bytes(&text);
}

static void expect(const char *line)
{
    if (strstr(written(), line) == NULL)
        fail_msg("\"%s\" is not in:\n%s", line, (const char *)cm_buf_bytes(&text));
    cm_buf_done(&text);
}

static void each_metric_has_its_help_and_type_once(void **state)
{
    static const char *const names[] = {
#define METRIC_OWN(id, name, type, help) name " " #type,
#include "tables/metrics.def"
#define METRIC_OUTCOMES(id, name, label, help) name " counter",
#include "tables/metrics.def"
#define METRIC_HISTOGRAM(id, name, help) name " histogram",
#include "tables/metrics.def"
#define METRIC_STAT(field, name, type, help) name " " #type,
#include "tables/metrics.def"
#define METRIC_FAMILY(id, name, type, label, help) name " " #type,
#include "tables/metrics.def"
#define METRIC_PROCESS(read, name, type, help) name " " #type,
#include "tables/metrics.def"
    };

    (void)state;
    metrics_init(&metrics);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char line[128];
        const char *found;

        snprintf(line, sizeof(line), "# TYPE %s\n", names[i]);
        found = strstr(written(), line);
        assert_non_null(found);
        assert_null(strstr(found + 1, line));
        cm_buf_done(&text);
    }
}

static void buckets_are_cumulative_and_the_sum_is_in_seconds(void **state)
{
    (void)state;
    metrics_init(&metrics);
    metrics_observe(&metrics, METRIC_DURATION, 500000);        /* on a bound */
    metrics_observe(&metrics, METRIC_DURATION, 2000000);       /* between */
    metrics_observe(&metrics, METRIC_DURATION, 3600000000000); /* past all */
    expect("codemode_execution_duration_seconds_bucket{le=\"0.0005\"} 1\n");
    expect("codemode_execution_duration_seconds_bucket{le=\"0.001\"} 1\n");
    expect("codemode_execution_duration_seconds_bucket{le=\"0.0025\"} 2\n");
    expect("codemode_execution_duration_seconds_bucket{le=\"60\"} 2\n");
    expect("codemode_execution_duration_seconds_bucket{le=\"+Inf\"} 3\n"
           "codemode_execution_duration_seconds_sum 3600.002500000\n"
           "codemode_execution_duration_seconds_count 3\n");
}

static void each_way_to_end_has_a_word_of_its_own(void **state)
{
    struct cm_outcome outcome = { 0 };

    (void)state;
    assert_string_equal(outcome_word(outcome_kind_of(&outcome)), "ok");
    outcome.failure = CM_FAILURE_TIMEOUT;
    assert_string_equal(outcome_word(outcome_kind_of(&outcome)), "timeout");
    outcome.fault = CM_FAULT_OVERLOADED;
    assert_string_equal(outcome_word(outcome_kind_of(&outcome)), "OVERLOADED");
    metrics_init(&metrics);
    metrics_count_outcome(&metrics, outcome_kind_of(&outcome));
    expect("codemode_executions_total{outcome=\"OVERLOADED\"} 1\n");
    expect("codemode_executions_total{outcome=\"ok\"} 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_metric_has_its_help_and_type_once),
        cmocka_unit_test(buckets_are_cumulative_and_the_sum_is_in_seconds),
        cmocka_unit_test(each_way_to_end_has_a_word_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
