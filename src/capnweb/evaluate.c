/* What a message says becomes values, stubs and calls. The message is hostile: its
 * JSON has been read, nothing else. Whatever is malformed ends the session, so that
 * an evaluation that fails need not undo what it has started. */
#include "capnweb/evaluate.h"

#include "capnweb/call.h"
#include "capnweb/forms.h"
#include "capnweb/gather.h"
#include "capnweb/keys.h"
#include "capnweb/map.h"
#include "capnweb/pipe.h"
#include "capnweb/stub.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <math.h>

#define ID_MAX 9007199254740991.0

int rpc_wrong(struct evaluator *ev, const char *what)
{
    return cm_fail(&ev->session->fault, CM_E_PEER, 0, "%s", what);
}

int rpc_no_memory(struct evaluator *ev)
{
    return cm_fail(&ev->session->fault, CM_E_NOMEM, 0, "there is no memory left for this session");
}

/* A code of another module, with a sentence. */
static int failed(struct evaluator *ev, int r)
{
    if (r == CM_E_LIMIT)
        cm_fail(&ev->session->fault, CM_E_LIMIT, 0,
                "more calls or references are open than this session allows");
    else if (r < 0)
        rpc_no_memory(ev);
    return r;
}

bool rpc_value_id(const struct capnweb_value *value, int64_t *ret_id)
{
    if (value->kind != CAPNWEB_NUMBER || fabs(value->number) > ID_MAX ||
        value->number != trunc(value->number))
        return false;
    *ret_id = (int64_t)value->number;
    return true;
}

int rpc_evaluate_members(struct evaluator *ev, const struct capnweb_member *members, size_t count,
                         size_t depth)
{
    struct capnweb_member *each = rpc_tree_members(members);

    for (size_t i = 0; i < count; i++) {
        int r = rpc_evaluate_value(ev, &each[i].value, depth);

        if (r < 0)
            return r;
    }
    return 0;
}

/*
 * References to what the peer has
 */

/* The stub is the evaluation's: the tree holds it from now on. */
static int hold(struct evaluator *ev, struct capnweb_stub *stub, enum capnweb_kind kind,
                struct capnweb_value *value, size_t depth)
{
    int r = rpc_tree_hold_stub(ev->tree, stub);

    *value = (struct capnweb_value){ .kind = (uint16_t)kind, .stub = stub };
    if (r == 0 && kind == CAPNWEB_PROMISE)
        r = rpc_gather_add(ev->gather, stub, value, depth);
    return failed(ev, r);
}

static int read_import(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                       size_t depth, enum capnweb_kind kind)
{
    struct capnweb_stub *stub;
    int64_t id;
    int r;

    if (ev->gather == NULL || ev->scope != NULL)
        return rpc_wrong(ev, "a new reference stands where none is allowed");
    if (form.count < 2 || !rpc_value_id(&form.items[1], &id) || id >= 0)
        return rpc_wrong(ev, "what is exported has a negative number");
    r = rpc_session_import(ev->session, id, kind == CAPNWEB_PROMISE, &stub);
    if (r == CM_E_PEER)
        return rpc_wrong(ev, "a promise is exported under a number that is in use");
    if (r < 0)
        return failed(ev, r);
    if (kind == CAPNWEB_WRITABLE && stub->state == STUB_REMOTE)
        stub->remote.writer = true;
    return hold(ev, stub, kind, value, depth);
}

static int read_export(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                       size_t depth)
{
    return read_import(ev, form, value, depth, CAPNWEB_STUB);
}

static int read_promise(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                        size_t depth)
{
    return read_import(ev, form, value, depth, CAPNWEB_PROMISE);
}

static int read_writable(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                         size_t depth)
{
    return read_import(ev, form, value, depth, CAPNWEB_WRITABLE);
}

/* The stub that an id names here, borrowed. NULL: there is none. */
static struct capnweb_stub *look_up(struct evaluator *ev, const struct capnweb_value *value)
{
    const struct scope *scope = ev->scope;
    struct export *entry;
    int64_t id;

    if (!rpc_value_id(value, &id)) {
        rpc_wrong(ev, "an id is not a whole number");
        return NULL;
    }
    if (scope != NULL && id >= 0 && (uint64_t)id < scope->result_count)
        return scope->results[id];
    if (scope != NULL && id < 0 && (uint64_t)-id <= scope->capture_count)
        return scope->captures[-id - 1];
    entry = scope != NULL ? NULL : capnweb_table_find(&ev->session->exports, id);
    if (entry != NULL)
        return entry->stub;
    cm_fail(&ev->session->fault, CM_E_PEER, 0, "there is no export with the id %lld",
            (long long)id);
    return NULL;
}

static int read_readable(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                         size_t depth)
{
    struct capnweb_stub *stub;
    struct capnweb_pipe *pipe;

    (void)depth;
    if (ev->gather == NULL || ev->scope != NULL)
        return rpc_wrong(ev, "a stream stands where none is allowed");
    if (form.count < 2)
        return rpc_wrong(ev, "a \"readable\" form has an id");
    stub = look_up(ev, &form.items[1]);
    if (stub == NULL)
        return CM_E_PEER;
    pipe = rpc_pipe_take(stub);
    if (pipe == NULL)
        return rpc_wrong(ev, "a \"readable\" form names no pipe, or one that was named before");
    *value = capnweb_readable(pipe);
    return failed(ev, rpc_tree_hold_pipe(ev->tree, pipe));
}

/* A blob is whole before anybody receives it: it is a promise of its bytes. */
static int read_blob(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                     size_t depth)
{
    struct capnweb_stub *stub;
    int r;

    if (!is_string(&form, 1) || form.count < 3)
        return rpc_wrong(ev, "a \"blob\" form has a type and a stream");
    r = rpc_evaluate_value(ev, &form.items[2], depth + 1);
    if (r < 0)
        return r;
    if (form.items[2].kind != CAPNWEB_READABLE)
        return rpc_wrong(ev, "a \"blob\" form has a type and a stream");
    stub = rpc_stub_new(ev->session, STUB_PENDING);
    if (stub == NULL)
        return rpc_no_memory(ev);
    r = rpc_pipe_collect(form.items[2].pipe, form.items[1].text, stub);
    if (r < 0) {
        capnweb_stub_unref(stub);
        return failed(ev, r);
    }
    return hold(ev, stub, CAPNWEB_PROMISE, value, depth);
}

/*
 * References to what is ours: "import", "pipeline" and "remap". They give a stub, which
 * is the caller's, so that the root of a push can be one without being held.
 */

static int check_path(struct evaluator *ev, const struct capnweb_value *path)
{
    if (path->kind != CAPNWEB_ARRAY)
        return rpc_wrong(ev, "a path is a list");
    for (size_t i = 0; i < path->array.count; i++)
        if (path->array.items[i].kind != CAPNWEB_STRING &&
            path->array.items[i].kind != CAPNWEB_NUMBER)
            return rpc_wrong(ev, "the elements of a path are text or numbers");
    return 0;
}

/* The arguments are their own list of promises: the call waits for no others. */
static int evaluate_args(struct evaluator *ev, struct capnweb_call *call,
                         struct capnweb_value *args, size_t depth)
{
    struct evaluator inner = *ev;
    struct capnweb_value *items;

    if (args->kind != CAPNWEB_ARRAY)
        return rpc_wrong(ev, "the arguments of a call are a list");
    inner.gather = &call->gather;
    items = rpc_tree_items(args);
    for (size_t i = 0; i < args->array.count; i++) {
        int r = rpc_evaluate_value(&inner, &items[i], depth + 1);

        if (r < 0)
            return r;
    }
    call->args = args;
    return 0;
}

static int make_call(struct evaluator *ev, struct capnweb_stub *target, struct elements form,
                     size_t depth, struct capnweb_stub *result)
{
    struct capnweb_call *call;
    int r = check_path(ev, &form.items[2]);

    if (r < 0)
        return r;
    r = rpc_call_new(ev->session, rpc_tree_use(ev->tree), target, result, &call);
    if (r < 0)
        return failed(ev, r);
    call->path = form.items[2].array.items;
    call->path_count = form.items[2].array.count;
    if (form.count > 3)
        r = evaluate_args(ev, call, &form.items[3], depth);
    if (r < 0)
        rpc_call_free(call);
    else
        rpc_call_start(call);
    return r;
}

static int refer(struct evaluator *ev, struct elements form, size_t depth,
                 struct capnweb_stub **ret_stub)
{
    struct capnweb_stub *target;
    struct capnweb_stub *result;
    int r;

    if (ev->gather == NULL)
        return rpc_wrong(ev, "a reference stands where none is allowed");
    if (form.count < 2 || form.count > 4)
        return rpc_wrong(ev, "a reference has an id, perhaps a path, perhaps arguments");
    target = look_up(ev, &form.items[1]);
    if (target == NULL)
        return CM_E_PEER;
    if (form.count == 2) {
        *ret_stub = capnweb_stub_ref(target);
        return 0;
    }
    result = rpc_stub_new(ev->session, STUB_PENDING);
    if (result == NULL)
        return rpc_no_memory(ev);
    r = make_call(ev, target, form, depth, result);
    if (r < 0)
        capnweb_stub_unref(result);
    else
        *ret_stub = result;
    return r;
}

/* ["import",id], or ["export",id] where ids are those of the session. */
static int read_capture(struct evaluator *ev, const struct capnweb_value *value,
                        struct capnweb_stub **ret_stub)
{
    struct elements form = { rpc_tree_items(value), value->array.count };
    struct capnweb_value held = { 0 };
    int r;

    if (value->kind != CAPNWEB_ARRAY || form.count < 2 || !is_string(&form, 0))
        return rpc_wrong(ev, "a capture of a map is an import or an export");
    if (capnweb_text_is(form.items[0].text, "export")) {
        r = read_import(ev, form, &held, 0, CAPNWEB_STUB);
        *ret_stub = r < 0 ? NULL : held.stub;
        return r;
    }
    if (!capnweb_text_is(form.items[0].text, "import"))
        return rpc_wrong(ev, "a capture of a map is an import or an export");
    *ret_stub = look_up(ev, &form.items[1]);
    if (*ret_stub == NULL)
        return CM_E_PEER;
    return failed(ev, rpc_tree_hold_stub(ev->tree, capnweb_stub_ref(*ret_stub)));
}

static int read_captures(struct evaluator *ev, const struct capnweb_value *list,
                         struct capnweb_stub ***ret_captures)
{
    size_t count = list->array.count;
    struct capnweb_stub **captures =
        rpc_tree_alloc(ev->tree, count * sizeof(struct capnweb_stub *));
    int r = 0;

    if (captures == NULL)
        return rpc_no_memory(ev);
    for (size_t i = 0; r == 0 && i < count; i++)
        r = read_capture(ev, &list->array.items[i], &captures[i]);
    *ret_captures = captures;
    return r;
}

/* ["remap", id, path, captures, instructions] */
static int remap(struct evaluator *ev, struct elements form, size_t depth,
                 struct capnweb_stub **ret_stub)
{
    struct elements reference = { form.items, 3 };
    struct capnweb_stub **captures = NULL;
    struct capnweb_stub *result;
    struct capnweb_stub *base = NULL;
    int r;

    if (form.count < 5 || form.items[3].kind != CAPNWEB_ARRAY ||
        form.items[4].kind != CAPNWEB_ARRAY)
        return rpc_wrong(ev, "a \"remap\" form has an id, a path, captures and instructions");
    if (ev->gather == NULL)
        return rpc_wrong(ev, "a reference stands where none is allowed");
    r = read_captures(ev, &form.items[3], &captures);
    if (r == 0)
        r = refer(ev, reference, depth, &base);
    if (r < 0)
        return r;
    result = rpc_stub_new(ev->session, STUB_PENDING);
    r = result == NULL ? CM_E_NOMEM
                       : rpc_map_start(ev->session, ev->tree, base, captures,
                                       form.items[3].array.count, &form.items[4], result);
    capnweb_stub_unref(base);
    if (r < 0)
        capnweb_stub_unref(result);
    else
        *ret_stub = result;
    return failed(ev, r);
}

static const struct reference_form {
    const char *tag;
    enum capnweb_kind kind;
    int (*make)(struct evaluator *ev, struct elements form, size_t depth,
                struct capnweb_stub **ret_stub);
} reference_forms[] = {
    { "pipeline", CAPNWEB_PROMISE, refer },
    { "import", CAPNWEB_STUB, refer },
    { "remap", CAPNWEB_PROMISE, remap },
};

static const struct value_form new_references[] = {
    { "blob", read_blob },         { "export", read_export },     { "promise", read_promise },
    { "writable", read_writable }, { "readable", read_readable },
};

/* The form that makes a reference to something of ours; NULL: it is another value. */
static const struct reference_form *reference_form(const struct capnweb_value *value)
{
    const struct capnweb_value *tag = value->array.items;

    if (value->kind != CAPNWEB_ARRAY || value->array.count == 0 || tag->kind != CAPNWEB_STRING)
        return NULL;
    for (size_t i = 0; i < CM_ARRAY_LEN(reference_forms); i++)
        if (capnweb_text_is(tag->text, reference_forms[i].tag))
            return &reference_forms[i];
    return NULL;
}

static int evaluate_reference(struct evaluator *ev, const struct reference_form *row,
                              struct capnweb_value *value, size_t depth)
{
    struct elements form = { rpc_tree_items(value), value->array.count };
    struct capnweb_stub *stub;
    int r = row->make(ev, form, depth, &stub);

    return r < 0 ? r : hold(ev, stub, row->kind, value, depth);
}

static int evaluate_form(struct evaluator *ev, struct capnweb_value *value, size_t depth)
{
    struct elements form = { rpc_tree_items(value), value->array.count };
    const struct value_form *row;
    struct capnweb_text tag;

    if (!is_string(&form, 0))
        return rpc_wrong(ev, "a list is neither escaped nor a form");
    tag = form.items[0].text;
    row = rpc_data_form(tag);
    for (size_t i = 0; row == NULL && i < CM_ARRAY_LEN(new_references); i++)
        if (capnweb_text_is(tag, new_references[i].tag))
            row = &new_references[i];
    if (row != NULL)
        return row->read(ev, form, value, depth);
    return cm_fail(&ev->session->fault, CM_E_PEER, 0, "no form is called \"%.*s\"",
                   (int)(tag.bytes < 32 ? tag.bytes : 32), tag.data);
}

static int evaluate_items(struct evaluator *ev, struct capnweb_value *value, size_t depth)
{
    struct capnweb_value list = value->array.items[0];
    struct capnweb_value *items = rpc_tree_items(&list);

    for (size_t i = 0; i < list.array.count; i++) {
        int r = rpc_evaluate_value(ev, &items[i], depth + 1);

        if (r < 0)
            return r;
    }
    *value = list;
    return 0;
}

static int evaluate_list(struct evaluator *ev, struct capnweb_value *value, size_t depth)
{
    const struct reference_form *row = reference_form(value);

    if (row != NULL)
        return evaluate_reference(ev, row, value, depth);
    if (value->array.count == 1 && value->array.items[0].kind == CAPNWEB_ARRAY)
        return evaluate_items(ev, value, depth);
    return evaluate_form(ev, value, depth);
}

static int check_depth(struct evaluator *ev, size_t depth)
{
    if (depth >= ev->session->settings.max_depth)
        return rpc_wrong(ev, "a value is nested too deeply");
    if (depth > ev->tree->depth)
        ev->tree->depth = depth;
    return 0;
}

int rpc_evaluate_value(struct evaluator *ev, struct capnweb_value *value, size_t depth)
{
    int r = check_depth(ev, depth);

    if (r < 0)
        return r;
    if (value->kind == CAPNWEB_ARRAY)
        return evaluate_list(ev, value, depth);
    if (value->kind != CAPNWEB_OBJECT)
        return 0;
    r = rpc_evaluate_members(ev, value->object.members, value->object.count, depth + 1);
    if (r == 0 &&
        rpc_keys_clean(rpc_tree_members(value->object.members), &value->object.count, false) < 0)
        r = rpc_no_memory(ev);
    return r;
}

/* The root of the tree becomes what the stub is; the use of the tree is taken over. */
static int settle(struct evaluator *ev, bool rejected, struct capnweb_stub *stub)
{
    struct capnweb_tree *tree = ev->tree;
    struct settling *settling = rpc_settling_new(tree, stub);
    int r;

    if (settling == NULL) {
        rpc_tree_unuse(tree);
        return rpc_no_memory(ev);
    }
    ev->gather = &settling->gather;
    r = rpc_evaluate_value(ev, &tree->root, 0);
    if (r == 0 && !rejected) {
        rpc_settling_start(settling);
        return 0;
    }
    capnweb_stub_unref(settling->result);
    if (r < 0)
        rpc_tree_unuse(tree);
    else
        rpc_stub_fail(stub, tree, &tree->root);
    return r;
}

int rpc_evaluate_into(struct capnweb_session *session, struct capnweb_tree *tree,
                      const struct capnweb_value *expression, bool rejected,
                      struct capnweb_stub *stub)
{
    struct evaluator ev = { .session = session, .tree = tree };

    tree->root = *expression;
    return settle(&ev, rejected, stub);
}

/* A root that is a reference is not held by its own tree: when the peer releases the
 * push, nobody waits for the call any more. */
static int evaluate_root(struct evaluator *ev, const struct reference_form *row,
                         struct capnweb_stub **ret_stub)
{
    struct capnweb_value *root = &ev->tree->root;
    int r;

    r = row->make(ev, (struct elements){ rpc_tree_items(root), root->array.count }, 0, ret_stub);
    rpc_tree_unuse(ev->tree);
    return r;
}

int rpc_evaluate(struct capnweb_session *session, struct capnweb_tree *tree,
                 const struct capnweb_value *expression, const struct scope *scope,
                 struct capnweb_stub **ret_stub)
{
    struct gather none = { .tree = tree };
    struct evaluator ev = { .session = session, .tree = tree, .gather = &none, .scope = scope };
    const struct reference_form *row = reference_form(expression);
    struct capnweb_stub *stub;
    int r;

    tree->root = *expression;
    if (row != NULL)
        return evaluate_root(&ev, row, ret_stub);
    stub = rpc_stub_new(session, STUB_PENDING);
    if (stub == NULL) {
        rpc_tree_unuse(tree);
        return rpc_no_memory(&ev);
    }
    r = settle(&ev, false, stub);
    if (r < 0)
        capnweb_stub_unref(stub);
    else
        *ret_stub = stub;
    return r;
}

int rpc_evaluate_data(struct capnweb_session *session, struct capnweb_tree *tree,
                      struct capnweb_value *expression)
{
    struct evaluator ev = { .session = session, .tree = tree };

    return rpc_evaluate_value(&ev, expression, 0);
}
