/*
 * The decoders of the Encoding Standard: bytes in any of its encodings to UTF-16,
 * in pieces of any size.
 */
#ifndef CM_WORKER_DECODER_H
#define CM_WORKER_DECODER_H

#include "worker/encoding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of earlier pieces may become units of this one. */
enum { DECODER_SLACK_UNITS = 8 };

struct decoder {
    enum encoding_id encoding;
    bool fatal;
    bool ignore_bom;
    bool started; /* the first unit has been looked at */
    bool failed;  /* an error while `fatal` */
    /* Of the character being read, as its step function needs it. No character is
     * being read when `first` is 0. */
    uint8_t first;
    uint8_t second;
    uint8_t third;
    uint8_t lower; /* UTF-8: what the next byte may be; ISO-2022-JP: states */
    uint8_t upper;
    uint32_t code;
    uint8_t back[4]; /* bytes to be read once more, the last one first */
    uint8_t back_count;
    uint16_t *to; /* where the next unit goes, during a call */
};

/* -1: no encoding has this label. Case and ASCII space around it do not count. */
int decoder_find(const char *label, size_t bytes);

/* "windows-1252" */
const char *decoder_name(enum encoding_id encoding);

/* A decoder at the start of a text. */
void decoder_init(struct decoder *decoder, enum encoding_id encoding, bool fatal, bool ignore_bom);

/*
 * Decodes `bytes` bytes to `to`, which has room for DECODER_SLACK_UNITS more units
 * than that. With `last` the text ends here, and the decoder is at the start of
 * another one. Returns the number of units; -1 when `fatal` and the bytes are
 * malformed: then it is at the start as well.
 */
ptrdiff_t decoder_decode(struct decoder *decoder, const uint8_t *from, size_t bytes, bool last,
                         uint16_t *to);

#endif
