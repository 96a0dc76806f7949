/* Deadlines and the conversion of clock readings. */
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_deadline_is_now_and_the_delay(void **state)
{
    (void)state;
    assert_int_equal(cm_deadline(0, 0), 0);
    assert_int_equal(cm_deadline(1000, 0), 1000);
    assert_int_equal(cm_deadline(1000, 30 * CM_NS_PER_MS), 30001000);
}

static void a_deadline_saturates_at_never(void **state)
{
    (void)state;
    assert_true(cm_deadline(1000, UINT64_MAX - 1001) == CM_NEVER - 1);
    assert_true(cm_deadline(1000, UINT64_MAX - 1000) == CM_NEVER);
    assert_true(cm_deadline(1000, UINT64_MAX - 999) == CM_NEVER);
    assert_true(cm_deadline(1000, CM_NEVER) == CM_NEVER);
    assert_true(cm_deadline(CM_NEVER, 1) == CM_NEVER);
    assert_true(cm_deadline(CM_NEVER, CM_NEVER) == CM_NEVER);
}

static void a_reading_is_counted_in_nanoseconds(void **state)
{
    const struct timespec time = { 5000000000, 999999999 };

    (void)state;
    assert_true(cm_timespec_ns(&time) == UINT64_C(5000000000999999999));
}

static void the_clock_never_steps_back(void **state)
{
    uint64_t before = cm_now_ns();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        uint64_t now = cm_now_ns();

        assert_true(now >= before);
        before = now;
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadline_is_now_and_the_delay),
        cmocka_unit_test(a_deadline_saturates_at_never),
        cmocka_unit_test(a_reading_is_counted_in_nanoseconds),
        cmocka_unit_test(the_clock_never_steps_back),
    };

    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
