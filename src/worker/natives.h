/* The functions that runtime/core.js gets from C. Includes the engine: for
 * isolate.c and natives.c only. */
#ifndef CM_WORKER_NATIVES_H
#define CM_WORKER_NATIVES_H

#include "codemode/executor.h"

#include <JavaScriptCore/JavaScript.h>

struct isolate;
struct worker;

/* The `native` object of the core: a function for each row of the table in
 * natives.c, bound to `worker`. NULL when the engine cannot. */
JSObjectRef natives_object(JSContextRef ctx, struct worker *worker);

/* The `texts` and `failures` objects of the core. */
JSObjectRef natives_texts(JSContextRef ctx);
JSObjectRef natives_failures(JSContextRef ctx);

/* The functions of runtime/rare.js, evaluated in a second realm of the isolate's
 * VM, which lives as long as it does (isolate.c). NULL when the engine cannot. */
JSObjectRef isolate_rare(struct isolate *isolate);

/* What the engine calls for a promise that rejected and that nobody handles
 * (isolate.c). */
void isolate_rejected(struct isolate *isolate, JSValueRef promise, JSValueRef reason);

/* Ends the run from C: what native.done() does. `error` may be NULL. */
void natives_end(struct worker *worker, enum cm_failure failure, const char *error);

/* A property of an object of ours; exceptions cannot happen. */
void natives_set(JSContextRef ctx, JSObjectRef object, const char *name, JSValueRef value);
JSValueRef natives_string(JSContextRef ctx, const char *text);

#endif
