/* The encodings of Chinese, Japanese and Korean. Runs in a worker; bytes are the
 * program's. */
#include "base/cleanup.h"
#include "worker/decoder_step.h"

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
    int first = step_take_lead(decoder);
    int second = decoder->second;
    int third = decoder->third;
    uint32_t code = 0;

    decoder->second = decoder->third = 0;
    if (byte == STEP_END) {
        step_fail(decoder);
        return;
    }
    if (!step_in_range(byte, 0x30, 0x39)) {
        step_give_back(decoder, byte);
        step_give_back(decoder, third);
        step_give_back(decoder, second);
        step_fail(decoder);
        return;
    }
    code = gb18030_code((uint32_t)(((first - 0x81) * 10 + second - 0x30) * 1260 +
                                   (third - 0x81) * 10 + byte - 0x30));
    if (code == 0)
        step_fail(decoder);
    else
        step_put(decoder, code);
}

static void gb18030_third(struct decoder *decoder, int byte)
{
    if (step_in_range(byte, 0x81, 0xFE)) {
        decoder->third = (uint8_t)byte;
        return;
    }
    if (byte != STEP_END) {
        step_give_back(decoder, byte);
        step_give_back(decoder, decoder->second);
    }
    decoder->first = decoder->second = 0;
    step_fail(decoder);
}

static void gb18030_second(struct decoder *decoder, int byte)
{
    uint32_t unit = 0;
    int lead;

    if (step_in_range(byte, 0x30, 0x39)) {
        decoder->second = (uint8_t)byte;
        return;
    }
    lead = step_take_lead(decoder);
    if (step_in_range(byte, 0x40, 0x7E) || step_in_range(byte, 0x80, 0xFE))
        unit = step_look_up(&encoding_index_gb18030,
                            (lead - 0x81) * 190 + byte - (byte < 0x7F ? 0x40 : 0x41));
    if (unit == 0)
        step_fail_pair(decoder, byte);
    else
        step_put(decoder, unit);
}

/* Where no byte is kept: ASCII, or the lead of a pair. */
static void first_of_pair(struct decoder *decoder, int byte)
{
    if (step_in_range(byte, 0, 0x7F))
        step_put(decoder, (uint32_t)byte);
    else if (step_in_range(byte, 0x81, 0xFE))
        decoder->first = (uint8_t)byte;
    else if (byte != STEP_END)
        step_fail(decoder);
}

void step_gb18030(struct decoder *decoder, int byte)
{
    if (decoder->third != 0)
        gb18030_fourth(decoder, byte);
    else if (decoder->second != 0)
        gb18030_third(decoder, byte);
    else if (decoder->first != 0)
        gb18030_second(decoder, byte);
    else if (byte == 0x80)
        step_put(decoder, 0x20AC);
    else
        first_of_pair(decoder, byte);
}

void step_big5(struct decoder *decoder, int byte)
{
    int pointer = -1;
    uint32_t unit;
    int lead;

    if (decoder->first == 0) {
        first_of_pair(decoder, byte);
        return;
    }
    lead = step_take_lead(decoder);
    if (step_in_range(byte, 0x40, 0x7E) || step_in_range(byte, 0xA1, 0xFE))
        pointer = (lead - 0x81) * 157 + byte - (byte < 0x7F ? 0x40 : 0x62);
    unit = step_look_up(&encoding_index_big5, pointer);
    if (unit == 0) {
        step_fail_pair(decoder, byte);
        return;
    }
    step_put(decoder, unit);
    unit = step_look_up(&encoding_index_big5_second, pointer);
    if (unit != 0)
        step_put(decoder, unit);
}

void step_euc_kr(struct decoder *decoder, int byte)
{
    uint32_t unit = 0;
    int lead;

    if (decoder->first == 0) {
        first_of_pair(decoder, byte);
        return;
    }
    lead = step_take_lead(decoder);
    if (step_in_range(byte, 0x41, 0xFE))
        unit = step_look_up(&encoding_index_euc_kr, (lead - 0x81) * 190 + byte - 0x41);
    if (unit == 0)
        step_fail_pair(decoder, byte);
    else
        step_put(decoder, unit);
}

/* ---- Japanese ---- */

enum { HALFWIDTH_KATAKANA = 0xFF61 };

/* `second`: the lead byte follows 0x8F, so the index is JIS X 0212. */
static void euc_jp_trail(struct decoder *decoder, int byte)
{
    const struct encoding_index *index =
        decoder->second != 0 ? &encoding_index_jis0212 : &encoding_index_jis0208;
    int lead = step_take_lead(decoder);
    uint32_t unit = 0;

    if (lead == 0x8E && step_in_range(byte, 0xA1, 0xDF)) {
        step_put(decoder, (uint32_t)(HALFWIDTH_KATAKANA + byte - 0xA1));
        return;
    }
    if (lead == 0x8F && step_in_range(byte, 0xA1, 0xFE)) {
        decoder->first = (uint8_t)byte;
        decoder->second = 1;
        return;
    }
    decoder->second = 0;
    if (step_in_range(lead, 0xA1, 0xFE) && step_in_range(byte, 0xA1, 0xFE))
        unit = step_look_up(index, (lead - 0xA1) * 94 + byte - 0xA1);
    if (unit == 0)
        step_fail_pair(decoder, byte);
    else
        step_put(decoder, unit);
}

void step_euc_jp(struct decoder *decoder, int byte)
{
    if (decoder->first != 0)
        euc_jp_trail(decoder, byte);
    else if (step_in_range(byte, 0, 0x7F))
        step_put(decoder, (uint32_t)byte);
    else if (byte == 0x8E || byte == 0x8F || step_in_range(byte, 0xA1, 0xFE))
        decoder->first = (uint8_t)byte;
    else if (byte != STEP_END)
        step_fail(decoder);
}

static void shift_jis_trail(struct decoder *decoder, int byte)
{
    int lead = step_take_lead(decoder);
    uint32_t unit = 0;

    if (step_in_range(byte, 0x40, 0x7E) || step_in_range(byte, 0x80, 0xFC)) {
        int pointer =
            (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + byte - (byte < 0x7F ? 0x40 : 0x41);

        if (step_in_range(pointer, 8836, 10715))
            unit = (uint32_t)(0xE000 - 8836 + pointer);
        else
            unit = step_look_up(&encoding_index_jis0208, pointer);
    }
    if (unit == 0)
        step_fail_pair(decoder, byte);
    else
        step_put(decoder, unit);
}

void step_shift_jis(struct decoder *decoder, int byte)
{
    if (decoder->first != 0)
        shift_jis_trail(decoder, byte);
    else if (step_in_range(byte, 0, 0x80))
        step_put(decoder, (uint32_t)byte);
    else if (step_in_range(byte, 0xA1, 0xDF))
        step_put(decoder, (uint32_t)(HALFWIDTH_KATAKANA + byte - 0xA1));
    else if (step_in_range(byte, 0x81, 0x9F) || step_in_range(byte, 0xE0, 0xFC))
        decoder->first = (uint8_t)byte;
    else if (byte != STEP_END)
        step_fail(decoder);
}

/* `lower`: the state; `upper`: the state that output is in; `second`: the lead
 * byte; `third`: an escape sequence was the last thing. */
enum jp_state { JP_ASCII, JP_ROMAN, JP_KATAKANA, JP_LEAD, JP_TRAIL, JP_ESCAPE_START, JP_ESCAPE };

static void jp_single(struct decoder *decoder, int byte)
{
    decoder->third = 0;
    if (decoder->lower == JP_ROMAN && byte == 0x5C)
        step_put(decoder, 0xA5);
    else if (decoder->lower == JP_ROMAN && byte == 0x7E)
        step_put(decoder, 0x203E);
    else if (decoder->lower == JP_KATAKANA && step_in_range(byte, 0x21, 0x5F))
        step_put(decoder, (uint32_t)(HALFWIDTH_KATAKANA + byte - 0x21));
    else if (decoder->lower != JP_KATAKANA && byte < 0x80 && byte != 0x0E && byte != 0x0F)
        step_put(decoder, (uint32_t)byte);
    else
        step_fail(decoder);
}

static void jp_lead(struct decoder *decoder, int byte)
{
    decoder->third = 0;
    if (step_in_range(byte, 0x21, 0x7E)) {
        decoder->second = (uint8_t)byte;
        decoder->lower = JP_TRAIL;
    } else {
        step_fail(decoder);
    }
}

static void jp_trail(struct decoder *decoder, int byte)
{
    uint32_t unit = 0;

    decoder->lower = byte == 0x1B ? JP_ESCAPE_START : JP_LEAD;
    if (step_in_range(byte, 0x21, 0x7E))
        unit = step_look_up(&encoding_index_jis0208, (decoder->second - 0x21) * 94 + byte - 0x21);
    if (unit == 0)
        step_fail(decoder);
    else
        step_put(decoder, unit);
}

static void jp_escape_start(struct decoder *decoder, int byte)
{
    if (byte == 0x24 || byte == 0x28) {
        decoder->second = (uint8_t)byte;
        decoder->lower = JP_ESCAPE;
        return;
    }
    if (byte != STEP_END)
        step_give_back(decoder, byte);
    decoder->third = 0;
    decoder->lower = decoder->upper;
    step_fail(decoder);
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
            step_fail(decoder);
        return;
    }
    if (byte != STEP_END)
        step_give_back(decoder, byte);
    step_give_back(decoder, decoder->second);
    decoder->third = 0;
    decoder->lower = decoder->upper;
    step_fail(decoder);
}

void step_iso_2022_jp(struct decoder *decoder, int byte)
{
    if (byte == 0x1B && decoder->lower < JP_TRAIL)
        decoder->lower = JP_ESCAPE_START;
    else if (decoder->lower == JP_ESCAPE_START)
        jp_escape_start(decoder, byte);
    else if (decoder->lower == JP_ESCAPE)
        jp_escape(decoder, byte);
    else if (decoder->lower == JP_TRAIL)
        jp_trail(decoder, byte);
    else if (byte == STEP_END)
        return;
    else if (decoder->lower == JP_LEAD)
        jp_lead(decoder, byte);
    else
        jp_single(decoder, byte);
}
