/* The canonical text of a value. */
#include "describe.h"

#include "base/cleanup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void put(struct cm_buf *to, const void *bytes, size_t n)
{
    if (cm_buf_append(to, bytes, n) < 0)
        abort(); /* a test: it cannot go on */
}

static void puts_text(struct cm_buf *to, const char *text)
{
    put(to, text, strlen(text));
}

static void put_hex(struct cm_buf *to, const void *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *at = bytes;

    for (size_t i = 0; i < n; i++) {
        const char pair[] = { digits[at[i] >> 4], digits[at[i] & 15] };

        put(to, pair, sizeof(pair));
    }
}

static void put_number(struct cm_buf *to, double number)
{
    uint64_t bits;
    char text[40];

    memcpy(&bits, &number, sizeof(bits));
    snprintf(text, sizeof(text), "%016" PRIx64, bits);
    puts_text(to, "number:");
    puts_text(to, isnan(number) ? "nan" : text);
}

static void put_date(struct cm_buf *to, double ms)
{
    char text[40];

    snprintf(text, sizeof(text), "%.0f", ms);
    puts_text(to, "date:");
    puts_text(to, isnan(ms) ? "invalid" : text);
}

/* By the hex of the keys, which is their byte order. */
static int compare(const void *a, const void *b)
{
    const struct capnweb_member *x = *(const struct capnweb_member *const *)a;
    const struct capnweb_member *y = *(const struct capnweb_member *const *)b;
    size_t n = x->key.bytes < y->key.bytes ? x->key.bytes : y->key.bytes;
    int order = memcmp(x->key.data, y->key.data, n);

    return order != 0 ? order : (x->key.bytes > y->key.bytes) - (x->key.bytes < y->key.bytes);
}

static void put_members(struct cm_buf *to, const struct capnweb_member *members, size_t count)
{
    CM_AUTO_FREE const struct capnweb_member **sorted = calloc(count + 1, sizeof(*sorted));

    if (sorted == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        sorted[i] = &members[i];
    qsort(sorted, count, sizeof(*sorted), compare);
    puts_text(to, "{");
    for (size_t i = 0; i < count; i++) {
        puts_text(to, i > 0 ? "," : "");
        put_hex(to, sorted[i]->key.data, sorted[i]->key.bytes);
        puts_text(to, "=");
        describe(to, &sorted[i]->value);
    }
    puts_text(to, "}");
}

static const char *error_name(struct capnweb_text type)
{
    static const char *const names[] = { "EvalError", "RangeError", "ReferenceError", "SyntaxError",
                                         "TypeError", "URIError",   "AggregateError" };

    for (size_t i = 0; i < CM_ARRAY_LEN(names); i++)
        if (capnweb_text_is(type, names[i]))
            return names[i];
    return "Error";
}

static void put_error(struct cm_buf *to, const struct capnweb_error *error)
{
    puts_text(to, "error:");
    puts_text(to, error_name(error->type));
    puts_text(to, ":");
    put_hex(to, error->message.data, error->message.bytes);
    puts_text(to, ":");
    put_members(to, error->props, error->prop_count);
}

static void put_items(struct cm_buf *to, const struct capnweb_value *value)
{
    puts_text(to, "[");
    for (size_t i = 0; i < value->array.count; i++) {
        puts_text(to, i > 0 ? "," : "");
        describe(to, &value->array.items[i]);
    }
    puts_text(to, "]");
}

void describe(struct cm_buf *to, const struct capnweb_value *value)
{
    switch ((enum capnweb_kind)value->kind) {
    case CAPNWEB_UNDEFINED:
        puts_text(to, "undefined");
        break;
    case CAPNWEB_NULL:
        puts_text(to, "null");
        break;
    case CAPNWEB_BOOLEAN:
        puts_text(to, value->boolean ? "true" : "false");
        break;
    case CAPNWEB_NUMBER:
        put_number(to, value->number);
        break;
    case CAPNWEB_BIGINT:
        puts_text(to, "bigint:");
        put(to, value->text.data, value->text.bytes);
        break;
    case CAPNWEB_STRING:
        puts_text(to, "string:");
        put_hex(to, value->text.data, value->text.bytes);
        break;
    case CAPNWEB_DATE:
        put_date(to, value->number);
        break;
    case CAPNWEB_BYTES:
        puts_text(to, "bytes:");
        puts_text(to, capnweb_bytes_name((enum capnweb_bytes_type)value->type));
        puts_text(to, ":");
        put_hex(to, value->bytes.data, value->bytes.count);
        break;
    case CAPNWEB_ARRAY:
        put_items(to, value);
        break;
    case CAPNWEB_OBJECT:
        put_members(to, value->object.members, value->object.count);
        break;
    case CAPNWEB_ERROR:
        put_error(to, value->error);
        break;
    case CAPNWEB_URL:
        puts_text(to, "url:");
        put(to, value->text.data, value->text.bytes);
        break;
    case CAPNWEB_STUB:
        puts_text(to, "stub");
        break;
    case CAPNWEB_HEADERS:
    case CAPNWEB_REQUEST:
    case CAPNWEB_RESPONSE:
    case CAPNWEB_BLOB:
    case CAPNWEB_PROMISE:
    case CAPNWEB_WRITABLE:
    case CAPNWEB_READABLE:
        puts_text(to, "other");
        break;
    }
}
