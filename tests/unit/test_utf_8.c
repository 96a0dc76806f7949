/* UTF-16 to UTF-8: every kind of character, and every room. */
#include "worker/utf_8.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 256, CANARY = 0xA5 };

static size_t encode(const uint16_t *units, size_t count, uint8_t *to, size_t room,
                     size_t *ret_read)
{
    const uint16_t *at = units;
    size_t written;

    memset(to, CANARY, ROOM);
    written = utf_8_encode(&at, units + count, to, room);
    *ret_read = (size_t)(at - units);
    for (size_t i = written; i < ROOM; i++)
        assert_int_equal(to[i], CANARY);
    return written;
}

static void characters_of_every_length_are_encoded(void **state)
{
    static const uint16_t units[] = { 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0xD800, 0xDC00 };
    static const char expected[] = "a\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80";
    uint8_t to[ROOM];
    size_t read;

    (void)state;
    assert_int_equal(encode(units, CM_ARRAY_LEN(units), to, ROOM, &read), sizeof(expected) - 1);
    assert_memory_equal(to, expected, sizeof(expected) - 1);
    assert_int_equal(read, CM_ARRAY_LEN(units));
}

static void half_a_pair_becomes_a_replacement_character(void **state)
{
    static const uint16_t units[] = { 0xDC00, 0xD800, 'a', 0xD800 };
    uint8_t to[ROOM];
    size_t read;

    (void)state;
    assert_int_equal(encode(units, CM_ARRAY_LEN(units), to, ROOM, &read), 10);
    assert_memory_equal(to,
                        "\xEF\xBF\xBD\xEF\xBF\xBD"
                        "a\xEF\xBF\xBD",
                        10);
}

/* The fast path takes 16 units at a time: what stops it stands at each place. */
static void a_character_that_is_not_ascii_is_found_at_every_place(void **state)
{
    uint16_t units[48];
    uint8_t to[ROOM];
    size_t read;

    (void)state;
    for (size_t place = 0; place < CM_ARRAY_LEN(units); place++) {
        for (size_t i = 0; i < CM_ARRAY_LEN(units); i++)
            units[i] = i == place ? 0x20AC : 'x';
        assert_int_equal(encode(units, CM_ARRAY_LEN(units), to, ROOM, &read), 50);
        assert_memory_equal(to + place, "\xE2\x82\xAC", 3);
        for (size_t i = 0; i < 50; i++)
            assert_true((i >= place && i < place + 3) || to[i] == 'x');
    }
}

static void no_character_is_written_in_part(void **state)
{
    static const uint16_t units[] = { 'a', 0x20AC, 0xD83D, 0xDE00, 'b' };
    static const size_t whole[] = { 0, 1, 1, 1, 4, 4, 4, 4, 8, 9 };
    static const size_t taken[] = { 0, 1, 1, 1, 2, 2, 2, 2, 4, 5 };
    uint8_t to[ROOM];
    size_t read;

    (void)state;
    for (size_t room = 0; room < CM_ARRAY_LEN(whole); room++) {
        assert_int_equal(encode(units, CM_ARRAY_LEN(units), to, room, &read), whole[room]);
        assert_int_equal(read, taken[room]);
    }
}

static void ascii_stops_where_the_room_ends(void **state)
{
    uint16_t units[100];
    uint8_t to[ROOM];
    size_t read;

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(units); i++)
        units[i] = (uint16_t)('!' + i % 90);
    for (size_t room = 0; room <= CM_ARRAY_LEN(units); room++) {
        assert_int_equal(encode(units, CM_ARRAY_LEN(units), to, room, &read), room);
        assert_int_equal(read, room);
        for (size_t i = 0; i < room; i++)
            assert_int_equal(to[i], units[i]);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_of_every_length_are_encoded),
        cmocka_unit_test(half_a_pair_becomes_a_replacement_character),
        cmocka_unit_test(a_character_that_is_not_ascii_is_found_at_every_place),
        cmocka_unit_test(no_character_is_written_in_part),
        cmocka_unit_test(ascii_stops_where_the_room_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
