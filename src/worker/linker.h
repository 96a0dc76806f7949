/* runtime/modules.js in the realm of a program, and what it finds read there: the
 * modules of the last program that had some. Includes the engine. */
#ifndef CM_WORKER_LINKER_H
#define CM_WORKER_LINKER_H

#include "worker/surface.h"

#include <JavaScriptCore/JavaScript.h>
#include <stddef.h>

struct module;
struct worker;

/* Of one of worker->usual_modules. */
struct lesson {
    JSValueRef code; /* the function that it was compiled to, protected; NULL: none */
    struct surface_found found;
};

/* All zero: nothing is there. */
struct linker {
    JSObjectRef run; /* what the script leaves: runs worker->modules; protected */
    struct lesson *lessons;
    size_t count;
};

/* Evaluates the script in a realm that waits for its program, and has it link a map of
 * ours until the engine has compiled what that runs through. CM_E_NOMEM. */
int linker_prepare(struct linker *linker, JSContextRef ctx, struct worker *worker);

/* Has worker->usual_modules read in a realm that waits for its program, which cannot
 * tell. Without memory for it less is read. */
void linker_learn(struct linker *linker, JSContextRef ctx, struct worker *worker);

/* What is known of a compiled module of worker->modules; NULL: nothing. */
const struct lesson *linker_find(const struct linker *linker, const struct worker *worker,
                                 const struct module *module);

#endif
