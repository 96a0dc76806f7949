/* Sentences and numbers as text. No I/O. */
#ifndef CM_BASE_TEXT_H
#define CM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of src/tables/messages.def. */
enum cm_message {
#define CM_MESSAGE(name, text) CM_MSG_##name,
#include "tables/messages.def"
#undef CM_MESSAGE
    CM_MSG_COUNT
};

enum { CM_NUMBER_CHARS = 32 };

/* A number as it stands in a sentence. */
struct cm_number {
    char text[CM_NUMBER_CHARS];
};

/* 33554432 as "33,554,432". */
struct cm_number cm_number_grouped(uint64_t value);

/* 300 as "300", 0.5 as "0.5": the run clock's own form, never grouped. */
struct cm_number cm_number_plain(double value);

/* The row's text as it is, with its {} in place. */
const char *cm_message_text(enum cm_message message);

/*
 * Writes the row's sentence with its {} replaced by `args`, in order; NULL ends
 * them. Of "[one|many]" it writes "one" where the argument before is "1". Always
 * ends with a NUL when cap > 0 and returns the length that the whole sentence has,
 * as snprintf() does. What does not fit is cut at the start of a UTF-8 character.
 */
size_t cm_message_write(char *to, size_t cap, enum cm_message message, ...)
    __attribute__((sentinel));

/* The same in memory of the caller's (free()); NULL without memory. */
char *cm_message_new(enum cm_message message, ...) __attribute__((sentinel));

/* Decimal digits only, the whole text. */
bool cm_parse_u64(const char *text, uint64_t *ret_value);

/* Whether n bytes are well-formed UTF-8. */
bool cm_utf8_valid(const void *bytes, size_t n);

#endif
