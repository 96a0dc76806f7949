/* What a run is charged, with clocks that the test sets. */
#include "executor/run_clock.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS(n) ((n)*CM_NS_PER_MS)

static void wall_time_is_charged_while_the_program_runs(void **state)
{
    struct run_clock clock;

    (void)state;
    run_clock_start(&clock, MS(1000), MS(30), MS(500));
    assert_int_equal(run_clock_due(&clock), MS(1030));
    run_clock_charge(&clock, MS(1029), CM_NEVER);
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_NONE);
    run_clock_charge(&clock, MS(1030), CM_NEVER);
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_TIMEOUT);
    assert_int_equal(clock.charged_ns, MS(30));
}

static void cpu_time_is_charged_while_it_waits_for_the_host(void **state)
{
    struct run_clock clock;

    (void)state;
    run_clock_start(&clock, MS(0), MS(30), MS(500));
    run_clock_switch(&clock, true, MS(10), MS(7000));
    run_clock_charge(&clock, MS(200), MS(7005));
    assert_int_equal(clock.charged_ns, MS(15));
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_NONE);
    run_clock_switch(&clock, false, MS(210), MS(7006));
    run_clock_charge(&clock, MS(220), CM_NEVER);
    assert_int_equal(clock.charged_ns, MS(26));
    assert_int_equal(run_clock_due(&clock), MS(224));
}

static void a_cpu_clock_is_looked_at_again_after_20_ms_at_least(void **state)
{
    struct run_clock clock;

    (void)state;
    run_clock_start(&clock, MS(0), MS(30), MS(500));
    run_clock_switch(&clock, true, MS(1), MS(0));
    assert_int_equal(run_clock_due(&clock), MS(30));
    run_clock_charge(&clock, MS(30), MS(25));
    assert_int_equal(run_clock_due(&clock), MS(50));
}

static void without_a_cpu_clock_wall_time_is_charged(void **state)
{
    struct run_clock clock;

    (void)state;
    run_clock_start(&clock, MS(0), MS(30), MS(500));
    run_clock_switch(&clock, true, MS(10), CM_NEVER);
    run_clock_charge(&clock, MS(30), CM_NEVER);
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_TIMEOUT);
}

static void the_wall_bound_holds_while_nothing_is_charged(void **state)
{
    struct run_clock clock;

    (void)state;
    run_clock_start(&clock, MS(0), CM_NEVER, MS(500));
    run_clock_switch(&clock, true, MS(10), MS(0));
    assert_int_equal(run_clock_due(&clock), MS(500));
    run_clock_charge(&clock, MS(499), MS(0));
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_NONE);
    run_clock_charge(&clock, MS(500), MS(0));
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_WALL);
}

static void of_two_bounds_the_earlier_one_counts(void **state)
{
    struct run_clock clock;

    (void)state;
    run_clock_start(&clock, MS(0), MS(30), MS(40));
    run_clock_charge(&clock, MS(100), CM_NEVER); /* the host was busy with something else */
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_TIMEOUT);
    run_clock_start(&clock, MS(0), MS(40), MS(30));
    run_clock_charge(&clock, MS(100), CM_NEVER);
    assert_int_equal(run_clock_bound(&clock), RUN_BOUND_WALL);
}

static void deadlines_saturate(void **state)
{
    struct run_clock clock;

    (void)state;
    run_clock_start(&clock, MS(5), CM_NEVER - 1, CM_NEVER - 1);
    assert_true(run_clock_due(&clock) == CM_NEVER);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall_time_is_charged_while_the_program_runs),
        cmocka_unit_test(cpu_time_is_charged_while_it_waits_for_the_host),
        cmocka_unit_test(a_cpu_clock_is_looked_at_again_after_20_ms_at_least),
        cmocka_unit_test(without_a_cpu_clock_wall_time_is_charged),
        cmocka_unit_test(the_wall_bound_holds_while_nothing_is_charged),
        cmocka_unit_test(of_two_bounds_the_earlier_one_counts),
        cmocka_unit_test(deadlines_saturate),
    };

    return cmocka_run_group_tests_name("run_clock", tests, NULL, NULL);
}
