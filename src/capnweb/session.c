/*
 * The session: its life. Runs in the embedder's process. What a message of the peer
 * or a call of the embedder settles is told when the session is left: then its lists
 * are emptied.
 */
#include "capnweb/session.h"

#include "capnweb/pipe.h"
#include "capnweb/state.h"
#include "capnweb/stub.h"
#include "capnweb/wire.h"

#include "base/cleanup.h"

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
