/* Maps: instructions of the peer that run here, once for each element of a value. */
#ifndef CM_CAPNWEB_MAP_H
#define CM_CAPNWEB_MAP_H

#include "capnweb/state.h"

/*
 * Runs `instructions` (raw JSON in the tree) over what `base` becomes. A reference to
 * base is taken, and the tree is used; captures lie in it and are held by it.
 * `result` settles with the outcome. CM_E_NOMEM, CM_E_LIMIT.
 */
int rpc_map_start(struct capnweb_session *session, struct capnweb_tree *tree,
                  struct capnweb_stub *base, struct capnweb_stub **captures, size_t capture_count,
                  const struct capnweb_value *instructions, struct capnweb_stub *result);

#endif
