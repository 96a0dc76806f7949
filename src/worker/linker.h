/* runtime/modules.js in the realm of a program, and what it finds read there: the
 * modules of the last program that had some. Includes the engine. */
#ifndef CM_WORKER_LINKER_H
#define CM_WORKER_LINKER_H

#include "worker/surface.h"

#include <JavaScriptCore/JavaScript.h>
#include <stddef.h>

struct module;
struct worker;

/* Of a kept module. */
struct lesson {
    JSValueRef code; /* the function that it was compiled to, protected; NULL: none */
    struct surface_found found;
};

/* All zero: nothing is there. */
struct linker {
    JSObjectRef run;        /* what the script leaves: runs worker->modules; protected */
    struct lesson *lessons; /* IPC_KEEP_MAX of them; NULL: none */
};

/* Evaluates the script in a realm that waits for its program, and has it link a map of
 * ours until the engine has compiled what that runs through. CM_E_NOMEM. */
int linker_prepare(struct linker *linker, JSContextRef ctx, struct worker *worker);

/* Has the kept module of this index read in a realm that waits for its program, which
 * cannot tell. Without memory for it, it is not. */
void linker_learn(struct linker *linker, JSContextRef ctx, const struct worker *worker,
                  size_t index);

/* What is known of a module; NULL: nothing. */
const struct lesson *linker_find(const struct linker *linker, const struct module *module);

#endif
