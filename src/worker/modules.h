/* The modules of one run, as RUN brought them. No engine, no I/O. */
#ifndef CM_WORKER_MODULES_H
#define CM_WORKER_MODULES_H

#include "base/buf.h"
#include "ipc/frame.h"

struct module {
    enum ipc_kind kind;
    const char *name;
    const char *source; /* of what is not compiled */
    size_t source_bytes;
    struct ipc_compiled_body compiled; /* of the others */
};

/* All zero: the run has none. */
struct modules {
    struct cm_buf frame;    /* where the texts lie */
    const uint8_t *entries; /* in it, as they came */
    size_t entries_bytes;
    struct module *rows; /* the last one is the program */
    size_t count;
};

/* Takes `count` entries at `at` in the frame that `frame` holds; the buffer is
 * emptied by it. CM_E_NOMEM; CM_E_PEER when they are not well-formed: `frame` is as
 * it was. */
int modules_take(struct modules *modules, struct cm_buf *frame, const uint8_t *at, size_t bytes,
                 size_t count);

void modules_done(struct modules *modules);

bool modules_compiled(enum ipc_kind kind);

/* The column in the module's own text of a place in its compiled code; both are
 * counted from 1. */
unsigned modules_column(const struct module *module, unsigned line, unsigned column);

#endif
