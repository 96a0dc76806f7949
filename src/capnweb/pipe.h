/* Pipes: streams of values with a writing and a reading end. */
#ifndef CM_CAPNWEB_PIPE_H
#define CM_CAPNWEB_PIPE_H

#include "capnweb/state.h"

struct capnweb_pipe {
    size_t refs;                     /* of readers, and of an embedder that writes */
    bool peer_writes;                /* the peer can still write: that keeps the pipe too */
    struct capnweb_session *session; /* counted */
    struct cm_list all;              /* of session->pipes */
    struct cm_list due;              /* of session->due, when a read can be answered */
    struct cm_list chunks;           /* struct chunk, oldest first */
    size_t waiting;
    bool named;                     /* a value of the peer refers to it */
    bool closed;                    /* nothing more will be written */
    bool cancelled;                 /* nothing more will be read */
    struct capnweb_tree *failure;   /* counted; what the reader gets behind the chunks */
    capnweb_on_outcome *on_outcome; /* of the read that waits */
    void *user;
};

/* The pipe that the peer asked for: a stub with write, close and abort. NULL: no
 * memory. */
struct capnweb_stub *rpc_pipe_for_peer(struct capnweb_session *session);

/* The pipe behind such a stub that no value names yet; it is named now. NULL: there
 * is none. The reference is the caller's. */
struct capnweb_pipe *rpc_pipe_take(struct capnweb_stub *stub);

/* Everything that comes out of the pipe goes into a new one of the peer, whose id is
 * set. CM_E_NOMEM, CM_E_STATE: somebody else reads it. */
int rpc_pipe_pump(struct capnweb_pipe *pipe, struct capnweb_session *session, int64_t *ret_id);

/* `stub` (PENDING) becomes a BLOB of all bytes of the pipe. CM_E_NOMEM, CM_E_STATE. */
int rpc_pipe_collect(struct capnweb_pipe *pipe, struct capnweb_text type,
                     struct capnweb_stub *stub);

/* Answers a read that is due. False: none is. */
bool rpc_pipes_run_due(struct capnweb_session *session);

/* The session has ended. */
void rpc_pipes_fail_all(struct capnweb_session *session, struct capnweb_tree *reason);

#endif
