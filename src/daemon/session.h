/* The main object of a caller's session: hello, execute, cancel, invoke, release,
 * stats. */
#ifndef CM_DAEMON_SESSION_H
#define CM_DAEMON_SESSION_H

#include "daemon/connection.h"

enum { SESSION_PROTOCOL = 1 };

/* The session of a connection, which the events are told to. CM_E_NOMEM. */
int session_new(struct connection *connection, const struct capnweb_events *events,
                size_t headroom_bytes, struct capnweb_session **ret_session);

/* The longest message that a session may receive, in bytes. */
size_t session_message_limit(const struct daemon *daemon);

#endif
