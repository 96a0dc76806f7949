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
    size_t kept; /* number of the kept module that it is, name and all, from 1; 0: none */
};

/* All zero: the run has none. */
struct modules {
    struct cm_buf frame; /* where the texts lie of those that are not kept */
    struct module *rows; /* the last one is the program */
    size_t count;
};

/* Compiled modules that a worker keeps. */
struct kept_modules {
    struct module rows[IPC_KEEP_MAX];
    size_t count;
    uint8_t texts[IPC_KEEP_BYTES];
    size_t text_bytes;
};

/* Takes `count` entries at `at` in the frame that `frame` holds; the buffer is
 * emptied by it. CM_E_NOMEM; CM_E_PEER when they are not well-formed: `frame` is as
 * it was. */
int modules_take(struct modules *modules, const struct kept_modules *kept, struct cm_buf *frame,
                 const uint8_t *at, size_t bytes, size_t count);

void modules_done(struct modules *modules);

/* Copies `count` entries. CM_E_LIMIT; CM_E_PEER when they are not well-formed. */
int modules_keep(struct kept_modules *kept, const uint8_t *at, size_t bytes, size_t count);

bool modules_compiled(enum ipc_kind kind);

/* The column in the module's own text of a place in its compiled code; both are
 * counted from 1. */
unsigned modules_column(const struct module *module, unsigned line, unsigned column);

#endif
