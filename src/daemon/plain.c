/* Values of the wire as JSON text. Runs in the daemon; values are a caller's, of
 * bounded depth, their texts well-formed. */
#include "daemon/plain.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "codemode/executor.h"

#include <jansson.h>
#include <libwebsockets.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *plain(const struct capnweb_value *value, const char *name, struct cm_error *err);

static json_t *plain_number(double number)
{
    static const double safe = 9007199254740991;

    if (isnan(number))
        return json_string("NaN");
    if (isinf(number))
        return json_string(number > 0 ? "Infinity" : "-Infinity");
    if (number == floor(number) && fabs(number) <= safe)
        return json_integer((json_int_t)number);
    return json_real(number);
}

/* {"__codemode_binary_v1__": kind, "data": base64} */
static json_t *plain_bytes(const struct capnweb_value *value)
{
    size_t cap = (value->bytes.count + 2) / 3 * 4 + 2; /* the encoder wants a byte to spare */
    CM_AUTO_FREE char *data = malloc(cap);
    const char *kind = capnweb_bytes_name((enum capnweb_bytes_type)value->type);

    if (data == NULL || cap > INT32_MAX ||
        lws_b64_encode_string((const char *)value->bytes.data, (int)value->bytes.count, data,
                              (int)cap) < 0)
        return NULL;
    if (strcmp(kind, "Uint8Array") != 0 && strcmp(kind, "ArrayBuffer") != 0)
        kind = "ArrayBufferView";
    return json_pack("{s:s, s:s}", "__codemode_binary_v1__", kind, "data", data);
}

static json_t *plain_array(const struct capnweb_value *value, const char *name,
                           struct cm_error *err)
{
    json_t *array = json_array();

    for (size_t i = 0; i < value->array.count; i++) {
        if (json_array_append_new(array, plain(&value->array.items[i], name, err)) < 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* An undefined member is an absent one. */
static json_t *plain_object(const struct capnweb_value *value, struct cm_error *err)
{
    json_t *object = json_object();

    for (size_t i = 0; i < value->object.count; i++) {
        const struct capnweb_member *member = &value->object.members[i];

        if (member->value.kind == CAPNWEB_UNDEFINED)
            continue;
        if (json_object_set_new(object, member->key.data,
                                plain(&member->value, member->key.data, err)) < 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *refuse(const struct capnweb_value *value, const char *name, struct cm_error *err)
{
    static const char *const kinds[] = {
        [CAPNWEB_BIGINT] = "a BigInt",
        [CAPNWEB_DATE] = "a Date",
        [CAPNWEB_ERROR] = "an Error",
        [CAPNWEB_URL] = "a URL",
        [CAPNWEB_HEADERS] = "Headers",
        [CAPNWEB_REQUEST] = "a Request",
        [CAPNWEB_RESPONSE] = "a Response",
        [CAPNWEB_BLOB] = "a Blob",
        [CAPNWEB_STUB] = "a function",
        [CAPNWEB_PROMISE] = "a promise",
        [CAPNWEB_WRITABLE] = "a WritableStream",
        [CAPNWEB_READABLE] = "a ReadableStream",
    };
    const char *kind = value->kind < CM_ARRAY_LEN(kinds) ? kinds[value->kind] : NULL;

    cm_fail(err, CM_E_INVAL, 0, "%.64s is %s; it is plain data", name,
            kind == NULL ? "something else" : kind);
    return NULL;
}

static json_t *plain(const struct capnweb_value *value, const char *name, struct cm_error *err)
{
    switch (value->kind) {
    case CAPNWEB_UNDEFINED:
    case CAPNWEB_NULL:
        return json_null();
    case CAPNWEB_BOOLEAN:
        return json_boolean(value->boolean);
    case CAPNWEB_NUMBER:
        return plain_number(value->number);
    case CAPNWEB_STRING:
        return json_stringn(value->text.data, value->text.bytes);
    case CAPNWEB_BYTES:
        return plain_bytes(value);
    case CAPNWEB_ARRAY:
        return plain_array(value, name, err);
    case CAPNWEB_OBJECT:
        return plain_object(value, err);
    default:
        return refuse(value, name, err);
    }
}

int plain_json(const struct capnweb_value *value, char **ret_text, struct cm_error *err)
{
    json_t *root = plain(value, "the request", err);
    char *text = root == NULL ? NULL : json_dumps(root, JSON_COMPACT | JSON_ENCODE_ANY);

    json_decref(root);
    if (text == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for this request");
    *ret_text = text;
    return 0;
}
