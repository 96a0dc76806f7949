/* Calls on their way to a target. */
#ifndef CM_CAPNWEB_CALL_H
#define CM_CAPNWEB_CALL_H

#include "capnweb/state.h"

/*
 * A call (args NULL: a property read) whose path and arguments lie in the tree. The
 * use of the tree is taken over, references to target and result are taken. It is
 * counted as pending. CM_E_NOMEM, CM_E_LIMIT: the tree is then given up too.
 */
int rpc_call_new(struct capnweb_session *session, struct capnweb_tree *tree,
                 struct capnweb_stub *target, struct capnweb_stub *result,
                 struct capnweb_call **ret_call);

/* Sends it off: to the target, once the promises in its arguments are there. From
 * then on it looks after itself. */
void rpc_call_start(struct capnweb_call *call);

/* Gives up a call that was not started. NULL: nothing. */
void rpc_call_free(struct capnweb_call *call);

#endif
