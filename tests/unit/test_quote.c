/* JSON quoting: what JSON.stringify() would write, for every unit. */
#include "worker/quote.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void quotes_as(const uint16_t *units, size_t count, const char *expected)
{
    struct cm_buf to;

    cm_buf_init(&to, 4096);
    assert_int_equal(quote_append(&to, units, count), 0);
    assert_int_equal(to.len, strlen(expected));
    assert_memory_equal(cm_buf_bytes(&to), expected, to.len);
    cm_buf_done(&to);
}

#define QUOTES_AS(expected, ...)                         \
    do {                                                 \
        static const uint16_t units[] = { __VA_ARGS__ }; \
        quotes_as(units, CM_ARRAY_LEN(units), expected); \
    } while (0)

static void ascii_stands_as_it_is_but_for_quote_and_backslash(void **state)
{
    (void)state;
    QUOTES_AS("aZ~ /", 'a', 'Z', '~', ' ', '/');
    QUOTES_AS("\\\"\\\\", '"', '\\');
    QUOTES_AS("\x7f", 0x7F);
}

static void control_characters_are_escaped_shortly_where_json_can(void **state)
{
    (void)state;
    QUOTES_AS("\\b\\t\\n\\f\\r", 8, 9, 10, 12, 13);
    QUOTES_AS("\\u0000\\u0001\\u000b\\u000e\\u001f", 0, 1, 11, 14, 31);
}

static void other_characters_become_utf8_of_each_length(void **state)
{
    (void)state;
    QUOTES_AS("\xC2\x80\xDF\xBF", 0x80, 0x7FF);
    QUOTES_AS("\xE0\xA0\x80\xE2\x80\xA8\xEF\xBF\xBF", 0x800, 0x2028, 0xFFFF);
    QUOTES_AS("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 0xD800, 0xDC00, 0xDBFF, 0xDFFF);
}

static void a_surrogate_without_its_other_half_is_escaped(void **state)
{
    (void)state;
    QUOTES_AS("\\ud800", 0xD800);
    QUOTES_AS("\\udfff", 0xDFFF);
    QUOTES_AS("\\udc00\\ud83d", 0xDC00, 0xD83D);
    QUOTES_AS("\\ud83d\xF0\x9F\x98\x80", 0xD83D, 0xD83D, 0xDE00);
    QUOTES_AS("\\ud83dx", 0xD83D, 'x');
}

static void a_text_that_may_not_fit_leaves_the_buffer_as_it_was(void **state)
{
    static const uint16_t units[] = { 'a', 'b' };
    struct cm_buf to;

    (void)state;
    cm_buf_init(&to, 6 * CM_ARRAY_LEN(units));
    assert_int_equal(quote_append(&to, units, CM_ARRAY_LEN(units)), 0);
    assert_int_equal(to.len, 2);
    assert_int_equal(quote_append(&to, units, CM_ARRAY_LEN(units)), CM_E_LIMIT);
    assert_int_equal(to.len, 2);
    cm_buf_done(&to);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascii_stands_as_it_is_but_for_quote_and_backslash),
        cmocka_unit_test(control_characters_are_escaped_shortly_where_json_can),
        cmocka_unit_test(other_characters_become_utf8_of_each_length),
        cmocka_unit_test(a_surrogate_without_its_other_half_is_escaped),
        cmocka_unit_test(a_text_that_may_not_fit_leaves_the_buffer_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
