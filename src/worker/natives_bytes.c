/* Bytes and texts on their way between the engine and C. Runs in a worker, in the
 * middle of the program. */
#include "worker/natives_bytes.h"

#include "base/cleanup.h"

#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

/* Exported by the library, which is C++, and in none of its headers: a WTF::String, which
 * is one pointer, of bytes that are a character each, and the JSStringRef that takes it
 * over (such a result has its place as the first argument). The C API makes strings of
 * one byte a character from ASCII in UTF-8 only, at 4 ns each. The names tell what
 * the functions take: in a library where that differs they are missing. */
/* clang-format off */
extern void wtf_string(void **string, const uint8_t *bytes, size_t count)
    __asm__("_ZN3WTF6StringC1ESt4spanIKhLm18446744073709551615EE") __attribute__((weak));
extern void opaque_string(JSStringRef *ret_text, void **string)
    __asm__("_ZN14OpaqueJSString9tryCreateEON3WTF6StringE") __attribute__((weak));
/* clang-format on */

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

static bool can_be_narrow(void)
{
    return wtf_string != NULL && opaque_string != NULL;
}

static JSStringRef narrow(const uint8_t *bytes, size_t count)
{
    JSStringRef text;
    void *string;

    wtf_string(&string, bytes, count);
    opaque_string(&text, &string);
    return text;
}

/* Whether no bit of the mask, which repeats every 8 bytes, is set. */
static bool are_clear(const void *bytes, size_t count, uint64_t mask)
{
    uint64_t eight = 0;
    uint64_t all = 0;
    size_t i = 0;

    for (; i + sizeof(eight) <= count; i += sizeof(eight)) {
        memcpy(&eight, (const uint8_t *)bytes + i, sizeof(eight));
        all |= eight;
    }
    eight = 0;
    memcpy(&eight, (const uint8_t *)bytes + i, count - i);
    return ((all | eight) & mask) == 0;
}

static bool is_ascii(const uint8_t *bytes, size_t count)
{
    return are_clear(bytes, count, UINT64_C(0x8080808080808080));
}

static bool is_latin1(const uint16_t *units, size_t count)
{
    return are_clear(units, count * sizeof(*units), UINT64_C(0xFF00FF00FF00FF00));
}

/* To a byte each, in place. */
static uint8_t *pack(uint16_t *units, size_t count)
{
    enum { STEP = 16 };
    uint8_t *to = (uint8_t *)units;
    size_t i = 0;

    for (; i + STEP <= count; i += STEP) {
        const __m128i *from = (const __m128i *)(const void *)(units + i);
        __m128i low = _mm_loadu_si128(from);
        __m128i high = _mm_loadu_si128(from + 1);

        _mm_storeu_si128((__m128i *)(void *)(to + i), _mm_packus_epi16(low, high));
    }
    for (; i < count; i++)
        to[i] = (uint8_t)units[i];
    return to;
}

static JSValueRef text_value(const struct args *args, JSStringRef text)
{
    JSValueRef value = JSValueMakeString(args->ctx, text);

    JSStringRelease(text);
    return value;
}

JSStringRef natives_utf_8(const char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t count = strlen(text);

    if (can_be_narrow() && is_ascii(bytes, count))
        return narrow(bytes, count);
    return JSStringCreateWithUTF8CString(text);
}

JSValueRef natives_text(const struct args *args, uint16_t *units, size_t count)
{
    if (can_be_narrow() && is_latin1(units, count))
        return text_value(args, narrow(pack(units, count), count));
    return text_value(args, JSStringCreateWithCharacters(units, count));
}

JSValueRef natives_binary(const struct args *args, size_t count)
{
    static uint16_t units[WINDOW_BYTES];

    if (can_be_narrow())
        return text_value(args, narrow(bytes_window, count));
    for (size_t i = 0; i < count; i++)
        units[i] = bytes_window[i];
    return text_value(args, JSStringCreateWithCharacters(units, count));
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
