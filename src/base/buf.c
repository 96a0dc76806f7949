/* A growing byte buffer with a bound, read from the front. Runs in every
 * process of ours; lengths come from peers and are checked by subtraction. */
#include "base/buf.h"

#include "codemode/executor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_BYTES = 1024, PAGE_BYTES = 4096, POPULATE_BYTES = 8 * PAGE_BYTES };

void cm_buf_init(struct cm_buf *buf, size_t max)
{
    *buf = (struct cm_buf){ .max = max };
}

void cm_buf_done(struct cm_buf *buf)
{
    free(buf->data);
    cm_buf_init(buf, buf->max);
}

/* Growing doubles, so appending n bytes one at a time copies O(n) in all. */
static int grow(struct cm_buf *buf, size_t need)
{
    size_t cap = buf->cap > buf->max / 2 ? buf->max : buf->cap * 2;
    uint8_t *grown;

    if (cap < FIRST_BYTES && FIRST_BYTES <= buf->max)
        cap = FIRST_BYTES;
    if (cap < need)
        cap = need;
    grown = realloc(buf->data, cap);
    if (grown == NULL)
        return CM_E_NOMEM;
    buf->data = grown;
    buf->cap = cap;
    return 0;
}

int cm_buf_reserve(struct cm_buf *buf, size_t n)
{
    if (n > buf->max - buf->len) /* cannot wrap: len <= max */
        return CM_E_LIMIT;
    if (n <= cm_buf_room(buf))
        return 0;
    if (buf->start > 0) {
        memmove(buf->data, cm_buf_bytes(buf), buf->len);
        buf->start = 0;
    }
    return n <= cm_buf_room(buf) ? 0 : grow(buf, buf->len + n);
}

void cm_buf_populate(const struct cm_buf *buf, size_t n)
{
    const uintptr_t tail = (uintptr_t)cm_buf_tail(buf);
    const uintptr_t from = (tail + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
    const uintptr_t to = (tail + n) & ~(uintptr_t)(PAGE_BYTES - 1);

    if (n >= POPULATE_BYTES)
        (void)madvise((void *)from, to - from, MADV_POPULATE_WRITE);
}

int cm_buf_append(struct cm_buf *buf, const void *bytes, size_t n)
{
    int r = cm_buf_reserve(buf, n);

    if (r < 0)
        return r;
    if (n > 0)
        memcpy(cm_buf_tail(buf), bytes, n);
    buf->len += n;
    return 0;
}

void cm_buf_consume(struct cm_buf *buf, size_t n)
{
    buf->len -= n;
    buf->start = buf->len == 0 ? 0 : buf->start + n;
}
