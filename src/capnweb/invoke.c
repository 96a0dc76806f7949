/* The embedder's calls to stubs, and its waiting for them. */
#include "capnweb/call.h"
#include "capnweb/stub.h"

#include <stdlib.h>

struct capnweb_wait {
    struct waiter waiter;
    capnweb_on_outcome *on_outcome;
    void *user;
};

struct capnweb_tree *capnweb_tree_ref(struct capnweb_tree *tree)
{
    return rpc_tree_use(tree);
}

void capnweb_tree_unref(struct capnweb_tree *tree)
{
    rpc_tree_unuse(tree);
}

/* The path and the arguments, copied into the tree of a call. */
static int copy_call(struct capnweb_call *call, const struct capnweb_value *path, size_t path_count,
                     const struct capnweb_value *args, size_t arg_count)
{
    bool goes_out = call->target->state == STUB_REMOTE;
    struct tree_copy copy = { .to = call->tree,
                              .session = call->session,
                              .limits = &call->session->settings,
                              .gather = goes_out ? NULL : &call->gather };
    /* The peer awaits the promises in the arguments of its own calls. */
    const struct capnweb_value all[] = { capnweb_array(path, path_count),
                                         capnweb_array(args, args == NULL ? 0 : arg_count) };
    struct capnweb_value *copied = rpc_tree_alloc(call->tree, sizeof(all));
    int r = copied == NULL ? CM_E_NOMEM : 0;

    for (size_t i = 0; r == 0 && i < 2; i++)
        r = rpc_tree_copy(&copy, &all[i], 0, &copied[i]);
    if (r < 0)
        return r;
    call->path = copied[0].array.items;
    call->path_count = path_count;
    call->args = args == NULL ? NULL : &copied[1];
    return 0;
}

static int start(struct capnweb_stub *stub, struct capnweb_stub *result,
                 const struct capnweb_value *path, size_t path_count,
                 const struct capnweb_value *args, size_t arg_count, bool once)
{
    struct capnweb_tree *tree = rpc_tree_new();
    struct capnweb_call *call;
    int r;

    if (tree == NULL)
        return CM_E_NOMEM;
    r = rpc_call_new(stub->session, tree, stub, result, &call);
    if (r < 0)
        return r;
    r = copy_call(call, path, path_count, args, arg_count);
    if (r < 0) {
        rpc_call_free(call);
        return r;
    }
    call->once = once;
    rpc_call_start(call);
    return 0;
}

static int pipeline(struct capnweb_stub *stub, const struct capnweb_value *path, size_t path_count,
                    const struct capnweb_value *args, size_t arg_count, bool once,
                    struct capnweb_stub **ret_result)
{
    struct capnweb_session *session = stub->session;
    struct capnweb_stub *result;
    int r;

    if (session->reason != NULL)
        return CM_E_STATE;
    result = rpc_stub_new(session, STUB_PENDING);
    if (result == NULL)
        return CM_E_NOMEM;
    rpc_session_enter(session);
    r = start(stub, result, path, path_count, args, arg_count, once);
    if (r < 0)
        capnweb_stub_unref(result);
    else
        *ret_result = result;
    rpc_session_leave(session);
    return r;
}

int capnweb_pipeline(struct capnweb_stub *stub, const struct capnweb_value *path, size_t path_count,
                     const struct capnweb_value *args, size_t arg_count,
                     struct capnweb_stub **ret_result)
{
    return pipeline(stub, path, path_count, args, arg_count, false, ret_result);
}

/* A stub that is no result of anything stands for itself. */
static struct capnweb_tree *tree_around(struct capnweb_stub *stub)
{
    struct capnweb_tree *tree = rpc_tree_new();

    if (tree == NULL)
        return NULL;
    if (rpc_tree_hold_stub(tree, capnweb_stub_ref(stub)) < 0) {
        rpc_tree_unuse(tree);
        return NULL;
    }
    tree->root = capnweb_stub(stub);
    return tree;
}

static void on_settled(struct waiter *waiter, struct capnweb_stub *stub)
{
    struct capnweb_wait *wait = CM_CONTAINER_OF(waiter, struct capnweb_wait, waiter);
    struct capnweb_tree *own = rpc_stub_tree(stub) == NULL ? tree_around(stub) : NULL;
    struct capnweb_tree *tree = own != NULL ? own : rpc_stub_tree(stub);
    struct capnweb_value value = rpc_stub_value(stub);
    struct capnweb_outcome outcome = { .rejected = stub->state == STUB_FAILED,
                                       .value = &value,
                                       .tree = tree };

    if (tree == NULL) {
        outcome.rejected = true;
        outcome.tree = stub->session->no_memory;
        outcome.value = &outcome.tree->root;
    } else if (own == NULL) {
        outcome.value = stub->settled.value;
    } else {
        outcome.value = &own->root;
    }
    wait->on_outcome(wait->user, &outcome);
    if (own != NULL)
        rpc_tree_unuse(own);
    free(wait);
}

static int wait_for(struct capnweb_stub *stub, capnweb_on_outcome *on_outcome, void *user,
                    struct capnweb_wait **ret_wait)
{
    struct capnweb_wait *wait = malloc(sizeof(*wait));

    if (wait == NULL)
        return CM_E_NOMEM;
    *wait = (struct capnweb_wait){ .on_outcome = on_outcome, .user = user };
    rpc_waiter_init(&wait->waiter);
    if (ret_wait != NULL)
        *ret_wait = wait;
    rpc_stub_wait(stub, &wait->waiter, on_settled);
    return 0;
}

int capnweb_await(struct capnweb_stub *stub, capnweb_on_outcome *on_outcome, void *user,
                  struct capnweb_wait **ret_wait)
{
    struct capnweb_session *session = stub->session;
    int r;

    rpc_session_enter(session);
    r = wait_for(stub, on_outcome, user, ret_wait);
    rpc_session_leave(session);
    return r;
}

static int invoke(struct capnweb_stub *stub, const char *method, const struct capnweb_value *args,
                  size_t arg_count, bool once, capnweb_on_outcome *on_outcome, void *user,
                  struct capnweb_wait **ret_wait)
{
    struct capnweb_session *session = stub->session;
    const struct capnweb_value path = method == NULL ? rpc_undefined : capnweb_cstring(method);
    struct capnweb_stub *result;
    int r;

    rpc_session_enter(session);
    r = pipeline(stub, &path, method != NULL, args == NULL ? &rpc_undefined : args,
                 args == NULL ? 0 : arg_count, once, &result);
    if (r == 0) {
        r = wait_for(result, on_outcome, user, ret_wait);
        capnweb_stub_unref(result);
    }
    rpc_session_leave(session);
    return r;
}

int capnweb_invoke(struct capnweb_stub *stub, const char *method, const struct capnweb_value *args,
                   size_t arg_count, capnweb_on_outcome *on_outcome, void *user,
                   struct capnweb_wait **ret_wait)
{
    return invoke(stub, method, args, arg_count, false, on_outcome, user, ret_wait);
}

int capnweb_ask(struct capnweb_stub *stub, const struct capnweb_value *args, size_t arg_count,
                capnweb_on_outcome *on_outcome, void *user, struct capnweb_wait **ret_wait)
{
    return invoke(stub, NULL, args, arg_count, true, on_outcome, user, ret_wait);
}

void capnweb_wait_cancel(struct capnweb_wait *wait)
{
    rpc_waiter_cancel(&wait->waiter);
    free(wait);
}
