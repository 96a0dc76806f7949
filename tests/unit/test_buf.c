/* The growing buffer: its bound, its failures and reading from the front. */
#include "base/buf.h"

#include "codemode/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

enum { BOUND = 5000 };

static bool no_memory;
static int reallocs;

/* Linked in place of realloc() (--wrap). */
void *__real_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

void *__wrap_realloc(void *block, size_t bytes)
{
    reallocs++;
    return no_memory ? NULL : __real_realloc(block, bytes);
}

static uint8_t pattern(size_t at)
{
    return (uint8_t)(at * 31 + at / 256);
}

static void append_pattern(struct cm_buf *buf, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++) {
        uint8_t byte = pattern(i);

        assert_int_equal(cm_buf_append(buf, &byte, 1), 0);
    }
}

static void assert_pattern(const struct cm_buf *buf, size_t from, size_t n)
{
    assert_int_equal(buf->len, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(cm_buf_bytes(buf)[i], pattern(from + i));
}

static void a_new_buffer_is_empty_and_holds_no_memory(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    assert_null(buf.data);
    assert_int_equal(buf.len, 0);
    assert_int_equal(cm_buf_room(&buf), 0);
    assert_int_equal(cm_buf_append(&buf, NULL, 0), 0);
    assert_null(buf.data);
    cm_buf_done(&buf);
}

static void populated_room_is_written_like_any_other(void **state)
{
    enum { LARGE = 1 << 20 };
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, LARGE);
    append_pattern(&buf, 0, 5000);
    assert_int_equal(cm_buf_reserve(&buf, LARGE - 5000), 0);
    cm_buf_populate(&buf, LARGE - 5000);
    append_pattern(&buf, 5000, LARGE - 5000);
    assert_pattern(&buf, 0, LARGE);
    cm_buf_populate(&buf, 0);
    cm_buf_done(&buf);
}

static void a_buffer_takes_its_bound_and_not_one_byte_more(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, BOUND);
    assert_true(buf.cap <= buf.max);
    assert_int_equal(cm_buf_append(&buf, "x", 1), CM_E_LIMIT);
    assert_int_equal(cm_buf_reserve(&buf, 1), CM_E_LIMIT);
    assert_int_equal(cm_buf_reserve(&buf, 0), 0);
    assert_pattern(&buf, 0, BOUND);
    cm_buf_done(&buf);
}

static void a_piece_one_byte_over_the_bound_leaves_the_buffer_as_it_was(void **state)
{
    static const uint8_t piece[BOUND] = { 0 };
    struct cm_buf before;
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, 10);
    before = buf;
    assert_int_equal(cm_buf_append(&buf, piece, BOUND - 10 + 1), CM_E_LIMIT);
    assert_int_equal(cm_buf_reserve(&buf, SIZE_MAX), CM_E_LIMIT);
    assert_memory_equal(&buf, &before, sizeof(buf));
    assert_pattern(&buf, 0, 10);
    assert_int_equal(cm_buf_append(&buf, piece, BOUND - 10), 0);
    assert_int_equal(buf.len, BOUND);
    cm_buf_done(&buf);
}

static void a_buffer_whose_bound_is_below_the_first_step_keeps_it(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, 3);
    assert_int_equal(cm_buf_append(&buf, "abc", 3), 0);
    assert_int_equal(buf.cap, 3);
    assert_int_equal(cm_buf_append(&buf, "d", 1), CM_E_LIMIT);
    cm_buf_done(&buf);
}

static void a_buffer_without_memory_is_as_it_was_and_works_later(void **state)
{
    struct cm_buf before;
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, 1024);
    before = buf;
    no_memory = true;
    assert_int_equal(cm_buf_append(&buf, "x", 1), CM_E_NOMEM);
    no_memory = false;
    assert_memory_equal(&buf, &before, sizeof(buf));
    append_pattern(&buf, 1024, 1);
    assert_pattern(&buf, 0, 1025);
    cm_buf_done(&buf);
}

static void failing_to_grow_keeps_what_was_not_consumed(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, 1024);
    cm_buf_consume(&buf, 24);
    no_memory = true;
    assert_int_equal(cm_buf_reserve(&buf, 1024), CM_E_NOMEM);
    no_memory = false;
    assert_pattern(&buf, 24, 1000);
    cm_buf_done(&buf);
}

static void consuming_drops_the_front_and_keeps_the_rest(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, 100);
    cm_buf_consume(&buf, 0);
    assert_pattern(&buf, 0, 100);
    cm_buf_consume(&buf, 1);
    cm_buf_consume(&buf, 59);
    assert_pattern(&buf, 60, 40);
    cm_buf_consume(&buf, 40);
    assert_int_equal(buf.len, 0);
    assert_int_equal(buf.start, 0);
    cm_buf_done(&buf);
}

static void consumed_room_is_used_again_before_the_buffer_grows(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, 1000);
    reallocs = 0;
    for (size_t at = 0; at < 20000; at += 500) {
        cm_buf_consume(&buf, 500);
        append_pattern(&buf, at + 1000, 500);
        assert_pattern(&buf, at + 500, 1000);
    }
    assert_int_equal(reallocs, 0);
    cm_buf_done(&buf);
}

static void the_bound_counts_what_is_held_not_what_passed_through(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, BOUND);
    cm_buf_consume(&buf, 1);
    append_pattern(&buf, BOUND, 1);
    assert_pattern(&buf, 1, BOUND);
    assert_int_equal(cm_buf_append(&buf, "x", 1), CM_E_LIMIT);
    cm_buf_done(&buf);
}

static void growing_byte_by_byte_allocates_a_logarithmic_number_of_times(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, 1 << 20);
    reallocs = 0;
    append_pattern(&buf, 0, 1 << 20);
    assert_int_equal(reallocs, 11); /* 1 KiB, 2 KiB ... 1 MiB */
    cm_buf_done(&buf);
}

static void a_buffer_that_was_done_can_be_filled_again(void **state)
{
    struct cm_buf buf;

    (void)state;
    cm_buf_init(&buf, BOUND);
    append_pattern(&buf, 0, 7);
    cm_buf_done(&buf);
    assert_int_equal(buf.len, 0);
    assert_int_equal(buf.max, BOUND);
    append_pattern(&buf, 0, BOUND);
    assert_int_equal(cm_buf_append(&buf, "x", 1), CM_E_LIMIT);
    cm_buf_done(&buf);
    cm_buf_done(&buf);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_buffer_is_empty_and_holds_no_memory),
        cmocka_unit_test(populated_room_is_written_like_any_other),
        cmocka_unit_test(a_buffer_takes_its_bound_and_not_one_byte_more),
        cmocka_unit_test(a_piece_one_byte_over_the_bound_leaves_the_buffer_as_it_was),
        cmocka_unit_test(a_buffer_whose_bound_is_below_the_first_step_keeps_it),
        cmocka_unit_test(a_buffer_without_memory_is_as_it_was_and_works_later),
        cmocka_unit_test(failing_to_grow_keeps_what_was_not_consumed),
        cmocka_unit_test(consuming_drops_the_front_and_keeps_the_rest),
        cmocka_unit_test(consumed_room_is_used_again_before_the_buffer_grows),
        cmocka_unit_test(the_bound_counts_what_is_held_not_what_passed_through),
        cmocka_unit_test(growing_byte_by_byte_allocates_a_logarithmic_number_of_times),
        cmocka_unit_test(a_buffer_that_was_done_can_be_filled_again),
    };

    return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
