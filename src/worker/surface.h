/* The surface beside the core: chunks of runtime/surface, and their globals, which the
 * program's realm gets when its text needs them. Includes the engine. */
#ifndef CM_WORKER_SURFACE_H
#define CM_WORKER_SURFACE_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct worker;

enum {
    SURFACE_ROWS = 0
#define CM_GLOBAL(name, installed)
#define CM_LAZY(name, chunk, kind) +1
#include "tables/globals.def"
#undef CM_LAZY
#undef CM_GLOBAL
};

/* What texts can reach. All zero: nothing. */
struct surface_found {
    uint8_t wanted[SURFACE_ROWS]; /* enum surface_want of each row */
    bool patches;                 /* they may replace what the language has */
};

/* What a realm has of it. All zero: nothing. */
struct surface {
    struct surface_found found; /* of the texts that are evaluated in it */
    uint8_t given[SURFACE_ROWS];
    JSObjectRef load; /* functions of runtime/surface/base.js, protected; NULL before */
    JSObjectRef lazy;
    JSObjectRef use;
    JSObjectRef prepare;
    JSObjectRef intrinsics; /* what chunks take of the realm, protected; NULL: from the realm */
};

/* Adds what `text` can reach to `found`. */
void surface_scan(struct surface_found *found, const char *text, size_t bytes);

/* Adds what was found in a text that is to be evaluated next. */
void surface_add(struct surface *surface, const struct surface_found *found);

/* Whether surface_install() has something to do. */
bool surface_lacks(const struct surface *surface);

/* Installs what is noted; `core` is the object that runtime/core.js gave. Negative
 * when the engine has no memory for it. */
int surface_install(struct surface *surface, JSContextRef ctx, struct worker *worker,
                    JSObjectRef core);

/* Evaluates the chunk of this name with `internals` as its `this`. NULL, and
 * *exception is set, when that throws; NULL alone when there is no such chunk. */
JSValueRef surface_chunk(JSContextRef ctx, const char *name, JSValueRef internals,
                         JSValueRef *exception);

/* What the chunk of this name exports, evaluated now where it has not been. NULL
 * where the engine has no memory for it. */
JSObjectRef surface_use(struct surface *surface, JSContextRef ctx, struct worker *worker,
                        JSObjectRef core, const char *name);

/* Evaluates every chunk in a realm that waits for its program; a program that needs one
 * finds it made, and any other finds nothing. Negative when the engine has no memory
 * for it. */
int surface_prepare(struct surface *surface, JSContextRef ctx, struct worker *worker,
                    JSObjectRef core);

/* Number `index` of what chunks take of the language, as it was before a program
 * could replace it. NULL where there is no such number. */
JSValueRef surface_intrinsic(const struct surface *surface, JSContextRef ctx, size_t index,
                             JSValueRef *exception);

void surface_done(struct surface *surface, JSContextRef ctx);

#endif
