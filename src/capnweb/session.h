/*
 * A session of the Cap'n Web RPC protocol (version 0.12 of the reference), either
 * role: it takes whole messages and gives out whole messages, and knows nothing of
 * sockets, timers or threads.
 *
 * A server exposes a main object. This one has a method that gets a function of the
 * caller, calls it, and answers when the function has answered:
 *
 *     static void on_orders(void *user, const struct capnweb_outcome *outcome)
 *     {
 *         struct capnweb_call *call = user;
 *
 *         if (outcome->rejected)
 *             capnweb_reject(call, *outcome->value);
 *         else
 *             capnweb_answer(call, *outcome->value);
 *     }
 *
 *     static void execute(void *object, struct capnweb_call *call)
 *     {
 *         const struct capnweb_value *callbacks = capnweb_call_arg(call, 1);
 *         const struct capnweb_value *dispatch = capnweb_get(callbacks, "dispatch");
 *         const struct capnweb_value args[] = { capnweb_cstring("store"),
 *                                               capnweb_cstring("listOrders"),
 *                                               capnweb_cstring("[\"ada\"]") };
 *
 *         if (dispatch == NULL || dispatch->kind != CAPNWEB_STUB)
 *             capnweb_reject_text(call, "TypeError", "execute() takes a dispatch function");
 *         else if (capnweb_invoke(dispatch->stub, NULL, args, 3, on_orders, call, NULL) < 0)
 *             capnweb_reject_text(call, "Error", "the caller has gone");
 *     }
 *
 *     static const struct capnweb_method methods[] = { { "execute", execute } };
 *     static const struct capnweb_class main_class = { .methods = methods, .method_count = 1 };
 *
 *     capnweb_session_new(NULL, &events, connection, &main_class, server, &session);
 *     ...
 *     capnweb_receive(session, text, bytes);       // for each message of the transport
 *     ...
 *     capnweb_lost(session, "the connection broke");
 *     capnweb_session_free(session);
 *
 * The call is answered once, now or at any later time. Until then its arguments
 * live, and with them the stubs in them (on_orders needs no reference of its own).
 * To use a stub of the arguments after the answer, take one with capnweb_stub_ref().
 *
 * Rules that hold for every function here.
 * - Nothing blocks. Everything belongs to the thread that made the session.
 * - The session calls back (events, methods, outcomes) from inside the functions
 *   that are given messages, answers and calls, and from no other place. A
 *   callback may call anything here; freeing the session too.
 * - Values given to a function are borrowed until it returns, stubs in them included.
 * - What is wrong with a message of the peer ends the session: an abort message with
 *   the reason goes out, then on_ended. Nothing is sent after it.
 * - A function that takes a callback and returns an error never calls it.
 * - Errors are enum cm_err: CM_E_INVAL, CM_E_NOMEM, CM_E_LIMIT (settings),
 *   CM_E_STATE (the session has ended).
 */
#ifndef CM_CAPNWEB_SESSION_H
#define CM_CAPNWEB_SESSION_H

#include "capnweb/value.h"

struct capnweb_session;
struct capnweb_class;
struct capnweb_call;
struct capnweb_wait;
struct capnweb_tree;

/* The rows of src/tables/capnweb_limits.def, and how messages go out. */
struct capnweb_settings {
#define CAPNWEB_LIMIT(field, initial, help) size_t field;
#include "tables/capnweb_limits.def"
#undef CAPNWEB_LIMIT
    size_t headroom_bytes; /* writable bytes in front of every message that is sent */
};

/* The defaults of every row; no headroom. */
void capnweb_settings_init(struct capnweb_settings *settings);

enum capnweb_end {
    CAPNWEB_END_FAULT,   /* the peer broke the protocol or a limit; the abort was sent */
    CAPNWEB_END_ABORTED, /* the peer sent an abort message */
    CAPNWEB_END_OURS,    /* capnweb_abort(); the abort was sent */
    CAPNWEB_END_LOST,    /* capnweb_lost() */
};

struct capnweb_events {
    /*
     * A message goes out: `bytes` of UTF-8, one text frame of a WebSocket. It is the
     * receiver's: free(message - headroom_bytes). The headroom is for what a
     * transport writes in front (libwebsockets: LWS_PRE). The session does not wait
     * for it; bounding what is queued is the embedder's matter (stop feeding
     * messages while the peer does not read).
     */
    void (*send)(void *user, char *message, size_t bytes);

    /* The session is over: close the transport once what was sent is out (3000 and
     * the reason are what the reference closes a WebSocket with). Comes once, also
     * from capnweb_lost(). The pending outcomes have been told before. */
    void (*on_ended)(void *user, enum capnweb_end how, struct capnweb_text reason);
};

/*
 * A new session. settings: copied, NULL for the defaults. events: borrowed until
 * the session is freed; each may be NULL. class and object: the main object, which
 * is disposed at the end of the session, as any other; NULL: none, and calls are
 * answered with an error that says so.
 * Errors: CM_E_INVAL (a limit is 0), CM_E_NOMEM; the object is then not disposed.
 */
int capnweb_session_new(const struct capnweb_settings *settings,
                        const struct capnweb_events *events, void *user,
                        const struct capnweb_class *class, void *object,
                        struct capnweb_session **ret_session);

/* Ends the session as capnweb_lost() does, if it has not ended, but without on_ended,
 * and gives it back; no event comes any more. Outcomes that wait are still told. Calls
 * that are not answered yet stay valid: they still have to be answered. NULL: nothing. */
void capnweb_session_free(struct capnweb_session *session);

/* One message of the peer, copied. */
void capnweb_receive(struct capnweb_session *session, const char *text, size_t bytes);

/*
 * The same without a copy, for large messages: `text` comes from malloc(), has room
 * for one byte behind `bytes`, and becomes the session's, whatever happens. Values
 * borrow from it as long as they live.
 */
void capnweb_receive_owned(struct capnweb_session *session, char *text, size_t bytes);

/* Ends the session with an abort message that carries `reason`, mostly an ERROR. */
void capnweb_abort(struct capnweb_session *session, struct capnweb_value reason);

/* capnweb_abort() for what the transport found wrong (a binary frame). */
void capnweb_abort_text(struct capnweb_session *session, const char *type, const char *message);

/* The transport is gone. Whatever waits is rejected with Error(`reason`). */
void capnweb_lost(struct capnweb_session *session, const char *reason);

bool capnweb_ended(const struct capnweb_session *session);

struct capnweb_stats {
    size_t imports; /* live entries of the tables, both mains included */
    size_t exports;
    size_t pending;      /* calls of both sides that are not answered yet */
    size_t stream_bytes; /* that wait in streams for a reader */
};

void capnweb_session_stats(const struct capnweb_session *session, struct capnweb_stats *stats);

/*
 * What we expose
 */

struct capnweb_method {
    const char *name;
    /* A call. Has to lead to exactly one answer or rejection, at any time. */
    void (*call)(void *object, struct capnweb_call *call);
};

struct capnweb_property {
    const char *name;
    /* A read, answered like a call; a path may lead on into the value. */
    void (*get)(void *object, struct capnweb_call *call);
};

/* The class of an object. Static: every object of it refers to it. A method that is
 * read as a property is a function stub. */
struct capnweb_class {
    const struct capnweb_method *methods;
    size_t method_count;
    const struct capnweb_property *properties;
    size_t property_count;
    /* The object called as a function; NULL: it is none. */
    void (*call)(void *object, struct capnweb_call *call);
    /* The last reference is gone, here and at the peer. May be NULL. */
    void (*dispose)(void *object);
};

/* The stub of an object: a reference, which is the caller's. The object is disposed
 * when the last one is gone, or at the end of the session. NULL: no memory. */
struct capnweb_stub *capnweb_stub_new(struct capnweb_session *session,
                                      const struct capnweb_class *class, void *object);

/*
 * A call that came in
 */

struct capnweb_session *capnweb_call_session(const struct capnweb_call *call);

/* The arguments; valid until the answer. One past the end is undefined, never NULL. */
size_t capnweb_call_args(const struct capnweb_call *call);
const struct capnweb_value *capnweb_call_arg(const struct capnweb_call *call, size_t index);

/* What holds the arguments: with a reference of capnweb_tree_ref() they live on after
 * the answer. */
struct capnweb_tree *capnweb_call_tree(const struct capnweb_call *call);

/* Memory for building a result, given back after the answer. NULL: none left. */
void *capnweb_call_alloc(struct capnweb_call *call, size_t bytes);

/*
 * The answer. The call is gone afterwards, with its arguments and the references in
 * them. The value is copied, since calls may be made on it until the peer releases it;
 * large text that comes from the arguments is shared. Promises in it, at the root
 * too, are awaited first. A result that cannot be sent (too large, too deep) becomes
 * a rejection. Does nothing but free the call when the session has ended or the peer
 * has let go of the result.
 */
void capnweb_answer(struct capnweb_call *call, struct capnweb_value value);

/*
 * The same for a large result that nobody will make calls on: where the peer already
 * asked for it, it is encoded straight from the borrowed memory and not kept.
 * Calls made on it that come later are rejected.
 */
void capnweb_answer_once(struct capnweb_call *call, struct capnweb_value value);

/* Throws: an ERROR, or any value. Stubs in it are not allowed and left out. */
void capnweb_reject(struct capnweb_call *call, struct capnweb_value value);
void capnweb_reject_text(struct capnweb_call *call, const char *type, const char *message);

/* on_dropped(user) is called once when nobody waits for the answer any more: the
 * peer has released it, or the session has ended. The call has to be answered all
 * the same. NULL takes the callback back. */
void capnweb_call_on_dropped(struct capnweb_call *call, void (*on_dropped)(void *user), void *user);

/*
 * Stubs: what we call, mostly at the peer
 */

/* The peer's main object; a reference that is the caller's. NULL: no memory. */
struct capnweb_stub *capnweb_peer_main(struct capnweb_session *session);

/* Another reference to the same; the stub itself. */
struct capnweb_stub *capnweb_stub_ref(struct capnweb_stub *stub);

/* Gives a reference up. With the last one the peer is told. NULL: nothing. */
void capnweb_stub_unref(struct capnweb_stub *stub);

/* Valid as long as the stub, also after the session has ended. */
struct capnweb_session *capnweb_stub_session(const struct capnweb_stub *stub);

/* How a call ended. */
struct capnweb_outcome {
    bool rejected;                     /* value is what was thrown */
    bool ended;                        /* of capnweb_pipe_read(): the stream is at its end */
    const struct capnweb_value *value; /* never NULL; valid until the callback returns */
    struct capnweb_tree *tree;         /* holds it: see capnweb_tree_ref() */
};

typedef void capnweb_on_outcome(void *user, const struct capnweb_outcome *outcome);

/* Keeps the value of an outcome, and the stubs in it, beyond the callback. */
struct capnweb_tree *capnweb_tree_ref(struct capnweb_tree *tree);
void capnweb_tree_unref(struct capnweb_tree *tree);

/*
 * Calls a method (NULL: the stub itself, a function) and brings its outcome.
 *
 * Exactly one on_outcome follows each return of 0, also when the session ends; it
 * can come before this returns where the stub is not the peer's. The references of
 * the result are given up after it. ret_wait (may be NULL) serves for
 * capnweb_wait_cancel() until then, and is set before any callback.
 */
int capnweb_invoke(struct capnweb_stub *stub, const char *method, const struct capnweb_value *args,
                   size_t arg_count, capnweb_on_outcome *on_outcome, void *user,
                   struct capnweb_wait **ret_wait);

/*
 * The same for a function whose answer is data: one message instead of a call, a pull
 * and a release. What the answer refers to at the peer is gone once it was sent, and
 * the peer is not told of capnweb_wait_cancel().
 */
int capnweb_ask(struct capnweb_stub *stub, const struct capnweb_value *args, size_t arg_count,
                capnweb_on_outcome *on_outcome, void *user, struct capnweb_wait **ret_wait);

/* Nobody is called any more; a call of capnweb_invoke() is released at the peer. */
void capnweb_wait_cancel(struct capnweb_wait *wait);

/*
 * The parts of capnweb_invoke(), for calls on results that are not there yet
 * (pipelining), for property reads and for calls without an outcome.
 *
 * capnweb_pipeline: `path` leads from the stub to the method or property (STRING and
 * NUMBER values); args NULL reads a property. *ret_result is a reference of the
 * caller's to the result: it can be called, passed as capnweb_promise() and awaited,
 * at once; giving it up lets go of the result, answered or not.
 * capnweb_await: brings what the stub becomes; a stub that is no promise brings
 * itself. Does not take over the reference.
 */
int capnweb_pipeline(struct capnweb_stub *stub, const struct capnweb_value *path, size_t path_count,
                     const struct capnweb_value *args, size_t arg_count,
                     struct capnweb_stub **ret_result);
int capnweb_await(struct capnweb_stub *stub, capnweb_on_outcome *on_outcome, void *user,
                  struct capnweb_wait **ret_wait);

/*
 * Streams. A WRITABLE of the peer is written to with capnweb_invoke() of "write", "close"
 * and "abort" on its stub. A READABLE, from the peer or of our own, is a pipe:
 * chunks go in at one end and out at the other.
 */

/* A pipe that we write and that a value hands to the peer. NULL: no memory. */
struct capnweb_pipe *capnweb_pipe_new(struct capnweb_session *session);
struct capnweb_pipe *capnweb_pipe_ref(struct capnweb_pipe *pipe);
void capnweb_pipe_unref(struct capnweb_pipe *pipe);

/* Puts a chunk in, copied. CM_E_STATE: it was closed, or its reader gave up;
 * CM_E_LIMIT: more waits than max_stream allows. */
int capnweb_pipe_write(struct capnweb_pipe *pipe, struct capnweb_value chunk);
void capnweb_pipe_close(struct capnweb_pipe *pipe);
void capnweb_pipe_fail(struct capnweb_pipe *pipe, struct capnweb_value reason);

/* Chunks that nobody has taken yet: whoever writes waits while there are many. */
size_t capnweb_pipe_waiting(const struct capnweb_pipe *pipe);

/* Brings the next chunk, the end or the failure. One read at a time: CM_E_STATE. */
int capnweb_pipe_read(struct capnweb_pipe *pipe, capnweb_on_outcome *on_outcome, void *user);

/* The reader gives up: the writer's writes are rejected. */
void capnweb_pipe_cancel(struct capnweb_pipe *pipe);

#endif
