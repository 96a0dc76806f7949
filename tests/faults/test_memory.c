/* Each allocation of the supervisor fails once, on the way of one run from the
 * making of the executor to its end. The linker sends the library's allocations
 * through here (--wrap). */
#include "base/cleanup.h"
#include "host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* How many allocations still succeed before one fails; negative: all do. */
static long left = -1;

static bool fails(void)
{
    return left >= 0 && left-- == 0;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __real_realloc(old, bytes);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

static void answer(void *user, struct cm_run *run, const struct cm_call *call)
{
    (void)user;
    if (cm_run_answer(run, call->id, "{}", 2) == CM_E_NOMEM) /* the call is open still */
        assert_int_equal(cm_run_answer(run, call->id, "{}", 2), 0);
}

static const struct cm_provider providers[] = { { "store", NULL, 0 }, { "shop", NULL, 0 } };

/* Whether the run ended as if nothing had happened. */
static bool run_once(struct cm_executor *executor, const char *code)
{
    const struct cm_events events = { .on_call = answer };
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err = CM_ERROR_INIT;
    struct cm_run *run = NULL;
    bool good;
    int r;

    request.code = code;
    request.code_bytes = strlen(code);
    request.providers = providers;
    request.provider_count = CM_ARRAY_LEN(providers);
    r = cm_execute(executor, &request, &events, NULL, &run, &err);
    if (r < 0) {
        assert_int_equal(r, CM_E_NOMEM);
        assert_null(run);
        return false;
    }
    good = cm_run_outcome(run)->fault == CM_FAULT_NONE;
    if (!good) {
        assert_int_equal(cm_run_outcome(run)->fault, CM_FAULT_INTERNAL);
        assert_true(strlen(cm_run_outcome(run)->message) > 0);
    }
    cm_run_free(run);
    return good;
}

static bool survives(long succeeding, const char *code)
{
    struct cm_error err = CM_ERROR_INIT;
    struct host host;
    bool good = false;
    bool failed;
    int r;

    host_open(&host, "fake_worker");
    left = succeeding;
    r = cm_executor_new(host.settings, &host.executor, &err);
    if (r == 0)
        good = run_once(host.executor, code);
    else
        assert_int_equal(r, CM_E_NOMEM);
    failed = left < 0;
    left = -1;
    if (host.executor != NULL) /* it is of use again at once */
        assert_true(run_once(host.executor, code));
    host_close(&host);
    assert_true(failed || good);
    return failed;
}

/* Until a whole run passes before the failure would come. */
static void each_fails(const char *code)
{
    long succeeding = 0;

    while (survives(succeeding, code))
        succeeding++;
    assert_true(succeeding > 10);
}

static void a_run_with_calls_and_lines_survives_each_failure(void **state)
{
    (void)state;
    each_fails("log:line call answer call answer done");
}

static void a_run_with_a_large_result_survives_each_failure(void **state)
{
    (void)state;
    each_fails("result:100000");
}

static void a_run_that_fails_survives_each_failure(void **state)
{
    (void)state;
    each_fails("stop:1 fail:2");
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_calls_and_lines_survives_each_failure),
        cmocka_unit_test(a_run_with_a_large_result_survives_each_failure),
        cmocka_unit_test(a_run_that_fails_survives_each_failure),
    };

    return host_main(argc, argv, "memory", tests, CM_ARRAY_LEN(tests));
}
