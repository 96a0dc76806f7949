/* The table of open tool calls. */
#include "executor/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void open_call(struct calls *calls, uint32_t id)
{
    struct cm_call call = { .id = id, .provider = "store", .tool = "get" };

    assert_int_equal(calls_open(calls, &call), 0);
}

static void a_call_is_found_until_it_is_closed(void **state)
{
    struct calls calls = { 0 };

    (void)state;
    assert_null(calls_find(&calls, 1));
    open_call(&calls, 1);
    open_call(&calls, 2);
    assert_string_equal(calls_find(&calls, 2)->name, "store.get");
    calls_close(&calls, calls_find(&calls, 1));
    assert_null(calls_find(&calls, 1));
    assert_null(calls_find(&calls, 3));
    assert_int_equal(calls.open, 1);
    calls_done(&calls);
}

static void calls_closed_in_any_order_leave_their_room(void **state)
{
    struct calls calls = { 0 };
    uint32_t id = 0;

    (void)state;
    for (int i = 0; i < 20; i++)
        open_call(&calls, ++id);
    for (int round = 0; round < 1000; round++) { /* the oldest stays open all the time */
        open_call(&calls, ++id);
        calls_close(&calls, calls_find(&calls, id - 7));
        assert_non_null(calls_find(&calls, 1));
    }
    assert_int_equal(calls.open, 20);
    assert_true(calls.cap <= 64);
    assert_int_equal(calls.last_id, id);
    calls_done(&calls);
}

static void names_are_listed_up_to_ten(void **state)
{
    struct calls calls = { 0 };
    char *names;

    (void)state;
    open_call(&calls, 1);
    open_call(&calls, 2);
    names = calls_names(&calls);
    assert_string_equal(names, "store.get, store.get");
    free(names);
    for (uint32_t id = 3; id <= 11; id++)
        open_call(&calls, id);
    names = calls_names(&calls);
    assert_string_equal(names, "store.get, store.get, store.get, store.get, store.get, store.get, "
                               "store.get, store.get, store.get, store.get, and 1 more");
    free(names);
    calls_done(&calls);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_found_until_it_is_closed),
        cmocka_unit_test(calls_closed_in_any_order_leave_their_room),
        cmocka_unit_test(names_are_listed_up_to_ten),
    };

    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
