/*
 * How bytes and texts cross between chunks of the surface and C. Includes the
 * engine: for natives_*.c only.
 *
 * C never takes the address of a program's buffer: the engine pins one whose
 * address was taken, and then it can no longer be transferred. A chunk copies what
 * it has, piece by piece, into the window, memory of C that it sees as a
 * Uint8Array, or passes a small Uint8Array of its own.
 */
#ifndef CM_WORKER_NATIVES_BYTES_H
#define CM_WORKER_NATIVES_BYTES_H

#include "base/buf.h"
#include "worker/natives.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WINDOW_BYTES = 65536 };

/* The same memory for every realm of the process. */
extern uint8_t bytes_window[WINDOW_BYTES];

/* Argument i as a whole number of 0 to `max`; what is anything else counts as 0. */
size_t natives_size(const struct args *args, size_t i, size_t max);

/* Argument i as a C string, cut to what fits. */
void natives_name(const struct args *args, size_t i, char *to, size_t cap);

/* The bytes of a Uint8Array that a chunk has made, of a buffer of its own; and of one
 * that is argument i. False when it is not one. */
bool natives_bytes(JSContextRef ctx, JSValueRef value, const uint8_t **ret_bytes, size_t *ret_len);
bool natives_bytes_at(const struct args *args, size_t i, const uint8_t **ret_bytes,
                      size_t *ret_len);

/* What `buf` holds, of which nothing has been consumed, as an ArrayBuffer or a
 * Uint8Array that owns it; `buf` is empty afterwards. Without memory adopt() gives null,
 * and give() throws. */
JSValueRef natives_adopt(JSContextRef ctx, struct cm_buf *buf, bool as_buffer);
JSValueRef natives_give(const struct args *args, struct cm_buf *buf, bool as_buffer);

/* A string of `count` UTF-16 units, which are overwritten; of as many bytes of the window,
 * a character each; and of UTF-8. Kept in one byte a character where that is possible,
 * the last where it is ASCII. */
JSValueRef natives_text(const struct args *args, uint16_t *units, size_t count);
JSValueRef natives_binary(const struct args *args, size_t count);
JSStringRef natives_utf_8(const char *text);

/* An object that stands for `data`: natives_held() gives it back, and `release`
 * ends it when the object dies. */
JSValueRef natives_hold(const struct args *args, JSClassRef class, void *data);
void *natives_held(const struct args *args, size_t i, JSClassRef class);

/* A class of such objects, made once a process. */
JSClassRef natives_class(JSObjectFinalizeCallback finalize);

#endif
