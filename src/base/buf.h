/* A growing byte buffer with a bound. Single owner, no thread rules. */
#ifndef CM_BASE_BUF_H
#define CM_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

struct cm_buf {
    uint8_t *data; /* what has not been consumed begins at data + start */
    size_t start;
    size_t len; /* from start; start + len <= cap <= max, always */
    size_t cap;
    size_t max; /* given to cm_buf_init(): no buffer is unbounded */
};

void cm_buf_init(struct cm_buf *buf, size_t max);

/* Frees the bytes; the buffer stays usable with the same bound. */
void cm_buf_done(struct cm_buf *buf);

/* Makes room for n more bytes behind the present ones. CM_E_LIMIT, CM_E_NOMEM;
 * the buffer is then as it was. */
int cm_buf_reserve(struct cm_buf *buf, size_t n);

/* Has the first n bytes of the room that is there backed by memory at once, which costs
 * about half of a page fault for each page. For what is about to be written; without effect
 * on a few pages, and where the kernel cannot (before Linux 5.14). */
void cm_buf_populate(const struct cm_buf *buf, size_t n);

/* Copies n bytes to the end. Errors as cm_buf_reserve(). */
int cm_buf_append(struct cm_buf *buf, const void *bytes, size_t n);

/* Drops the first n bytes (at most len). O(1). */
void cm_buf_consume(struct cm_buf *buf, size_t n);

/* NULL as long as nothing has been reserved. */
static inline uint8_t *cm_buf_bytes(const struct cm_buf *buf)
{
    return buf->data == NULL ? NULL : buf->data + buf->start;
}

/* Room behind the bytes that cm_buf_reserve() has made. */
static inline uint8_t *cm_buf_tail(const struct cm_buf *buf)
{
    return buf->data + buf->start + buf->len;
}

static inline size_t cm_buf_room(const struct cm_buf *buf)
{
    return buf->cap - buf->start - buf->len;
}

#endif
