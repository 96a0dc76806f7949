/* The scripts of src/tables/parts.def in a realm, and their hooks. Includes the
 * engine. */
#ifndef CM_WORKER_PARTS_H
#define CM_WORKER_PARTS_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>

struct worker;

enum part {
#define CM_PART(part) PART_##part,
#include "tables/parts.def"
    PARTS
};

/* What a realm has of them. All zero: nothing. */
struct parts {
    JSObjectRef given[PARTS]; /* what each gave, protected; NULL: not evaluated */
#define CM_PART_HOOK(part, name) JSObjectRef name;
#include "tables/parts.def"
};

/* The object that the part gave, evaluated now when it has not been. The core comes
 * first. NULL when the engine has no memory for it. */
JSObjectRef parts_get(struct parts *parts, JSContextRef ctx, struct worker *worker, enum part part);

/* Evaluates a script of ours with `given` as its `this`: as a function with parameters
 * the engine would parse it twice. NULL when the engine cannot. */
JSValueRef parts_evaluate(JSContextRef ctx, const char *script, JSObjectRef given);

/* What the core, and a script in another realm, is given: natives and texts. */
JSObjectRef parts_givens(JSContextRef ctx, struct worker *worker);

/* PARTS when there is none of this name. */
enum part parts_find(const char *name);

void parts_done(struct parts *parts, JSContextRef ctx);

#endif
