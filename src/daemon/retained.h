/* The retained executions of a connection, each with the functions of the caller that
 * its programs go on asking. */
#ifndef CM_DAEMON_RETAINED_H
#define CM_DAEMON_RETAINED_H

#include "daemon/asker.h"
#include "daemon/connection.h"

/* Takes references of its own. The oldest gives way where there are more than the
 * executor retains: those that it has ended by itself are told to nobody. CM_E_NOMEM. */
int retained_keep(struct connection *connection, const char *id, const struct callbacks *callbacks);

/* Its functions, or NULL: this connection has no such execution. */
const struct callbacks *retained_find(struct connection *connection, struct capnweb_text id);

void retained_forget(struct connection *connection, struct capnweb_text id);

/* Ends all of them. */
void retained_end_all(struct connection *connection);

#endif
