/* The memory of one message or result. Values that are copied come from the
 * embedder or from a checked message; their depth and number are bounded here. */
#include "capnweb/state.h"

#include "capnweb/gather.h"
#include "capnweb/pipe.h"
#include "capnweb/stub.h"

#include <stdlib.h>
#include <string.h>

const struct capnweb_value rpc_undefined = { .kind = CAPNWEB_UNDEFINED };

enum { FIRST_BLOCK = 768, LARGEST_BLOCK = 1 << 20, SHARE_BYTES = 1024 };

struct tree_block {
    struct tree_block *next;
    size_t used;
    size_t cap;
    _Alignas(max_align_t) char bytes[];
};

struct tree_held {
    struct tree_held *next;
    struct capnweb_stub *stub;
    struct capnweb_pipe *pipe;
    struct capnweb_tree *user_of;
    struct capnweb_tree *keeper_of;
};

static struct tree_block *block_new(size_t cap)
{
    struct tree_block *block =
        cap > SIZE_MAX - sizeof(struct tree_block) ? NULL : malloc(sizeof(*block) + cap);

    if (block != NULL)
        *block = (struct tree_block){ .cap = cap };
    return block;
}

/* The tree lies in its own first block: a small message is one allocation. */
struct capnweb_tree *rpc_tree_new(void)
{
    struct tree_block *block = block_new(FIRST_BLOCK);
    struct capnweb_tree *tree;

    if (block == NULL)
        return NULL;
    tree = (struct capnweb_tree *)(void *)block->bytes;
    *tree =
        (struct capnweb_tree){ .users = 1, .keepers = 1, .blocks = block, .bytes = FIRST_BLOCK };
    block->used = sizeof(*tree);
    return tree;
}

static void *block_take(struct tree_block *block, size_t bytes)
{
    const size_t align = _Alignof(max_align_t) - 1;
    size_t at = (block->used + align) & ~align;

    if (at > block->cap || bytes > block->cap - at)
        return NULL;
    block->used = at + bytes;
    return block->bytes + at;
}

void *rpc_tree_alloc(struct capnweb_tree *tree, size_t bytes)
{
    void *room = block_take(tree->blocks, bytes);
    struct tree_block *block;
    size_t cap;

    if (room != NULL)
        return room;
    cap = tree->blocks->cap < LARGEST_BLOCK ? tree->blocks->cap * 2 : LARGEST_BLOCK;
    block = block_new(cap < bytes ? bytes : cap);
    if (block == NULL)
        return NULL;
    tree->bytes += block->cap;
    block->next = tree->blocks;
    tree->blocks = block;
    return block_take(block, bytes);
}

struct capnweb_tree *rpc_tree_use(struct capnweb_tree *tree)
{
    tree->users++;
    return tree;
}

static void let_go(struct tree_held *held)
{
    capnweb_stub_unref(held->stub);
    if (held->pipe != NULL)
        capnweb_pipe_unref(held->pipe);
    if (held->user_of != NULL)
        rpc_tree_unuse(held->user_of);
    if (held->keeper_of != NULL)
        rpc_tree_unkeep(held->keeper_of);
}

/* Bytes that others lend are needed as long as ours; the rest only by users. */
static void give_up(struct capnweb_tree *tree, bool bytes)
{
    struct tree_held *held = tree->held;
    struct tree_held *kept = NULL;

    tree->held = NULL;
    while (held != NULL) {
        struct tree_held *next = held->next;

        if (held->keeper_of != NULL && !bytes) {
            held->next = kept;
            kept = held;
        } else {
            let_go(held);
        }
        held = next;
    }
    tree->held = kept;
}

void rpc_tree_unuse(struct capnweb_tree *tree)
{
    if (--tree->users > 0)
        return;
    give_up(tree, false);
    rpc_tree_unkeep(tree);
}

void rpc_tree_keep(struct capnweb_tree *tree)
{
    tree->keepers++;
}

void rpc_tree_unkeep(struct capnweb_tree *tree)
{
    struct tree_block *block;

    if (--tree->keepers > 0)
        return;
    give_up(tree, true);
    free(tree->text);
    for (block = tree->blocks; block != NULL;) {
        struct tree_block *next = block->next; /* the last one holds the tree itself */

        free(block);
        block = next;
    }
}

static int hold(struct capnweb_tree *tree, struct tree_held what)
{
    struct tree_held *held = rpc_tree_alloc(tree, sizeof(*held));

    if (held == NULL) {
        let_go(&what);
        return CM_E_NOMEM;
    }
    *held = what;
    held->next = tree->held;
    tree->held = held;
    return 0;
}

int rpc_tree_hold_stub(struct capnweb_tree *tree, struct capnweb_stub *stub)
{
    return hold(tree, (struct tree_held){ .stub = stub });
}

int rpc_tree_hold_pipe(struct capnweb_tree *tree, struct capnweb_pipe *pipe)
{
    return hold(tree, (struct tree_held){ .pipe = pipe });
}

int rpc_tree_hold_tree(struct capnweb_tree *tree, struct capnweb_tree *other)
{
    return hold(tree, (struct tree_held){ .user_of = other });
}

int rpc_tree_borrow(struct capnweb_tree *tree, struct capnweb_tree *lender)
{
    rpc_tree_keep(lender);
    return hold(tree, (struct tree_held){ .keeper_of = lender });
}

char *rpc_tree_text(struct capnweb_tree *tree, const char *text, size_t n)
{
    char *copy = n == SIZE_MAX ? NULL : rpc_tree_alloc(tree, n + 1);

    if (copy == NULL)
        return NULL;
    if (n > 0)
        memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

/* Whether n bytes lie in the text of the lender's message. */
static bool is_lent(const struct tree_copy *copy, const void *data, size_t n)
{
    uintptr_t at = (uintptr_t)data;
    uintptr_t text;

    if (n < SHARE_BYTES || copy->lender == NULL || copy->lender->text == NULL)
        return false;
    text = (uintptr_t)copy->lender->text;
    return at >= text && n <= copy->lender->text_bytes && at - text <= copy->lender->text_bytes - n;
}

static int copy_bytes(struct tree_copy *copy, const void *data, size_t n, const char **ret_data)
{
    int r;

    if (is_lent(copy, data, n)) {
        r = copy->lent ? 0 : rpc_tree_borrow(copy->to, copy->lender);
        if (r < 0)
            return r;
        copy->lent = true;
        *ret_data = data;
        return 0;
    }
    *ret_data = rpc_tree_text(copy->to, data, n);
    return *ret_data == NULL ? CM_E_NOMEM : 0;
}

static int copy_text(struct tree_copy *copy, struct capnweb_text from, struct capnweb_text *to)
{
    to->bytes = from.bytes;
    if (from.data != NULL)
        return copy_bytes(copy, from.data, from.bytes, &to->data);
    to->data = NULL;
    return 0;
}

static int copy_members(struct tree_copy *copy, const struct capnweb_member *from, size_t count,
                        size_t depth, const struct capnweb_member **ret_members)
{
    struct capnweb_member *to =
        count > SIZE_MAX / sizeof(*to) ? NULL : rpc_tree_alloc(copy->to, count * sizeof(*to));

    if (to == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        int r = copy_text(copy, from[i].key, &to[i].key);

        if (r == 0)
            r = rpc_tree_copy(copy, &from[i].value, depth + 1, &to[i].value);
        if (r < 0)
            return r;
    }
    *ret_members = to;
    return 0;
}

static int copy_items(struct tree_copy *copy, const struct capnweb_value *from, size_t count,
                      size_t depth, const struct capnweb_value **ret_items)
{
    struct capnweb_value *to =
        count > SIZE_MAX / sizeof(*to) ? NULL : rpc_tree_alloc(copy->to, count * sizeof(*to));

    if (to == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        int r = rpc_tree_copy(copy, &from[i], depth + 1, &to[i]);

        if (r < 0)
            return r;
    }
    *ret_items = to;
    return 0;
}

static int copy_error(struct tree_copy *copy, const struct capnweb_error *from, size_t depth,
                      const struct capnweb_error **ret_error)
{
    struct capnweb_error *to = rpc_tree_alloc(copy->to, sizeof(*to));
    int r;

    if (to == NULL)
        return CM_E_NOMEM;
    *to = *from;
    r = copy_text(copy, from->type, &to->type);
    if (r == 0)
        r = copy_text(copy, from->message, &to->message);
    if (r == 0)
        r = copy_text(copy, from->stack, &to->stack);
    if (r == 0)
        r = copy_members(copy, from->props, from->prop_count, depth, &to->props);
    *ret_error = to;
    return r;
}

static int copy_http(struct tree_copy *copy, const struct capnweb_http *from, size_t depth,
                     const struct capnweb_http **ret_http)
{
    struct capnweb_http *to = rpc_tree_alloc(copy->to, sizeof(*to));
    int r;

    if (to == NULL)
        return CM_E_NOMEM;
    r = copy_text(copy, from->url, &to->url);
    if (r == 0)
        r = rpc_tree_copy(copy, &from->init, depth + 1, &to->init);
    if (r == 0)
        r = rpc_tree_copy(copy, &from->body, depth + 1, &to->body);
    *ret_http = to;
    return r;
}

static int copy_blob(struct tree_copy *copy, const struct capnweb_blob *from,
                     const struct capnweb_blob **ret_blob)
{
    struct capnweb_blob *to = rpc_tree_alloc(copy->to, sizeof(*to));
    const char *data = NULL;
    int r;

    if (to == NULL)
        return CM_E_NOMEM;
    r = copy_text(copy, from->type, &to->type);
    if (r == 0)
        r = copy_bytes(copy, from->data, from->bytes, &data);
    if (r < 0)
        return r;
    to->data = (const uint8_t *)data;
    to->bytes = from->bytes;
    *ret_blob = to;
    return 0;
}

static int copy_stub(struct tree_copy *copy, const struct capnweb_value *from, size_t depth,
                     struct capnweb_value *to)
{
    int r;

    if (copy->plain) {
        *to = capnweb_undefined();
        return 0;
    }
    if (from->stub == NULL || from->stub->session != copy->session)
        return CM_E_INVAL;
    r = rpc_tree_hold_stub(copy->to, capnweb_stub_ref(from->stub));
    if (r == 0 && from->kind == CAPNWEB_PROMISE && copy->gather != NULL)
        r = rpc_gather_add(copy->gather, from->stub, to, depth);
    return r;
}

static int copy_pipe(struct tree_copy *copy, const struct capnweb_value *from,
                     struct capnweb_value *to)
{
    if (copy->plain) {
        *to = capnweb_undefined();
        return 0;
    }
    if (from->pipe == NULL || from->pipe->session != copy->session)
        return CM_E_INVAL;
    return rpc_tree_hold_pipe(copy->to, capnweb_pipe_ref(from->pipe));
}

static int copy_parts(struct tree_copy *copy, const struct capnweb_value *from, size_t depth,
                      struct capnweb_value *to)
{
    const char *data;
    int r;

    switch ((enum capnweb_kind)from->kind) {
    case CAPNWEB_UNDEFINED:
    case CAPNWEB_NULL:
    case CAPNWEB_BOOLEAN:
    case CAPNWEB_NUMBER:
    case CAPNWEB_DATE:
        return 0;
    case CAPNWEB_BIGINT:
    case CAPNWEB_STRING:
    case CAPNWEB_URL:
        return copy_text(copy, from->text, &to->text);
    case CAPNWEB_BYTES:
        r = copy_bytes(copy, from->bytes.data, from->bytes.count, &data);
        to->bytes.data = r < 0 ? NULL : (const uint8_t *)data;
        return r;
    case CAPNWEB_ARRAY:
        return copy_items(copy, from->array.items, from->array.count, depth, &to->array.items);
    case CAPNWEB_OBJECT:
        return copy_members(copy, from->object.members, from->object.count, depth,
                            &to->object.members);
    case CAPNWEB_ERROR:
        return copy_error(copy, from->error, depth, &to->error);
    case CAPNWEB_HEADERS:
    case CAPNWEB_REQUEST:
    case CAPNWEB_RESPONSE:
        return copy_http(copy, from->http, depth, &to->http);
    case CAPNWEB_BLOB:
        return copy_blob(copy, from->blob, &to->blob);
    case CAPNWEB_STUB:
    case CAPNWEB_PROMISE:
    case CAPNWEB_WRITABLE:
        return copy_stub(copy, from, depth, to);
    case CAPNWEB_READABLE:
        return copy_pipe(copy, from, to);
    }
    return CM_E_INVAL;
}

int rpc_tree_copy(struct tree_copy *copy, const struct capnweb_value *from, size_t depth,
                  struct capnweb_value *to)
{
    if (depth >= copy->limits->max_depth || ++copy->to->count > copy->limits->max_values)
        return CM_E_LIMIT;
    if (depth > copy->to->depth)
        copy->to->depth = depth;
    *to = *from;
    return copy_parts(copy, from, depth, to);
}

int rpc_tree_set_error(struct capnweb_tree *tree, const char *type, const char *message)
{
    struct capnweb_error *error = rpc_tree_alloc(tree, sizeof(*error));
    char *type_text = rpc_tree_text(tree, type, strlen(type));
    char *message_text = rpc_tree_text(tree, message, strlen(message));

    if (error == NULL || type_text == NULL || message_text == NULL)
        return CM_E_NOMEM;
    *error = (struct capnweb_error){ .type = capnweb_text(type_text),
                                     .message = capnweb_text(message_text) };
    tree->root = capnweb_error(error);
    return 0;
}
