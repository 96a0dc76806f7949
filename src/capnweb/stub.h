/* Stubs inside the session: making, waiting, settling. */
#ifndef CM_CAPNWEB_STUB_H
#define CM_CAPNWEB_STUB_H

#include "capnweb/state.h"

#include "base/cleanup.h"

/* A stub with one reference. A PENDING one has to be settled by its maker. NULL: no
 * memory. */
struct capnweb_stub *rpc_stub_new(struct capnweb_session *session, enum stub_state state);

void rpc_waiter_init(struct waiter *waiter);

/* Calls settled() once the stub is no promise any more: always later, from the end of
 * the outermost call of the session. A result of the peer is pulled. */
void rpc_stub_wait(struct capnweb_stub *stub, struct waiter *waiter,
                   void (*settled)(struct waiter *waiter, struct capnweb_stub *stub));

/* Nothing when it does not wait. */
void rpc_waiter_cancel(struct waiter *waiter);

/* A PENDING or REMOTE stub gets its value or its error, in a tree whose use is taken
 * over. One that is settled already stays as it is. */
void rpc_stub_settle(struct capnweb_stub *stub, struct capnweb_tree *tree,
                     const struct capnweb_value *value);
void rpc_stub_fail(struct capnweb_stub *stub, struct capnweb_tree *tree,
                   const struct capnweb_value *value);
void rpc_stub_fail_text(struct capnweb_stub *stub, const char *type, const char *message);

/* At the end of the session every result is the reason of it. */
void rpc_stubs_fail_all(struct capnweb_session *session, struct capnweb_tree *reason);

/* A PENDING stub becomes the import `id`, which it is in the table as already. */
void rpc_stub_set_remote(struct capnweb_stub *stub, int64_t id, bool promise);

/* Asks for its result, if somebody waits for that. */
void rpc_stub_pull_waited(struct capnweb_stub *stub);

/* A REMOTE stub that was resolved is no import any more; it is PENDING. */
void rpc_stub_unset_remote(struct capnweb_stub *stub);

/* Whether it stands for something that is not known yet. */
bool rpc_stub_is_promise(const struct capnweb_stub *stub);

/* What a settled stub is as a value, and the tree of that (NULL: it is itself). */
struct capnweb_value rpc_stub_value(struct capnweb_stub *stub);
struct capnweb_tree *rpc_stub_tree(const struct capnweb_stub *stub);

/* The waiters of stubs that have settled are called; the stubs that nobody refers
 * to are freed. True: there was something. */
bool rpc_stubs_run_ready(struct capnweb_session *session);
bool rpc_stubs_free_garbage(struct capnweb_session *session);

#endif
