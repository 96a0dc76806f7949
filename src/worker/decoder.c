/* Runs in a worker; bytes and labels are the program's. The steps of encodings of
 * several bytes a character are in decoder_pairs.c. */
#include "worker/decoder.h"

#include "base/cleanup.h"
#include "worker/decoder_step.h"

#include <emmintrin.h>
#include <string.h>
#include <strings.h>

enum { BOM = 0xFEFF };

/* ---- Unicode ---- */

/* `first`: bytes that are to come; `second`: that have come. */
static void step_utf_8_lead(struct decoder *decoder, int byte)
{
    decoder->lower = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    decoder->upper = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    decoder->second = 0;
    if (byte < 0x80) {
        step_put(decoder, (uint32_t)byte);
    } else if (step_in_range(byte, 0xC2, 0xDF)) {
        decoder->first = 1;
        decoder->code = byte & 0x1F;
    } else if (step_in_range(byte, 0xE0, 0xEF)) {
        decoder->first = 2;
        decoder->code = byte & 0xF;
    } else if (step_in_range(byte, 0xF0, 0xF4)) {
        decoder->first = 3;
        decoder->code = byte & 0x7;
    } else {
        step_fail(decoder);
    }
}

static void step_utf_8(struct decoder *decoder, int byte)
{
    if (decoder->first == 0) {
        if (byte != STEP_END)
            step_utf_8_lead(decoder, byte);
        return;
    }
    if (!step_in_range(byte, decoder->lower, decoder->upper)) {
        decoder->first = 0;
        if (byte != STEP_END)
            step_give_back(decoder, byte);
        step_fail(decoder);
        return;
    }
    decoder->lower = 0x80;
    decoder->upper = 0xBF;
    decoder->code = decoder->code << 6 | (byte & 0x3F);
    if (++decoder->second == decoder->first) {
        decoder->first = 0;
        step_put(decoder, decoder->code);
    }
}

/* `first`: a lead byte (`second`) or a lead surrogate (`code`) waits. */
enum { LEAD_BYTE = 1, LEAD_SURROGATE = 2 };

static void utf_16_unit(struct decoder *decoder, int high, int low, bool big)
{
    uint32_t unit = (uint32_t)(high << 8 | low);

    if ((decoder->first & LEAD_SURROGATE) != 0) {
        decoder->first = 0;
        if (unit >= 0xDC00 && unit <= 0xDFFF) {
            step_put(decoder, 0x10000 + ((decoder->code - 0xD800) << 10) + (unit - 0xDC00));
            return;
        }
        step_give_back(decoder, big ? low : high);
        step_give_back(decoder, big ? high : low);
        step_fail(decoder);
        return;
    }
    decoder->first = 0;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        decoder->first = LEAD_SURROGATE;
        decoder->code = unit;
    } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
        step_fail(decoder);
    } else {
        step_put(decoder, unit);
    }
}

static void step_utf_16(struct decoder *decoder, int byte, bool big)
{
    if (byte == STEP_END) {
        if (decoder->first != 0) {
            decoder->first = 0;
            step_fail(decoder);
        }
    } else if ((decoder->first & LEAD_BYTE) == 0) {
        decoder->first |= LEAD_BYTE;
        decoder->second = (uint8_t)byte;
    } else {
        decoder->first &= ~LEAD_BYTE;
        utf_16_unit(decoder, big ? decoder->second : byte, big ? byte : decoder->second, big);
    }
}

static void step_utf_16le(struct decoder *decoder, int byte)
{
    step_utf_16(decoder, byte, false);
}

static void step_utf_16be(struct decoder *decoder, int byte)
{
    step_utf_16(decoder, byte, true);
}

/* ---- one byte a character ---- */

static const struct encoding_index *const indexes[] = {
#define CM_ENCODING(id, name, decoder, index) &encoding_index_##index,
#include "tables/encodings.def"
#undef CM_ENCODING
};

static void step_single_byte(struct decoder *decoder, int byte)
{
    uint32_t unit;

    if (byte == STEP_END)
        return;
    unit = byte < 0x80 ? (uint32_t)byte : step_look_up(indexes[decoder->encoding], byte - 0x80);
    if (unit == 0 && byte != 0)
        step_fail(decoder);
    else
        step_put(decoder, unit);
}

static void step_x_user_defined(struct decoder *decoder, int byte)
{
    if (byte != STEP_END)
        step_put(decoder, (uint32_t)(byte < 0x80 ? byte : 0xF780 + byte - 0x80));
}

/* ---- labels ---- */

static const struct {
    const char *name;
    step_fn *step;
} rows[] = {
#define CM_ENCODING(id, name, decoder, index) { name, step_##decoder },
#include "tables/encodings.def"
#undef CM_ENCODING
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static int compare_label(const char *label, size_t bytes, const char *row)
{
    size_t row_bytes = strlen(row);
    int order = strncasecmp(label, row, bytes < row_bytes ? bytes : row_bytes);

    if (order != 0 || bytes == row_bytes)
        return order;
    return bytes < row_bytes ? -1 : 1;
}

int decoder_find(const char *label, size_t bytes)
{
    size_t low = 0;
    size_t high = encoding_label_count;

    while (bytes > 0 && is_space(label[0])) {
        label++;
        bytes--;
    }
    while (bytes > 0 && is_space(label[bytes - 1]))
        bytes--;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_label(label, bytes, encoding_labels[middle].label);

        if (order == 0)
            return encoding_labels[middle].id;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

const char *decoder_name(enum encoding_id encoding)
{
    return rows[encoding].name;
}

/* ---- decoding ---- */

/* Copies ASCII until something else comes, most of it 16 bytes at a time. */
static const uint8_t *copy_ascii(struct decoder *decoder, const uint8_t *at, const uint8_t *end)
{
    const __m128i zero = _mm_setzero_si128();
    uint16_t *to = decoder->to;

    while (end - at >= 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);

        if (_mm_movemask_epi8(bytes) != 0)
            break;
        _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi8(bytes, zero));
        _mm_storeu_si128((__m128i *)(void *)(to + 8), _mm_unpackhi_epi8(bytes, zero));
        at += 16;
        to += 16;
    }
    while (at < end && *at < 0x80)
        *to++ = *at++;
    decoder->to = to;
    return at;
}

static bool is_trail(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Decodes characters of two and three bytes that are whole and well-formed, and
 * ASCII between them. What is left begins with something rarer. */
static const uint8_t *copy_utf_8(struct decoder *decoder, const uint8_t *at, const uint8_t *end)
{
    uint16_t *to = decoder->to;

    while (end - at >= 3) {
        uint32_t code;

        if (at[0] < 0x80) {
            *to++ = *at++;
            continue;
        }
        if (at[0] >= 0xC2 && at[0] < 0xE0 && is_trail(at[1])) {
            *to++ = (uint16_t)((at[0] & 0x1F) << 6 | (at[1] & 0x3F));
            at += 2;
            continue;
        }
        if ((at[0] & 0xF0) != 0xE0 || !is_trail(at[1]) || !is_trail(at[2]))
            break;
        code = (uint32_t)((at[0] & 0xF) << 12 | (at[1] & 0x3F) << 6 | (at[2] & 0x3F));
        if (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))
            break;
        *to++ = (uint16_t)code;
        at += 3;
    }
    decoder->to = to;
    return at;
}

/* What needs no look at the state of a decoder that is between characters. */
static const uint8_t *copy_plain(struct decoder *decoder, const uint8_t *at, const uint8_t *end)
{
    if (decoder->first != 0 || decoder->back_count != 0)
        return at;
    switch (decoder->encoding) {
    case ENCODING_utf_16le:
    case ENCODING_utf_16be:
    case ENCODING_iso_2022_jp:
        return at; /* ASCII is something else there */
    case ENCODING_utf_8:
        return copy_utf_8(decoder, copy_ascii(decoder, at, end), end);
    default:
        return copy_ascii(decoder, at, end);
    }
}

static void decode(struct decoder *decoder, const uint8_t *at, const uint8_t *end, bool last)
{
    step_fn *step = rows[decoder->encoding].step;

    while (!decoder->failed) {
        at = copy_plain(decoder, at, end);
        if (decoder->back_count > 0) {
            step(decoder, decoder->back[--decoder->back_count]);
        } else if (at < end) {
            step(decoder, *at++);
        } else {
            if (last)
                step(decoder, STEP_END);
            if (decoder->back_count == 0)
                return;
        }
    }
}

void decoder_init(struct decoder *decoder, enum encoding_id encoding, bool fatal, bool ignore_bom)
{
    *decoder = (struct decoder){ .encoding = encoding, .fatal = fatal, .ignore_bom = ignore_bom };
}

ptrdiff_t decoder_decode(struct decoder *decoder, const uint8_t *from, size_t bytes, bool last,
                         uint16_t *to)
{
    ptrdiff_t units;

    decoder->to = to;
    decode(decoder, from, from + bytes, last);
    units = decoder->failed ? -1 : decoder->to - to;
    if (units > 0 && !decoder->started) {
        bool has_bom = decoder->encoding <= ENCODING_utf_16be && to[0] == BOM;

        decoder->started = true;
        if (has_bom && !decoder->ignore_bom)
            memmove(to, to + 1, (size_t)--units * sizeof(*to));
    }
    if (last || decoder->failed)
        decoder_init(decoder, decoder->encoding, decoder->fatal, decoder->ignore_bom);
    return units;
}
