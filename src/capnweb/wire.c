/* The encoder. What is encoded are values of ours or of the peer's own making; depth
 * and size are bounded as the peer bounds what it receives. */
#include "capnweb/wire.h"

#include "capnweb/pipe.h"
#include "capnweb/stub.h"
#include "capnweb/text.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A UTF-16 unit takes at most three bytes of UTF-8. */
enum { BYTES_A_UNIT = 3, PIECE = 512 };

struct encoder {
    struct capnweb_session *session;
    struct cm_buf buf;
    struct export *made;
    int error; /* the first; nothing is written after it */
    bool root; /* the next value is a whole result */
};

static void put_value(struct encoder *encoder, const struct capnweb_value *value, size_t depth);

struct capnweb_stub *rpc_wire_orphan(void)
{
    static struct capnweb_stub orphan; /* only its address matters */

    return &orphan;
}

/*
 * Exports
 */

static void on_export_settled(struct waiter *waiter, struct capnweb_stub *stub)
{
    (void)stub;
    rpc_wire_answer(CM_CONTAINER_OF(waiter, struct export, waiter));
}

struct export *rpc_export_new(struct capnweb_session *session, int64_t id,
                              struct capnweb_stub *stub)
{
    struct export *entry =
        session->exports.count < session->settings.max_entries ? calloc(1, sizeof(*entry)) : NULL;

    if (entry == NULL)
        return NULL;
    if (capnweb_table_put(&session->exports, id, entry) < 0) {
        free(entry);
        return NULL;
    }
    entry->id = id;
    entry->refs = 1;
    entry->session = session;
    entry->stub = capnweb_stub_ref(stub);
    rpc_waiter_init(&entry->waiter);
    return entry;
}

void rpc_export_free(struct export *entry)
{
    capnweb_table_remove(&entry->session->exports, entry->id);
    rpc_waiter_cancel(&entry->waiter);
    capnweb_stub_unref(entry->stub);
    free(entry);
}

void rpc_export_pull(struct export *entry)
{
    if (entry->pulled)
        return;
    entry->pulled = true;
    rpc_stub_wait(entry->stub, &entry->waiter, on_export_settled);
}

/*
 * Text
 */

static void put(struct encoder *encoder, const char *text, size_t n)
{
    if (encoder->error == 0)
        encoder->error = cm_buf_append(&encoder->buf, text, n);
}

static void puts_text(struct encoder *encoder, const char *text)
{
    put(encoder, text, strlen(text));
}

static void put_id(struct encoder *encoder, int64_t id)
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
            puts_text(encoder, "\xEF\xBF\xBD");
        else
            put_run(encoder, text, character);
        text += used;
        n -= used;
    }
}

static void put_string(struct encoder *encoder, const char *text, size_t n)
{
    puts_text(encoder, "\"");
    if (encoder->error == 0)
        encoder->error = cm_buf_reserve(&encoder->buf, n);
    if (encoder->error == 0 && cm_utf8_valid(text, n))
        put_run(encoder, text, n);
    else
        put_repaired(encoder, text, n);
    puts_text(encoder, "\"");
}

static void put_text(struct encoder *encoder, struct capnweb_text text)
{
    put_string(encoder, text.data, text.bytes);
}

/* ["tag","text"] */
static void put_tagged(struct encoder *encoder, const char *tag, struct capnweb_text text)
{
    puts_text(encoder, "[\"");
    puts_text(encoder, tag);
    puts_text(encoder, "\",");
    put_text(encoder, text);
    puts_text(encoder, "]");
}

/* ["tag",id] */
static void put_reference(struct encoder *encoder, const char *tag, int64_t id)
{
    puts_text(encoder, "[\"");
    puts_text(encoder, tag);
    puts_text(encoder, "\",");
    put_id(encoder, id);
    puts_text(encoder, "]");
}

static void put_number(struct encoder *encoder, double number)
{
    char text[CAPNWEB_NUMBER_MAX];

    if (isnan(number))
        puts_text(encoder, "[\"nan\"]");
    else if (isinf(number))
        puts_text(encoder, number > 0 ? "[\"inf\"]" : "[\"-inf\"]");
    else
        put(encoder, text, capnweb_number_write(text, number));
}

static void put_date(struct encoder *encoder, double ms)
{
    char text[CAPNWEB_NUMBER_MAX];

    puts_text(encoder, "[\"date\",");
    if (isfinite(ms))
        put(encoder, text, capnweb_number_write(text, ms));
    else
        puts_text(encoder, "null");
    puts_text(encoder, "]");
}

static void put_bytes(struct encoder *encoder, const struct capnweb_value *value)
{
    size_t n = capnweb_base64_chars(value->bytes.count);

    puts_text(encoder, "[\"bytes\",\"");
    if (encoder->error == 0)
        encoder->error = cm_buf_reserve(&encoder->buf, n);
    if (encoder->error == 0) {
        capnweb_base64_write((char *)cm_buf_tail(&encoder->buf), value->bytes.data,
                             value->bytes.count);
        encoder->buf.len += n;
    }
    puts_text(encoder, "\"");
    if (value->type != CAPNWEB_BYTES_UINT8) {
        puts_text(encoder, ",\"");
        puts_text(encoder, capnweb_bytes_name((enum capnweb_bytes_type)value->type));
        puts_text(encoder, "\"");
    }
    puts_text(encoder, "]");
}

/*
 * Values with parts. An array of a value is doubled; one of the protocol's own is not.
 */

static void put_list(struct encoder *encoder, const struct capnweb_value *items, size_t count,
                     size_t depth)
{
    puts_text(encoder, "[");
    for (size_t i = 0; i < count && encoder->error == 0; i++) {
        if (i > 0)
            puts_text(encoder, ",");
        put_value(encoder, &items[i], depth);
    }
    puts_text(encoder, "]");
}

static void put_members(struct encoder *encoder, const struct capnweb_member *members, size_t count,
                        size_t depth)
{
    puts_text(encoder, "{");
    for (size_t i = 0; i < count && encoder->error == 0; i++) {
        if (i > 0)
            puts_text(encoder, ",");
        put_text(encoder, members[i].key);
        puts_text(encoder, ":");
        put_value(encoder, &members[i].value, depth);
    }
    puts_text(encoder, "}");
}

static void put_error(struct encoder *encoder, const struct capnweb_error *error, size_t depth)
{
    puts_text(encoder, "[\"error\",");
    put_text(encoder, error->type);
    puts_text(encoder, ",");
    put_text(encoder, error->message);
    if (error->stack.data != NULL) {
        puts_text(encoder, ",");
        put_text(encoder, error->stack);
    } else if (error->prop_count > 0) {
        puts_text(encoder, ",null");
    }
    if (error->prop_count > 0) {
        puts_text(encoder, ",");
        put_members(encoder, error->props, error->prop_count, depth);
    }
    puts_text(encoder, "]");
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
        puts_text(encoder, "[");
        for (size_t i = 0; i < value->array.count; i++) {
            puts_text(encoder, i > 0 ? "," : "");
            put_plain(encoder, &value->array.items[i], depth + 1, NULL);
        }
        puts_text(encoder, "]");
    } else if (value->kind == CAPNWEB_OBJECT) {
        puts_text(encoder, "{");
        for (size_t i = 0; i < value->object.count; i++) {
            puts_text(encoder, i > 0 ? "," : "");
            put_text(encoder, value->object.members[i].key);
            puts_text(encoder, ":");
            put_plain(encoder, &value->object.members[i].value, depth + 1, NULL);
        }
        if (body != NULL) {
            puts_text(encoder, value->object.count > 0 ? ",\"body\":" : "\"body\":");
            put_value(encoder, body, depth + 1);
        }
        puts_text(encoder, "}");
    } else {
        put_value(encoder, value, depth);
    }
}

static void put_http(struct encoder *encoder, enum capnweb_kind kind,
                     const struct capnweb_http *http, size_t depth)
{
    const struct capnweb_value none = capnweb_null();

    if (kind == CAPNWEB_HEADERS) {
        puts_text(encoder, "[\"headers\",");
        put_plain(encoder, &http->init, depth + 1, NULL);
    } else if (kind == CAPNWEB_REQUEST) {
        puts_text(encoder, "[\"request\",");
        put_text(encoder, http->url);
        puts_text(encoder, ",");
        put_plain(encoder, &http->init, depth + 1,
                  http->body.kind == CAPNWEB_UNDEFINED ? NULL : &http->body);
    } else {
        puts_text(encoder, "[\"response\",");
        put_value(encoder, http->body.kind == CAPNWEB_UNDEFINED ? &none : &http->body, depth + 1);
        puts_text(encoder, ",");
        put_plain(encoder, &http->init, depth + 1, NULL);
    }
    puts_text(encoder, "]");
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
    puts_text(encoder, "[\"blob\",");
    put_text(encoder, blob->type);
    puts_text(encoder, ",");
    put_readable(encoder, pipe);
    puts_text(encoder, "]");
    capnweb_pipe_unref(pipe);
}

static void put_kind(struct encoder *encoder, const struct capnweb_value *value, size_t depth,
                     bool root)
{
    switch ((enum capnweb_kind)value->kind) {
    case CAPNWEB_UNDEFINED:
        puts_text(encoder, "[\"undefined\"]");
        break;
    case CAPNWEB_NULL:
        puts_text(encoder, "null");
        break;
    case CAPNWEB_BOOLEAN:
        puts_text(encoder, value->boolean ? "true" : "false");
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
        puts_text(encoder, "[");
        put_list(encoder, value->array.items, value->array.count, depth + 1);
        puts_text(encoder, "]");
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

static void put_value(struct encoder *encoder, const struct capnweb_value *value, size_t depth)
{
    bool root = encoder->root;

    encoder->root = false;
    if (encoder->error == 0 && depth >= encoder->session->settings.max_depth)
        encoder->error = CM_E_LIMIT;
    if (encoder->error == 0)
        put_kind(encoder, value, depth, root);
}

/*
 * Messages
 */

static struct encoder encoder_start(struct capnweb_session *session)
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

static bool too_long(const struct encoder *encoder)
{
    const struct capnweb_settings *settings = &encoder->session->settings;
    size_t n = encoder->buf.len - settings->headroom_bytes;
    const char *text = (const char *)cm_buf_bytes(&encoder->buf) + settings->headroom_bytes;

    return n > settings->max_message && capnweb_text_units(text, n) > settings->max_message;
}

/* Sends what was written. In failure nothing remains of it. */
static int encoder_send(struct encoder *encoder)
{
    struct capnweb_session *session = encoder->session;
    size_t headroom = session->settings.headroom_bytes;

    if (encoder->error == 0 && too_long(encoder))
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

/* A message that has to go out, however little memory there is: or the session ends. */
static void send_small(struct capnweb_session *session, const char *text)
{
    struct encoder encoder = encoder_start(session);

    puts_text(&encoder, text);
    if (encoder_send(&encoder) < 0)
        rpc_session_fault(session, "Error", "there is no memory left for this session");
}

void rpc_wire_pull(struct capnweb_session *session, int64_t id)
{
    char text[48];

    snprintf(text, sizeof(text), "[\"pull\",%lld]", (long long)id);
    send_small(session, text);
}

void rpc_wire_release(struct capnweb_session *session, int64_t id, size_t count)
{
    char text[80];

    snprintf(text, sizeof(text), "[\"release\",%lld,%zu]", (long long)id, count);
    send_small(session, text);
}

/* A stream call keeps its place until its answer has come: it cannot be released. */
void rpc_wire_release_import(struct capnweb_stub *stub)
{
    struct capnweb_session *session = stub->session;

    if (stub->remote.promise)
        session->pending--;
    if (session->reason != NULL || stub->remote.id == 0)
        return;
    if (stub->remote.stream) {
        capnweb_table_put(&session->imports, stub->remote.id, rpc_wire_orphan());
        return;
    }
    capnweb_table_remove(&session->imports, stub->remote.id);
    rpc_wire_release(session, stub->remote.id, stub->remote.introductions);
}

static const char *sentence_of(int error)
{
    if (error == CM_E_LIMIT)
        return "the value is too large or nested too deeply to be sent";
    if (error == CM_E_INVAL)
        return "the value holds a reference that does not belong to this session";
    return "there is no memory left for this value";
}

struct capnweb_tree *rpc_wire_error(struct capnweb_session *session, int error)
{
    return rpc_session_error(session, error == CM_E_LIMIT ? "RangeError" : "Error",
                             sentence_of(error));
}

/* ["push",["pipeline",id,[path],[args]]] */
static void put_call(struct encoder *encoder, const struct capnweb_call *call,
                     const struct capnweb_stub *target, bool stream)
{
    puts_text(encoder, stream ? "[\"stream\",[\"pipeline\"," : "[\"push\",[\"pipeline\",");
    put_id(encoder, target->remote.id);
    puts_text(encoder, ",");
    put_list(encoder, call->path + call->at, call->path_count - call->at, 0);
    if (call->args != NULL) {
        puts_text(encoder, ",");
        put_list(encoder, call->args->array.items, call->args->array.count, 1);
    }
    puts_text(encoder, "]]");
}

/* The result is in the table before the message is out: what the embedder does in
 * send() may already meet it. */
static int import_result(struct capnweb_session *session, struct capnweb_stub *result)
{
    if (session->reason != NULL)
        return CM_E_STATE;
    if (session->imports.count >= session->settings.max_entries)
        return CM_E_LIMIT;
    return capnweb_table_put(&session->imports, session->last_out + 1, result);
}

/* One that nobody waits for any more keeps its place for as long as the peer leaves it
 * unanswered: such calls may fill half of the table. */
static bool goes_once(const struct capnweb_call *call)
{
    return call->once && call->session->imports.count < call->session->settings.max_entries / 2;
}

int rpc_wire_call(struct capnweb_call *call, struct capnweb_stub *target,
                  struct capnweb_tree **ret_why)
{
    struct capnweb_session *session = call->session;
    struct encoder encoder = encoder_start(session);
    bool stream = (target->remote.writer && call->args != NULL) || goes_once(call);
    int r;

    put_call(&encoder, call, target, stream);
    if (encoder.error == 0)
        encoder.error = import_result(session, call->result);
    if (encoder.error == 0 && too_long(&encoder)) {
        capnweb_table_remove(&session->imports, session->last_out + 1);
        encoder.error = CM_E_LIMIT;
    }
    if (encoder.error == 0) {
        rpc_stub_set_remote(call->result, ++session->last_out, true);
        call->result->remote.stream = stream;
    }
    r = encoder_send(&encoder);
    if (r < 0) {
        *ret_why = rpc_wire_error(session, r);
        return r;
    }
    rpc_stub_pull_waited(call->result);
    return 0;
}

struct capnweb_stub *rpc_wire_pipe(struct capnweb_session *session)
{
    struct capnweb_stub *writer = rpc_stub_new(session, STUB_PENDING);

    if (writer == NULL)
        return NULL;
    if (import_result(session, writer) < 0) {
        capnweb_stub_unref(writer);
        return NULL;
    }
    rpc_stub_set_remote(writer, ++session->last_out, false);
    writer->remote.writer = true;
    send_small(session, "[\"pipe\"]");
    return writer;
}

/* ["resolve",id,value] or ["reject",id,value] */
static int send_answer(struct export *entry, const char *type, const struct capnweb_value *value)
{
    struct encoder encoder = encoder_start(entry->session);

    puts_text(&encoder, "[\"");
    puts_text(&encoder, type);
    puts_text(&encoder, "\",");
    put_id(&encoder, entry->id);
    puts_text(&encoder, ",");
    encoder.root = true;
    put_value(&encoder, value, 0);
    puts_text(&encoder, "]");
    return encoder_send(&encoder);
}

static void send_failure(struct export *entry, int error)
{
    struct capnweb_tree *why = rpc_wire_error(entry->session, error);

    if (send_answer(entry, "reject", &why->root) < 0)
        rpc_session_fault(entry->session, "Error", "there is no memory left for this session");
    rpc_tree_unuse(why);
}

static void after_answer(struct export *entry)
{
    if (entry->stream)
        rpc_export_free(entry);
}

void rpc_wire_answer(struct export *entry)
{
    struct capnweb_value value = rpc_stub_value(entry->stub);
    bool failed = entry->stub->state == STUB_FAILED;
    int r = send_answer(entry, failed ? "reject" : "resolve", &value);

    if (r < 0)
        send_failure(entry, r);
    after_answer(entry);
}

bool rpc_wire_answer_now(struct capnweb_stub *result, const struct capnweb_value *value)
{
    struct waiter *waiter = CM_LIST_FIRST(&result->waiters, struct waiter, link);
    struct export *entry;
    int r;

    if (waiter == NULL || waiter->settled != on_export_settled ||
        waiter->link.next != &result->waiters)
        return false;
    entry = CM_CONTAINER_OF(waiter, struct export, waiter);
    r = send_answer(entry, "resolve", value);
    if (r < 0)
        send_failure(entry, r);
    rpc_waiter_cancel(waiter);
    after_answer(entry);
    return true;
}

void rpc_wire_abort(struct capnweb_session *session, const struct capnweb_value *reason)
{
    struct encoder encoder = encoder_start(session);

    puts_text(&encoder, "[\"abort\",");
    put_value(&encoder, reason, 0);
    puts_text(&encoder, "]");
    encoder_send(&encoder);
}
