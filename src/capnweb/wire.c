/* Messages that go out, and the exports that they make. Runs in the embedder's
 * process. */
#include "capnweb/wire.h"

#include "capnweb/encode.h"
#include "capnweb/stub.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <stdlib.h>

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
 * Messages
 */

/* A message that has to go out, however little memory there is: or the session ends. */
static void send_small(struct capnweb_session *session, const char *text)
{
    struct encoder encoder = rpc_encode_start(session);

    rpc_encode_text(&encoder, text);
    if (rpc_encode_send(&encoder) < 0)
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
    rpc_encode_text(encoder, stream ? "[\"stream\",[\"pipeline\"," : "[\"push\",[\"pipeline\",");
    rpc_encode_id(encoder, target->remote.id);
    rpc_encode_text(encoder, ",");
    rpc_encode_list(encoder, call->path + call->at, call->path_count - call->at, 0);
    if (call->args != NULL) {
        rpc_encode_text(encoder, ",");
        rpc_encode_list(encoder, call->args->array.items, call->args->array.count, 1);
    }
    rpc_encode_text(encoder, "]]");
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
    struct encoder encoder = rpc_encode_start(session);
    bool stream = (target->remote.writer && call->args != NULL) || goes_once(call);
    int r;

    put_call(&encoder, call, target, stream);
    if (encoder.error == 0)
        encoder.error = import_result(session, call->result);
    if (encoder.error == 0 && rpc_encode_too_long(&encoder)) {
        capnweb_table_remove(&session->imports, session->last_out + 1);
        encoder.error = CM_E_LIMIT;
    }
    if (encoder.error == 0) {
        rpc_stub_set_remote(call->result, ++session->last_out, true);
        call->result->remote.stream = stream;
    }
    r = rpc_encode_send(&encoder);
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
    struct encoder encoder = rpc_encode_start(entry->session);

    rpc_encode_text(&encoder, "[\"");
    rpc_encode_text(&encoder, type);
    rpc_encode_text(&encoder, "\",");
    rpc_encode_id(&encoder, entry->id);
    rpc_encode_text(&encoder, ",");
    encoder.root = true;
    rpc_encode_value(&encoder, value, 0);
    rpc_encode_text(&encoder, "]");
    return rpc_encode_send(&encoder);
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
    struct encoder encoder = rpc_encode_start(session);

    rpc_encode_text(&encoder, "[\"abort\",");
    rpc_encode_value(&encoder, reason, 0);
    rpc_encode_text(&encoder, "]");
    rpc_encode_send(&encoder);
}
