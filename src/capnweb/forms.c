/* The forms of plain data that a message can hold. The elements are a peer's: their
 * number and kinds are checked before they are used. */
#include "capnweb/forms.h"

#include "capnweb/keys.h"
#include "capnweb/text.h"
#include "capnweb/url.h"

#include "base/cleanup.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { BIGINT_MAX = 16384 };

#define DATE_MAX_MS 8.64e15

/*
 * Values
 */

static int read_undefined(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                          size_t depth)
{
    (void)depth;
    if (form.count != 1)
        return rpc_wrong(ev, "an \"undefined\" form has one element");
    *value = capnweb_undefined();
    return 0;
}

static int read_inf(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                    size_t depth)
{
    (void)ev, (void)depth;
    *value = capnweb_number(form.items[0].text.data[0] == '-' ? -INFINITY : INFINITY);
    return 0;
}

static int read_nan(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                    size_t depth)
{
    (void)ev, (void)form, (void)depth;
    *value = capnweb_number(NAN);
    return 0;
}

static bool all_digits(const char *text, size_t n, const char *digits)
{
    return n > 0 && strspn(text, digits) == n; /* the text has a NUL behind it */
}

/* Leading zeros go, and the sign moves up; the text is ours to change. */
static struct capnweb_text decimal(char *digits, size_t n, bool negative)
{
    while (n > 1 && digits[0] == '0') {
        digits++;
        n--;
    }
    if (!negative || digits[0] == '0')
        return (struct capnweb_text){ digits, n };
    digits[-1] = '-';
    return (struct capnweb_text){ digits - 1, n + 1 };
}

/* What BigInt() takes of text: decimal with a sign, or 0x, 0o, 0b, or nothing. */
static bool read_digits(struct capnweb_text text, struct capnweb_text *ret_digits)
{
    static const struct {
        const char *prefix;
        const char *digits;
    } radixes[] = { { "xX", "0123456789abcdefABCDEF" }, { "oO", "01234567" }, { "bB", "01" } };
    char *at = (char *)(uintptr_t)text.data;
    size_t n = text.bytes;
    bool sign;

    for (; n > 0 && isspace((unsigned char)at[0]); n--)
        at++;
    for (; n > 0 && isspace((unsigned char)at[n - 1]); n--)
        at[n - 1] = '\0';
    *ret_digits = capnweb_text("0");
    if (n == 0)
        return true;
    for (size_t i = 0; n > 2 && at[0] == '0' && i < CM_ARRAY_LEN(radixes); i++)
        if (strchr(radixes[i].prefix, at[1]) != NULL) {
            *ret_digits = (struct capnweb_text){ at, n };
            return all_digits(at + 2, n - 2, radixes[i].digits);
        }
    sign = at[0] == '-' || at[0] == '+';
    if (!all_digits(at + sign, n - sign, "0123456789"))
        return false;
    *ret_digits = decimal(at + sign, n - sign, at[0] == '-');
    return true;
}

static int read_bigint(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                       size_t depth)
{
    struct capnweb_text digits;

    (void)depth;
    if (!is_string(&form, 1))
        return rpc_wrong(ev, "a \"bigint\" form has its digits as text");
    if (form.items[1].text.bytes > BIGINT_MAX)
        return rpc_wrong(ev, "a \"bigint\" form has more than 16384 characters");
    if (!read_digits(form.items[1].text, &digits))
        return rpc_wrong(ev, "a \"bigint\" form holds no whole number");
    *value = (struct capnweb_value){ .kind = CAPNWEB_BIGINT, .text = digits };
    return 0;
}

static int read_date(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                     size_t depth)
{
    double ms = NAN;

    (void)depth;
    if (form.count < 2 ||
        (form.items[1].kind != CAPNWEB_NUMBER && form.items[1].kind != CAPNWEB_NULL))
        return rpc_wrong(ev, "a \"date\" form has a number or null");
    if (form.items[1].kind == CAPNWEB_NUMBER && fabs(form.items[1].number) <= DATE_MAX_MS)
        ms = trunc(form.items[1].number) + 0.0; /* no negative zero */
    *value = capnweb_date(ms);
    return 0;
}

static bool find_bytes_type(struct capnweb_text name, enum capnweb_bytes_type *ret_type)
{
    for (int i = 0; i < CAPNWEB_BYTES_TYPES; i++) {
        *ret_type = (enum capnweb_bytes_type)i;
        if (capnweb_text_is(name, capnweb_bytes_name(*ret_type)))
            return true;
    }
    return false;
}

/* Decoded in place: bytes are shorter than their text. */
static int read_bytes(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                      size_t depth)
{
    enum capnweb_bytes_type type = CAPNWEB_BYTES_UINT8;
    uint8_t *data;
    size_t count;

    (void)depth;
    if (!is_string(&form, 1))
        return rpc_wrong(ev, "a \"bytes\" form has its bytes as text");
    if (form.count > 2 && (!is_string(&form, 2) || !find_bytes_type(form.items[2].text, &type)))
        return rpc_wrong(ev, "a \"bytes\" form names a type that is none");
    data = (uint8_t *)(uintptr_t)form.items[1].text.data;
    if (!capnweb_base64_read(data, form.items[1].text.data, form.items[1].text.bytes, &count))
        return rpc_wrong(ev, "a \"bytes\" form does not hold base64");
    if (count % capnweb_bytes_element(type) != 0)
        return rpc_wrong(ev, "the length of a \"bytes\" form does not fit its type");
    *value = capnweb_bytes(data, count, type);
    return 0;
}

static int read_error(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                      size_t depth)
{
    struct capnweb_error *error = rpc_tree_alloc(ev->tree, sizeof(*error));
    int r;

    if (error == NULL)
        return rpc_no_memory(ev);
    if (!is_string(&form, 1) || !is_string(&form, 2))
        return rpc_wrong(ev, "an \"error\" form has its type and its message as text");
    *error = (struct capnweb_error){ .type = form.items[1].text, .message = form.items[2].text };
    if (is_string(&form, 3))
        error->stack = form.items[3].text;
    if (form.count > 4) {
        if (form.items[4].kind != CAPNWEB_OBJECT)
            return rpc_wrong(ev, "the properties of an \"error\" form are an object");
        error->props = form.items[4].object.members;
        error->prop_count = form.items[4].object.count;
        r = rpc_evaluate_members(ev, error->props, error->prop_count, depth + 1);
        if (r == 0 && rpc_keys_clean(rpc_tree_members(error->props), &error->prop_count, true) < 0)
            r = rpc_no_memory(ev);
        if (r < 0)
            return r;
    }
    *value = capnweb_error(error);
    return 0;
}

static int read_url(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                    size_t depth)
{
    struct capnweb_text url;
    int r;

    (void)depth;
    if (form.count != 2 || !is_string(&form, 1))
        return rpc_wrong(ev, "a \"url\" form has one text");
    r = rpc_url_normalize(ev->tree, form.items[1].text, &url);
    if (r == CM_E_INVAL)
        return rpc_wrong(ev, "a \"url\" form holds no absolute URL");
    if (r < 0)
        return rpc_no_memory(ev);
    *value = (struct capnweb_value){ .kind = CAPNWEB_URL, .text = url };
    return 0;
}

/*
 * The interfaces of fetch
 */

static bool are_pairs(const struct capnweb_value *list)
{
    if (list->kind != CAPNWEB_ARRAY)
        return false;
    for (size_t i = 0; i < list->array.count; i++) {
        const struct capnweb_value *pair = &list->array.items[i];

        if (pair->kind != CAPNWEB_ARRAY || pair->array.count != 2 ||
            pair->array.items[0].kind != CAPNWEB_STRING ||
            pair->array.items[1].kind != CAPNWEB_STRING)
            return false;
    }
    return true;
}

static int http_value(struct evaluator *ev, enum capnweb_kind kind, struct capnweb_http http,
                      struct capnweb_value *value)
{
    struct capnweb_http *made = rpc_tree_alloc(ev->tree, sizeof(*made));
    const struct capnweb_value *headers = capnweb_get(&http.init, "headers");

    if (made == NULL)
        return rpc_no_memory(ev);
    if (headers != NULL && !are_pairs(headers))
        return rpc_wrong(ev, "the headers of a request or response are pairs of text");
    *made = http;
    *value = capnweb_http(kind, made);
    return 0;
}

static int read_headers(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                        size_t depth)
{
    (void)depth;
    if (form.count < 2 || !are_pairs(&form.items[1]))
        return rpc_wrong(ev, "a \"headers\" form has pairs of text");
    return http_value(ev, CAPNWEB_HEADERS, (struct capnweb_http){ .init = form.items[1] }, value);
}

static bool is_body(const struct capnweb_value *value)
{
    return value->kind == CAPNWEB_NULL || value->kind == CAPNWEB_STRING ||
           value->kind == CAPNWEB_BYTES || value->kind == CAPNWEB_READABLE;
}

static int read_body(struct evaluator *ev, struct capnweb_value *body, size_t depth)
{
    int r = rpc_evaluate_value(ev, body, depth);

    if (r == 0 && !is_body(body))
        return rpc_wrong(ev, "a body is null, text, bytes or a stream");
    return r;
}

/* Takes the body out of the members of a request, and evaluates it. */
static int take_body(struct evaluator *ev, struct capnweb_value *init, struct capnweb_value *body,
                     size_t depth)
{
    struct capnweb_member *members = rpc_tree_members(init->object.members);

    *body = capnweb_undefined();
    for (size_t i = 0; i < init->object.count; i++) {
        if (!capnweb_text_is(members[i].key, "body"))
            continue;
        *body = members[i].value;
        members[i] = members[--init->object.count];
        return read_body(ev, body, depth);
    }
    return 0;
}

static int read_request(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                        size_t depth)
{
    struct capnweb_http http = { 0 };
    int r;

    if (form.count < 3 || !is_string(&form, 1) || form.items[2].kind != CAPNWEB_OBJECT)
        return rpc_wrong(ev, "a \"request\" form has a URL and an object");
    r = rpc_url_normalize(ev->tree, form.items[1].text, &http.url);
    if (r < 0)
        return r == CM_E_INVAL ? rpc_wrong(ev, "a \"request\" form holds no absolute URL")
                               : rpc_no_memory(ev);
    http.init = form.items[2];
    if (rpc_keys_clean(rpc_tree_members(http.init.object.members), &http.init.object.count, false) <
        0)
        return rpc_no_memory(ev);
    r = take_body(ev, &http.init, &http.body, depth + 1);
    return r < 0 ? r : http_value(ev, CAPNWEB_REQUEST, http, value);
}

static int read_response(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                         size_t depth)
{
    struct capnweb_http http = { 0 };
    int r;

    if (form.count < 3 || form.items[2].kind != CAPNWEB_OBJECT)
        return rpc_wrong(ev, "a \"response\" form has a body and an object");
    http.body = form.items[1];
    r = read_body(ev, &http.body, depth + 1);
    if (r < 0)
        return r;
    http.init = form.items[2];
    if (rpc_keys_clean(rpc_tree_members(http.init.object.members), &http.init.object.count, false) <
        0)
        return rpc_no_memory(ev);
    return http_value(ev, CAPNWEB_RESPONSE, http, value);
}

static const struct value_form data_forms[] = {
    { "undefined", read_undefined },
    { "inf", read_inf },
    { "-inf", read_inf },
    { "nan", read_nan },
    { "bigint", read_bigint },
    { "date", read_date },
    { "bytes", read_bytes },
    { "error", read_error },
    { "url", read_url },
    { "headers", read_headers },
    { "request", read_request },
    { "response", read_response },
};

const struct value_form *rpc_data_form(struct capnweb_text tag)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(data_forms); i++)
        if (capnweb_text_is(tag, data_forms[i].tag))
            return &data_forms[i];
    return NULL;
}
