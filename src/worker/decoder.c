/* Runs in a worker; bytes and labels are the program's. Each step function is the
 * handler of one decoder of the Encoding Standard: it takes one byte, or END, and
 * may give bytes back that are to be read once more. */
#include "worker/decoder.h"

#include "base/cleanup.h"

#include <emmintrin.h>
#include <string.h>
#include <strings.h>

enum { END = -1, REPLACEMENT = 0xFFFD, BOM = 0xFEFF };

typedef void step_fn(struct decoder *decoder, int byte);

/* ---- what step functions do ---- */

static void put(struct decoder *decoder, uint32_t code)
{
    if (code > 0xFFFF) {
        *decoder->to++ = (uint16_t)(0xD7C0 + (code >> 10));
        code = 0xDC00 + (code & 0x3FF);
    }
    *decoder->to++ = (uint16_t)code;
}

static void fail(struct decoder *decoder)
{
    if (decoder->fatal)
        decoder->failed = true;
    else
        put(decoder, REPLACEMENT);
}

static void give_back(struct decoder *decoder, int byte)
{
    decoder->back[decoder->back_count++] = (uint8_t)byte;
}

static bool in_range(int byte, int low, int high)
{
    return byte >= low && byte <= high;
}

/* A lead byte without a character: an ASCII byte after it counts for itself. */
static void fail_pair(struct decoder *decoder, int byte)
{
    if (in_range(byte, 0, 0x7F))
        give_back(decoder, byte);
    fail(decoder);
}

static uint32_t look_up(const struct encoding_index *index, int pointer)
{
    return pointer >= 0 && (size_t)pointer < index->count ? index->units[pointer] : 0;
}

static int take_lead(struct decoder *decoder)
{
    int lead = decoder->first;

    decoder->first = 0;
    return lead;
}

/* ---- Unicode ---- */

/* `first`: bytes that are to come; `second`: that have come. */
static void step_utf_8_lead(struct decoder *decoder, int byte)
{
    decoder->lower = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    decoder->upper = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    decoder->second = 0;
    if (byte < 0x80) {
        put(decoder, (uint32_t)byte);
    } else if (in_range(byte, 0xC2, 0xDF)) {
        decoder->first = 1;
        decoder->code = byte & 0x1F;
    } else if (in_range(byte, 0xE0, 0xEF)) {
        decoder->first = 2;
        decoder->code = byte & 0xF;
    } else if (in_range(byte, 0xF0, 0xF4)) {
        decoder->first = 3;
        decoder->code = byte & 0x7;
    } else {
        fail(decoder);
    }
}

static void step_utf_8(struct decoder *decoder, int byte)
{
    if (decoder->first == 0) {
        if (byte != END)
            step_utf_8_lead(decoder, byte);
        return;
    }
    if (!in_range(byte, decoder->lower, decoder->upper)) {
        decoder->first = 0;
        if (byte != END)
            give_back(decoder, byte);
        fail(decoder);
        return;
    }
    decoder->lower = 0x80;
    decoder->upper = 0xBF;
    decoder->code = decoder->code << 6 | (byte & 0x3F);
    if (++decoder->second == decoder->first) {
        decoder->first = 0;
        put(decoder, decoder->code);
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
            put(decoder, 0x10000 + ((decoder->code - 0xD800) << 10) + (unit - 0xDC00));
            return;
        }
        give_back(decoder, big ? low : high);
        give_back(decoder, big ? high : low);
        fail(decoder);
        return;
    }
    decoder->first = 0;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        decoder->first = LEAD_SURROGATE;
        decoder->code = unit;
    } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
        fail(decoder);
    } else {
        put(decoder, unit);
    }
}

static void step_utf_16(struct decoder *decoder, int byte, bool big)
{
    if (byte == END) {
        if (decoder->first != 0) {
            decoder->first = 0;
            fail(decoder);
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

    if (byte == END)
        return;
    unit = byte < 0x80 ? (uint32_t)byte : look_up(indexes[decoder->encoding], byte - 0x80);
    if (unit == 0 && byte != 0)
        fail(decoder);
    else
        put(decoder, unit);
}

static void step_x_user_defined(struct decoder *decoder, int byte)
{
    if (byte != END)
        put(decoder, (uint32_t)(byte < 0x80 ? byte : 0xF780 + byte - 0x80));
}

/* ---- Chinese and Korean ---- */

/* The code point of four bytes' pointer; 0 when it has none. */
static uint32_t gb18030_code(uint32_t pointer)
{
    size_t i = encoding_range_count;

    if ((pointer > 39419 && pointer < 189000) || pointer > 1237575)
        return 0;
    if (pointer == 7457)
        return 0xE7C7;
    while (i > 1 && encoding_ranges[i - 1].pointer > pointer)
        i--;
    return encoding_ranges[i - 1].code + pointer - encoding_ranges[i - 1].pointer;
}

static void gb18030_fourth(struct decoder *decoder, int byte)
{
    int first = take_lead(decoder);
    int second = decoder->second;
    int third = decoder->third;
    uint32_t code = 0;

    decoder->second = decoder->third = 0;
    if (byte == END) {
        fail(decoder);
        return;
    }
    if (!in_range(byte, 0x30, 0x39)) {
        give_back(decoder, byte);
        give_back(decoder, third);
        give_back(decoder, second);
        fail(decoder);
        return;
    }
    code = gb18030_code((uint32_t)(((first - 0x81) * 10 + second - 0x30) * 1260 +
                                   (third - 0x81) * 10 + byte - 0x30));
    if (code == 0)
        fail(decoder);
    else
        put(decoder, code);
}

static void gb18030_third(struct decoder *decoder, int byte)
{
    if (in_range(byte, 0x81, 0xFE)) {
        decoder->third = (uint8_t)byte;
        return;
    }
    if (byte != END) {
        give_back(decoder, byte);
        give_back(decoder, decoder->second);
    }
    decoder->first = decoder->second = 0;
    fail(decoder);
}

static void gb18030_second(struct decoder *decoder, int byte)
{
    uint32_t unit = 0;
    int lead;

    if (in_range(byte, 0x30, 0x39)) {
        decoder->second = (uint8_t)byte;
        return;
    }
    lead = take_lead(decoder);
    if (in_range(byte, 0x40, 0x7E) || in_range(byte, 0x80, 0xFE))
        unit = look_up(indexes[decoder->encoding],
                       (lead - 0x81) * 190 + byte - (byte < 0x7F ? 0x40 : 0x41));
    if (unit == 0)
        fail_pair(decoder, byte);
    else
        put(decoder, unit);
}

static void step_gb18030(struct decoder *decoder, int byte)
{
    if (decoder->third != 0)
        gb18030_fourth(decoder, byte);
    else if (decoder->second != 0)
        gb18030_third(decoder, byte);
    else if (decoder->first != 0)
        gb18030_second(decoder, byte);
    else if (in_range(byte, 0, 0x7F))
        put(decoder, (uint32_t)byte);
    else if (byte == 0x80)
        put(decoder, 0x20AC);
    else if (in_range(byte, 0x81, 0xFE))
        decoder->first = (uint8_t)byte;
    else if (byte != END)
        fail(decoder);
}

static void step_big5(struct decoder *decoder, int byte)
{
    int pointer = -1;
    uint32_t unit;
    int lead;

    if (decoder->first == 0) {
        if (in_range(byte, 0, 0x7F))
            put(decoder, (uint32_t)byte);
        else if (in_range(byte, 0x81, 0xFE))
            decoder->first = (uint8_t)byte;
        else if (byte != END)
            fail(decoder);
        return;
    }
    lead = take_lead(decoder);
    if (in_range(byte, 0x40, 0x7E) || in_range(byte, 0xA1, 0xFE))
        pointer = (lead - 0x81) * 157 + byte - (byte < 0x7F ? 0x40 : 0x62);
    unit = look_up(&encoding_index_big5, pointer);
    if (unit == 0) {
        fail_pair(decoder, byte);
        return;
    }
    put(decoder, unit);
    unit = look_up(&encoding_index_big5_second, pointer);
    if (unit != 0)
        put(decoder, unit);
}

static void step_euc_kr(struct decoder *decoder, int byte)
{
    uint32_t unit = 0;
    int lead;

    if (decoder->first == 0) {
        if (in_range(byte, 0, 0x7F))
            put(decoder, (uint32_t)byte);
        else if (in_range(byte, 0x81, 0xFE))
            decoder->first = (uint8_t)byte;
        else if (byte != END)
            fail(decoder);
        return;
    }
    lead = take_lead(decoder);
    if (in_range(byte, 0x41, 0xFE))
        unit = look_up(&encoding_index_euc_kr, (lead - 0x81) * 190 + byte - 0x41);
    if (unit == 0)
        fail_pair(decoder, byte);
    else
        put(decoder, unit);
}

/* ---- Japanese ---- */

enum { HALFWIDTH_KATAKANA = 0xFF61 };

/* `second`: the lead byte follows 0x8F, so the index is JIS X 0212. */
static void euc_jp_trail(struct decoder *decoder, int byte)
{
    const struct encoding_index *index =
        decoder->second != 0 ? &encoding_index_jis0212 : &encoding_index_jis0208;
    int lead = take_lead(decoder);
    uint32_t unit = 0;

    if (lead == 0x8E && in_range(byte, 0xA1, 0xDF)) {
        put(decoder, (uint32_t)(HALFWIDTH_KATAKANA + byte - 0xA1));
        return;
    }
    if (lead == 0x8F && in_range(byte, 0xA1, 0xFE)) {
        decoder->first = (uint8_t)byte;
        decoder->second = 1;
        return;
    }
    decoder->second = 0;
    if (in_range(lead, 0xA1, 0xFE) && in_range(byte, 0xA1, 0xFE))
        unit = look_up(index, (lead - 0xA1) * 94 + byte - 0xA1);
    if (unit == 0)
        fail_pair(decoder, byte);
    else
        put(decoder, unit);
}

static void step_euc_jp(struct decoder *decoder, int byte)
{
    if (decoder->first != 0)
        euc_jp_trail(decoder, byte);
    else if (in_range(byte, 0, 0x7F))
        put(decoder, (uint32_t)byte);
    else if (byte == 0x8E || byte == 0x8F || in_range(byte, 0xA1, 0xFE))
        decoder->first = (uint8_t)byte;
    else if (byte != END)
        fail(decoder);
}

static void shift_jis_trail(struct decoder *decoder, int byte)
{
    int lead = take_lead(decoder);
    uint32_t unit = 0;

    if (in_range(byte, 0x40, 0x7E) || in_range(byte, 0x80, 0xFC)) {
        int pointer =
            (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + byte - (byte < 0x7F ? 0x40 : 0x41);

        if (in_range(pointer, 8836, 10715))
            unit = (uint32_t)(0xE000 - 8836 + pointer);
        else
            unit = look_up(&encoding_index_jis0208, pointer);
    }
    if (unit == 0)
        fail_pair(decoder, byte);
    else
        put(decoder, unit);
}

static void step_shift_jis(struct decoder *decoder, int byte)
{
    if (decoder->first != 0)
        shift_jis_trail(decoder, byte);
    else if (in_range(byte, 0, 0x80))
        put(decoder, (uint32_t)byte);
    else if (in_range(byte, 0xA1, 0xDF))
        put(decoder, (uint32_t)(HALFWIDTH_KATAKANA + byte - 0xA1));
    else if (in_range(byte, 0x81, 0x9F) || in_range(byte, 0xE0, 0xFC))
        decoder->first = (uint8_t)byte;
    else if (byte != END)
        fail(decoder);
}

/* `lower`: the state; `upper`: the state that output is in; `second`: the lead
 * byte; `third`: an escape sequence was the last thing. */
enum jp_state { JP_ASCII, JP_ROMAN, JP_KATAKANA, JP_LEAD, JP_TRAIL, JP_ESCAPE_START, JP_ESCAPE };

static void jp_single(struct decoder *decoder, int byte)
{
    decoder->third = 0;
    if (decoder->lower == JP_ROMAN && byte == 0x5C)
        put(decoder, 0xA5);
    else if (decoder->lower == JP_ROMAN && byte == 0x7E)
        put(decoder, 0x203E);
    else if (decoder->lower == JP_KATAKANA && in_range(byte, 0x21, 0x5F))
        put(decoder, (uint32_t)(HALFWIDTH_KATAKANA + byte - 0x21));
    else if (decoder->lower != JP_KATAKANA && byte < 0x80 && byte != 0x0E && byte != 0x0F)
        put(decoder, (uint32_t)byte);
    else
        fail(decoder);
}

static void jp_lead(struct decoder *decoder, int byte)
{
    decoder->third = 0;
    if (in_range(byte, 0x21, 0x7E)) {
        decoder->second = (uint8_t)byte;
        decoder->lower = JP_TRAIL;
    } else {
        fail(decoder);
    }
}

static void jp_trail(struct decoder *decoder, int byte)
{
    uint32_t unit = 0;

    decoder->lower = byte == 0x1B ? JP_ESCAPE_START : JP_LEAD;
    if (in_range(byte, 0x21, 0x7E))
        unit = look_up(&encoding_index_jis0208, (decoder->second - 0x21) * 94 + byte - 0x21);
    if (unit == 0)
        fail(decoder);
    else
        put(decoder, unit);
}

static void jp_escape_start(struct decoder *decoder, int byte)
{
    if (byte == 0x24 || byte == 0x28) {
        decoder->second = (uint8_t)byte;
        decoder->lower = JP_ESCAPE;
        return;
    }
    if (byte != END)
        give_back(decoder, byte);
    decoder->third = 0;
    decoder->lower = decoder->upper;
    fail(decoder);
}

static void jp_escape(struct decoder *decoder, int byte)
{
    static const struct {
        uint8_t lead;
        uint8_t byte;
        uint8_t state;
    } escapes[] = { { 0x28, 0x42, JP_ASCII },
                    { 0x28, 0x4A, JP_ROMAN },
                    { 0x28, 0x49, JP_KATAKANA },
                    { 0x24, 0x40, JP_LEAD },
                    { 0x24, 0x42, JP_LEAD } };
    bool again = decoder->third != 0;

    for (size_t i = 0; i < CM_ARRAY_LEN(escapes); i++) {
        if (escapes[i].lead != decoder->second || escapes[i].byte != byte)
            continue;
        decoder->lower = decoder->upper = escapes[i].state;
        decoder->third = 1;
        if (again)
            fail(decoder);
        return;
    }
    if (byte != END)
        give_back(decoder, byte);
    give_back(decoder, decoder->second);
    decoder->third = 0;
    decoder->lower = decoder->upper;
    fail(decoder);
}

static void step_iso_2022_jp(struct decoder *decoder, int byte)
{
    if (byte == 0x1B && decoder->lower < JP_TRAIL)
        decoder->lower = JP_ESCAPE_START;
    else if (decoder->lower == JP_ESCAPE_START)
        jp_escape_start(decoder, byte);
    else if (decoder->lower == JP_ESCAPE)
        jp_escape(decoder, byte);
    else if (decoder->lower == JP_TRAIL)
        jp_trail(decoder, byte);
    else if (byte == END)
        return;
    else if (decoder->lower == JP_LEAD)
        jp_lead(decoder, byte);
    else
        jp_single(decoder, byte);
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
                step(decoder, END);
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
