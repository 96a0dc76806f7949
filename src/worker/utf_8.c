/* Runs in a worker; the units are the program's. */
#include "worker/utf_8.h"

#include <emmintrin.h>

enum { STEP = 16, REPLACEMENT = 0xFFFD };

/* Copies ASCII until something else comes, 16 units at a time. */
static size_t copy_ascii(const uint16_t *at, const uint16_t *end, uint8_t *to, size_t room)
{
    const __m128i not_ascii = _mm_set1_epi16((short)0xFF80);
    const __m128i zero = _mm_setzero_si128();
    size_t done = 0;

    while ((size_t)(end - at) - done >= STEP && room - done >= STEP) {
        const __m128i *from = (const __m128i *)(const void *)(at + done);
        __m128i low = _mm_loadu_si128(from);
        __m128i high = _mm_loadu_si128(from + 1);
        __m128i rest = _mm_and_si128(_mm_or_si128(low, high), not_ascii);

        if (_mm_movemask_epi8(_mm_cmpeq_epi16(rest, zero)) != 0xFFFF)
            break;
        _mm_storeu_si128((__m128i *)(void *)(to + done), _mm_packus_epi16(low, high));
        done += STEP;
    }
    return done;
}

/* The character at `at`; *ret_units says how many units it has. */
static uint32_t character(const uint16_t *at, const uint16_t *end, size_t *ret_units)
{
    uint32_t unit = *at;

    *ret_units = 1;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit;
    if (unit > 0xDBFF || at + 1 == end || at[1] < 0xDC00 || at[1] > 0xDFFF)
        return REPLACEMENT;
    *ret_units = 2;
    return 0x10000 + ((unit - 0xD800) << 10) + (at[1] - 0xDC00u);
}

static size_t length_of(uint32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static void write(uint32_t code, uint8_t *to, size_t bytes)
{
    static const uint8_t leads[] = { 0, 0, 0xC0, 0xE0, 0xF0 };

    for (size_t i = bytes - 1; i > 0; i--) {
        to[i] = (uint8_t)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    to[0] = (uint8_t)(leads[bytes] | code);
}

size_t utf_8_encode(const uint16_t **at, const uint16_t *end, uint8_t *to, size_t room)
{
    const uint16_t *from = *at;
    size_t done = 0;

    while (from < end) {
        size_t ascii = copy_ascii(from, end, to + done, room - done);
        size_t units;
        uint32_t code;
        size_t bytes;

        from += ascii;
        done += ascii;
        /* What stopped it, and the rest of those 16. */
        for (const uint16_t *stop = end - from > STEP ? from + STEP : end; from < stop;
             from += units, done += bytes) {
            code = character(from, end, &units);
            bytes = length_of(code);
            if (bytes > room - done) {
                *at = from;
                return done;
            }
            write(code, to + done, bytes);
        }
    }
    *at = from;
    return done;
}
