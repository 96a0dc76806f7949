/* The functions that runtime/ gets from C. Includes the engine: for the files
 * named in scripts/check-layers only. */
#ifndef CM_WORKER_NATIVES_H
#define CM_WORKER_NATIVES_H

#include "codemode/executor.h"

#include <JavaScriptCore/JavaScript.h>

#include "worker/parts.h"
#include <stdbool.h>

#include <stddef.h>
#include <stdint.h>

struct cm_buf;
struct isolate;
struct module;
struct worker;

/* One call of a native: what JavaScript gave. */
struct args {
    JSContextRef ctx;
    struct worker *worker;
    const JSValueRef *values;
    size_t count;
    JSValueRef *exception;
};

typedef JSValueRef native_fn(const struct args *args);

struct native_row {
    const char *name;
    JSObjectCallAsFunctionCallback call;
};

/*
 * The functions that a chunk of runtime/surface finds as `native.NAME`, made when
 * it asks. Each family is a row of src/tables/natives.def and a file
 * natives_NAME.c that defines natives_NAME. `direct`: its functions are
 * properties of `native` itself.
 */
struct native_family {
    const char *name;
    const struct native_row *rows;
    size_t count;
    int direct;
};

/* The engine tells a callback only the function object; what it is bound to is
 * that object's private data. For an X-macro list of (name, native_fn). */
#define NATIVE_CALLBACK(name, function)                                                           \
    static JSValueRef call_##name(JSContextRef ctx, JSObjectRef self, JSObjectRef receiver,       \
                                  size_t count, const JSValueRef values[], JSValueRef *exception) \
    {                                                                                             \
        struct args args = { ctx, JSObjectGetPrivate(self), values, count, exception };           \
                                                                                                  \
        (void)receiver;                                                                           \
        return function(&args);                                                                   \
    }
#define NATIVE_ROW(name, function) { #name, call_##name },

#define CM_NATIVES(name)           extern const struct native_family natives_##name;
#include "tables/natives.def"
#undef CM_NATIVES

/* A function of JavaScript's that calls `row`. */
JSObjectRef natives_function(JSContextRef ctx, struct worker *worker, const struct native_row *row);

/* Throws the engine's own error for a failed allocation; gives undefined. */
JSValueRef natives_out_of_memory(const struct args *args);

/* Evaluates a compiled module: the function that it is. NULL with *exception set where
 * it does not parse, without where there is no memory. */
JSValueRef natives_module(JSContextRef ctx, const struct module *module, JSValueRef *exception);

/* The functions of a family as one object. */
JSObjectRef natives_family(JSContextRef ctx, struct worker *worker,
                           const struct native_family *family);

/* The `native` object of the core: a function for each row of the table in
 * natives.c, bound to `worker`. NULL when the engine cannot. */
JSObjectRef natives_object(JSContextRef ctx, struct worker *worker);

/* The `texts` and `failures` objects of the core. */
JSObjectRef natives_texts(JSContextRef ctx);
JSObjectRef natives_failures(JSContextRef ctx);

/* What scripts of ours outside the core get: the core's `texts`, and the families
 * as properties of one object. */
JSObjectRef natives_families(JSContextRef ctx, struct worker *worker);

/* What the part gave, evaluated now when it has not been (isolate.c). NULL when the
 * engine has no memory for it. */
JSObjectRef isolate_part(struct isolate *isolate, enum part part);

/* Number `index` of what chunks of the surface take of the language (surface.h). */
JSValueRef isolate_intrinsic(struct isolate *isolate, size_t index, JSValueRef *exception);

/* The function that a compiled module of worker->modules is, as natives_module(), with
 * what its text needs of the surface installed. */
JSValueRef isolate_module(struct isolate *isolate, const struct module *module,
                          JSValueRef *exception);

/* The functions of runtime/rare.js, evaluated in a second realm of the isolate's
 * VM, which lives as long as it does (isolate.c). NULL when the engine cannot. */
JSObjectRef isolate_rare(struct isolate *isolate);

/* Takes the promise of the core that the run ends, before any microtask of it
 * (isolate.c). */
void isolate_driving(struct isolate *isolate, JSValueRef promise);

/* What the engine calls for a promise that rejected and that nobody handles
 * (isolate.c). */
void isolate_rejected(struct isolate *isolate, JSValueRef promise, JSValueRef reason);

/* Ends it with the message and stack that are arguments `first` and the next. */
void natives_end_with_error(const struct args *args, enum cm_failure failure, size_t first);

/* Ends the run from C: what native.done() does. `error` may be NULL. */
void natives_end(struct worker *worker, enum cm_failure failure, const char *error);

/* Calls a function of ours with what has come from outside. It throws only where
 * there is no memory or stack left, which ends the run (isolate.c). */
void isolate_call(struct isolate *isolate, JSObjectRef function, size_t count,
                  const JSValueRef *args);

/* Appends a value's text as UTF-8 without a NUL. CM_E_NOMEM, CM_E_LIMIT. */
int natives_append_text(JSContextRef ctx, JSValueRef value, struct cm_buf *to);

/* ---- headers and bodies (natives_message.c) ---- */

/* Of an array of ours. */
unsigned natives_length(JSContextRef ctx, JSObjectRef list);

/* Append to worker->scratch: a text with a NUL, whose length without it is told; and
 * an array of header names and values in turn, each with its NUL, up to what a frame
 * may have. CM_E_NOMEM, CM_E_LIMIT. */
int natives_append_string(const struct args *args, JSValueRef value, uint32_t *ret_bytes);
int natives_append_headers(const struct args *args, JSValueRef list, uint32_t *ret_count,
                           uint32_t *ret_bytes);

/* The memory of a Uint8Array; false, and nothing is told, for null. */
bool natives_body(JSContextRef ctx, JSValueRef value, const void **ret_bytes, uint64_t *ret_n);

/* `count` headers as they stand in a frame, as an array of names and values. */
JSValueRef natives_headers(JSContextRef ctx, const char *at, uint32_t count);

/* A property of an object of ours; exceptions cannot happen. */
void natives_set(JSContextRef ctx, JSObjectRef object, const char *name, JSValueRef value);

/* Such a property, which is an object. It lives as long as `object` has it; kept: until
 * JSValueUnprotect(). */
JSObjectRef natives_get(JSContextRef ctx, JSObjectRef object, const char *name);
JSObjectRef natives_get_kept(JSContextRef ctx, JSObjectRef object, const char *name);

JSValueRef natives_string(JSContextRef ctx, const char *text);

#endif
