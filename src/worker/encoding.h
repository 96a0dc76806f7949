/*
 * Labels and indexes of the Encoding Standard. The rows are in
 * src/tables/encodings.def; labels and indexes are written when the worker is
 * built (scripts/gen-encodings.mjs).
 */
#ifndef CM_WORKER_ENCODING_H
#define CM_WORKER_ENCODING_H

#include <stddef.h>
#include <stdint.h>

enum encoding_id {
#define CM_ENCODING(id, name, decoder, index) ENCODING_##id,
#include "tables/encodings.def"
#undef CM_ENCODING
    ENCODING_COUNT
};

struct encoding_label {
    const char *label; /* in lower case; the rows are sorted by it */
    enum encoding_id id;
};

/* UTF-16 units by pointer; 0 where a pointer has no character. The pointer of a
 * single byte is what it exceeds 0x80 by. */
struct encoding_index {
    size_t count;
    const uint16_t *units;
};

/* From this pointer on, pointers and code points go up together. */
struct encoding_range {
    uint32_t pointer;
    uint32_t code;
};

extern const struct encoding_label encoding_labels[];
extern const size_t encoding_label_count;

#define CM_ENCODING(id, name, decoder, index) \
    extern const struct encoding_index encoding_index_##index;
#include "tables/encodings.def"
#undef CM_ENCODING
extern const struct encoding_index encoding_index_jis0212;
extern const struct encoding_index encoding_index_big5_second; /* 0: there is no second unit */
extern const struct encoding_range encoding_ranges[];          /* of gb18030's four bytes */
extern const size_t encoding_range_count;

#endif
