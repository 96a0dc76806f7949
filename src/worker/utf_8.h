/* UTF-16 to UTF-8. */
#ifndef CM_WORKER_UTF_8_H
#define CM_WORKER_UTF_8_H

#include <stddef.h>
#include <stdint.h>

/* A unit becomes at most so many bytes. */
enum { UTF_8_BYTES_PER_UNIT = 3 };

/*
 * Encodes the units from *at to `end` and moves *at behind the last one that went
 * into the `room` bytes of `to`, which is never half a character. Half a surrogate
 * pair becomes U+FFFD. Returns the number of bytes.
 */
size_t utf_8_encode(const uint16_t **at, const uint16_t *end, uint8_t *to, size_t room);

#endif
