/* One caller: its session, the executions it has, and the messages both ways. Knows
 * nothing of how they travel. */
#ifndef CM_DAEMON_CONNECTION_H
#define CM_DAEMON_CONNECTION_H

#include "capnweb/session.h"
#include "daemon/daemon.h"

struct connection;

/* How the messages travel. None of these calls back. */
struct transport {
    const char *name;                                   /* for the log */
    void (*want_output)(struct connection *connection); /* there is output, or the end of it */
    void (*pause)(struct connection *connection, bool paused); /* input */
    void (*kill)(struct connection *connection); /* connection_lost() soon, whatever is unsent */
};

enum {
    CLOSE_GOING_AWAY = 1001,
    CLOSE_SESSION = 3000,
    CLOSE_REASON_MAX = 123 /* bytes, as RFC 6455 has it */
};

/* Owner: the transport, which frees it with connection_lost(). */
struct connection {
    struct daemon *daemon;
    struct cm_list link; /* daemon->connections */
    const struct transport *transport;
    void *carrier; /* the transport's own */
    uint64_t id;
    char key[32]; /* isolation: runs of two connections never share a worker */
    struct capnweb_session *rpc;
    struct cm_list output; /* struct message, oldest first */
    size_t output_bytes;
    uint64_t held_bytes; /* of answers that nobody could ask for since input paused */
    char *input;         /* a message that has not arrived as a whole */
    size_t input_bytes;
    size_t input_cap;
    struct cm_list executions; /* in the executor */
    size_t execution_count;
    struct cm_list waiting; /* executions behind those */
    size_t waiting_count;
    struct cm_list retained; /* executions that the executor keeps for it */
    size_t retained_count;
    lws_sorted_usec_list_t queue_timer; /* of the first that waits */
    bool authorized;
    bool greeted; /* hello() has succeeded */
    bool paused;
    bool dead;    /* kill() was called: output is dropped */
    bool closing; /* closes once the output is out */
    unsigned close_code;
    char close_reason[CLOSE_REASON_MAX + 1];
};

/* A new connection in daemon->connections. CM_E_NOMEM. */
int connection_open(struct daemon *daemon, const struct transport *transport, void *carrier,
                    bool authorized, struct connection **ret_connection);

/* Frees it: its executions end, and whoever waits for an answer of it is told. */
void connection_lost(struct connection *connection, const char *reason);

/* `count` bytes of a message, of which `rest` more are known to come; `final`: the
 * message is complete. A message that is too long ends the session. */
void connection_receive(struct connection *connection, const char *bytes, size_t count, size_t rest,
                        bool final);

/* The next piece to send, of at most `max` bytes. In front of it are LWS_PRE bytes
 * that may be written to. False: nothing waits. */
struct connection_piece {
    char *bytes;
    size_t count;
    bool first; /* of its message */
    bool last;
};
bool connection_output(struct connection *connection, size_t max, struct connection_piece *piece);

/* `count` bytes of that piece are gone. */
void connection_sent(struct connection *connection, size_t count);

/* An answer of so many bytes waits for the caller to ask for it. Counts as output
 * while nothing is read of the connection, so may end it. */
void connection_held(struct connection *connection, uint64_t bytes);

/* Closes once the output is out. The first code and reason count. */
void connection_close(struct connection *connection, unsigned code, const char *reason);

/* Nothing is left to send and it may be closed. */
bool connection_is_finished(const struct connection *connection);

#endif
