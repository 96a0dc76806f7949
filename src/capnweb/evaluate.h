/* What a message of the peer says becomes values, stubs and calls. */
#ifndef CM_CAPNWEB_EVALUATE_H
#define CM_CAPNWEB_EVALUATE_H

#include "capnweb/state.h"

/* What ids mean inside the instructions of a map: 0 is the input, 1, 2 ... the results
 * so far, -1, -2 ... the captures. */
struct scope {
    struct capnweb_stub **results;
    size_t result_count;
    struct capnweb_stub **captures;
    size_t capture_count;
};

/*
 * Evaluates an expression of a message, in the tree that it lies in, of which it
 * becomes the root; what is behind it changes in place. The use of the tree is taken over. Calls in
 * it are sent off. scope: NULL outside of a map. *ret_stub is a reference to what it is or will be.
 * CM_E_PEER, CM_E_LIMIT, CM_E_NOMEM: session->fault tells.
 */
int rpc_evaluate(struct capnweb_session *session, struct capnweb_tree *tree,
                 const struct capnweb_value *expression, const struct scope *scope,
                 struct capnweb_stub **ret_stub);

/* The same, for a stub that waits for its resolution or rejection. */
int rpc_evaluate_into(struct capnweb_session *session, struct capnweb_tree *tree,
                      const struct capnweb_value *expression, bool rejected,
                      struct capnweb_stub *stub);

/* Evaluates the reason of an abort or of a rejection as far as data goes. */
int rpc_evaluate_data(struct capnweb_session *session, struct capnweb_tree *tree,
                      struct capnweb_value *expression);

/* The whole number of a JSON value. False: it is none. */
bool rpc_value_id(const struct capnweb_value *value, int64_t *ret_id);

#endif
