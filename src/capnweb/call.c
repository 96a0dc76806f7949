/* Calls: from wherever they come to wherever their target is, and the answers of
 * those that methods of ours have. Paths and arguments may be a peer's. */
#include "capnweb/call.h"

#include "capnweb/gather.h"
#include "capnweb/stub.h"
#include "capnweb/wire.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_MAX = 256, HOPS_MAX = 64 };

static void on_args(struct gather *gather, struct capnweb_stub *failed);

int rpc_call_new(struct capnweb_session *session, struct capnweb_tree *tree,
                 struct capnweb_stub *target, struct capnweb_stub *result,
                 struct capnweb_call **ret_call)
{
    int r = rpc_session_pending_add(session);
    struct capnweb_call *call = r < 0 ? NULL : calloc(1, sizeof(*call));

    if (call == NULL) {
        session->pending -= r == 0;
        rpc_tree_unuse(tree);
        return r < 0 ? r : CM_E_NOMEM;
    }
    call->session = session;
    session->refs++;
    call->tree = tree;
    call->target = capnweb_stub_ref(target);
    call->result = capnweb_stub_ref(result);
    call->gather.tree = tree;
    call->gather.done = on_args;
    rpc_waiter_init(&call->waiter);
    cm_list_init(&call->dropped);
    *ret_call = call;
    return 0;
}

void rpc_call_free(struct capnweb_call *call)
{
    struct capnweb_session *session;

    if (call == NULL)
        return;
    session = call->session;
    if (call->result != NULL && call->entered)
        call->result->pending.call = NULL; /* which its PENDING stub still has */
    else
        capnweb_stub_unref(call->result);
    capnweb_stub_unref(call->target);
    cm_list_unlink(&call->dropped);
    rpc_tree_unuse(call->tree);
    free(call);
    session->pending--;
    rpc_session_unref(session);
}

static void end_with_value(struct capnweb_call *call, struct capnweb_tree *tree,
                           const struct capnweb_value *value)
{
    rpc_stub_settle(call->result, rpc_tree_use(tree), value);
    rpc_call_free(call);
}

static void end_with_text(struct capnweb_call *call, const char *type, const char *message)
{
    rpc_stub_fail_text(call->result, type, message);
    rpc_call_free(call);
}

/* An element of a path as text for a sentence. */
static size_t name_write(char *to, size_t cap, const struct capnweb_value *name)
{
    int n = name->kind == CAPNWEB_STRING
                ? snprintf(to, cap, "%.*s", (int)(name->text.bytes < 64 ? name->text.bytes : 64),
                           name->text.data)
                : snprintf(to, cap, "%.0f", name->number);

    return n < 0 ? 0 : (size_t)n < cap ? (size_t)n : cap - 1;
}

static void end_not_a_function(struct capnweb_call *call)
{
    char sentence[SENTENCE_MAX];
    size_t n = 0;
    size_t room = sizeof(sentence) - sizeof("'' is not a function.");

    sentence[n++] = '\'';
    for (size_t i = 0; i < call->path_count && n < room - 1; i++) {
        if (i > 0)
            sentence[n++] = '.';
        n += name_write(sentence + n, room - n + 1, &call->path[i]);
    }
    memcpy(sentence + n, "' is not a function.", sizeof("' is not a function."));
    end_with_text(call, "TypeError", sentence);
}

static void end_of_undefined(struct capnweb_call *call, const struct capnweb_value *name)
{
    char sentence[SENTENCE_MAX];
    char text[80];

    text[name_write(text, sizeof(text), name)] = '\0';
    snprintf(sentence, sizeof(sentence), "Cannot read properties of undefined (reading '%s')",
             text);
    end_with_text(call, "TypeError", sentence);
}

/* The path leads to a plain value: a read gives it, a call finds no function. */
static void end_at_value(struct capnweb_call *call, struct capnweb_tree *tree,
                         const struct capnweb_value *value)
{
    if (call->args != NULL)
        end_not_a_function(call);
    else
        end_with_value(call, tree, value);
}

/* The path leads to nothing, at element `at`. */
static void end_at_nothing(struct capnweb_call *call, size_t at)
{
    if (at < call->path_count)
        end_of_undefined(call, &call->path[at]);
    else
        end_at_value(call, call->session->no_memory, &rpc_undefined); /* a tree that stays */
}

/* Moves on to another target, with the first `used` elements of the path behind it. The
 * path that stays whole is the one of the sentences. */
static struct capnweb_stub *move_to(struct capnweb_call *call, struct capnweb_stub *target,
                                    size_t used)
{
    struct capnweb_stub *before = call->target;

    call->target = capnweb_stub_ref(target);
    call->at = used;
    capnweb_stub_unref(before);
    return target;
}

static void hand_over(struct capnweb_call *call, void (*function)(void *, struct capnweb_call *),
                      void *object)
{
    struct capnweb_stub *result = call->result;

    call->entered = true;
    result->pending.call = call;
    capnweb_stub_unref(result); /* the call knows it as long as somebody waits */
    function(object, call);
}

static const struct capnweb_method *find_method(const struct capnweb_class *class,
                                                const struct capnweb_value *name)
{
    for (size_t i = 0; i < class->method_count; i++)
        if (name->kind == CAPNWEB_STRING && capnweb_text_is(name->text, class->methods[i].name))
            return &class->methods[i];
    return NULL;
}

static const struct capnweb_property *find_property(const struct capnweb_class *class,
                                                    const struct capnweb_value *name)
{
    for (size_t i = 0; i < class->property_count; i++)
        if (name->kind == CAPNWEB_STRING && capnweb_text_is(name->text, class->properties[i].name))
            return &class->properties[i];
    return NULL;
}

/* A method as something to refer to. */
static struct capnweb_stub *method_stub(struct capnweb_stub *base,
                                        const struct capnweb_method *method)
{
    struct capnweb_stub *stub = rpc_stub_new(base->session, STUB_LOCAL);

    if (stub == NULL)
        return NULL;
    stub->local.class = base->local.class;
    stub->local.object = base->local.object;
    stub->local.method = method;
    stub->local.base = capnweb_stub_ref(base);
    return stub;
}

/* What a property will be, as something to walk on from. */
static struct capnweb_stub *property_stub(struct capnweb_call *call, struct capnweb_stub *base,
                                          const struct capnweb_property *property)
{
    struct capnweb_stub *result = rpc_stub_new(base->session, STUB_PENDING);
    struct capnweb_call *read;

    if (result == NULL)
        return NULL;
    if (rpc_call_new(call->session, rpc_tree_use(call->tree), base, result, &read) < 0) {
        capnweb_stub_unref(result);
        return NULL;
    }
    hand_over(read, property->get, base->local.object);
    return result;
}

static struct capnweb_stub *step_onto(struct capnweb_call *call, struct capnweb_stub *next)
{
    if (next == NULL) {
        end_with_text(call, "Error", "there is no memory left for this call");
        return NULL;
    }
    move_to(call, next, call->at + 1);
    capnweb_stub_unref(next);
    return next;
}

/* The stub itself is what is called or read. */
static void at_object(struct capnweb_call *call, struct capnweb_stub *stub)
{
    const struct capnweb_method *method = stub->local.method;
    void (*function)(void *, struct capnweb_call *) =
        method != NULL ? method->call : stub->local.class->call;
    struct capnweb_tree *tree;

    if (call->args != NULL && function != NULL) {
        hand_over(call, function, stub->local.object);
        return;
    }
    if (call->args != NULL) {
        end_not_a_function(call);
        return;
    }
    tree = rpc_tree_new(); /* not the call's: that may hold the result */
    if (tree == NULL || rpc_tree_hold_stub(tree, capnweb_stub_ref(stub)) < 0) {
        end_with_text(call, "Error", "there is no memory left for this call");
    } else {
        tree->root = capnweb_stub(stub);
        end_with_value(call, tree, &tree->root);
    }
    if (tree != NULL)
        rpc_tree_unuse(tree);
}

static struct capnweb_stub *step_local(struct capnweb_call *call, struct capnweb_stub *stub)
{
    const struct capnweb_value *name = &call->path[call->at];
    bool last = call->at + 1 == call->path_count;
    const struct capnweb_method *method;
    const struct capnweb_property *property;

    if (call->at == call->path_count) {
        at_object(call, stub);
        return NULL;
    }
    method = stub->local.method != NULL ? NULL : find_method(stub->local.class, name);
    property = stub->local.method != NULL ? NULL : find_property(stub->local.class, name);
    if (method != NULL && last && call->args != NULL)
        hand_over(call, method->call, stub->local.object);
    else if (method != NULL)
        return step_onto(call, method_stub(stub, method));
    else if (property != NULL && last && call->args == NULL)
        hand_over(call, property->get, stub->local.object);
    else if (property != NULL)
        return step_onto(call, property_stub(call, stub, property));
    else
        end_at_nothing(call, call->at + 1);
    return NULL;
}

static struct capnweb_stub *step_remote(struct capnweb_call *call, struct capnweb_stub *stub)
{
    struct capnweb_tree *why = NULL;

    if (rpc_wire_call(call, stub, &why) < 0)
        rpc_stub_fail(call->result, why, &why->root);
    rpc_call_free(call);
    return NULL;
}

static void on_target(struct waiter *waiter, struct capnweb_stub *stub);

static struct capnweb_stub *step_pending(struct capnweb_call *call, struct capnweb_stub *stub)
{
    rpc_stub_wait(stub, &call->waiter, on_target);
    return NULL;
}

/* One element of a path inside a plain value; undefined for what is not there. */
static const struct capnweb_value *member_of(const struct capnweb_value *value,
                                             const struct capnweb_value *name)
{
    double index = name->number;

    if (value->kind == CAPNWEB_OBJECT && name->kind == CAPNWEB_STRING) {
        for (size_t i = 0; i < value->object.count; i++) {
            const struct capnweb_member *member = &value->object.members[i];

            if (member->key.bytes == name->text.bytes &&
                memcmp(member->key.data, name->text.data, name->text.bytes) == 0)
                return &member->value;
        }
    }
    if (value->kind == CAPNWEB_ARRAY && name->kind == CAPNWEB_NUMBER && index >= 0 &&
        index < (double)value->array.count && index == (double)(size_t)index)
        return &value->array.items[(size_t)index];
    return &rpc_undefined;
}

static bool is_reference(const struct capnweb_value *value)
{
    return value->kind == CAPNWEB_STUB || value->kind == CAPNWEB_WRITABLE ||
           value->kind == CAPNWEB_PROMISE;
}

static struct capnweb_stub *step_value(struct capnweb_call *call, struct capnweb_stub *stub)
{
    const struct capnweb_value *value = stub->settled.value;
    size_t at = call->at;

    while (at < call->path_count && !is_reference(value)) {
        if (value->kind == CAPNWEB_UNDEFINED) {
            end_at_nothing(call, at);
            return NULL;
        }
        value = member_of(value, &call->path[at++]);
    }
    if (is_reference(value) && (at < call->path_count || call->args != NULL))
        return move_to(call, value->stub, at);
    end_at_value(call, stub->settled.tree, value);
    return NULL;
}

static struct capnweb_stub *step_failed(struct capnweb_call *call, struct capnweb_stub *stub)
{
    rpc_stub_fail(call->result, rpc_tree_use(stub->settled.tree), stub->settled.value);
    rpc_call_free(call);
    return NULL;
}

/* Where a call goes from a stub: to another one, or (NULL) it has arrived. */
typedef struct capnweb_stub *step(struct capnweb_call *call, struct capnweb_stub *stub);

static step *const steps[] = {
    [STUB_LOCAL] = step_local, [STUB_REMOTE] = step_remote, [STUB_PENDING] = step_pending,
    [STUB_VALUE] = step_value, [STUB_FAILED] = step_failed,
};

static void deliver(struct capnweb_call *call)
{
    struct capnweb_tree *reason = call->session->reason;
    struct capnweb_stub *at = call->target;
    size_t hops = 2 * call->path_count + HOPS_MAX;

    if (reason != NULL) { /* it was on its way when the session ended */
        rpc_stub_fail(call->result, rpc_tree_use(reason), &reason->root);
        rpc_call_free(call);
        return;
    }
    while (at != NULL && hops-- > 0)
        at = steps[at->state](call, at);
    if (at != NULL)
        end_with_text(call, "Error", "the target of this call refers to itself");
}

static void on_target(struct waiter *waiter, struct capnweb_stub *stub)
{
    (void)stub;
    deliver(CM_CONTAINER_OF(waiter, struct capnweb_call, waiter));
}

static void on_args(struct gather *gather, struct capnweb_stub *failed)
{
    struct capnweb_call *call = CM_CONTAINER_OF(gather, struct capnweb_call, gather);

    if (failed != NULL)
        step_failed(call, failed);
    else
        deliver(call);
}

void rpc_call_start(struct capnweb_call *call)
{
    rpc_gather_start(&call->gather);
}

/*
 * What methods do with the calls they get
 */

struct capnweb_session *capnweb_call_session(const struct capnweb_call *call)
{
    return call->session;
}

size_t capnweb_call_args(const struct capnweb_call *call)
{
    return call->args == NULL ? 0 : call->args->array.count;
}

struct capnweb_tree *capnweb_call_tree(const struct capnweb_call *call)
{
    return call->tree;
}

const struct capnweb_value *capnweb_call_arg(const struct capnweb_call *call, size_t index)
{
    return index < capnweb_call_args(call) ? &call->args->array.items[index] : &rpc_undefined;
}

void *capnweb_call_alloc(struct capnweb_call *call, size_t bytes)
{
    return rpc_tree_alloc(call->tree, bytes);
}

void capnweb_call_on_dropped(struct capnweb_call *call, void (*on_dropped)(void *user), void *user)
{
    call->on_dropped = on_dropped;
    call->on_dropped_user = user;
    if (on_dropped == NULL)
        cm_list_unlink(&call->dropped);
    else if (call->result == NULL)
        cm_list_move(&call->session->dropped, &call->dropped);
}

/* The copy of an answer in a tree of its own, or of the reason why there is none. */
static struct capnweb_tree *answer_copy(struct capnweb_call *call, struct capnweb_value value,
                                        bool plain, struct settling **ret_settling)
{
    struct capnweb_tree *tree = rpc_tree_new();
    struct settling *settling = tree == NULL ? NULL : rpc_settling_new(tree, call->result);
    struct tree_copy copy = { .to = tree,
                              .lender = call->tree,
                              .session = call->session,
                              .limits = &call->session->settings,
                              .plain = plain };
    int r = CM_E_NOMEM;

    if (settling != NULL) {
        copy.gather = &settling->gather;
        r = rpc_tree_copy(&copy, &value, 0, &tree->root);
    }
    if (r == 0) {
        *ret_settling = settling;
        return tree;
    }
    if (settling != NULL)
        capnweb_stub_unref(settling->result);
    if (tree != NULL)
        rpc_tree_unuse(tree);
    tree = rpc_wire_error(call->session, r);
    rpc_stub_fail(call->result, tree, &tree->root);
    return NULL;
}

/* Settles the result; the call is gone. */
static void finish(struct capnweb_call *call, struct capnweb_value value, bool rejected)
{
    struct capnweb_session *session = call->session;
    struct settling *settling = NULL;
    struct capnweb_tree *tree = NULL;
    struct capnweb_stub *result = call->result;

    rpc_session_enter(session);
    if (result != NULL) {
        capnweb_stub_ref(result);
        tree = answer_copy(call, value, rejected, &settling);
    }
    rpc_call_free(call);
    if (tree != NULL && rejected) {
        rpc_stub_fail(result, tree, &tree->root);
        capnweb_stub_unref(settling->result);
    } else if (tree != NULL) {
        rpc_settling_start(settling);
    }
    capnweb_stub_unref(result);
    rpc_session_leave(session);
}

void capnweb_answer(struct capnweb_call *call, struct capnweb_value value)
{
    finish(call, value, false);
}

void capnweb_reject(struct capnweb_call *call, struct capnweb_value value)
{
    finish(call, value, true);
}

void capnweb_reject_text(struct capnweb_call *call, const char *type, const char *message)
{
    const struct capnweb_error error = { .type = capnweb_text(type),
                                         .message = capnweb_text(message) };

    capnweb_reject(call, capnweb_error(&error));
}

void capnweb_answer_once(struct capnweb_call *call, struct capnweb_value value)
{
    struct capnweb_session *session = call->session;
    struct capnweb_stub *result = call->result == NULL ? NULL : capnweb_stub_ref(call->result);

    rpc_session_enter(session);
    if (result == NULL || !rpc_wire_answer_now(result, &value)) {
        capnweb_answer(call, value);
    } else {
        rpc_stub_fail_text(result, "Error", "The result of this call was sent and is not kept.");
        rpc_call_free(call);
    }
    if (result != NULL) /* the last reference to that of a stream call */
        capnweb_stub_unref(result);
    rpc_session_leave(session);
}
