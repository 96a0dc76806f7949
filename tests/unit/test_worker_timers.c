/* The timers of an isolate, with a clock that the test sets. */
#include "worker/timers.h"

#include "base/clock.h"
#include "codemode/executor.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { COUNT = 1000 };

static struct timers timers;
static bool no_memory;

/* Linked in place of reallocarray() (--wrap). */
void *__real_reallocarray(void *block, size_t count, size_t bytes);
void *__wrap_reallocarray(void *block, size_t count, size_t bytes);

void *__wrap_reallocarray(void *block, size_t count, size_t bytes)
{
    return no_memory ? NULL : __real_reallocarray(block, count, bytes);
}

static int unmake(void **state)
{
    (void)state;
    timers_done(&timers);
    return 0;
}

static void start(uint32_t id, uint64_t due_ns)
{
    assert_int_equal(timers_start(&timers, id, due_ns), 0);
}

/* The id of the next timer that is due, of those armed so far. */
static uint32_t take(uint64_t now_ns)
{
    uint32_t id = UINT32_MAX;

    assert_true(timers_take(&timers, now_ns, timers.order, &id));
    return id;
}

static void assert_none(uint64_t now_ns)
{
    uint32_t id = 4711;

    assert_false(timers_take(&timers, now_ns, timers.order, &id));
    assert_int_equal(id, 4711);
}

static void timers_come_in_the_order_of_their_times(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++)
        start(i * 7 % COUNT, 1000 + i * 7 % COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(timers_next_ns(&timers), 1000 + i);
        assert_int_equal(take(1000 + COUNT), i);
    }
    assert_none(UINT64_MAX);
}

static void equal_times_keep_the_order_of_their_arming(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++)
        start(COUNT - i, i % 2 == 0 ? 20 : 10);
    for (uint32_t i = 1; i < COUNT; i += 2)
        assert_int_equal(take(20), COUNT - i);
    for (uint32_t i = 0; i < COUNT; i += 2)
        assert_int_equal(take(20), COUNT - i);
}

static void a_timer_is_due_at_its_time_and_not_before(void **state)
{
    (void)state;
    start(1, 100);
    assert_none(99);
    assert_int_equal(take(100), 1);
    assert_none(100);
}

static void a_timer_armed_within_a_turn_waits_for_the_next(void **state)
{
    uint64_t turn;
    uint32_t id;

    (void)state;
    start(1, 10);
    start(2, 10);
    turn = timers.order;
    assert_true(timers_take(&timers, 10, turn, &id));
    assert_int_equal(id, 1);
    start(1, 10);
    assert_true(timers_take(&timers, 10, turn, &id));
    assert_int_equal(id, 2);
    assert_false(timers_take(&timers, 10, turn, &id));
    assert_int_equal(timers_next_ns(&timers), 10);
    assert_int_equal(take(10), 1);
}

static void a_stopped_timer_does_not_come_and_the_others_keep_their_order(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++)
        start(i, i * 389 % COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        if (i * 389 % COUNT % 3 != 0)
            timers_stop(&timers, i);
    for (uint32_t due = 0; due < COUNT; due += 3) {
        assert_int_equal(timers_next_ns(&timers), due);
        assert_int_equal(take(COUNT) * 389 % COUNT, due);
    }
    assert_none(UINT64_MAX);
}

static void stopping_what_is_not_armed_does_nothing(void **state)
{
    (void)state;
    timers_stop(&timers, 1);
    start(1, 10);
    timers_stop(&timers, 2);
    assert_int_equal(take(10), 1);
    timers_stop(&timers, 1);
    assert_none(UINT64_MAX);
}

static void without_timers_nothing_is_ever_due(void **state)
{
    (void)state;
    assert_true(timers_next_ns(&timers) == CM_NEVER);
    assert_none(UINT64_MAX);
    start(1, CM_NEVER);
    assert_none(CM_NEVER - 1);
}

static void a_timer_that_finds_no_memory_changes_nothing(void **state)
{
    uint64_t order;
    uint32_t armed = 0;

    (void)state;
    start(armed++, 0);
    while (timers.count < timers.cap)
        start(armed++, 0);
    order = timers.order;
    no_memory = true;
    assert_int_equal(timers_start(&timers, armed, 0), CM_E_NOMEM);
    no_memory = false;
    assert_int_equal(timers.order, order);
    for (uint32_t i = 0; i < armed; i++)
        assert_int_equal(take(0), i);
    assert_none(UINT64_MAX);
}

static void timers_can_be_armed_again_after_all_were_disarmed(void **state)
{
    (void)state;
    start(1, 10);
    timers_done(&timers);
    assert_none(UINT64_MAX);
    start(2, 20);
    assert_int_equal(take(20), 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(timers_come_in_the_order_of_their_times, unmake),
        cmocka_unit_test_teardown(equal_times_keep_the_order_of_their_arming, unmake),
        cmocka_unit_test_teardown(a_timer_is_due_at_its_time_and_not_before, unmake),
        cmocka_unit_test_teardown(a_timer_armed_within_a_turn_waits_for_the_next, unmake),
        cmocka_unit_test_teardown(a_stopped_timer_does_not_come_and_the_others_keep_their_order,
                                  unmake),
        cmocka_unit_test_teardown(stopping_what_is_not_armed_does_nothing, unmake),
        cmocka_unit_test_teardown(without_timers_nothing_is_ever_due, unmake),
        cmocka_unit_test_teardown(a_timer_that_finds_no_memory_changes_nothing, unmake),
        cmocka_unit_test_teardown(timers_can_be_armed_again_after_all_were_disarmed, unmake),
    };

    return cmocka_run_group_tests_name("worker timers", tests, NULL, NULL);
}
