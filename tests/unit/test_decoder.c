/* The decoders of the Encoding Standard, and their labels. What they make of every
 * pointer of an index is the index's business; here it is their states. */
#include "worker/decoder.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { UNITS_MAX = 256, CANARY = 0xABCD, MALFORMED = -1 };

struct sample {
    const char *label;
    const char *bytes;
    size_t bytes_len;
    const uint16_t *units;
    size_t count;
};

#define SAMPLE(label, bytes, ...)                                       \
    {                                                                   \
        label, bytes, sizeof(bytes) - 1, (const uint16_t[])__VA_ARGS__, \
            sizeof((const uint16_t[])__VA_ARGS__) / sizeof(uint16_t)    \
    }

/* clang-format off */
static const struct sample samples[] = {
    SAMPLE("utf-8", "a\xE2\x82\xAC\xF0\x9F\x98\x80", { 'a', 0x20AC, 0xD83D, 0xDE00 }),
    SAMPLE("utf-8", "\xEF\xBB\xBF" "a\xEF\xBB\xBF", { 'a', 0xFEFF }),
    SAMPLE("utf-8", "\xC0\x80", { 0xFFFD, 0xFFFD }),
    SAMPLE("utf-8", "\xE2\x82" "a", { 0xFFFD, 'a' }),
    SAMPLE("utf-8", "\xED\xA0\x80", { 0xFFFD, 0xFFFD, 0xFFFD }),
    SAMPLE("utf-8", "\xF0\x9F\x98", { 0xFFFD }),
    SAMPLE("utf-8", "\xF4\x90\x80\x80", { 0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD }),
    SAMPLE("utf-16le", "a\0\x3D\xD8\x00\xDE", { 'a', 0xD83D, 0xDE00 }),
    SAMPLE("utf-16le", "\x3D\xD8" "a\0", { 0xFFFD, 'a' }),
    SAMPLE("utf-16le", "\xFF\xFE" "a\0b", { 'a', 0xFFFD }),
    SAMPLE("utf-16be", "\xFE\xFF\0a\xDC\x00", { 'a', 0xFFFD }),
    SAMPLE("latin1", "\x80\xE9\x81", { 0x20AC, 0xE9, 0x81 }),
    SAMPLE("koi8-r", "\xF0\xD2", { 0x041F, 0x0440 }),
    SAMPLE("iso-8859-6", "\xA1\xC7", { 0xFFFD, 0x0627 }),
    SAMPLE("x-user-defined", "a\x80\xFF", { 'a', 0xF780, 0xF7FF }),
    SAMPLE("gbk", "\xC4\xE3\x80", { 0x4F60, 0x20AC }),
    SAMPLE("gbk", "\x81", { 0xFFFD }),
    SAMPLE("gb18030", "\x81\x30\x81\x30\x90\x30\x81\x30", { 0x80, 0xD800, 0xDC00 }),
    SAMPLE("gb18030", "\x81\x30\x81\xFF", { 0xFFFD, '0', 0xFFFD }),
    SAMPLE("gb18030", "\xFE\x39\xFE\x39", { 0xFFFD }),
    SAMPLE("big5", "\xA4\xA4\x88\x62\xA1\x20", { 0x4E2D, 0xCA, 0x0304, 0xFFFD, ' ' }),
    SAMPLE("euc-jp", "\x8E\xB1\x8F\xB0\xA1\xB0\xA1", { 0xFF71, 0x4E02, 0x4E9C }),
    SAMPLE("euc-jp", "\x8F\xA1" "a", { 0xFFFD, 'a' }),
    SAMPLE("shift_jis", "\x90\x85\xB1\xF0\x40", { 0x6C34, 0xFF71, 0xE000 }),
    SAMPLE("euc-kr", "\xB0\xA1\xFF", { 0xAC00, 0xFFFD }),
    SAMPLE("iso-2022-jp", "a\x1B$B\x30\x21\x1B(J\x5C\x1B(I1\x1B(B", { 'a', 0x4E9C, 0xA5, 0xFF71 }),
    SAMPLE("iso-2022-jp", "\x1B$B\x1B(B", { 0xFFFD }),
    SAMPLE("iso-2022-jp", "\x1B(x", { 0xFFFD, '(', 'x' }),
    SAMPLE("iso-2022-jp", "\x1B$B\x30", { 0xFFFD }),
    SAMPLE("iso-2022-jp", "\x1B(", { 0xFFFD, '(' }),
};
/* clang-format on */

/* Decodes in two pieces, the first of `split` bytes, and looks at the canary. */
static ptrdiff_t decode(const struct sample *sample, size_t split, bool fatal, uint16_t *units)
{
    const uint8_t *bytes = (const uint8_t *)sample->bytes;
    struct decoder decoder;
    ptrdiff_t first;
    ptrdiff_t second;

    for (size_t i = 0; i < UNITS_MAX; i++)
        units[i] = CANARY;
    decoder_init(&decoder, (enum encoding_id)decoder_find(sample->label, strlen(sample->label)),
                 fatal, false);
    first = decoder_decode(&decoder, bytes, split, false, units);
    if (first < 0)
        return MALFORMED;
    assert_int_equal(units[split + DECODER_SLACK_UNITS], CANARY);
    second =
        decoder_decode(&decoder, bytes + split, sample->bytes_len - split, true, units + first);
    if (second < 0)
        return MALFORMED;
    assert_int_equal(units[(size_t)first + sample->bytes_len - split + DECODER_SLACK_UNITS],
                     CANARY);
    return first + second;
}

static bool is_malformed(const struct sample *sample)
{
    for (size_t i = 0; i < sample->count; i++)
        if (sample->units[i] == 0xFFFD)
            return true;
    return false;
}

static void a_text_is_the_same_wherever_it_is_cut(void **state)
{
    uint16_t units[UNITS_MAX];

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(samples); i++) {
        for (size_t split = 0; split <= samples[i].bytes_len; split++) {
            ptrdiff_t count = decode(&samples[i], split, false, units);

            if ((size_t)count != samples[i].count ||
                memcmp(units, samples[i].units, samples[i].count * sizeof(*units)) != 0)
                fail_msg("sample %zu, %s, cut at %zu", i, samples[i].label, split);
        }
    }
}

static void a_fatal_decoder_refuses_what_another_replaces(void **state)
{
    uint16_t units[UNITS_MAX];

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(samples); i++)
        for (size_t split = 0; split <= samples[i].bytes_len; split++)
            assert_int_equal(decode(&samples[i], split, true, units),
                             is_malformed(&samples[i]) ? MALFORMED : (ptrdiff_t)samples[i].count);
}

static void random_bytes_never_become_more_units_than_there_is_room_for(void **state)
{
    char bytes[UNITS_MAX / 2];
    uint16_t units[UNITS_MAX];

    (void)state;
    srandom(1);
    for (int encoding = 0; encoding < ENCODING_COUNT; encoding++) {
        struct sample sample = { decoder_name((enum encoding_id)encoding), bytes, 0, NULL, 0 };

        for (int round = 0; round < 2000; round++) {
            sample.bytes_len = (size_t)random() % sizeof(bytes);
            for (size_t i = 0; i < sample.bytes_len; i++)
                bytes[i] = (char)(random() % 3 == 0 ? 0x1B : random());
            decode(&sample, sample.bytes_len == 0 ? 0 : (size_t)random() % sample.bytes_len, false,
                   units);
        }
    }
}

static void a_decoder_starts_anew_after_the_end_and_after_an_error(void **state)
{
    static const uint8_t bom_a[] = { 0xEF, 0xBB, 0xBF, 'a' };
    static const uint8_t half[] = { 0xE2, 0x82 };
    struct decoder decoder;
    uint16_t units[UNITS_MAX];

    (void)state;
    decoder_init(&decoder, ENCODING_utf_8, true, false);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(decoder_decode(&decoder, bom_a, sizeof(bom_a), true, units), 1);
        assert_int_equal(decoder_decode(&decoder, half, sizeof(half), true, units), MALFORMED);
    }
}

static void a_byte_order_mark_stays_when_it_is_asked_for(void **state)
{
    static const uint8_t bom[] = { 0xEF, 0xBB, 0xBF };
    struct decoder decoder;
    uint16_t units[UNITS_MAX];

    (void)state;
    decoder_init(&decoder, ENCODING_utf_8, false, true);
    assert_int_equal(decoder_decode(&decoder, bom, sizeof(bom), true, units), 1);
    assert_int_equal(units[0], 0xFEFF);
}

/* ---- labels ---- */

#define FIND(label) decoder_find(label, sizeof(label) - 1)

static void every_label_is_found_in_any_case_and_with_space_around_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < encoding_label_count; i++) {
        char label[64] = " \t\n\f\r";
        size_t len = strlen(encoding_labels[i].label);

        for (size_t k = 0; k < len; k++) {
            char c = encoding_labels[i].label[k];

            label[5 + k] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        }
        label[5 + len] = '\n';
        assert_int_equal(decoder_find(label, len + 6), encoding_labels[i].id);
    }
    assert_int_equal(FIND("iso-8859-1"), ENCODING_windows_1252);
}

static void what_is_no_label_is_not_found(void **state)
{
    (void)state;
    assert_int_equal(FIND(""), -1);
    assert_int_equal(FIND("utf-9"), -1);
    assert_int_equal(FIND("utf-8\0"), -1);
    assert_int_equal(FIND("\0utf-8"), -1);
    assert_int_equal(FIND("utf-8\x0B"), -1);
    assert_int_equal(FIND("utf-8\xC2\xA0"), -1);
    assert_int_equal(FIND("utf"), -1);
    assert_int_equal(FIND("replacement"), -1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_the_same_wherever_it_is_cut),
        cmocka_unit_test(a_fatal_decoder_refuses_what_another_replaces),
        cmocka_unit_test(random_bytes_never_become_more_units_than_there_is_room_for),
        cmocka_unit_test(a_decoder_starts_anew_after_the_end_and_after_an_error),
        cmocka_unit_test(a_byte_order_mark_stays_when_it_is_asked_for),
        cmocka_unit_test(every_label_is_found_in_any_case_and_with_space_around_it),
        cmocka_unit_test(what_is_no_label_is_not_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
