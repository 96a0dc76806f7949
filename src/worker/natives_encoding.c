/* What runtime/surface/encoding.js and base64.js call in C. Runs in a worker, in
 * the middle of the program; labels, texts and bytes are the program's. */
#include "base/cleanup.h"
#include "codemode/executor.h"
#include "worker/decoder.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"
#include "worker/utf_8.h"

#include <stdlib.h>

/* ---- decoding ---- */

static void free_decoder(JSObjectRef object)
{
    free(JSObjectGetPrivate(object));
}

static JSClassRef decoder_class(void)
{
    static JSClassRef class;

    if (class == NULL)
        class = natives_class(free_decoder);
    return class;
}

/* find(label): the number of an encoding, -1 for none */
static JSValueRef native_find(const struct args *args)
{
    enum { LABEL_MAX = 128 }; /* with room for space around the longest one */
    JSStringRef label = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    char text[3 * LABEL_MAX + 1] = "";
    int found = -1;

    if (label == NULL)
        return natives_out_of_memory(args);
    if (JSStringGetLength(label) <= LABEL_MAX) {
        size_t bytes = JSStringGetUTF8CString(label, text, sizeof(text));

        found = decoder_find(text, bytes > 0 ? bytes - 1 : 0);
    }
    JSStringRelease(label);
    return JSValueMakeNumber(args->ctx, found);
}

/* name(encoding) */
static JSValueRef native_name(const struct args *args)
{
    return natives_string(args->ctx, decoder_name(natives_size(args, 0, ENCODING_COUNT - 1)));
}

/* decoder(encoding, fatal, ignoreBOM) */
static JSValueRef native_decoder(const struct args *args)
{
    struct decoder *decoder = malloc(sizeof(*decoder));

    if (decoder == NULL)
        return natives_out_of_memory(args);
    decoder_init(decoder, natives_size(args, 0, ENCODING_COUNT - 1),
                 JSValueToBoolean(args->ctx, args->values[1]),
                 JSValueToBoolean(args->ctx, args->values[2]));
    return natives_hold(args, decoder_class(), decoder);
}

/* decode(decoder, bytes, last): the text of that many bytes of the window; undefined
 * when they are malformed */
static JSValueRef native_decode(const struct args *args)
{
    static uint16_t units[WINDOW_BYTES + DECODER_SLACK_UNITS];
    struct decoder *decoder = natives_held(args, 0, decoder_class());
    ptrdiff_t count;

    if (decoder == NULL)
        return JSValueMakeUndefined(args->ctx);
    count = decoder_decode(decoder, bytes_window, natives_size(args, 1, WINDOW_BYTES),
                           JSValueToBoolean(args->ctx, args->values[2]), units);
    return count < 0 ? JSValueMakeUndefined(args->ctx) : natives_text(args, units, (size_t)count);
}

/* ---- encoding ---- */

/* encode(text, first, last): appends; the Uint8Array of all pieces with the last */
static JSValueRef native_encode(const struct args *args)
{
    static struct cm_buf pieces = { .max = SIZE_MAX };
    JSStringRef text = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    size_t count = text == NULL ? 0 : JSStringGetLength(text);
    const uint16_t *at;

    if (JSValueToBoolean(args->ctx, args->values[1]))
        cm_buf_done(&pieces);
    if (text == NULL || cm_buf_reserve(&pieces, count * UTF_8_BYTES_PER_UNIT) < 0) {
        if (text != NULL)
            JSStringRelease(text);
        return natives_out_of_memory(args);
    }
    at = JSStringGetCharactersPtr(text);
    pieces.len += utf_8_encode(&at, at + count, cm_buf_tail(&pieces), cm_buf_room(&pieces));
    JSStringRelease(text);
    if (!JSValueToBoolean(args->ctx, args->values[2]))
        return JSValueMakeUndefined(args->ctx);
    return natives_give(args, &pieces, false);
}

/* encodeInto(text, room): to the window; units read * 2 * WINDOW_BYTES + bytes written */
static JSValueRef native_encode_into(const struct args *args)
{
    JSStringRef text = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    const uint16_t *start;
    const uint16_t *at;
    size_t written;
    double read;

    if (text == NULL)
        return natives_out_of_memory(args);
    at = start = JSStringGetCharactersPtr(text);
    written = utf_8_encode(&at, start + JSStringGetLength(text), bytes_window,
                           natives_size(args, 1, WINDOW_BYTES));
    read = (double)(at - start);
    JSStringRelease(text);
    return JSValueMakeNumber(args->ctx, read * 2 * WINDOW_BYTES + (double)written);
}

/* ---- binary strings ---- */

/* toBinary(bytes): that many bytes of the window, a character each */
static JSValueRef native_to_binary(const struct args *args)
{
    return natives_binary(args, natives_size(args, 0, WINDOW_BYTES));
}

/* fromBinary(text): its characters as bytes of the window; false when one is above
 * U+00FF */
static JSValueRef native_from_binary(const struct args *args)
{
    JSStringRef text = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    size_t count = text == NULL ? 0 : JSStringGetLength(text);
    const uint16_t *units;
    uint16_t all = 0;

    if (text == NULL)
        return natives_out_of_memory(args);
    units = JSStringGetCharactersPtr(text);
    for (size_t i = 0; i < count && i < WINDOW_BYTES; i++) {
        all |= units[i];
        bytes_window[i] = (uint8_t)units[i];
    }
    JSStringRelease(text);
    return JSValueMakeBoolean(args->ctx, count <= WINDOW_BYTES && all <= 0xFF);
}

#define ENCODING(X)                   \
    X(find, native_find)              \
    X(name, native_name)              \
    X(decoder, native_decoder)        \
    X(decode, native_decode)          \
    X(encode, native_encode)          \
    X(encodeInto, native_encode_into) \
    X(toBinary, native_to_binary)     \
    X(fromBinary, native_from_binary)
ENCODING(NATIVE_CALLBACK)

static const struct native_row encoding_rows[] = { ENCODING(NATIVE_ROW) };
const struct native_family natives_encoding = { "encoding", encoding_rows,
                                                CM_ARRAY_LEN(encoding_rows), 0 };
