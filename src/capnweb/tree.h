/*
 * The memory of one message or result: an arena, perhaps the text of a message, and
 * the references that the values in it name.
 *
 * It is counted twice. A user relies on the stubs: the call whose arguments they
 * are, a result that is kept. When the last user is gone, the references are given
 * up. A keeper relies on the bytes only; the last of both frees them.
 */
#ifndef CM_CAPNWEB_TREE_H
#define CM_CAPNWEB_TREE_H

#include "capnweb/value.h"

struct capnweb_session;
struct tree_block;
struct tree_held;

/* What is not there. */
extern const struct capnweb_value rpc_undefined;

struct capnweb_tree {
    size_t users;
    size_t keepers; /* all users together count as one */
    struct tree_block *blocks;
    struct tree_held *held;
    char *text; /* of a message; NULL: none */
    size_t text_bytes;
    size_t bytes; /* of the arena */
    struct capnweb_value root;
    size_t depth; /* of the deepest value, and how many there are: never too low, */
    size_t count; /* and bounded, so that walking over a tree ends */
};

/* A tree with one user. NULL: no memory. */
struct capnweb_tree *rpc_tree_new(void);
struct capnweb_tree *rpc_tree_use(struct capnweb_tree *tree);
void rpc_tree_unuse(struct capnweb_tree *tree);
void rpc_tree_keep(struct capnweb_tree *tree);
void rpc_tree_unkeep(struct capnweb_tree *tree);

/* Memory that lives as long as the tree, aligned for anything. NULL: none left. */
void *rpc_tree_alloc(struct capnweb_tree *tree, size_t bytes);

/* Until the last user is gone the tree holds what is given here; the reference is
 * taken over, also in failure. CM_E_NOMEM. */
int rpc_tree_hold_stub(struct capnweb_tree *tree, struct capnweb_stub *stub);
int rpc_tree_hold_pipe(struct capnweb_tree *tree, struct capnweb_pipe *pipe);
int rpc_tree_hold_tree(struct capnweb_tree *tree, struct capnweb_tree *other);

/* The tree lends text to this one, whose bytes then live as long. CM_E_NOMEM. */
int rpc_tree_borrow(struct capnweb_tree *tree, struct capnweb_tree *lender);

/* A walk that copies values into a tree. */
struct tree_copy {
    struct capnweb_tree *to;
    struct capnweb_tree *lender; /* text of its message is shared; NULL: none */
    bool lent;
    const struct capnweb_session *session; /* whose stubs may be in it */
    const struct capnweb_settings *limits;
    struct gather *gather; /* gets the promises; NULL: they are left out */
    bool plain;            /* stubs and streams become undefined */
};

/* Copies `from`, with a reference to each stub in it, to a place in or near the
 * tree. CM_E_NOMEM; CM_E_LIMIT: too deep, too many; CM_E_INVAL: a stub of another
 * session. */
int rpc_tree_copy(struct tree_copy *copy, const struct capnweb_value *from, size_t depth,
                  struct capnweb_value *to);

/* A text of n bytes with a final NUL in the tree. NULL: no memory. */
char *rpc_tree_text(struct capnweb_tree *tree, const char *text, size_t n);

/* tree->root becomes an error with that type and message (copied). CM_E_NOMEM. */
int rpc_tree_set_error(struct capnweb_tree *tree, const char *type, const char *message);

/* The items behind the const of a value that this module has made. */
static inline struct capnweb_value *rpc_tree_items(const struct capnweb_value *value)
{
    return (struct capnweb_value *)(uintptr_t)value->array.items;
}

static inline struct capnweb_member *rpc_tree_members(const struct capnweb_member *members)
{
    return (struct capnweb_member *)(uintptr_t)members;
}

#endif
