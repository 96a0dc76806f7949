/* Waiting for the promises inside a value. What they become may be as deep and as
 * large as a peer likes: the sums are bounded as those of one message are. */
#include "capnweb/gather.h"

#include "capnweb/stub.h"

int rpc_gather_add(struct gather *gather, struct capnweb_stub *stub, struct capnweb_value *value,
                   size_t depth)
{
    struct hole *hole = rpc_tree_alloc(gather->tree, sizeof(*hole));

    if (hole == NULL)
        return CM_E_NOMEM;
    *hole = (struct hole){
        .next = gather->holes, .gather = gather, .stub = stub, .value = value, .depth = depth
    };
    rpc_waiter_init(&hole->waiter);
    gather->holes = hole;
    return 0;
}

static void finish(struct gather *gather, struct capnweb_stub *failed)
{
    for (struct hole *hole = gather->holes; hole != NULL; hole = hole->next)
        rpc_waiter_cancel(&hole->waiter);
    gather->done(gather, failed);
}

static int fill(struct hole *hole, struct capnweb_stub *stub)
{
    const struct capnweb_settings *limits = &stub->session->settings;
    struct capnweb_tree *into = hole->gather->tree;
    struct capnweb_tree *from = rpc_stub_tree(stub);

    if (from != NULL) {
        if (from->depth >= limits->max_depth - hole->depth ||
            from->count > limits->max_values - into->count)
            return CM_E_LIMIT;
        if (hole->depth + from->depth > into->depth)
            into->depth = hole->depth + from->depth;
        into->count += from->count;
        if (rpc_tree_hold_tree(into, rpc_tree_use(from)) < 0)
            return CM_E_NOMEM;
    }
    *hole->value = rpc_stub_value(stub);
    return 0;
}

static void fail_too_large(struct gather *gather, struct capnweb_session *session)
{
    struct capnweb_stub *failed = rpc_stub_new(session, STUB_PENDING);

    if (failed == NULL) {
        rpc_session_fault(session, "Error", "there is no memory left for this session");
        return;
    }
    rpc_stub_fail_text(failed, "RangeError",
                       "a resolved promise makes the value too large or deep");
    finish(gather, failed);
    capnweb_stub_unref(failed);
}

static void on_filled(struct waiter *waiter, struct capnweb_stub *stub)
{
    struct hole *hole = CM_CONTAINER_OF(waiter, struct hole, waiter);
    struct gather *gather = hole->gather;

    if (stub->state == STUB_FAILED)
        finish(gather, stub);
    else if (fill(hole, stub) < 0)
        fail_too_large(gather, stub->session);
    else if (--gather->missing == 0)
        finish(gather, NULL);
}

void rpc_gather_start(struct gather *gather)
{
    if (gather->holes == NULL) {
        gather->done(gather, NULL);
        return;
    }
    for (struct hole *hole = gather->holes; hole != NULL; hole = hole->next)
        gather->missing++;
    for (struct hole *hole = gather->holes; hole != NULL; hole = hole->next)
        rpc_stub_wait(hole->stub, &hole->waiter, on_filled);
}

static void on_whole(struct gather *gather, struct capnweb_stub *failed)
{
    struct settling *settling = CM_CONTAINER_OF(gather, struct settling, gather);
    struct capnweb_stub *result = settling->result;
    struct capnweb_tree *tree = gather->tree;

    if (failed == NULL) {
        rpc_stub_settle(result, tree, &tree->root);
    } else {
        rpc_stub_fail(result, rpc_tree_use(failed->settled.tree), failed->settled.value);
        rpc_tree_unuse(tree);
    }
    capnweb_stub_unref(result);
}

struct settling *rpc_settling_new(struct capnweb_tree *tree, struct capnweb_stub *result)
{
    struct settling *settling = rpc_tree_alloc(tree, sizeof(*settling));

    if (settling != NULL)
        *settling = (struct settling){ .gather = { .tree = tree, .done = on_whole },
                                       .result = capnweb_stub_ref(result) };
    return settling;
}

void rpc_settling_start(struct settling *settling)
{
    rpc_gather_start(&settling->gather);
}
