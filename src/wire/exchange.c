/* Requests and responses of programs as plain values of the wire. Runs at both ends of
 * a connection: what the other end sends is checked here as far as its types go; the
 * library knows the rest. */
#include "wire/exchange.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct capnweb_member member(const char *key, struct capnweb_value value)
{
    return (struct capnweb_member){ capnweb_text(key), value };
}

/* ---- to the wire ---- */

/* [[name, value]...]; room for it was made by the caller. */
static struct capnweb_value put_headers(const struct cm_header *headers, size_t count,
                                        struct capnweb_value *pairs)
{
    struct capnweb_value *arrays = pairs + 2 * count;

    for (size_t i = 0; i < count; i++) {
        const struct cm_header *header = &headers[i];

        pairs[2 * i] = capnweb_string(header->name, header->name_bytes);
        pairs[2 * i + 1] = capnweb_string(header->value, header->value_bytes);
        arrays[i] = capnweb_array(&pairs[2 * i], 2);
    }
    return capnweb_array(arrays, count);
}

static struct capnweb_value put_body(const void *body, size_t bytes)
{
    return body == NULL ? capnweb_null() : capnweb_bytes(body, bytes, CAPNWEB_BYTES_BUFFER);
}

int exchange_put_request(const struct cm_fetch *fetch, struct exchange_value *to,
                         struct capnweb_value *ret_value)
{
    to->pairs = calloc(3 * fetch->header_count + 1, sizeof(*to->pairs));
    if (to->pairs == NULL)
        return CM_E_NOMEM;
    to->members[0] = member("url", capnweb_string(fetch->url, fetch->url_bytes));
    to->members[1] = member("method", capnweb_cstring(fetch->method));
    to->members[2] = member("headers", put_headers(fetch->headers, fetch->header_count, to->pairs));
    to->members[3] = member("body", put_body(fetch->body, fetch->body_bytes));
    *ret_value = capnweb_object(to->members, CM_ARRAY_LEN(to->members));
    return 0;
}

int exchange_put_response(const struct cm_response *response, struct exchange_value *to,
                          struct capnweb_value *ret_value)
{
    const char *text = response->status_text == NULL ? "" : response->status_text;

    to->pairs = calloc(3 * response->header_count + 1, sizeof(*to->pairs));
    if (to->pairs == NULL)
        return CM_E_NOMEM;
    to->members[0] = member("status", capnweb_number(response->status));
    to->members[1] = member("statusText", capnweb_cstring(text));
    to->members[2] =
        member("headers", put_headers(response->headers, response->header_count, to->pairs));
    to->members[3] = member("body", put_body(response->body, response->body_bytes));
    *ret_value = capnweb_object(to->members, CM_ARRAY_LEN(to->members));
    return 0;
}

void exchange_done(struct exchange_value *value)
{
    free(CM_TAKE(value->pairs));
}

/* ---- from the wire ---- */

static bool is_text(const struct capnweb_value *value)
{
    return value->kind == CAPNWEB_STRING;
}

static bool is_pair(const struct capnweb_value *value)
{
    return value->kind == CAPNWEB_ARRAY && value->array.count == 2 &&
           is_text(&value->array.items[0]) && is_text(&value->array.items[1]);
}

static struct cm_header header_of(const struct capnweb_value *pair)
{
    const struct capnweb_text name = pair->array.items[0].text;
    const struct capnweb_text value = pair->array.items[1].text;

    return (struct cm_header){ name.data, name.bytes, value.data, value.bytes };
}

static bool is_absent(const struct capnweb_value *value)
{
    return value == NULL || value->kind == CAPNWEB_NULL;
}

static int take_headers(const struct capnweb_value *value, struct cm_header **ret_headers,
                        size_t *ret_count, struct cm_error *err)
{
    struct cm_header *headers;

    if (is_absent(value))
        return 0;
    if (value->kind != CAPNWEB_ARRAY)
        return cm_fail(err, CM_E_INVAL, 0, "headers is no array of [name, value]");
    headers = calloc(value->array.count + 1, sizeof(*headers));
    if (headers == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the headers");
    *ret_headers = headers; /* the caller's to free from here on */
    for (size_t i = 0; i < value->array.count; i++) {
        if (!is_pair(&value->array.items[i]))
            return cm_fail(err, CM_E_INVAL, 0, "headers[%zu] is no [name, value] of texts", i);
        headers[i] = header_of(&value->array.items[i]);
    }
    *ret_count = value->array.count;
    return 0;
}

static int take_body(const struct capnweb_value *value, const void **ret_body, size_t *ret_bytes,
                     struct cm_error *err)
{
    if (is_absent(value))
        return 0;
    if (is_text(value)) {
        *ret_body = value->text.data;
        *ret_bytes = value->text.bytes;
        return 0;
    }
    if (value->kind != CAPNWEB_BYTES)
        return cm_fail(err, CM_E_INVAL, 0, "body is neither bytes nor a text nor null");
    *ret_body = value->bytes.count == 0 ? (const uint8_t *)"" : value->bytes.data;
    *ret_bytes = value->bytes.count;
    return 0;
}

int exchange_take_request(const struct capnweb_value *value, struct exchange_request *to,
                          struct cm_error *err)
{
    struct cm_fetch *request = &to->request;
    struct capnweb_text url = capnweb_get_text(value, "url");
    struct capnweb_text method = capnweb_get_text(value, "method");
    const struct capnweb_value *given_method = capnweb_get(value, "method");
    int r;

    *to = (struct exchange_request){ .headers = NULL };
    if (value->kind != CAPNWEB_OBJECT)
        return cm_fail(err, CM_E_INVAL, 0,
                       "request is no object; it is one of url, method, "
                       "headers and body");
    if (url.data == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "url is no text; it is an absolute URL");
    if (method.data == NULL && !is_absent(given_method))
        return cm_fail(err, CM_E_INVAL, 0, "method is no text; it is a text or absent");
    r = take_headers(capnweb_get(value, "headers"), &to->headers, &request->header_count, err);
    if (r == 0)
        r = take_body(capnweb_get(value, "body"), &request->body, &request->body_bytes, err);
    request->url = url.data;
    request->url_bytes = url.bytes;
    request->method = method.data == NULL ? "GET" : method.data;
    request->headers = to->headers;
    return r;
}

void exchange_request_done(struct exchange_request *request)
{
    free(CM_TAKE(request->headers));
}

static int take_status(const struct capnweb_value *value, unsigned *ret_status,
                       struct cm_error *err)
{
    if (value == NULL || value->kind != CAPNWEB_NUMBER || value->number != floor(value->number) ||
        !(value->number >= 0 && value->number <= 999))
        return cm_fail(err, CM_E_INVAL, 0, "status is no whole number from 200 to 599");
    *ret_status = (unsigned)value->number;
    return 0;
}

int exchange_take_response(const struct capnweb_value *value, struct exchange_response *to,
                           struct cm_error *err)
{
    struct cm_response *response = &to->response;
    const struct capnweb_value *status_text = capnweb_get(value, "statusText");
    int r;

    *to = (struct exchange_response){ .headers = NULL };
    if (value->kind != CAPNWEB_OBJECT)
        return cm_fail(err, CM_E_INVAL, 0, "it is no object");
    r = take_status(capnweb_get(value, "status"), &response->status, err);
    if (r == 0 && !is_absent(status_text) && !is_text(status_text))
        r = cm_fail(err, CM_E_INVAL, 0, "statusText is no text");
    if (r == 0)
        r = take_headers(capnweb_get(value, "headers"), &to->headers, &response->header_count, err);
    if (r == 0)
        r = take_body(capnweb_get(value, "body"), &response->body, &response->body_bytes, err);
    response->headers = to->headers;
    response->status_text = is_absent(status_text) ? NULL : status_text->text.data;
    return r;
}

void exchange_response_done(struct exchange_response *response)
{
    free(CM_TAKE(response->headers));
}
