/*
 * What the step functions of decoder.c and decoder_pairs.c have in common. Each is
 * the handler of one decoder of the Encoding Standard: it takes one byte, or
 * STEP_END, and may give bytes back that are to be read once more.
 */
#ifndef CM_WORKER_DECODER_STEP_H
#define CM_WORKER_DECODER_STEP_H

#include "worker/decoder.h"

enum { STEP_END = -1, STEP_REPLACEMENT = 0xFFFD };

typedef void step_fn(struct decoder *decoder, int byte);

/* decoder_pairs.c: encodings of several bytes a character */
step_fn step_gb18030;
step_fn step_big5;
step_fn step_euc_kr;
step_fn step_euc_jp;
step_fn step_shift_jis;
step_fn step_iso_2022_jp;

static inline void step_put(struct decoder *decoder, uint32_t code)
{
    if (code > 0xFFFF) {
        *decoder->to++ = (uint16_t)(0xD7C0 + (code >> 10));
        code = 0xDC00 + (code & 0x3FF);
    }
    *decoder->to++ = (uint16_t)code;
}

static inline void step_fail(struct decoder *decoder)
{
    if (decoder->fatal)
        decoder->failed = true;
    else
        step_put(decoder, STEP_REPLACEMENT);
}

static inline void step_give_back(struct decoder *decoder, int byte)
{
    decoder->back[decoder->back_count++] = (uint8_t)byte;
}

static inline bool step_in_range(int byte, int low, int high)
{
    return byte >= low && byte <= high;
}

/* A lead byte without a character: an ASCII byte after it counts for itself. */
static inline void step_fail_pair(struct decoder *decoder, int byte)
{
    if (step_in_range(byte, 0, 0x7F))
        step_give_back(decoder, byte);
    step_fail(decoder);
}

static inline uint32_t step_look_up(const struct encoding_index *index, int pointer)
{
    return pointer >= 0 && (size_t)pointer < index->count ? index->units[pointer] : 0;
}

static inline int step_take_lead(struct decoder *decoder)
{
    int lead = decoder->first;

    decoder->first = 0;
    return lead;
}

#endif
