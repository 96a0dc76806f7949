/* Sentences, numbers and UTF-8. */
#include "base/text.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ARGS_MAX = 4 };

static const char *const args[ARGS_MAX] = { "<first>", "<second>", "<third>", "<fourth>" };

static size_t holes(const char *text)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, "{}")) != NULL; at += 2)
        count++;
    return count;
}

/* What the row's sentence should read where no number is 1, put together another way. */
static void expect_sentence(char *to, const char *text)
{
    size_t next = 0;

    *to = '\0';
    for (; *text != '\0'; text++) {
        if (text[0] == '{' && text[1] == '}') {
            strcat(to, args[next++]);
            text++;
        } else if (*text == '[') {
            text = strchr(text, '|');
        } else if (*text != ']') {
            strncat(to, text, 1);
        }
    }
}

static void every_row_is_filled_with_as_many_arguments_as_it_has_holes(void **state)
{
    char expected[1024];
    char got[1024];

    (void)state;
    for (int row = 0; row < CM_MSG_COUNT; row++) {
        enum cm_message message = (enum cm_message)row;
        CM_AUTO_FREE char *owned = NULL;
        size_t len;

        assert_true(holes(cm_message_text(message)) <= ARGS_MAX);
        expect_sentence(expected, cm_message_text(message));
        len = cm_message_write(got, sizeof(got), message, args[0], args[1], args[2], args[3], NULL);
        assert_string_equal(got, expected);
        assert_int_equal(len, strlen(expected));
        owned = cm_message_new(message, args[0], args[1], args[2], args[3], NULL);
        assert_non_null(owned);
        assert_string_equal(owned, expected);
    }
}

static void every_row_is_ascii_and_not_empty(void **state)
{
    (void)state;
    for (int row = 0; row < CM_MSG_COUNT; row++) {
        const char *text = cm_message_text((enum cm_message)row);

        assert_true(*text != '\0');
        for (; *text != '\0'; text++)
            assert_in_range(*text, 0x20, 0x7E);
    }
}

static void an_unknown_message_has_no_text(void **state)
{
    char got[8] = "kept";

    (void)state;
    assert_string_equal(cm_message_text(CM_MSG_COUNT), "");
    assert_int_equal(cm_message_write(got, sizeof(got), CM_MSG_COUNT, NULL), 0);
    assert_string_equal(got, "");
}

static void a_hole_without_an_argument_stays(void **state)
{
    char got[256];

    (void)state;
    cm_message_write(got, sizeof(got), CM_MSG_TOO_LARGE, "The result", NULL);
    assert_string_equal(got, "The result of {} bytes exceeds the {} byte bound on one message. "
                             "Return less data.");
}

static void holes_in_an_argument_are_not_filled(void **state)
{
    char got[256];

    (void)state;
    cm_message_write(got, sizeof(got), CM_MSG_UNANSWERED, "{}", "b.[{}|c]", NULL);
    assert_string_equal(got, "The run ended before {} tool calls were answered: b.[{}|c]. Await "
                             "every tool call before returning.");
}

static void what_is_counted_agrees_with_its_number(void **state)
{
    static const struct {
        enum cm_message message;
        const char *one;
    } rows[] = {
        { CM_MSG_CALLS_IN_FLIGHT,
          "More than 1 tool call is in flight. Await some before starting more." },
        { CM_MSG_CALLS_A_RUN, "This run has made its 1 tool call. Ask for more per call." },
        { CM_MSG_CONSOLE_LINES,
          "Console output stopped at its bound of 1 line. Log less per run." },
        { CM_MSG_CONSOLE_BYTES,
          "Console output stopped at its bound of 1 byte. Log less per run." },
        { CM_MSG_FETCH_IN_FLIGHT,
          "More than 1 fetch is in flight. Await some before starting more." },
        { CM_MSG_INVOCATIONS, "The executor is overloaded: 1 call of this execution is under way "
                              "already. Try again later." },
    };
    char got[256];

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        cm_message_write(got, sizeof(got), rows[i].message, "1", NULL);
        assert_string_equal(got, rows[i].one);
    }
    cm_message_write(got, sizeof(got), CM_MSG_UNANSWERED, "1", "a.b", NULL);
    assert_string_equal(got, "The run ended before 1 tool call was answered: a.b. Await every tool "
                             "call before returning.");
    cm_message_write(got, sizeof(got), CM_MSG_CALLS_A_RUN, "11", NULL);
    assert_string_equal(got, "This run has made its 11 tool calls. Ask for more per call.");
}

/* Whatever the room, the text is the longest prefix that fits and cuts no
 * character; the length told is that of the whole. */
static void a_sentence_is_cut_at_the_start_of_a_character(void **state)
{
    static const char whole[] = "Unhandled rejection: a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
    char got[sizeof(whole) + 8];

    (void)state;
    for (size_t cap = 1; cap < sizeof(got); cap++) {
        size_t want = cap > sizeof(whole) - 1 ? sizeof(whole) - 1 : cap - 1;

        while (!cm_utf8_valid(whole, want))
            want--;
        memset(got, '#', sizeof(got));
        assert_int_equal(cm_message_write(got, cap, CM_MSG_REJECTION,
                                          whole + strlen("Unhandled rejection: "), NULL),
                         sizeof(whole) - 1);
        assert_int_equal(strlen(got), want);
        assert_memory_equal(got, whole, want);
        for (size_t i = cap; i < sizeof(got); i++)
            assert_int_equal(got[i], '#');
    }
}

static void a_sentence_without_room_is_only_measured(void **state)
{
    char got = '#';

    (void)state;
    assert_int_equal(cm_message_write(&got, 0, CM_MSG_REJECTION, "x", NULL),
                     strlen("Unhandled rejection: x"));
    assert_int_equal(got, '#');
}

static void numbers_are_grouped_by_commas_from_four_digits_on(void **state)
{
    static const struct {
        uint64_t value;
        const char *text;
    } rows[] = {
        { 0, "0" },
        { 7, "7" },
        { 999, "999" },
        { 1000, "1,000" },
        { 10000, "10,000" },
        { 999999, "999,999" },
        { 1000000, "1,000,000" },
        { 33554432, "33,554,432" },
        { UINT64_MAX, "18,446,744,073,709,551,615" },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        assert_string_equal(cm_number_grouped(rows[i].value).text, rows[i].text);
}

static void plain_numbers_read_as_they_were_given(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        { 300, "300" },
        { 0.5, "0.5" },
        { 900000, "900000" },
        { 0.1, "0.1" },
        { -5, "-5" },
        { 1234.25, "1234.25" },
        { 1e300, "1e+300" },
        { 5e-324, "4.94065645841247e-324" },
        { 86400000, "86400000" },
        { 123456789012345, "123456789012345" },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        assert_string_equal(cm_number_plain(rows[i].value).text, rows[i].text);
}

static void decimal_digits_are_a_number(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {
        { "0", 0 },
        { "007", 7 },
        { "30000", 30000 },
        { "18446744073709551615", UINT64_MAX },
        { "00000000000000000000000000000000000001", 1 },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        uint64_t value = 4711;

        assert_true(cm_parse_u64(rows[i].text, &value));
        assert_true(value == rows[i].value);
    }
}

static void whatever_is_not_decimal_digits_alone_is_no_number(void **state)
{
    static const char *const rows[] = {
        "",
        " 1",
        "1 ",
        "+1",
        "-1",
        "-0",
        "0x10",
        "1e3",
        "1.0",
        "1,000",
        "1\n",
        "abc",
        "64k",
        "\xD9\xA1",
        "18446744073709551616",
        "99999999999999999999999999",
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        uint64_t value = 4711;

        assert_false(cm_parse_u64(rows[i], &value));
        assert_int_equal(value, 4711);
    }
}

/* An encoder that knows no rules, so that it makes overlong forms and surrogates
 * too. */
static void encode(uint8_t *to, uint32_t code, size_t bytes)
{
    static const uint8_t leads[] = { 0, 0x00, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC };

    for (size_t i = bytes - 1; i > 0; i--) {
        to[i] = (uint8_t)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    to[0] = (uint8_t)(leads[bytes] | code);
}

static size_t shortest(uint32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static void each_character_is_well_formed_in_its_shortest_form_only(void **state)
{
    static const uint32_t ends[] = { 0, 1 << 7, 1 << 11, 1 << 16, 1 << 21 }; /* what n bytes hold */
    uint8_t bytes[4];

    (void)state;
    for (size_t n = 1; n <= 4; n++)
        for (uint32_t code = 0; code < ends[n]; code++) {
            bool surrogate = code >= 0xD800 && code <= 0xDFFF;

            encode(bytes, code, n);
            if (cm_utf8_valid(bytes, n) != (n == shortest(code) && !surrogate && code <= 0x10FFFF))
                fail_msg("U+%04X in %zu bytes", code, n);
        }
}

static void sequences_of_five_and_six_bytes_are_refused(void **state)
{
    uint8_t bytes[6];

    (void)state;
    for (size_t n = 5; n <= 6; n++) {
        encode(bytes, 0x41, n);
        assert_false(cm_utf8_valid(bytes, n));
        encode(bytes, 0x3FFFFFF, n);
        assert_false(cm_utf8_valid(bytes, n));
    }
    assert_false(cm_utf8_valid("\xFE", 1));
    assert_false(cm_utf8_valid("\xFF", 1));
}

/* Each text ends with its memory, so that a sanitizer sees a read past it. */
static void a_truncated_character_is_refused_wherever_it_is_cut(void **state)
{
    static const char *const whole[] = { "ab\xC3\xA9", "ab\xE2\x82\xAC", "ab\xF0\x9F\x98\x80" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(whole); i++)
        for (size_t n = 0; n <= strlen(whole[i]); n++) {
            CM_AUTO_FREE char *copy = malloc(n + 1);

            assert_non_null(copy);
            memcpy(copy + 1, whole[i], n);
            assert_int_equal(cm_utf8_valid(copy + 1, n), n <= 2 || n == strlen(whole[i]));
        }
}

static void a_broken_continuation_is_refused(void **state)
{
    static const char *const rows[] = {
        "\x80",          "\xBF",          "a\x80",         "\xC3(",
        "\xC3\xC3",      "\xE2(\xAC",     "\xE2\x82(",     "\xE2\x82\xE2",
        "\xF0(\x98\x80", "\xF0\x9F(\x80", "\xF0\x9F\x98(", "\xF0\x9F\x98\xF0",
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        assert_false(cm_utf8_valid(rows[i], strlen(rows[i])));
}

static void text_of_no_bytes_and_text_with_nul_are_well_formed(void **state)
{
    (void)state;
    assert_true(cm_utf8_valid("", 0));
    assert_true(cm_utf8_valid("a\0b", 3));
    assert_false(cm_utf8_valid("a\0\xFF", 3));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_filled_with_as_many_arguments_as_it_has_holes),
        cmocka_unit_test(every_row_is_ascii_and_not_empty),
        cmocka_unit_test(an_unknown_message_has_no_text),
        cmocka_unit_test(a_hole_without_an_argument_stays),
        cmocka_unit_test(holes_in_an_argument_are_not_filled),
        cmocka_unit_test(what_is_counted_agrees_with_its_number),
        cmocka_unit_test(a_sentence_is_cut_at_the_start_of_a_character),
        cmocka_unit_test(a_sentence_without_room_is_only_measured),
        cmocka_unit_test(numbers_are_grouped_by_commas_from_four_digits_on),
        cmocka_unit_test(plain_numbers_read_as_they_were_given),
        cmocka_unit_test(decimal_digits_are_a_number),
        cmocka_unit_test(whatever_is_not_decimal_digits_alone_is_no_number),
        cmocka_unit_test(each_character_is_well_formed_in_its_shortest_form_only),
        cmocka_unit_test(sequences_of_five_and_six_bytes_are_refused),
        cmocka_unit_test(a_truncated_character_is_refused_wherever_it_is_cut),
        cmocka_unit_test(a_broken_continuation_is_refused),
        cmocka_unit_test(text_of_no_bytes_and_text_with_nul_are_well_formed),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
