/* JSON quoting. No engine, no I/O. */
#ifndef CM_WORKER_QUOTE_H
#define CM_WORKER_QUOTE_H

#include "base/buf.h"

/* Appends `count` UTF-16 units to `to` as they stand inside a JSON string, in
 * UTF-8, escaping what JSON.stringify() escapes: a surrogate without its other
 * half too. CM_E_NOMEM, CM_E_LIMIT: `to` is as it was. */
int quote_append(struct cm_buf *to, const uint16_t *units, size_t count);

#endif
