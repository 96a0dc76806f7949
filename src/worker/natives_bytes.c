/* Bytes and texts on their way between the engine and C. Runs in a worker, in the
 * middle of the program. */
#include "worker/natives_bytes.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

uint8_t bytes_window[WINDOW_BYTES];

size_t natives_size(const struct args *args, size_t i, size_t max)
{
    double number = i < args->count ? JSValueToNumber(args->ctx, args->values[i], NULL) : 0;

    return number >= 0 && number <= (double)max ? (size_t)number : 0;
}

void natives_name(const struct args *args, size_t i, char *to, size_t cap)
{
    JSStringRef string =
        i < args->count ? JSValueToStringCopy(args->ctx, args->values[i], NULL) : NULL;

    to[0] = '\0';
    if (string == NULL)
        return;
    JSStringGetUTF8CString(string, to, cap);
    JSStringRelease(string);
}

/* The pointer that the engine gives is that of the whole buffer. */
bool natives_bytes(JSContextRef ctx, JSValueRef value, const uint8_t **ret_bytes, size_t *ret_len)
{
    JSObjectRef array;
    const uint8_t *buffer;

    if (JSValueGetTypedArrayType(ctx, value, NULL) != kJSTypedArrayTypeUint8Array)
        return false;
    array = JSValueToObject(ctx, value, NULL);
    buffer = JSObjectGetTypedArrayBytesPtr(ctx, array, NULL);
    *ret_len = JSObjectGetTypedArrayByteLength(ctx, array, NULL);
    *ret_bytes = buffer;
    if (buffer != NULL)
        *ret_bytes += JSObjectGetTypedArrayByteOffset(ctx, array, NULL);
    return buffer != NULL || *ret_len == 0;
}

bool natives_bytes_at(const struct args *args, size_t i, const uint8_t **ret_bytes, size_t *ret_len)
{
    return i < args->count && natives_bytes(args->ctx, args->values[i], ret_bytes, ret_len);
}

static void free_bytes(void *bytes, void *context)
{
    (void)context;
    free(bytes);
}

/* Takes what `buf` holds, in memory of no more than that and one byte; NULL without
 * memory. The engine wants an address even for none. */
static uint8_t *take_bytes(struct cm_buf *buf)
{
    size_t len = buf->len;
    uint8_t *bytes;
    uint8_t *fitting;

    if (cm_buf_reserve(buf, 1) < 0)
        return NULL;
    bytes = CM_TAKE(buf->data);
    fitting = realloc(bytes, len + 1);
    cm_buf_init(buf, buf->max);
    return fitting == NULL ? bytes : fitting;
}

JSValueRef natives_adopt(JSContextRef ctx, struct cm_buf *buf, bool as_buffer)
{
    size_t len = buf->len;
    uint8_t *bytes = take_bytes(buf);
    JSObjectRef made = NULL;

    if (bytes != NULL && as_buffer)
        made = JSObjectMakeArrayBufferWithBytesNoCopy(ctx, bytes, len, free_bytes, NULL, NULL);
    else if (bytes != NULL)
        made = JSObjectMakeTypedArrayWithBytesNoCopy(ctx, kJSTypedArrayTypeUint8Array, bytes, len,
                                                     free_bytes, NULL, NULL);
    return made == NULL ? JSValueMakeNull(ctx) : made;
}

JSValueRef natives_give(const struct args *args, struct cm_buf *buf, bool as_buffer)
{
    JSValueRef made = natives_adopt(args->ctx, buf, as_buffer);

    return JSValueIsNull(args->ctx, made) ? natives_out_of_memory(args) : made;
}

/* ---- texts ---- */

static bool is_latin1(const uint16_t *units, size_t count)
{
    uint64_t four;
    uint64_t all = 0;
    size_t i = 0;

    for (; i + 4 <= count; i += 4) {
        memcpy(&four, units + i, sizeof(four));
        all |= four;
    }
    for (; i < count; i++)
        all |= units[i];
    return (all & UINT64_C(0xFF00FF00FF00FF00)) == 0;
}

static void add_name(JSContextRef ctx, JSObjectRef object, JSPropertyNameAccumulatorRef names)
{
    (void)ctx;
    JSPropertyNameAccumulatorAddName(names, JSObjectGetPrivate(object));
}

/* The API makes strings of one byte a character from UTF-8 only, which it decodes
 * slowly, and of ASCII only. A property name that goes through the engine comes out
 * in one byte a character whenever it can: this is the fast way to such a string. */
static JSValueRef narrow(const struct args *args, JSStringRef wide)
{
    static JSClassRef class;
    JSPropertyNameArrayRef names;
    JSObjectRef object;
    JSValueRef text;

    if (class == NULL) {
        JSClassDefinition definition = kJSClassDefinitionEmpty;

        definition.attributes = kJSClassAttributeNoAutomaticPrototype;
        definition.getPropertyNames = add_name;
        class = JSClassCreate(&definition);
    }
    object = JSObjectMake(args->ctx, class, wide);
    JSObjectSetPrototype(args->ctx, object, JSValueMakeNull(args->ctx));
    names = JSObjectCopyPropertyNames(args->ctx, object);
    text = JSPropertyNameArrayGetCount(names) == 0
               ? JSValueMakeString(args->ctx, wide)
               : JSValueMakeString(args->ctx, JSPropertyNameArrayGetNameAtIndex(names, 0));
    JSPropertyNameArrayRelease(names);
    return text;
}

JSValueRef natives_text(const struct args *args, const uint16_t *units, size_t count)
{
    JSStringRef wide = JSStringCreateWithCharacters(units, count);
    JSValueRef text;

    if (count > 0 && is_latin1(units, count))
        text = narrow(args, wide);
    else
        text = JSValueMakeString(args->ctx, wide);
    JSStringRelease(wide);
    return text;
}

/* ---- objects of C ---- */

JSClassRef natives_class(JSObjectFinalizeCallback finalize)
{
    JSClassDefinition definition = kJSClassDefinitionEmpty;

    definition.finalize = finalize;
    return JSClassCreate(&definition);
}

JSValueRef natives_hold(const struct args *args, JSClassRef class, void *data)
{
    return JSObjectMake(args->ctx, class, data);
}

void *natives_held(const struct args *args, size_t i, JSClassRef class)
{
    if (i >= args->count || !JSValueIsObjectOfClass(args->ctx, args->values[i], class))
        return NULL;
    return JSObjectGetPrivate(JSValueToObject(args->ctx, args->values[i], NULL));
}

/* ---- the family ---- */

/* window(): the Uint8Array that C reads and writes */
static JSValueRef native_window(const struct args *args)
{
    return JSObjectMakeTypedArrayWithBytesNoCopy(args->ctx, kJSTypedArrayTypeUint8Array,
                                                 bytes_window, WINDOW_BYTES, NULL, NULL,
                                                 args->exception);
}

#define BYTES(X) X(window, native_window)
BYTES(NATIVE_CALLBACK)

static const struct native_row bytes_rows[] = { BYTES(NATIVE_ROW) };
const struct native_family natives_window = { "window", bytes_rows, CM_ARRAY_LEN(bytes_rows), 0 };
