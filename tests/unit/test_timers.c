/* Deadlines, with a clock that the test sets. */
#include "executor/timers.h"

#include "base/cleanup.h"
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 100 };

struct probe {
    struct timer timer;
    int fired;
    uint64_t again_ns;     /* armed anew in its own handler; 0: not */
    struct timer *silence; /* disarmed in its handler */
};

static struct timers timers;
static struct probe probes[COUNT];
static uint64_t order[COUNT];
static size_t fired_count;

static void on_fire(struct timer *timer, uint64_t now_ns)
{
    struct probe *probe = CM_CONTAINER_OF(timer, struct probe, timer);

    (void)now_ns;
    order[fired_count++ % COUNT] = (uint64_t)(probe - probes);
    probe->fired++;
    if (probe->again_ns != 0)
        timer_arm(timer, probe->again_ns);
    if (probe->silence != NULL)
        timer_disarm(probe->silence);
}

static int make(void **state)
{
    (void)state;
    memset(probes, 0, sizeof(probes));
    timers = (struct timers){ 0 };
    fired_count = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (timer_init(&probes[i].timer, &timers, on_fire) < 0)
            return 1;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        timer_done(&probes[i].timer);
    assert_int_equal(timers.made, 0);
    timers_done(&timers);
    return 0;
}

static void timers_fire_in_the_order_of_their_deadlines(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        timer_arm(&probes[i].timer, 1000 + i * 37 % COUNT);
    assert_int_equal(timers_next(&timers), 1000);
    timers_run(&timers, 999);
    assert_int_equal(fired_count, 0);
    timers_run(&timers, 1049);
    assert_int_equal(fired_count, 50);
    timers_run(&timers, 2000);
    assert_int_equal(fired_count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(order[i] * 37 % COUNT, i);
    assert_true(timers_next(&timers) == CM_NEVER);
}

static void a_timer_can_be_moved_and_disarmed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        timer_arm(&probes[i].timer, 100 + i);
    for (size_t i = 0; i < COUNT; i += 2)
        timer_disarm(&probes[i].timer);
    timer_arm(&probes[1].timer, 500);
    timer_arm(&probes[99].timer, 1);
    timer_arm(&probes[3].timer, CM_NEVER);
    timer_disarm(&probes[3].timer);
    assert_int_equal(timers_next(&timers), 1);
    timers_run(&timers, 499);
    assert_int_equal(fired_count, 48);
    assert_int_equal(order[0], 99);
    assert_int_equal(timers_next(&timers), 500);
}

static void a_timer_armed_in_a_handler_waits_for_the_next_turn(void **state)
{
    (void)state;
    probes[0].again_ns = 1;
    timer_arm(&probes[0].timer, 1);
    timers_run(&timers, 10);
    assert_int_equal(probes[0].fired, 1);
    timers_run(&timers, 10);
    assert_int_equal(probes[0].fired, 2);
}

static void a_due_timer_can_be_disarmed_by_one_before_it(void **state)
{
    (void)state;
    probes[0].silence = &probes[1].timer;
    timer_arm(&probes[0].timer, 1);
    timer_arm(&probes[1].timer, 2);
    timers_run(&timers, 10);
    assert_int_equal(probes[0].fired, 1);
    assert_int_equal(probes[1].fired, 0);
    assert_true(timers_next(&timers) == CM_NEVER);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(timers_fire_in_the_order_of_their_deadlines, make, unmake),
        cmocka_unit_test_setup_teardown(a_timer_can_be_moved_and_disarmed, make, unmake),
        cmocka_unit_test_setup_teardown(a_timer_armed_in_a_handler_waits_for_the_next_turn, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_due_timer_can_be_disarmed_by_one_before_it, make, unmake),
    };

    return cmocka_run_group_tests_name("timers", tests, NULL, NULL);
}
