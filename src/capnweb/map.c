/* Maps. The instructions are hostile: each message pays for a bounded number of
 * steps, and what is wrong with one is the error of the map's result. */
#include "capnweb/map.h"

#include "capnweb/evaluate.h"
#include "capnweb/gather.h"
#include "capnweb/stub.h"

#include <stdlib.h>
#include <string.h>

struct map {
    struct waiter waiter;
    struct capnweb_session *session; /* counted */
    struct capnweb_tree *tree;       /* used */
    struct capnweb_stub *result;     /* counted */
    const struct capnweb_value *instructions;
    struct capnweb_stub **captures;
    size_t capture_count;
};

static void map_free(struct map *map)
{
    struct capnweb_session *session = map->session;

    capnweb_stub_unref(map->result);
    rpc_tree_unuse(map->tree);
    free(map);
    session->pending--;
    rpc_session_unref(session);
}

/* A stub that is a part of a value. NULL: no memory. */
static struct capnweb_stub *part_of(struct capnweb_session *session, struct capnweb_stub *whole,
                                    const struct capnweb_value *value)
{
    struct capnweb_stub *part;

    if (rpc_stub_tree(whole) == NULL)
        return capnweb_stub_ref(whole);
    part = rpc_stub_new(session, STUB_PENDING);
    if (part != NULL)
        rpc_stub_settle(part, rpc_tree_use(rpc_stub_tree(whole)), value);
    return part;
}

/* Evaluating changes the instruction, so each run has a copy. */
static int run_one(const struct map *map, const struct capnweb_value *instruction,
                   const struct scope *scope, struct capnweb_stub **ret_stub)
{
    struct capnweb_tree *tree = rpc_tree_new();
    struct tree_copy copy = { .to = tree,
                              .session = map->session,
                              .limits = &map->session->settings };
    int r;

    if (tree == NULL)
        return CM_E_NOMEM;
    r = rpc_tree_copy(&copy, instruction, 0, &tree->root);
    if (r < 0) {
        rpc_tree_unuse(tree);
        return r;
    }
    tree->depth = 0;
    return rpc_evaluate(map->session, tree, &tree->root, scope, ret_stub);
}

/* The instructions for one input; *ret_stub is a reference to the last one's result. */
static int run_all(const struct map *map, struct capnweb_stub *input,
                   struct capnweb_stub **ret_stub)
{
    size_t count = map->instructions->array.count;
    struct capnweb_stub **results = calloc(count + 1, sizeof(struct capnweb_stub *));
    struct scope scope = { .results = results,
                           .result_count = 1,
                           .captures = map->captures,
                           .capture_count = map->capture_count };
    int r = results == NULL ? CM_E_NOMEM : 0;

    if (r < 0)
        return r;
    results[0] = capnweb_stub_ref(input);
    for (size_t i = 0; r == 0 && i < count; i++) {
        r = run_one(map, &map->instructions->array.items[i], &scope, &results[i + 1]);
        scope.result_count += r == 0;
    }
    if (r == 0)
        *ret_stub = capnweb_stub_ref(results[count]);
    for (size_t i = 0; i < scope.result_count; i++)
        capnweb_stub_unref(results[i]);
    free(results);
    return r;
}

static int run_item(const struct map *map, struct capnweb_stub *whole,
                    const struct capnweb_value *item, struct settling *settling,
                    struct capnweb_value *place, size_t depth)
{
    struct capnweb_tree *tree = settling->gather.tree;
    struct capnweb_stub *input = part_of(map->session, whole, item);
    struct capnweb_stub *output = NULL;
    int r = input == NULL ? CM_E_NOMEM : run_all(map, input, &output);

    capnweb_stub_unref(input);
    if (r < 0)
        return r;
    *place = capnweb_promise(output);
    tree->count++;
    r = rpc_tree_hold_stub(tree, output);
    return r < 0 ? r : rpc_gather_add(&settling->gather, output, place, depth);
}

static int run_items(const struct map *map, struct capnweb_stub *whole,
                     const struct capnweb_value *array, struct settling *settling)
{
    struct capnweb_tree *tree = settling->gather.tree;
    size_t count = array->array.count;
    struct capnweb_value *places = rpc_tree_alloc(tree, count * sizeof(*places));
    int r = places == NULL ? CM_E_NOMEM : 0;

    for (size_t i = 0; r == 0 && i < count; i++)
        r = run_item(map, whole, &array->array.items[i], settling, &places[i], 1);
    tree->root = capnweb_array(places, count);
    return r;
}

static bool pay(struct map *map, const struct capnweb_value *value)
{
    size_t runs = value->kind == CAPNWEB_ARRAY ? value->array.count : 1;
    size_t each = map->instructions->array.count;

    if (each == 0 || runs > map->session->steps / each)
        return false;
    map->session->steps -= runs * each;
    return true;
}

static void fail(struct map *map, int error)
{
    struct cm_error *fault = &map->session->fault;

    if (error == CM_E_NOMEM)
        rpc_stub_fail_text(map->result, "Error", "there is no memory left for this map");
    else
        rpc_stub_fail_text(map->result, "TypeError",
                           fault->code != CM_OK ? fault->text
                                                : "an instruction of the map is too large");
    *fault = (struct cm_error)CM_ERROR_INIT;
}

static void run(struct map *map, struct capnweb_stub *base, const struct capnweb_value *value)
{
    struct capnweb_tree *tree = rpc_tree_new();
    struct settling *settling = tree == NULL ? NULL : rpc_settling_new(tree, map->result);
    int r = CM_E_NOMEM;

    if (settling != NULL && value->kind == CAPNWEB_ARRAY)
        r = run_items(map, base, value, settling);
    else if (settling != NULL)
        r = run_item(map, base, value, settling, &tree->root, 0);
    if (r == 0) {
        rpc_settling_start(settling);
        return;
    }
    if (settling != NULL)
        capnweb_stub_unref(settling->result);
    if (tree != NULL)
        rpc_tree_unuse(tree);
    fail(map, r);
}

static void on_base(struct waiter *waiter, struct capnweb_stub *base)
{
    struct map *map = CM_CONTAINER_OF(waiter, struct map, waiter);
    struct capnweb_value value = rpc_stub_value(base);

    if (base->state == STUB_FAILED)
        rpc_stub_fail(map->result, rpc_tree_use(base->settled.tree), base->settled.value);
    else if (value.kind == CAPNWEB_NULL || value.kind == CAPNWEB_UNDEFINED)
        rpc_stub_settle(map->result, rpc_tree_use(base->settled.tree), base->settled.value);
    else if (!pay(map, &value))
        rpc_stub_fail_text(map->result, "RangeError",
                           "the map has no instruction or takes too many steps");
    else
        run(map, base, rpc_stub_tree(base) != NULL ? base->settled.value : &value);
    map_free(map);
}

int rpc_map_start(struct capnweb_session *session, struct capnweb_tree *tree,
                  struct capnweb_stub *base, struct capnweb_stub **captures, size_t capture_count,
                  const struct capnweb_value *instructions, struct capnweb_stub *result)
{
    int r = rpc_session_pending_add(session);
    struct map *map = r < 0 ? NULL : calloc(1, sizeof(*map));

    if (map == NULL) {
        session->pending -= r == 0;
        return r < 0 ? r : CM_E_NOMEM;
    }
    *map = (struct map){ .session = session,
                         .tree = rpc_tree_use(tree),
                         .result = capnweb_stub_ref(result),
                         .instructions = instructions,
                         .captures = captures,
                         .capture_count = capture_count };
    session->refs++;
    rpc_waiter_init(&map->waiter);
    rpc_stub_wait(base, &map->waiter, on_base);
    return 0;
}
