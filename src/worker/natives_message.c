/* Headers and bodies between JavaScript and frames. Runs in a worker; sizes are the
 * program's, texts come from chunks of ours that have checked them. */
#include "base/cleanup.h"
#include "ipc/frame.h"
#include "worker/natives_bytes.h"
#include "worker/worker.h"

#include <string.h>

unsigned natives_length(JSContextRef ctx, JSObjectRef list)
{
    JSStringRef key = JSStringCreateWithUTF8CString("length");
    double length = JSValueToNumber(ctx, JSObjectGetProperty(ctx, list, key, NULL), NULL);

    JSStringRelease(key);
    return (unsigned)length;
}

int natives_append_string(const struct args *args, JSValueRef value, uint32_t *ret_bytes)
{
    struct cm_buf *to = &args->worker->scratch;
    size_t before = to->len;
    int r = natives_append_text(args->ctx, value, to);

    *ret_bytes = (uint32_t)(to->len - before);
    return r < 0 ? r : cm_buf_append(to, "", 1);
}

int natives_append_headers(const struct args *args, JSValueRef list, uint32_t *ret_count,
                           uint32_t *ret_bytes)
{
    JSObjectRef flat = JSValueToObject(args->ctx, list, NULL);
    unsigned length = natives_length(args->ctx, flat);
    size_t before = args->worker->scratch.len;
    int r = 0;

    for (unsigned i = 0; i < length && r == 0; i++) {
        uint32_t bytes;

        r = natives_append_string(args, JSObjectGetPropertyAtIndex(args->ctx, flat, i, NULL),
                                  &bytes);
        if (args->worker->scratch.len - before > IPC_FETCH_HEAD_MAX)
            break; /* refused, whatever follows */
    }
    *ret_count = length / 2;
    *ret_bytes = (uint32_t)(args->worker->scratch.len - before);
    return r;
}

bool natives_body(JSContextRef ctx, JSValueRef value, const void **ret_bytes, uint64_t *ret_n)
{
    const uint8_t *bytes;
    size_t len;

    if (!natives_bytes(ctx, value, &bytes, &len))
        return false;
    *ret_bytes = bytes;
    *ret_n = len;
    return true;
}

/* Made at once: setting its elements would meet setters that the program has put on
 * Array.prototype. Values in memory of ours are invisible to the collector. */
JSValueRef natives_headers(JSContextRef ctx, const char *at, uint32_t count)
{
    size_t texts = (size_t)count * 2;
    CM_AUTO_FREE JSValueRef *values = calloc(texts + 1, sizeof(JSValueRef));
    JSObjectRef array;

    if (values == NULL)
        return JSObjectMakeArray(ctx, 0, NULL, NULL);
    for (size_t i = 0; i < texts; i++) {
        values[i] = natives_string(ctx, at);
        JSValueProtect(ctx, values[i]);
        at += strlen(at) + 1;
    }
    array = JSObjectMakeArray(ctx, texts, values, NULL);
    for (size_t i = 0; i < texts; i++)
        JSValueUnprotect(ctx, values[i]);
    return array;
}
