/* The compiler of programs and modules (runtime/compiler) in a realm of its own.
 * Includes the engine. */
#ifndef CM_WORKER_COMPILER_H
#define CM_WORKER_COMPILER_H

#include "base/buf.h"
#include "ipc/frame.h"

#include <JavaScriptCore/JavaScript.h>
#include <jsc/jsc.h>

struct isolate;
struct worker;

/* All zero: not open. */
struct compiler {
    JSGlobalContextRef ctx;
    JSObjectRef compile; /* protected */
    JSCContext *checker; /* NULL until a module is looked at */
};

/* That of the isolate (isolate.c). */
struct compiler *isolate_compiler(struct isolate *isolate);

/* For the life of the process. CM_E_NOMEM: the engine had no memory. */
int compiler_open(struct compiler *compiler, JSContextGroupRef group, struct worker *worker);

/* Puts what COMPILED says into `to`, without its head and with id 0. CM_E_NOMEM;
 * CM_E_LIMIT: it is larger than `to` may be. */
int compiler_compile(struct compiler *compiler, enum ipc_kind kind, const char *text,
                     bool typescript, struct cm_buf *to);

#endif
