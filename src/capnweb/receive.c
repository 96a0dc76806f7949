/*
 * Messages of the peer. Runs in the embedder's process; every message is hostile. A
 * message is read and evaluated whole before anything that it settles is told.
 */
#include "capnweb/evaluate.h"
#include "capnweb/pipe.h"
#include "capnweb/state.h"
#include "capnweb/stub.h"
#include "capnweb/text.h"
#include "capnweb/wire.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A message whose tree is the handler's; negative: session->fault tells. */
struct message {
    struct capnweb_session *session;
    struct capnweb_tree *tree;
    const struct capnweb_value *items;
    size_t count;
};

static int wrong(struct capnweb_session *session, const char *what)
{
    return cm_fail(&session->fault, CM_E_PEER, 0, "%s", what);
}

/* The id that an element names, in our table of exports. NULL: none. */
static struct export *find_export(const struct message *message)
{
    struct export *entry;
    int64_t id;

    if (!rpc_value_id(&message->items[1], &id)) {
        wrong(message->session, "an id is not a whole number");
        return NULL;
    }
    entry = capnweb_table_find(&message->session->exports, id);
    if (entry == NULL)
        cm_fail(&message->session->fault, CM_E_PEER, 0, "there is no export with the id %lld",
                (long long)id);
    return entry;
}

/* The peer's next number gets the stub, whose reference is taken over. */
static struct export *add_result(struct capnweb_session *session, struct capnweb_stub *stub)
{
    struct export *entry = rpc_export_new(session, ++session->last_in, stub);

    capnweb_stub_unref(stub);
    if (entry == NULL)
        cm_fail(&session->fault, CM_E_LIMIT, 0, "more results are held than this session allows");
    return entry;
}

static struct export *add_push(struct message *message)
{
    struct capnweb_stub *stub;

    if (rpc_evaluate(message->session, message->tree, &message->items[1], NULL, &stub) < 0)
        return NULL;
    return add_result(message->session, stub);
}

static int on_push(struct message *message)
{
    return add_push(message) == NULL ? CM_E_PEER : 0;
}

static int on_stream(struct message *message)
{
    struct export *entry = add_push(message);

    if (entry == NULL)
        return CM_E_PEER;
    entry->stream = true;
    rpc_export_pull(entry);
    return 0;
}

static int on_pipe(struct message *message)
{
    struct capnweb_session *session = message->session;
    struct capnweb_stub *stub = rpc_pipe_for_peer(session);

    rpc_tree_unuse(message->tree);
    if (stub == NULL)
        return cm_fail(&session->fault, CM_E_NOMEM, 0, "there is no memory left for this session");
    return add_result(session, stub) == NULL ? CM_E_PEER : 0;
}

static int on_pull(struct message *message)
{
    struct export *entry = find_export(message);

    rpc_tree_unuse(message->tree);
    if (entry == NULL)
        return CM_E_PEER;
    rpc_export_pull(entry);
    return 0;
}

static int on_release(struct message *message)
{
    struct capnweb_session *session = message->session;
    struct export *entry = find_export(message);
    int64_t count;
    bool valid = rpc_value_id(&message->items[2], &count);

    rpc_tree_unuse(message->tree);
    if (entry == NULL)
        return CM_E_PEER;
    if (!valid || count < 0)
        return wrong(session, "a release has a count");
    if ((uint64_t)count > entry->refs || entry->stream)
        return wrong(session, "more is released than was introduced");
    entry->refs -= (size_t)count;
    if (entry->refs == 0)
        rpc_export_free(entry);
    return 0;
}

/* An answer that crossed with our release: what it refers to goes at once. */
static int drop_answer(struct message *message, bool rejected)
{
    struct capnweb_stub *stub;
    int r;

    if (rejected) {
        rpc_tree_unuse(message->tree);
        return 0;
    }
    r = rpc_evaluate(message->session, message->tree, &message->items[2], NULL, &stub);
    if (r == 0)
        capnweb_stub_unref(stub);
    return r;
}

/* Only promises are resolved: results of ours, and what the peer promised. */
static int on_answer(struct message *message, bool rejected)
{
    struct capnweb_session *session = message->session;
    struct capnweb_stub *stub;
    size_t introductions;
    int64_t id;
    int r;

    if (!rpc_value_id(&message->items[1], &id)) {
        rpc_tree_unuse(message->tree);
        return wrong(session, "an id is not a whole number");
    }
    stub = capnweb_table_find(&session->imports, id);
    if (stub == rpc_wire_orphan() || stub == NULL || !stub->remote.promise) {
        if (stub == rpc_wire_orphan())
            capnweb_table_remove(&session->imports, id);
        return drop_answer(message, rejected);
    }
    introductions = stub->remote.stream ? 0 : stub->remote.introductions;
    capnweb_table_remove(&session->imports, id);
    rpc_stub_unset_remote(stub);
    r = rpc_evaluate_into(session, message->tree, &message->items[2], rejected, stub);
    if (r == 0 && introductions > 0)
        rpc_wire_release(session, id, introductions);
    return r;
}

static int on_resolve(struct message *message)
{
    return on_answer(message, false);
}

static int on_reject(struct message *message)
{
    return on_answer(message, true);
}

static int on_abort(struct message *message)
{
    struct capnweb_session *session = message->session;
    struct capnweb_tree *tree = message->tree;

    tree->root = message->count > 1 ? message->items[1] : rpc_undefined;
    if (rpc_evaluate_data(session, tree, &tree->root) < 0 || tree->root.kind == CAPNWEB_UNDEFINED) {
        session->fault = (struct cm_error)CM_ERROR_INIT;
        rpc_tree_unuse(tree);
        tree = rpc_session_error(session, "Error", "the peer ended the session without a reason");
    }
    rpc_session_end(session, CAPNWEB_END_ABORTED, tree);
    return 0;
}

/* clang-format off */
static const struct message_row {
    const char *type;
    size_t elements; /* at least */
    int (*on)(struct message *message);
} message_rows[] = {
    { "push",    2, on_push    },
    { "pull",    2, on_pull    },
    { "resolve", 3, on_resolve },
    { "reject",  3, on_reject  },
    { "release", 3, on_release },
    { "stream",  2, on_stream  },
    { "pipe",    1, on_pipe    },
    { "abort",   1, on_abort   },
};
/* clang-format on */

static const struct message_row *message_row(const struct capnweb_value *value)
{
    if (value->kind != CAPNWEB_ARRAY || value->array.count == 0 ||
        value->array.items[0].kind != CAPNWEB_STRING)
        return NULL;
    for (size_t i = 0; i < CM_ARRAY_LEN(message_rows); i++)
        if (capnweb_text_is(value->array.items[0].text, message_rows[i].type))
            return &message_rows[i];
    return NULL;
}

static int handle(struct capnweb_session *session, struct capnweb_tree *tree,
                  const struct capnweb_value *value)
{
    const struct message_row *row = message_row(value);
    struct message message = { session, tree, value->array.items, value->array.count };

    if (row != NULL && value->array.count >= row->elements)
        return row->on(&message);
    rpc_tree_unuse(tree);
    return wrong(session, row == NULL ? "the message has a type that is none"
                                      : "the message has too few elements");
}

static const char *check_text(const struct capnweb_session *session, const char *text, size_t bytes)
{
    size_t most = session->settings.max_message;

    if (bytes > most && (bytes / 3 > most || capnweb_text_units(text, bytes) > most))
        return "the message is longer than this session allows";
    return cm_utf8_valid(text, bytes) ? NULL : "the message is not UTF-8";
}

/* Takes over the text. Negative: session->fault tells. */
static int read_message(struct capnweb_session *session, char *text, size_t bytes)
{
    const char *why = check_text(session, text, bytes);
    struct capnweb_tree *tree = why != NULL ? NULL : rpc_tree_new();
    struct capnweb_value value;
    int r;

    if (tree == NULL) {
        free(text);
        return why != NULL ? wrong(session, why)
                           : cm_fail(&session->fault, CM_E_NOMEM, 0, "there is no memory left");
    }
    tree->text = text;
    tree->text_bytes = bytes;
    r = rpc_json_read(tree, &session->scratch, &session->settings, &value, &why);
    if (r < 0) {
        rpc_tree_unuse(tree);
        return cm_fail(&session->fault, (enum cm_err)r, 0, "%s",
                       why != NULL ? why : "there is no memory left for the message");
    }
    return handle(session, tree, &value);
}

void capnweb_receive_owned(struct capnweb_session *session, char *text, size_t bytes)
{
    struct cm_error fault;

    if (session->reason != NULL) {
        free(text);
        return;
    }
    rpc_session_enter(session);
    session->steps = session->settings.max_pending;
    if (read_message(session, text, bytes) < 0) {
        fault = session->fault;
        session->fault = (struct cm_error)CM_ERROR_INIT;
        rpc_session_fault(session, "Error", fault.text);
    }
    rpc_session_leave(session);
}

void capnweb_receive(struct capnweb_session *session, const char *text, size_t bytes)
{
    char *copy = bytes == SIZE_MAX ? NULL : malloc(bytes + 1);

    if (copy == NULL) {
        rpc_session_fault(session, "Error", "there is no memory left for the message");
        return;
    }
    if (bytes > 0)
        memcpy(copy, text, bytes);
    capnweb_receive_owned(session, copy, bytes);
}
