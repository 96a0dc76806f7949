/*
 * What the files of a session share: its parts and how they hold each other.
 *
 * A stub is a counted reference to something that can be called: an object of ours,
 * an object of the peer, or the result of a call that is or is not there yet. A tree
 * is the memory of one message or result, and holds the stubs that its values name. A
 * call travels to its target and carries the stub of its result, which everybody
 * interested waits for.
 *
 * Nothing settles or is freed while somebody is in the middle of something: what
 * became ready, and what nobody refers to any more, is put on a list of the session,
 * and the outermost function that entered it empties the lists before it returns. So
 * chains of any length need no stack, and order is the order of settling.
 */
#ifndef CM_CAPNWEB_STATE_H
#define CM_CAPNWEB_STATE_H

#include "base/list.h"
#include "capnweb/json.h"
#include "capnweb/session.h"
#include "capnweb/table.h"
#include "capnweb/tree.h"

#include "codemode/executor.h"

enum stub_state {
    STUB_LOCAL,   /* an object of ours, or a method of one */
    STUB_REMOTE,  /* an entry of the import table */
    STUB_PENDING, /* will become something, by a call of ours or by gathering */
    STUB_VALUE,   /* a result that is there */
    STUB_FAILED,  /* a rejection */
};

struct waiter {
    struct cm_list link;       /* of stub->waiters */
    struct capnweb_stub *stub; /* counted while it waits, NULL else */
    void (*settled)(struct waiter *waiter, struct capnweb_stub *stub);
};

struct capnweb_stub {
    size_t refs;
    struct capnweb_session *session; /* counted */
    enum stub_state state;
    struct cm_list queue;   /* of session->ready or session->garbage */
    struct cm_list all;     /* of session->stubs, but for LOCAL ones */
    struct cm_list waiters; /* oldest first */
    union {
        struct {
            const struct capnweb_class *class;
            void *object;
            const struct capnweb_method *method; /* of base, when this is a method */
            struct capnweb_stub *base;           /* counted */
        } local;
        struct {
            int64_t id;
            size_t introductions; /* how often the peer has named it */
            bool promise;         /* something will be resolved */
            bool pulled;
            bool stream; /* the result of a stream call: gone with its answer */
            bool writer; /* calls on it are stream calls */
        } remote;
        struct {
            struct capnweb_call *call; /* where it is; NULL: in no call */
        } pending;
        struct {
            struct capnweb_tree *tree;
            const struct capnweb_value *value;
        } settled; /* VALUE, FAILED */
    };
};

/* A value that waits for a promise to take its place. */
struct hole {
    struct waiter waiter;
    struct hole *next;
    struct gather *gather;
    struct capnweb_stub *stub; /* held by the tree */
    struct capnweb_value *value;
    size_t depth;
};

/* The holes of one value: when all are filled, or one has failed, done() is called
 * once. failed: the stub that did, NULL when none. */
struct gather {
    struct capnweb_tree *tree;
    struct hole *holes;
    size_t missing;
    void (*done)(struct gather *gather, struct capnweb_stub *failed);
};

struct capnweb_call {
    struct waiter waiter; /* for its target */
    struct gather gather; /* for its arguments */
    struct capnweb_session *session;
    struct capnweb_tree *tree; /* of the path and the arguments */
    const struct capnweb_value *path;
    size_t path_count;
    size_t at;                        /* the elements that led to the present target */
    const struct capnweb_value *args; /* an array; NULL: a property is read */
    struct capnweb_stub *target;      /* counted */
    struct capnweb_stub *result;      /* counted, until a method has it */
    bool once;                        /* goes out as a stream call: the peer forgets its result */
    bool entered;                     /* a method has it: result is NULL once nobody waits */
    struct cm_list dropped;           /* of session->dropped */
    void (*on_dropped)(void *user);
    void *on_dropped_user;
};

struct export
{
    int64_t id;
    size_t refs;
    struct capnweb_session *session;
    struct capnweb_stub *stub; /* counted */
    struct waiter waiter;      /* for the answer */
    struct export *made;       /* by the same message, while it is encoded */
    bool pulled;
    bool stream; /* goes with its answer */
};

struct capnweb_session {
    size_t refs;
    unsigned depth; /* of functions that entered it */
    struct capnweb_settings settings;
    const struct capnweb_events *events;
    void *user;

    struct capnweb_table exports; /* struct export */
    struct capnweb_table imports; /* struct capnweb_stub, or &orphan */
    struct capnweb_stub *main;    /* the peer's; counted, NULL at the end */
    int64_t last_in;              /* the peer's last push, stream or pipe */
    int64_t last_out;             /* ours */
    int64_t last_export;          /* negative */
    size_t pending;
    size_t stream_bytes;
    size_t steps; /* of maps, that the messages so far still pay for */

    struct cm_list stubs;   /* that the end of the session makes fail */
    struct cm_list ready;   /* settled stubs that somebody waits for */
    struct cm_list garbage; /* stubs without a reference */
    struct cm_list dropped; /* calls whose on_dropped is due */
    struct cm_list pipes;
    struct cm_list due; /* pipes whose read can be answered */

    struct json_scratch scratch;
    struct capnweb_tree *no_memory; /* an error, made in advance */
    struct capnweb_tree *reason;    /* of the end; NULL: it has not ended */
    enum capnweb_end how;
    bool mute;             /* nothing is sent any more */
    bool torn;             /* the end has been carried out */
    bool told;             /* on_ended has been called, or is not wanted */
    struct cm_error fault; /* of the message that is being read */
};

/* Every function that the embedder calls enters the session and leaves it. */
void rpc_session_enter(struct capnweb_session *session);
void rpc_session_leave(struct capnweb_session *session);
void rpc_session_unref(struct capnweb_session *session);

/* One more thing that is not answered: CM_E_LIMIT. */
int rpc_session_pending_add(struct capnweb_session *session);

/* Ends the session: the first end counts. `reason` is taken over; an abort message
 * with it is sent unless the peer has gone. */
void rpc_session_end(struct capnweb_session *session, enum capnweb_end how,
                     struct capnweb_tree *reason);

/* Ends it for what the peer did. Kinds of reason: "Error", "TypeError". */
void rpc_session_fault(struct capnweb_session *session, const char *type, const char *message);

/* What the peer exports under a (negative) id: a reference, one introduction more.
 * CM_E_PEER: a promise under an id that is in use; CM_E_NOMEM, CM_E_LIMIT. */
int rpc_session_import(struct capnweb_session *session, int64_t id, bool promise,
                       struct capnweb_stub **ret_stub);

/* An error as a tree: the session's own for want of memory when there is none. */
struct capnweb_tree *rpc_session_error(struct capnweb_session *session, const char *type,
                                       const char *message);

#endif
