/*
 * The session: its life, and the messages that come in. Runs in the embedder's
 * process; every message is hostile. A message is read and evaluated whole before
 * anything that it settles is told; then the lists of the session are emptied.
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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const struct capnweb_events no_events = { 0 };
static const struct capnweb_class no_class = { 0 };

void capnweb_settings_init(struct capnweb_settings *settings)
{
    *settings = (struct capnweb_settings){
#define CAPNWEB_LIMIT(field, initial, help) .field = (initial),
#include "tables/capnweb_limits.def"
#undef CAPNWEB_LIMIT
    };
}

static bool settings_valid(const struct capnweb_settings *settings)
{
#define CAPNWEB_LIMIT(field, initial, help) settings->field > 0 &&
    return
#include "tables/capnweb_limits.def"
        true;
#undef CAPNWEB_LIMIT
}

/*
 * Entering and leaving
 */

static bool run_dropped(struct capnweb_session *session)
{
    struct capnweb_call *call = CM_LIST_FIRST(&session->dropped, struct capnweb_call, dropped);
    void (*on_dropped)(void *user);

    if (call == NULL)
        return false;
    cm_list_unlink(&call->dropped);
    on_dropped = CM_TAKE(call->on_dropped);
    on_dropped(call->on_dropped_user);
    return true;
}

static void free_exports(struct capnweb_session *session)
{
    struct capnweb_table taken = session->exports;

    session->exports.slots = NULL;
    session->exports.count = 0;
    for (size_t i = 0; i < capnweb_table_size(&taken); i++)
        if (taken.slots[i].entry != NULL)
            rpc_export_free(taken.slots[i].entry);
    capnweb_table_done(&taken);
}

/* Nobody is in the middle of anything then: what others still use may go. */
static bool tear_down(struct capnweb_session *session)
{
    if (session->reason == NULL || session->torn)
        return false;
    session->torn = true;
    rpc_stubs_fail_all(session, session->reason);
    rpc_pipes_fail_all(session, session->reason);
    free_exports(session);
    capnweb_table_done(&session->imports);
    capnweb_stub_unref(CM_TAKE(session->main));
    return true;
}

static bool run_some(struct capnweb_session *session)
{
    return tear_down(session) || rpc_stubs_free_garbage(session) || rpc_stubs_run_ready(session) ||
           rpc_pipes_run_due(session) || run_dropped(session);
}

/* The text of an error, or of a thrown text. */
static struct capnweb_text reason_text(const struct capnweb_value *reason)
{
    if (reason->kind == CAPNWEB_ERROR)
        return reason->error->message;
    if (reason->kind == CAPNWEB_STRING)
        return reason->text;
    return capnweb_text("the session was ended with a value that is no error");
}

static void tell_end(struct capnweb_session *session)
{
    session->told = true;
    if (session->events->on_ended != NULL)
        session->events->on_ended(session->user, session->how, reason_text(&session->reason->root));
}

void rpc_session_enter(struct capnweb_session *session)
{
    session->refs++;
    session->depth++;
}

void rpc_session_leave(struct capnweb_session *session)
{
    while (session->depth == 1 && run_some(session))
        ;
    if (session->depth == 1 && session->reason != NULL && !session->told)
        tell_end(session);
    while (session->depth == 1 && run_some(session))
        ;
    session->depth--;
    rpc_session_unref(session);
}

void rpc_session_unref(struct capnweb_session *session)
{
    if (--session->refs > 0)
        return;
    rpc_tree_unuse(session->no_memory);
    if (session->reason != NULL)
        rpc_tree_unuse(session->reason);
    rpc_json_scratch_done(&session->scratch);
    capnweb_table_done(&session->exports);
    capnweb_table_done(&session->imports);
    free(session);
}

int rpc_session_pending_add(struct capnweb_session *session)
{
    if (session->pending >= session->settings.max_pending)
        return CM_E_LIMIT;
    session->pending++;
    return 0;
}

struct capnweb_tree *rpc_session_error(struct capnweb_session *session, const char *type,
                                       const char *message)
{
    struct capnweb_tree *tree = rpc_tree_new();

    if (tree != NULL && rpc_tree_set_error(tree, type, message) == 0)
        return tree;
    if (tree != NULL)
        rpc_tree_unuse(tree);
    return rpc_tree_use(session->no_memory);
}

/*
 * Making
 */

static struct export *export_main(struct capnweb_session *session,
                                  const struct capnweb_class *class, void *object)
{
    struct capnweb_stub *stub = class != NULL ? capnweb_stub_new(session, class, object)
                                              : rpc_stub_new(session, STUB_PENDING);
    struct export *entry = stub == NULL ? NULL : rpc_export_new(session, 0, stub);

    if (entry != NULL && class == NULL)
        rpc_stub_fail_text(stub, "Error", "This connection has no main object.");
    if (entry == NULL && stub != NULL && class != NULL)
        stub->local.class = &no_class; /* the object stays its maker's */
    capnweb_stub_unref(stub);
    return entry;
}

static struct capnweb_stub *import_main(struct capnweb_session *session)
{
    struct capnweb_stub *stub = rpc_stub_new(session, STUB_PENDING);

    if (stub == NULL)
        return NULL;
    if (capnweb_table_put(&session->imports, 0, stub) < 0) {
        capnweb_stub_unref(stub);
        return NULL;
    }
    rpc_stub_set_remote(stub, 0, false);
    return stub;
}

static struct capnweb_session *session_alloc(const struct capnweb_settings *settings)
{
    struct capnweb_session *session = calloc(1, sizeof(*session));
    uint64_t salt = 0;

    if (session == NULL)
        return NULL;
    if (getrandom(&salt, sizeof(salt), GRND_NONBLOCK) < 0)
        salt = (uintptr_t)session; /* early in the life of the system */
    session->refs = 1;
    session->settings = *settings;
    capnweb_table_init(&session->exports, salt);
    capnweb_table_init(&session->imports, salt);
    cm_list_init(&session->stubs);
    cm_list_init(&session->ready);
    cm_list_init(&session->garbage);
    cm_list_init(&session->dropped);
    cm_list_init(&session->pipes);
    cm_list_init(&session->due);
    session->no_memory = rpc_tree_new();
    if (session->no_memory != NULL &&
        rpc_tree_set_error(session->no_memory, "Error", "there is no memory left") == 0)
        return session;
    if (session->no_memory != NULL)
        rpc_tree_unuse(session->no_memory);
    free(session);
    return NULL;
}

int capnweb_session_new(const struct capnweb_settings *settings,
                        const struct capnweb_events *events, void *user,
                        const struct capnweb_class *class, void *object,
                        struct capnweb_session **ret_session)
{
    struct capnweb_settings defaults;
    struct capnweb_session *session;

    capnweb_settings_init(&defaults);
    if (settings == NULL)
        settings = &defaults;
    if (!settings_valid(settings))
        return CM_E_INVAL;
    session = session_alloc(settings);
    if (session == NULL)
        return CM_E_NOMEM;
    session->events = events == NULL ? &no_events : events;
    session->user = user;
    session->main = import_main(session);
    if (session->main == NULL || export_main(session, class, object) == NULL) {
        capnweb_session_free(session);
        return CM_E_NOMEM;
    }
    *ret_session = session;
    return 0;
}

/*
 * The end
 */

void rpc_session_end(struct capnweb_session *session, enum capnweb_end how,
                     struct capnweb_tree *reason)
{
    if (session->reason != NULL) {
        rpc_tree_unuse(reason);
        return;
    }
    rpc_session_enter(session);
    session->reason = reason;
    session->how = how;
    if (how == CAPNWEB_END_FAULT || how == CAPNWEB_END_OURS)
        rpc_wire_abort(session, &reason->root);
    session->mute = true;
    rpc_session_leave(session);
}

void rpc_session_fault(struct capnweb_session *session, const char *type, const char *message)
{
    rpc_session_end(session, CAPNWEB_END_FAULT, rpc_session_error(session, type, message));
}

void capnweb_abort(struct capnweb_session *session, struct capnweb_value reason)
{
    struct capnweb_tree *tree = rpc_tree_new();
    struct tree_copy copy = {
        .to = tree, .session = session, .limits = &session->settings, .plain = true
    };

    if (tree == NULL || rpc_tree_copy(&copy, &reason, 0, &tree->root) < 0) {
        if (tree != NULL)
            rpc_tree_unuse(tree);
        tree = rpc_tree_use(session->no_memory);
    }
    rpc_session_end(session, CAPNWEB_END_OURS, tree);
}

void capnweb_abort_text(struct capnweb_session *session, const char *type, const char *message)
{
    rpc_session_end(session, CAPNWEB_END_OURS, rpc_session_error(session, type, message));
}

void capnweb_lost(struct capnweb_session *session, const char *reason)
{
    rpc_session_end(session, CAPNWEB_END_LOST, rpc_session_error(session, "Error", reason));
}

void capnweb_session_free(struct capnweb_session *session)
{
    if (session == NULL)
        return;
    session->told = true;
    capnweb_lost(session, "the session was given up");
    session->events = &no_events;
    rpc_session_unref(session);
}

bool capnweb_ended(const struct capnweb_session *session)
{
    return session->reason != NULL;
}

void capnweb_session_stats(const struct capnweb_session *session, struct capnweb_stats *stats)
{
    *stats = (struct capnweb_stats){ .imports = session->imports.count,
                                     .exports = session->exports.count,
                                     .pending = session->pending,
                                     .stream_bytes = session->stream_bytes };
}

struct capnweb_stub *capnweb_peer_main(struct capnweb_session *session)
{
    struct capnweb_stub *gone;

    if (session->main != NULL)
        return capnweb_stub_ref(session->main);
    gone = rpc_stub_new(session, STUB_PENDING);
    if (gone != NULL)
        rpc_stub_fail(gone, rpc_tree_use(session->reason), &session->reason->root);
    return gone;
}

/*
 * Messages of the peer
 */

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

int rpc_session_import(struct capnweb_session *session, int64_t id, bool promise,
                       struct capnweb_stub **ret_stub)
{
    struct capnweb_stub *stub = capnweb_table_find(&session->imports, id);

    if (stub != NULL && (promise || stub == rpc_wire_orphan() || stub->remote.promise))
        return CM_E_PEER;
    if (stub != NULL) {
        stub->remote.introductions++;
        *ret_stub = capnweb_stub_ref(stub);
        return 0;
    }
    if (session->imports.count >= session->settings.max_entries ||
        (promise && session->pending >= session->settings.max_pending))
        return CM_E_LIMIT;
    stub = rpc_stub_new(session, STUB_PENDING);
    if (stub == NULL)
        return CM_E_NOMEM;
    if (capnweb_table_put(&session->imports, id, stub) < 0) {
        capnweb_stub_unref(stub);
        return CM_E_NOMEM;
    }
    rpc_stub_set_remote(stub, id, promise);
    *ret_stub = stub;
    return 0;
}
