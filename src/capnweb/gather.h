/* Waiting for the promises inside a value. */
#ifndef CM_CAPNWEB_GATHER_H
#define CM_CAPNWEB_GATHER_H

#include "capnweb/state.h"

/* `value` waits for what the stub becomes; the tree holds the stub. CM_E_NOMEM. */
int rpc_gather_add(struct gather *gather, struct capnweb_stub *stub, struct capnweb_value *value,
                   size_t depth);

/* Calls gather->done() when every hole is filled: now, if there is none. The tree
 * has to have a user until then. */
void rpc_gather_start(struct gather *gather);

/* A result that becomes the root of a tree once that is whole. It lies in the tree. */
struct settling {
    struct gather gather;
    struct capnweb_stub *result; /* counted */
};

/* Takes a reference to the result. NULL: no memory. */
struct settling *rpc_settling_new(struct capnweb_tree *tree, struct capnweb_stub *result);

/* Takes over the use of the tree. */
void rpc_settling_start(struct settling *settling);

#endif
