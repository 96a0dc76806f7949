/* Text, numbers and base64 as the wire has them. No state, no I/O. */
#ifndef CM_CAPNWEB_TEXT_H
#define CM_CAPNWEB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many of the n bytes come before the first that JSON text cannot hold inside
 * a string as it is: a quote, a backslash, a control below 0x20. */
size_t capnweb_text_plain(const char *text, size_t n);

enum { CAPNWEB_ESCAPE_MAX = 6 };

/* Writes n bytes as they stand in a JSON string, at most CAPNWEB_ESCAPE_MAX for each,
 * and gives the number written. */
size_t capnweb_text_escape(char *to, const char *text, size_t n);

/* The UTF-16 units of n bytes of well-formed UTF-8. */
size_t capnweb_text_units(const char *text, size_t n);

/* The bytes of the character that starts at `text`; 0 when none does. */
size_t capnweb_text_character(const char *text, size_t n);

/* Writes a code point as UTF-8, 1 to 4 bytes, and gives their number. */
size_t capnweb_text_put(char *to, uint32_t code);

enum { CAPNWEB_NUMBER_MAX = 40 };

/* A finite number as JavaScript writes it, with a NUL; its length. */
size_t capnweb_number_write(char to[CAPNWEB_NUMBER_MAX], double number);

/* The number that JSON text spells; the text goes on with something that ends it. */
double capnweb_number_read(const char *text, size_t n);

/* Characters of n bytes in base64 without padding. */
size_t capnweb_base64_chars(size_t n);
void capnweb_base64_write(char *to, const uint8_t *bytes, size_t n);

/* Decodes n characters (either alphabet, padded or not) to `to`, which may be the
 * same memory. False: this is not base64. */
bool capnweb_base64_read(uint8_t *to, const char *text, size_t n, size_t *ret_bytes);

#endif
