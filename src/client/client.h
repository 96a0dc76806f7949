/*
 * The connection of an executor whose runs a daemon carries out: one session at a time,
 * made when a run needs it and again after it broke.
 *
 * Calls are written to a session before the daemon has greeted, and sent when its
 * WebSocket is open. Until the greeting is answered, whatever fails is a connection that
 * was rejected: no run has started. Afterwards it is one that broke.
 */
#ifndef CM_CLIENT_CLIENT_H
#define CM_CLIENT_CLIENT_H

#include "base/buf.h"
#include "capnweb/session.h"
#include "client/stream.h"
#include "client/websocket.h"
#include "executor/remote.h"
#include "executor/target.h"

enum client_state {
    CLIENT_IDLE,
    CLIENT_JOINING, /* connecting, or the greeting is not answered */
    CLIENT_OPEN
};

enum { CLIENT_READ_BYTES = 1 << 16 };

/* Owner: its executor. */
struct client {
    struct remote remote;
    struct cm_executor *executor;
    char *url;   /* as it was given, for sentences */
    char *token; /* NULL: none */
    char *ca_file;
    struct target target;
    enum client_state state;
    struct stream stream;
    struct websocket websocket;
    struct cm_buf upgrade; /* the request for it: to be sent */
    struct cm_buf frames;  /* to be sent once it is open */
    struct capnweb_session *rpc;
    struct capnweb_stub *daemon; /* its main object */
    struct timer timer;          /* the greeting's bound; or now, when there is an end to be made */
    struct cm_list runs;         /* struct carried */
    struct cm_list kept;         /* retained executions of this connection */
    char input[CLIENT_READ_BYTES];
    bool reading;          /* inside the session: it cannot be ended now */
    bool ended;            /* it is to be ended */
    enum cm_fault refused; /* the daemon does not want us: the fault of its runs */
    char *refusal;         /* and their sentence */
};

/* Sends what there is to send. What fails comes to its end in the loop. */
void client_flush(struct client *client);

/* Connects, unless it is. CM_E_NOMEM. */
int client_join(struct client *client);

/* An execution is retained under this id, or is no longer. CM_E_NOMEM. */
int client_keep(struct client *client, const char *execution_id);
void client_forget(struct client *client, const char *execution_id);

/* What an error of the daemon says: its code, or INTERNAL for one that has none. */
enum cm_fault client_fault_of(const struct capnweb_value *reason, int *ret_retryable);

/* Its message, free() it; NULL without memory. */
char *client_message_of(const struct capnweb_value *reason);

/* The sentence of runs that were under way when the connection broke; free() it. NULL
 * without memory. */
char *client_broken(const struct client *client);

#endif
