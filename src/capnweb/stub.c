/* Stubs: what can be called, wherever it is. Runs in the embedder's process; which
 * stubs exist is decided by both sides, so nothing here recurses along them. */
#include "capnweb/stub.h"

#include "capnweb/wire.h"

#include <stdlib.h>
#include <string.h>

struct capnweb_stub *rpc_stub_new(struct capnweb_session *session, enum stub_state state)
{
    struct capnweb_stub *stub = calloc(1, sizeof(*stub));

    if (stub == NULL)
        return NULL;
    stub->refs = 1;
    stub->session = session;
    session->refs++;
    stub->state = state;
    cm_list_init(&stub->queue);
    cm_list_init(&stub->all);
    cm_list_init(&stub->waiters);
    if (state != STUB_LOCAL)
        cm_list_append(&session->stubs, &stub->all);
    return stub;
}

void rpc_waiter_init(struct waiter *waiter)
{
    cm_list_init(&waiter->link);
    waiter->stub = NULL;
}

bool rpc_stub_is_promise(const struct capnweb_stub *stub)
{
    return stub->state == STUB_PENDING || (stub->state == STUB_REMOTE && stub->remote.promise);
}

static void pull(struct capnweb_stub *stub)
{
    if (stub->state != STUB_REMOTE || !stub->remote.promise || stub->remote.pulled)
        return;
    stub->remote.pulled = true;
    if (stub->remote.id > 0 && !stub->remote.stream)
        rpc_wire_pull(stub->session, stub->remote.id);
}

void rpc_stub_pull_waited(struct capnweb_stub *stub)
{
    if (!cm_list_empty(&stub->waiters))
        pull(stub);
}

static void make_ready(struct capnweb_stub *stub)
{
    if (!rpc_stub_is_promise(stub) && !cm_list_empty(&stub->waiters))
        cm_list_move(&stub->session->ready, &stub->queue);
}

void rpc_stub_wait(struct capnweb_stub *stub, struct waiter *waiter,
                   void (*settled)(struct waiter *waiter, struct capnweb_stub *stub))
{
    waiter->stub = capnweb_stub_ref(stub);
    waiter->settled = settled;
    cm_list_append(&stub->waiters, &waiter->link);
    pull(stub);
    make_ready(stub);
}

void rpc_waiter_cancel(struct waiter *waiter)
{
    if (waiter->stub == NULL)
        return;
    cm_list_unlink(&waiter->link);
    capnweb_stub_unref(CM_TAKE(waiter->stub));
}

/* Whoever has the call of a PENDING stub need not tell it any more. */
static void forget_call(struct capnweb_stub *stub)
{
    struct capnweb_call *call = stub->state == STUB_PENDING ? CM_TAKE(stub->pending.call) : NULL;

    if (call == NULL)
        return;
    call->result = NULL;
    if (call->on_dropped != NULL)
        cm_list_move(&stub->session->dropped, &call->dropped);
}

static void become(struct capnweb_stub *stub, enum stub_state state, struct capnweb_tree *tree,
                   const struct capnweb_value *value)
{
    if (stub->state != STUB_PENDING && stub->state != STUB_REMOTE) {
        rpc_tree_unuse(tree);
        return;
    }
    if (rpc_stub_is_promise(stub) && stub->state == STUB_REMOTE)
        stub->session->pending--;
    forget_call(stub);
    stub->state = state;
    stub->settled.tree = tree;
    stub->settled.value = value;
    make_ready(stub);
}

void rpc_stub_settle(struct capnweb_stub *stub, struct capnweb_tree *tree,
                     const struct capnweb_value *value)
{
    become(stub, STUB_VALUE, tree, value);
}

void rpc_stub_fail(struct capnweb_stub *stub, struct capnweb_tree *tree,
                   const struct capnweb_value *value)
{
    become(stub, STUB_FAILED, tree, value);
}

/* A result can refer to itself through the peer: letting go of the values breaks
 * such rings. */
void rpc_stubs_fail_all(struct capnweb_session *session, struct capnweb_tree *reason)
{
    CM_LIST_EACH(&session->stubs, link, after)
    {
        struct capnweb_stub *stub = CM_CONTAINER_OF(link, struct capnweb_stub, all);

        if (stub->state == STUB_VALUE || stub->state == STUB_FAILED) {
            rpc_tree_unuse(stub->settled.tree);
            stub->state = STUB_PENDING;
            stub->pending.call = NULL;
        }
        rpc_stub_fail(stub, rpc_tree_use(reason), &reason->root);
    }
}

void rpc_stub_fail_text(struct capnweb_stub *stub, const char *type, const char *message)
{
    struct capnweb_tree *tree = rpc_session_error(stub->session, type, message);

    rpc_stub_fail(stub, tree, &tree->root);
}

void rpc_stub_set_remote(struct capnweb_stub *stub, int64_t id, bool promise)
{
    forget_call(stub);
    stub->state = STUB_REMOTE;
    memset(&stub->remote, 0, sizeof(stub->remote));
    stub->remote.id = id;
    stub->remote.introductions = 1;
    stub->remote.promise = promise;
    if (promise)
        stub->session->pending++;
}

void rpc_stub_unset_remote(struct capnweb_stub *stub)
{
    if (stub->remote.promise)
        stub->session->pending--;
    stub->state = STUB_PENDING;
    stub->pending.call = NULL;
}

struct capnweb_value rpc_stub_value(struct capnweb_stub *stub)
{
    if (stub->state == STUB_VALUE || stub->state == STUB_FAILED)
        return *stub->settled.value;
    return capnweb_stub(stub);
}

struct capnweb_tree *rpc_stub_tree(const struct capnweb_stub *stub)
{
    return stub->state == STUB_VALUE || stub->state == STUB_FAILED ? stub->settled.tree : NULL;
}

/* A waiter may add waiters, to this stub too, and may cancel others. */
bool rpc_stubs_run_ready(struct capnweb_session *session)
{
    struct capnweb_stub *stub = CM_LIST_FIRST(&session->ready, struct capnweb_stub, queue);
    struct waiter *waiter;

    if (stub == NULL)
        return false;
    waiter = CM_LIST_FIRST(&stub->waiters, struct waiter, link);
    if (waiter == NULL) {
        cm_list_unlink(&stub->queue);
        return true;
    }
    cm_list_unlink(&waiter->link);
    waiter->stub = NULL; /* its reference is ours until it was told */
    waiter->settled(waiter, stub);
    capnweb_stub_unref(stub);
    return true;
}

static void destroy(struct capnweb_stub *stub)
{
    struct capnweb_session *session = stub->session;

    switch (stub->state) {
    case STUB_LOCAL:
        if (stub->local.base != NULL)
            capnweb_stub_unref(stub->local.base);
        else if (stub->local.class->dispose != NULL)
            stub->local.class->dispose(stub->local.object);
        break;
    case STUB_REMOTE:
        rpc_wire_release_import(stub);
        break;
    case STUB_PENDING:
        forget_call(stub);
        break;
    case STUB_VALUE:
    case STUB_FAILED:
        rpc_tree_unuse(stub->settled.tree);
        break;
    }
    cm_list_unlink(&stub->all);
    free(stub);
    rpc_session_unref(session);
}

bool rpc_stubs_free_garbage(struct capnweb_session *session)
{
    struct capnweb_stub *stub = CM_LIST_FIRST(&session->garbage, struct capnweb_stub, queue);

    if (stub == NULL)
        return false;
    cm_list_unlink(&stub->queue);
    if (stub->refs == 0) /* the peer may have named it again meanwhile */
        destroy(stub);
    return true;
}

struct capnweb_stub *capnweb_stub_ref(struct capnweb_stub *stub)
{
    stub->refs++;
    return stub;
}

void capnweb_stub_unref(struct capnweb_stub *stub)
{
    struct capnweb_session *session;

    if (stub == NULL || --stub->refs > 0)
        return;
    session = stub->session;
    rpc_session_enter(session);
    cm_list_move(&session->garbage, &stub->queue);
    rpc_session_leave(session);
}

struct capnweb_stub *capnweb_stub_new(struct capnweb_session *session,
                                      const struct capnweb_class *class, void *object)
{
    struct capnweb_stub *stub = rpc_stub_new(session, STUB_LOCAL);

    if (stub == NULL)
        return NULL;
    stub->local.class = class;
    stub->local.object = object;
    return stub;
}

struct capnweb_session *capnweb_stub_session(const struct capnweb_stub *stub)
{
    return stub->session;
}
