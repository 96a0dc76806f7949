/* What runtime/surface/url.js and its users call in C. Runs in a worker, in the
 * middle of the program; texts and bytes are the program's, arrays and offsets are
 * of the chunk's own making. */
#include "base/cleanup.h"
#include "codemode/executor.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"
#include "worker/url.h"
#include "worker/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ustring.h>

enum { TEXT_BYTES_MAX = 1 << 30 };

/* ---- conversions ---- */

/* Argument i as text; *ret_string holds it until JSStringRelease(). */
static struct url_text text_at(const struct args *args, size_t i, JSStringRef *ret_string)
{
    JSStringRef string = JSValueToStringCopy(args->ctx, args->values[i], NULL);

    *ret_string = string;
    if (string == NULL)
        return (struct url_text){ NULL, 0 };
    return (struct url_text){ JSStringGetCharactersPtr(string), JSStringGetLength(string) };
}

static void release(JSStringRef string)
{
    if (string != NULL)
        JSStringRelease(string);
}

static JSValueRef string_value(JSContextRef ctx, JSStringRef string)
{
    JSValueRef value = JSValueMakeString(ctx, string);

    JSStringRelease(string);
    return value;
}

/* ASCII without a NUL; a NUL is appended to the buffer. NULL without memory. */
static JSValueRef ascii_value(JSContextRef ctx, struct cm_buf *text)
{
    if (cm_buf_append(text, "", 1) < 0)
        return NULL;
    return string_value(ctx, JSStringCreateWithUTF8CString((const char *)cm_buf_bytes(text)));
}

static bool is_ascii_text(const uint8_t *bytes, size_t len)
{
    uint8_t seen = 0;

    for (size_t i = 0; i < len; i++)
        seen |= bytes[i];
    return seen < 0x80 && memchr(bytes, 0, len) == NULL;
}

/* Any bytes as UTF-8, what is not becoming U+FFFD. NULL without memory. */
static JSValueRef utf8_value(JSContextRef ctx, const uint8_t *bytes, size_t len)
{
    bool ascii = is_ascii_text(bytes, len); /* which the engine keeps in a byte each */
    UErrorCode status = U_ZERO_ERROR;
    CM_AUTO_FREE UChar *units = malloc((len + 1) * (ascii ? 1 : sizeof(*units)));
    int32_t written = 0;

    if (units == NULL)
        return NULL;
    if (ascii) {
        char *text = (char *)units;

        memcpy(text, bytes, len);
        text[len] = '\0';
        return string_value(ctx, JSStringCreateWithUTF8CString(text));
    }
    u_strFromUTF8WithSub(units, (int32_t)len, &written, (const char *)bytes, (int32_t)len, 0xfffd,
                         NULL, &status);
    return string_value(ctx, JSStringCreateWithCharacters(units, (size_t)written));
}

/* ---- URLs ---- */

/* What parse() and set() give: the URL's text, and its offsets in the Uint32Array
 * that is the last argument. */
static JSValueRef write_url(const struct args *args, const struct url *url)
{
    JSObjectRef array = JSValueToObject(args->ctx, args->values[args->count - 1], NULL);
    struct cm_buf href;
    JSValueRef value;

    cm_buf_init(&href, TEXT_BYTES_MAX);
    value = url_write(url, &href, JSObjectGetTypedArrayBytesPtr(args->ctx, array, NULL)) < 0
                ? NULL
                : ascii_value(args->ctx, &href);
    cm_buf_done(&href);
    return value == NULL ? natives_out_of_memory(args) : value;
}

/* The URL of argument i, unless it is undefined. */
static int parse_at(const struct args *args, size_t i, struct url *url, const struct url *base)
{
    JSStringRef string;
    struct url_text text = text_at(args, i, &string);
    int r = string == NULL ? CM_E_NOMEM : url_parse(url, text, base);

    release(string);
    return r;
}

/* parse(text, base or undefined, offsets): undefined when it is no URL */
static JSValueRef native_parse(const struct args *args)
{
    bool has_base = !JSValueIsUndefined(args->ctx, args->values[1]);
    JSValueRef value;
    struct url base;
    struct url url;
    int r = 0;

    url_init(&base);
    url_init(&url);
    if (has_base)
        r = parse_at(args, 1, &base, NULL);
    if (r == 0)
        r = parse_at(args, 0, &url, has_base ? &base : NULL);
    if (r == 0)
        value = write_url(args, &url);
    else if (r == CM_E_INVAL)
        value = JSValueMakeUndefined(args->ctx);
    else
        value = natives_out_of_memory(args);
    url_done(&url);
    url_done(&base);
    return value;
}

/* set(href, field, value, offsets): the URL with one part changed, or as it was */
static JSValueRef native_set(const struct args *args)
{
    enum url_field field = (enum url_field)JSValueToNumber(args->ctx, args->values[1], NULL);
    JSStringRef string;
    struct url_text text = text_at(args, 2, &string);
    JSValueRef value;
    struct url url;
    int r;

    url_init(&url);
    r = string == NULL ? CM_E_NOMEM : parse_at(args, 0, &url, NULL);
    if (r == 0)
        r = url_set(&url, field, text);
    value = r < 0 && r != CM_E_INVAL ? natives_out_of_memory(args) : write_url(args, &url);
    url_done(&url);
    release(string);
    return value;
}

/* ---- forms ---- */

/* Appends to the array what stands between two marks of a form. */
static int push_decoded(JSContextRef ctx, JSObjectRef array, unsigned *count, uint8_t *bytes,
                        size_t len)
{
    JSValueRef value = utf8_value(ctx, bytes, url_percent_decode(bytes, len, true));

    if (value == NULL)
        return CM_E_NOMEM;
    JSObjectSetPropertyAtIndex(ctx, array, (*count)++, value, NULL);
    return 0;
}

static int push_pairs(JSContextRef ctx, JSObjectRef array, uint8_t *form, size_t len)
{
    unsigned count = 0;
    int r = 0;

    for (size_t at = 0; r == 0 && at < len;) {
        uint8_t *pair = form + at;
        uint8_t *end = memchr(pair, '&', len - at);
        size_t pair_len = end == NULL ? len - at : (size_t)(end - pair);
        uint8_t *sign = memchr(pair, '=', pair_len);
        size_t name_len = sign == NULL ? pair_len : (size_t)(sign - pair);

        at += pair_len + 1;
        if (pair_len == 0)
            continue;
        r = push_decoded(ctx, array, &count, pair, name_len);
        if (r == 0)
            r = push_decoded(ctx, array, &count, pair + name_len + (sign != NULL),
                             pair_len - name_len - (sign != NULL));
    }
    return r;
}

/* parseForm(text, list): appends names and values in turn to the empty list */
static JSValueRef native_parse_form(const struct args *args)
{
    JSObjectRef array = JSValueToObject(args->ctx, args->values[1], NULL);
    JSStringRef string;
    struct url_text text = text_at(args, 0, &string);
    struct cm_buf form;
    int r;

    cm_buf_init(&form, TEXT_BYTES_MAX);
    r = string == NULL ? CM_E_NOMEM : url_utf8(text, &form);
    if (r == 0)
        r = push_pairs(args->ctx, array, cm_buf_bytes(&form), form.len);
    cm_buf_done(&form);
    release(string);
    return r < 0 ? natives_out_of_memory(args) : args->values[1];
}

/* writeForm(list, count) */
static JSValueRef native_write_form(const struct args *args)
{
    JSObjectRef list = JSValueToObject(args->ctx, args->values[0], NULL);
    unsigned count = (unsigned)JSValueToNumber(args->ctx, args->values[1], NULL);
    struct cm_buf form;
    JSValueRef value;
    int r = 0;

    cm_buf_init(&form, TEXT_BYTES_MAX);
    for (unsigned i = 0; r == 0 && i < count; i++) {
        JSValueRef item = JSObjectGetPropertyAtIndex(args->ctx, list, i, NULL);
        struct args one = { args->ctx, args->worker, &item, 1, args->exception };
        JSStringRef string;
        struct url_text text = text_at(&one, 0, &string);

        if (i > 0)
            r = cm_buf_append(&form, i % 2 == 0 ? "&" : "=", 1);
        if (r == 0)
            r = string == NULL ? CM_E_NOMEM : url_encode_form(text, &form);
        release(string);
    }
    value = r < 0 ? NULL : ascii_value(args->ctx, &form);
    cm_buf_done(&form);
    return value == NULL ? natives_out_of_memory(args) : value;
}

/* ---- bytes ---- */

/* percentDecode(text): a Uint8Array */
static JSValueRef native_percent_decode(const struct args *args)
{
    JSStringRef string;
    struct url_text text = text_at(args, 0, &string);
    struct cm_buf bytes;
    JSValueRef value;
    int r;

    cm_buf_init(&bytes, TEXT_BYTES_MAX);
    r = string == NULL ? CM_E_NOMEM : url_utf8(text, &bytes);
    if (r == 0)
        bytes.len = url_percent_decode(cm_buf_bytes(&bytes), bytes.len, false);
    value = r < 0 ? natives_out_of_memory(args) : natives_give(args, &bytes, false);
    cm_buf_done(&bytes);
    release(string);
    return value;
}

#define URL(X)                      \
    X(parse, native_parse)          \
    X(set, native_set)              \
    X(parseForm, native_parse_form) \
    X(writeForm, native_write_form) \
    X(percentDecode, native_percent_decode)
URL(NATIVE_CALLBACK)

static const struct native_row url_rows[] = { URL(NATIVE_ROW) };
const struct native_family natives_url = { "url", url_rows, CM_ARRAY_LEN(url_rows), 0 };
