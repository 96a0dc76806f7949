/* What runtime/surface/base.js asks of the realm it is in. Runs in a worker, in
 * the middle of the program; a text to scan is the program's. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "worker/isolate.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"
#include "worker/surface.h"
#include "worker/worker.h"

#include <stdlib.h>
#include <time.h>

enum { CLOCK_STEP_NS = 5000 }; /* what performance tells of the clock */

/* Exported by the library, missing in its headers. */
extern JSObjectRef JSObjectGetProxyTarget(JSObjectRef object);

enum { NAME_BYTES = 64 };

/* chunk(name, internals): what the chunk exports */
static JSValueRef native_chunk(const struct args *args)
{
    char name[NAME_BYTES];
    JSValueRef exports;

    natives_name(args, 0, name, sizeof(name));
    if (name[0] == '\0')
        return natives_out_of_memory(args);
    exports = surface_chunk(args->ctx, name, args->values[1], args->exception);
    return exports != NULL ? exports : JSValueMakeUndefined(args->ctx);
}

/* intrinsic(number): what the language had under this number of build.mjs's */
static JSValueRef native_intrinsic(const struct args *args)
{
    size_t number = natives_size(args, 0, UINT32_MAX);
    JSValueRef value = isolate_intrinsic(args->worker->isolate, number, args->exception);

    return value != NULL ? value : JSValueMakeUndefined(args->ctx);
}

/* scan(text): `text` is going to be evaluated */
static JSValueRef native_scan(const struct args *args)
{
    JSStringRef string = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    size_t max = string == NULL ? 0 : JSStringGetMaximumUTF8CStringSize(string);
    char *text = string == NULL ? NULL : malloc(max);
    size_t written = text == NULL ? 0 : JSStringGetUTF8CString(string, text, max);

    if (string != NULL)
        JSStringRelease(string);
    if (text == NULL)
        return natives_out_of_memory(args);
    isolate_scan(args->worker->isolate, text, written - 1);
    free(text);
    return JSValueMakeUndefined(args->ctx);
}

/* now(): milliseconds since the realm's time origin, in steps */
static JSValueRef native_now(const struct args *args)
{
    uint64_t elapsed_ns = cm_now_ns() - args->worker->run_start_ns;

    return JSValueMakeNumber(args->ctx, (double)(elapsed_ns - elapsed_ns % CLOCK_STEP_NS) / 1e6);
}

/* timeOrigin(): of the realm, in milliseconds since 1970 */
static JSValueRef native_time_origin(const struct args *args)
{
    struct timespec now;
    uint64_t elapsed_ns = cm_now_ns() - args->worker->run_start_ns;

    clock_gettime(CLOCK_REALTIME, &now);
    return JSValueMakeNumber(args->ctx, (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6 -
                                            (double)elapsed_ns / 1e6);
}

/* isProxy(value) */
static JSValueRef native_is_proxy(const struct args *args)
{
    JSObjectRef object = JSValueToObject(args->ctx, args->values[0], NULL);

    return JSValueMakeBoolean(args->ctx, object != NULL && JSObjectGetProxyTarget(object) != NULL);
}

#define REALM(X)                   \
    X(chunk, native_chunk)         \
    X(intrinsic, native_intrinsic) \
    X(scan, native_scan)           \
    X(isProxy, native_is_proxy)    \
    X(now, native_now)             \
    X(timeOrigin, native_time_origin)
REALM(NATIVE_CALLBACK)

static const struct native_row realm_rows[] = { REALM(NATIVE_ROW) };
const struct native_family natives_realm = { "realm", realm_rows, CM_ARRAY_LEN(realm_rows), 0 };
