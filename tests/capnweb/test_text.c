/* Text, numbers, base64 and the table of ids, against plainer ways to the same. */
#include "capnweb/table.h"
#include "capnweb/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t plain_slowly(const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && text[i] != '"' && text[i] != '\\' && (unsigned char)text[i] >= 0x20)
        i++;
    return i;
}

static void each_byte_that_needs_an_escape_is_found_at_each_place(void **state)
{
    char text[64];

    (void)state;
    for (int byte = 0; byte < 256; byte++)
        for (size_t at = 0; at < 40; at++) {
            memset(text, at % 2 == 0 ? 'x' : 0xC3, sizeof(text));
            text[at] = (char)byte;
            text[at + 9] = '"';
            for (size_t n = 0; n <= 50; n++)
                assert_int_equal(capnweb_text_plain(text, n), plain_slowly(text, n));
        }
}

static void escapes_are_those_of_json(void **state)
{
    char to[64];
    size_t n = capnweb_text_escape(to, "a\"\\\b\f\n\r\t\0\x1f\x7fz/", 13);

    (void)state;
    assert_int_equal(n, strlen("a\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7fz/"));
    assert_memory_equal(to, "a\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7fz/", n);
}

/* clang-format off */
static const struct {
    double number;
    const char *text;
} numbers[] = {
    { 0.0, "0" }, { -0.0, "0" }, { 1, "1" }, { -7, "-7" }, { 1.5, "1.5" }, { -0.1, "-0.1" },
    { 123456789.125, "123456789.125" }, { 9007199254740991.0, "9007199254740991" },
    { 9007199254740992.0, "9007199254740992" }, { 1e20, "100000000000000000000" },
    { 123456789012345680000.0, "123456789012345680000" }, { 1e21, "1e+21" }, { 1.5e300, "1.5e+300" },
    { 0.000001, "0.000001" }, { 1e-7, "1e-7" }, { 1.25e-9, "1.25e-9" }, { 5e-324, "5e-324" },
    { DBL_MAX, "1.7976931348623157e+308" }, { DBL_MIN, "2.2250738585072014e-308" },
    { 0.1 + 0.2, "0.30000000000000004" }, { 1.0 / 3, "0.3333333333333333" },
};
/* clang-format on */

static void numbers_are_written_as_javascript_writes_them(void **state)
{
    char text[CAPNWEB_NUMBER_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        assert_int_equal(capnweb_number_write(text, numbers[i].number), strlen(numbers[i].text));
        assert_string_equal(text, numbers[i].text);
    }
}

static uint64_t random_state = 88172645463325252U;

static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static void a_number_reads_back_as_itself_whatever_the_locale(void **state)
{
    char text[CAPNWEB_NUMBER_MAX];

    (void)state;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is one, its point is a comma */
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_next();
        double number;
        size_t n;

        memcpy(&number, &bits, sizeof(number));
        if (!isfinite(number))
            continue;
        n = capnweb_number_write(text, number);
        assert_true(n < CAPNWEB_NUMBER_MAX && text[n] == '\0' && strchr(text, ',') == NULL);
        assert_true(capnweb_number_read(text, n) == number);
    }
    setlocale(LC_ALL, "C");
}

static void base64_of_each_length_reads_back_in_place(void **state)
{
    uint8_t bytes[100];
    char text[160];

    (void)state;
    for (size_t n = 0; n <= sizeof(bytes); n++) {
        size_t chars = capnweb_base64_chars(n);
        size_t read;

        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)random_next();
        capnweb_base64_write(text, bytes, n);
        for (size_t padding = 0; (chars + padding) % 4 != 0 || padding == 0; padding++)
            text[chars + padding] = '=';
        assert_true(capnweb_base64_read((uint8_t *)text, text, (chars + 3) / 4 * 4, &read));
        assert_int_equal(read, n);
        assert_memory_equal(text, bytes, n);
    }
}

static void what_is_no_base64_is_refused(void **state)
{
    static const char *const wrong[] = { "A", "AAAAA", "A=A=", "====", "AA A", "!", "\xC3\xA9==" };
    uint8_t to[16];
    size_t n;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(capnweb_base64_read(to, wrong[i], strlen(wrong[i]), &n));
    assert_true(capnweb_base64_read(to, "-_+/", 4, &n));
    assert_int_equal(n, 3);
}

static void units_are_those_of_utf16(void **state)
{
    static const char text[] = "a\u00e9\u4e16\U0001F600";

    (void)state;
    assert_int_equal(capnweb_text_units(text, sizeof(text) - 1), 5);
}

enum { IDS = 300 };

static void a_table_holds_what_was_put_and_not_removed(void **state)
{
    struct capnweb_table table;
    static char present[2 * IDS + 1];

    (void)state;
    memset(present, 0, sizeof(present));
    capnweb_table_init(&table, 12345);
    for (int step = 0; step < 50000; step++) {
        int64_t id = (int64_t)(random_next() % (2 * IDS + 1)) - IDS;
        char *entry = &present[id + IDS];

        if (random_next() % 2 == 0) {
            assert_int_equal(capnweb_table_put(&table, id, entry), 0);
            *entry = 1;
        } else {
            capnweb_table_remove(&table, id);
            *entry = 0;
        }
        id = (int64_t)(random_next() % (2 * IDS + 1)) - IDS;
        assert_ptr_equal(capnweb_table_find(&table, id),
                         present[id + IDS] ? &present[id + IDS] : NULL);
    }
    size_t count = 0;
    for (int i = 0; i <= 2 * IDS; i++)
        count += (size_t)present[i];
    assert_int_equal(table.count, count);
    capnweb_table_done(&table);
    assert_null(capnweb_table_find(&table, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_that_needs_an_escape_is_found_at_each_place),
        cmocka_unit_test(escapes_are_those_of_json),
        cmocka_unit_test(numbers_are_written_as_javascript_writes_them),
        cmocka_unit_test(a_number_reads_back_as_itself_whatever_the_locale),
        cmocka_unit_test(base64_of_each_length_reads_back_in_place),
        cmocka_unit_test(what_is_no_base64_is_refused),
        cmocka_unit_test(units_are_those_of_utf16),
        cmocka_unit_test(a_table_holds_what_was_put_and_not_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
