/* Values as text. What is encoded are values of ours or of the peer's own making;
 * depth and size are bounded as the peer bounds what it receives. */
#include "capnweb/encode.h"

#include "capnweb/pipe.h"
#include "capnweb/stub.h"
#include "capnweb/text.h"
#include "capnweb/wire.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A UTF-16 unit takes at most three bytes of UTF-8. */
enum { BYTES_A_UNIT = 3, PIECE = 512 };

/*
 * Beginning and end
 */

struct encoder rpc_encode_start(struct capnweb_session *session)
{
    const struct capnweb_settings *settings = &session->settings;
    struct encoder encoder = { .session = session };
    size_t units = settings->max_message;

    cm_buf_init(&encoder.buf, units > SIZE_MAX / 4 / BYTES_A_UNIT
                                  ? SIZE_MAX / 2
                                  : units * BYTES_A_UNIT + settings->headroom_bytes);
    encoder.error = cm_buf_reserve(&encoder.buf, settings->headroom_bytes);
    if (encoder.error == 0)
        encoder.buf.len = settings->headroom_bytes;
    return encoder;
}

bool rpc_encode_too_long(const struct encoder *encoder)
{
    const struct capnweb_settings *settings = &encoder->session->settings;
    size_t n = encoder->buf.len - settings->headroom_bytes;
    const char *text = (const char *)cm_buf_bytes(&encoder->buf) + settings->headroom_bytes;

    return n > settings->max_message && capnweb_text_units(text, n) > settings->max_message;
}

/* Sends what was written. In failure nothing remains of it. */
int rpc_encode_send(struct encoder *encoder)
{
    struct capnweb_session *session = encoder->session;
    size_t headroom = session->settings.headroom_bytes;

    if (encoder->error == 0 && rpc_encode_too_long(encoder))
        encoder->error = CM_E_LIMIT;
    if (encoder->error < 0) {
        while (encoder->made != NULL) {
            struct export *entry = encoder->made;

            encoder->made = entry->made;
            rpc_export_free(entry);
        }
        cm_buf_done(&encoder->buf);
        return encoder->error;
    }
    if (!session->mute && session->events->send != NULL)
        session->events->send(session->user, (char *)encoder->buf.data + headroom,
                              encoder->buf.len - headroom);
    else
        cm_buf_done(&encoder->buf);
    return 0;
}

/*
 * Text
 */

static void put(struct encoder *encoder, const char *text, size_t n)
{
    if (encoder->error == 0)
        encoder->error = cm_buf_append(&encoder->buf, text, n);
}

void rpc_encode_text(struct encoder *encoder, const char *text)
{
    put(encoder, text, strlen(text));
}

void rpc_encode_id(struct encoder *encoder, int64_t id)
{
    char text[24];

    put(encoder, text, (size_t)snprintf(text, sizeof(text), "%lld", (long long)id));
}

/* A piece at a time: each has room for its longest form, whatever comes. */
static void put_run(struct encoder *encoder, const char *text, size_t n)
{
    while (n > 0 && encoder->error == 0) {
        size_t plain = capnweb_text_plain(text, n);
        size_t piece = n < PIECE ? n : PIECE;

        if (plain >= piece) {
            put(encoder, text, plain);
            text += plain;
            n -= plain;
            continue;
        }
        encoder->error = cm_buf_reserve(&encoder->buf, piece * CAPNWEB_ESCAPE_MAX);
        if (encoder->error == 0)
            encoder->buf.len +=
                capnweb_text_escape((char *)cm_buf_tail(&encoder->buf), text, piece);
        text += piece;
        n -= piece;
    }
}

/* What is no UTF-8 would break the connection: it becomes U+FFFD, a byte at a time. */
static void put_repaired(struct encoder *encoder, const char *text, size_t n)
{
    while (n > 0 && encoder->error == 0) {
        size_t character = capnweb_text_character(text, n);
        size_t used = character == 0 ? 1 : character;

        if (character == 0)
            rpc_encode_text(encoder, "\xEF\xBF\xBD");
        else
            put_run(encoder, text, character);
        text += used;
        n -= used;
    }
}

static void put_string(struct encoder *encoder, const char *text, size_t n)
{
    rpc_encode_text(encoder, "\"");
    if (encoder->error == 0)
        encoder->error = cm_buf_reserve(&encoder->buf, n);
    if (encoder->error == 0 && cm_utf8_valid(text, n))
        put_run(encoder, text, n);
    else
        put_repaired(encoder, text, n);
    rpc_encode_text(encoder, "\"");
}

static void put_text(struct encoder *encoder, struct capnweb_text text)
{
    put_string(encoder, text.data, text.bytes);
}

/* ["tag","text"] */
static void put_tagged(struct encoder *encoder, const char *tag, struct capnweb_text text)
{
    rpc_encode_text(encoder, "[\"");
    rpc_encode_text(encoder, tag);
    rpc_encode_text(encoder, "\",");
    put_text(encoder, text);
    rpc_encode_text(encoder, "]");
}

/* ["tag",id] */
static void put_reference(struct encoder *encoder, const char *tag, int64_t id)
{
    rpc_encode_text(encoder, "[\"");
    rpc_encode_text(encoder, tag);
    rpc_encode_text(encoder, "\",");
    rpc_encode_id(encoder, id);
    rpc_encode_text(encoder, "]");
}

static void put_number(struct encoder *encoder, double number)
{
    char text[CAPNWEB_NUMBER_MAX];

    if (isnan(number))
        rpc_encode_text(encoder, "[\"nan\"]");
    else if (isinf(number))
        rpc_encode_text(encoder, number > 0 ? "[\"inf\"]" : "[\"-inf\"]");
    else
        put(encoder, text, capnweb_number_write(text, number));
}

static void put_date(struct encoder *encoder, double ms)
{
    char text[CAPNWEB_NUMBER_MAX];

    rpc_encode_text(encoder, "[\"date\",");
    if (isfinite(ms))
        put(encoder, text, capnweb_number_write(text, ms));
    else
        rpc_encode_text(encoder, "null");
    rpc_encode_text(encoder, "]");
}

static void put_bytes(struct encoder *encoder, const struct capnweb_value *value)
{
    size_t n = capnweb_base64_chars(value->bytes.count);

    rpc_encode_text(encoder, "[\"bytes\",\"");
    if (encoder->error == 0)
        encoder->error = cm_buf_reserve(&encoder->buf, n);
    if (encoder->error == 0) {
        capnweb_base64_write((char *)cm_buf_tail(&encoder->buf), value->bytes.data,
                             value->bytes.count);
        encoder->buf.len += n;
    }
    rpc_encode_text(encoder, "\"");
    if (value->type != CAPNWEB_BYTES_UINT8) {
        rpc_encode_text(encoder, ",\"");
        rpc_encode_text(encoder, capnweb_bytes_name((enum capnweb_bytes_type)value->type));
        rpc_encode_text(encoder, "\"");
    }
    rpc_encode_text(encoder, "]");
}

/*
 * Values with parts. An array of a value is doubled; one of the protocol's own is not.
 */

void rpc_encode_list(struct encoder *encoder, const struct capnweb_value *items, size_t count,
                     size_t depth)
{
    rpc_encode_text(encoder, "[");
    for (size_t i = 0; i < count && encoder->error == 0; i++) {
        if (i > 0)
            rpc_encode_text(encoder, ",");
        rpc_encode_value(encoder, &items[i], depth);
    }
    rpc_encode_text(encoder, "]");
}

static void put_members(struct encoder *encoder, const struct capnweb_member *members, size_t count,
                        size_t depth)
{
    rpc_encode_text(encoder, "{");
    for (size_t i = 0; i < count && encoder->error == 0; i++) {
        if (i > 0)
            rpc_encode_text(encoder, ",");
        put_text(encoder, members[i].key);
        rpc_encode_text(encoder, ":");
        rpc_encode_value(encoder, &members[i].value, depth);
    }
    rpc_encode_text(encoder, "}");
}

static void put_error(struct encoder *encoder, const struct capnweb_error *error, size_t depth)
{
    rpc_encode_text(encoder, "[\"error\",");
    put_text(encoder, error->type);
    rpc_encode_text(encoder, ",");
    put_text(encoder, error->message);
    if (error->stack.data != NULL) {
        rpc_encode_text(encoder, ",");
        put_text(encoder, error->stack);
    } else if (error->prop_count > 0) {
        rpc_encode_text(encoder, ",null");
    }
    if (error->prop_count > 0) {
        rpc_encode_text(encoder, ",");
        put_members(encoder, error->props, error->prop_count, depth);
    }
    rpc_encode_text(encoder, "]");
}

/* Plain data: the interfaces of fetch have their own layer of JSON. */
static void put_plain(struct encoder *encoder, const struct capnweb_value *value, size_t depth,
                      const struct capnweb_value *body)
{
    if (depth >= encoder->session->settings.max_depth)
        encoder->error = encoder->error == 0 ? CM_E_LIMIT : encoder->error;
    if (encoder->error != 0)
        return;
    if (value->kind == CAPNWEB_ARRAY) {
        rpc_encode_text(encoder, "[");
        for (size_t i = 0; i < value->array.count; i++) {
            rpc_encode_text(encoder, i > 0 ? "," : "");
            put_plain(encoder, &value->array.items[i], depth + 1, NULL);
        }
        rpc_encode_text(encoder, "]");
    } else if (value->kind == CAPNWEB_OBJECT) {
        rpc_encode_text(encoder, "{");
        for (size_t i = 0; i < value->object.count; i++) {
            rpc_encode_text(encoder, i > 0 ? "," : "");
            put_text(encoder, value->object.members[i].key);
            rpc_encode_text(encoder, ":");
            put_plain(encoder, &value->object.members[i].value, depth + 1, NULL);
        }
        if (body != NULL) {
            rpc_encode_text(encoder, value->object.count > 0 ? ",\"body\":" : "\"body\":");
            rpc_encode_value(encoder, body, depth + 1);
        }
        rpc_encode_text(encoder, "}");
    } else {
        rpc_encode_value(encoder, value, depth);
    }
}

static void put_http(struct encoder *encoder, enum capnweb_kind kind,
                     const struct capnweb_http *http, size_t depth)
{
    const struct capnweb_value none = capnweb_null();

    if (kind == CAPNWEB_HEADERS) {
        rpc_encode_text(encoder, "[\"headers\",");
        put_plain(encoder, &http->init, depth + 1, NULL);
    } else if (kind == CAPNWEB_REQUEST) {
        rpc_encode_text(encoder, "[\"request\",");
        put_text(encoder, http->url);
        rpc_encode_text(encoder, ",");
        put_plain(encoder, &http->init, depth + 1,
                  http->body.kind == CAPNWEB_UNDEFINED ? NULL : &http->body);
    } else {
        rpc_encode_text(encoder, "[\"response\",");
        rpc_encode_value(encoder, http->body.kind == CAPNWEB_UNDEFINED ? &none : &http->body,
                         depth + 1);
        rpc_encode_text(encoder, ",");
        put_plain(encoder, &http->init, depth + 1, NULL);
    }
    rpc_encode_text(encoder, "]");
}

/*
 * References
 */

/* A new id each time: JavaScript peers do not count introductions. */
static struct export *export_made(struct encoder *encoder, struct capnweb_stub *stub)
{
    struct capnweb_session *session = encoder->session;
    struct export *entry =
        encoder->error != 0 ? NULL : rpc_export_new(session, session->last_export - 1, stub);

    if (entry == NULL) {
        if (encoder->error == 0)
            encoder->error =
                session->exports.count < session->settings.max_entries ? CM_E_NOMEM : CM_E_LIMIT;
        return NULL;
    }
    session->last_export--;
    entry->made = encoder->made;
    encoder->made = entry;
    return entry;
}

static void put_export(struct encoder *encoder, const char *tag, struct capnweb_stub *stub)
{
    const struct export *entry = export_made(encoder, stub);

    if (entry != NULL)
        put_reference(encoder, tag, entry->id);
}

/* The peer's own stub goes back by its number; as a whole result it would not be
 * understood there, and is exported like one of ours. */
static void put_stub(struct encoder *encoder, struct capnweb_stub *stub, const char *tag, bool root)
{
    if (stub->session != encoder->session)
        encoder->error = encoder->error == 0 ? CM_E_INVAL : encoder->error;
    else if (stub->state == STUB_REMOTE && !root)
        put_reference(encoder, "import", stub->remote.id);
    else
        put_export(encoder, tag, stub);
}

/* A promise is answered without being pulled, after the message that tells of it. */
static void put_promise(struct encoder *encoder, struct capnweb_stub *stub)
{
    struct export *entry;

    if (stub->session != encoder->session) {
        encoder->error = encoder->error == 0 ? CM_E_INVAL : encoder->error;
    } else if (stub->state == STUB_REMOTE && !stub->remote.stream) {
        put_reference(encoder, "pipeline", stub->remote.id);
    } else {
        entry = export_made(encoder, stub);
        if (entry == NULL)
            return;
        put_reference(encoder, "promise", entry->id);
        rpc_export_pull(entry);
    }
}

static void put_readable(struct encoder *encoder, struct capnweb_pipe *pipe)
{
    int64_t id = 0;

    if (encoder->error == 0)
        encoder->error = rpc_pipe_pump(pipe, encoder->session, &id);
    if (encoder->error == 0)
        put_reference(encoder, "readable", id);
}

static void put_blob(struct encoder *encoder, const struct capnweb_blob *blob)
{
    struct capnweb_pipe *pipe = capnweb_pipe_new(encoder->session);

    if (pipe == NULL) {
        encoder->error = encoder->error == 0 ? CM_E_NOMEM : encoder->error;
        return;
    }
    if (blob->bytes > 0 && encoder->error == 0)
        encoder->error =
            capnweb_pipe_write(pipe, capnweb_bytes(blob->data, blob->bytes, CAPNWEB_BYTES_UINT8));
    capnweb_pipe_close(pipe);
    rpc_encode_text(encoder, "[\"blob\",");
    put_text(encoder, blob->type);
    rpc_encode_text(encoder, ",");
    put_readable(encoder, pipe);
    rpc_encode_text(encoder, "]");
    capnweb_pipe_unref(pipe);
}

static void put_kind(struct encoder *encoder, const struct capnweb_value *value, size_t depth,
                     bool root)
{
    switch ((enum capnweb_kind)value->kind) {
    case CAPNWEB_UNDEFINED:
        rpc_encode_text(encoder, "[\"undefined\"]");
        break;
    case CAPNWEB_NULL:
        rpc_encode_text(encoder, "null");
        break;
    case CAPNWEB_BOOLEAN:
        rpc_encode_text(encoder, value->boolean ? "true" : "false");
        break;
    case CAPNWEB_NUMBER:
        put_number(encoder, value->number);
        break;
    case CAPNWEB_BIGINT:
        put_tagged(encoder, "bigint", value->text);
        break;
    case CAPNWEB_STRING:
        put_text(encoder, value->text);
        break;
    case CAPNWEB_DATE:
        put_date(encoder, value->number);
        break;
    case CAPNWEB_BYTES:
        put_bytes(encoder, value);
        break;
    case CAPNWEB_ARRAY:
        rpc_encode_text(encoder, "[");
        rpc_encode_list(encoder, value->array.items, value->array.count, depth + 1);
        rpc_encode_text(encoder, "]");
        break;
    case CAPNWEB_OBJECT:
        put_members(encoder, value->object.members, value->object.count, depth + 1);
        break;
    case CAPNWEB_ERROR:
        put_error(encoder, value->error, depth + 1);
        break;
    case CAPNWEB_URL:
        put_tagged(encoder, "url", value->text);
        break;
    case CAPNWEB_HEADERS:
    case CAPNWEB_REQUEST:
    case CAPNWEB_RESPONSE:
        put_http(encoder, (enum capnweb_kind)value->kind, value->http, depth);
        break;
    case CAPNWEB_BLOB:
        put_blob(encoder, value->blob);
        break;
    case CAPNWEB_STUB:
        put_stub(encoder, value->stub, "export", root);
        break;
    case CAPNWEB_WRITABLE:
        put_stub(encoder, value->stub, "writable", root);
        break;
    case CAPNWEB_PROMISE:
        put_promise(encoder, value->stub);
        break;
    case CAPNWEB_READABLE:
        put_readable(encoder, value->pipe);
        break;
    }
}

void rpc_encode_value(struct encoder *encoder, const struct capnweb_value *value, size_t depth)
{
    bool root = encoder->root;

    encoder->root = false;
    if (encoder->error == 0 && depth >= encoder->session->settings.max_depth)
        encoder->error = CM_E_LIMIT;
    if (encoder->error == 0)
        put_kind(encoder, value, depth, root);
}
