/* Where a process is woken: held on a processor of its own, and given back. */
#include "executor/affinity.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static pid_t sleeper;

static int start_sleeper(void **state)
{
    (void)state;
    sleeper = fork();
    while (sleeper == 0)
        pause();
    return sleeper < 0;
}

static int end_sleeper(void **state)
{
    (void)state;
    kill(sleeper, SIGKILL);
    return waitpid(sleeper, NULL, 0) == sleeper ? 0 : -1;
}

static cpu_set_t processors(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    assert_int_equal(sched_getaffinity(sleeper, sizeof(set), &set), 0);
    return set;
}

static uint32_t nth(const cpu_set_t *set, int n)
{
    uint32_t cpu = 0;

    while (!CPU_ISSET(cpu, set) || n-- > 0)
        cpu++;
    return cpu;
}

static void a_process_is_held_on_a_processor_and_given_back(void **state)
{
    cpu_set_t before = processors();
    struct affinity affinity;
    uint32_t last = nth(&before, CPU_COUNT(&before) - 1);
    cpu_set_t held;

    (void)state;
    if (CPU_COUNT(&before) == 1) { /* there is nothing to hold it from */
        assert_false(affinity_hold(&affinity, sleeper, last));
        return;
    }
    assert_true(affinity_hold(&affinity, sleeper, last));
    held = processors();
    assert_int_equal(CPU_COUNT(&held), 1);
    assert_true(CPU_ISSET(last, &held));
    affinity_release(&affinity);
    held = processors();
    assert_true(CPU_EQUAL(&held, &before));
}

static void a_processor_that_it_may_not_run_on_changes_nothing(void **state)
{
    static const uint32_t wrong[] = { CPU_SETSIZE - 1, CPU_SETSIZE, UINT32_MAX };
    cpu_set_t before = processors();
    struct affinity affinity;
    cpu_set_t after;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (wrong[i] >= CPU_SETSIZE || !CPU_ISSET(wrong[i], &before))
            assert_false(affinity_hold(&affinity, sleeper, wrong[i]));
    after = processors();
    assert_true(CPU_EQUAL(&after, &before));
}

static void a_process_that_has_one_processor_is_left_there(void **state)
{
    cpu_set_t before = processors();
    struct affinity affinity;
    uint32_t first = nth(&before, 0);
    cpu_set_t one;

    (void)state;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(sleeper, sizeof(one), &one), 0);
    assert_false(affinity_hold(&affinity, sleeper, first));
    one = processors();
    assert_int_equal(CPU_COUNT(&one), 1);
}

static void a_thread_knows_the_processor_that_it_runs_on(void **state)
{
    cpu_set_t before = processors();
    uint32_t first = nth(&before, 0);
    cpu_set_t one;

    (void)state;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
    assert_true(affinity_is_here(first));
    assert_false(affinity_is_here(first + 1));
    assert_false(affinity_is_here(UINT32_MAX));
    assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_process_is_held_on_a_processor_and_given_back,
                                        start_sleeper, end_sleeper),
        cmocka_unit_test_setup_teardown(a_processor_that_it_may_not_run_on_changes_nothing,
                                        start_sleeper, end_sleeper),
        cmocka_unit_test_setup_teardown(a_process_that_has_one_processor_is_left_there,
                                        start_sleeper, end_sleeper),
        cmocka_unit_test_setup_teardown(a_thread_knows_the_processor_that_it_runs_on, start_sleeper,
                                        end_sleeper),
    };

    return cmocka_run_group_tests_name("affinity", tests, NULL, NULL);
}
