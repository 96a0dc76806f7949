/* Listening sockets. */
#ifndef CM_DAEMON_LISTENER_H
#define CM_DAEMON_LISTENER_H

#include "daemon/http.h"

struct listener;

/* Listens on the first address of `host` that can be had, hands on what it
 * accepts and logs the address that it really took. CM_E_STATE: the address is taken;
 * CM_E_INVAL: it is none of this machine's; CM_E_SYSTEM. */
int listener_open(struct daemon *daemon, enum http_port kind, const char *host, uint64_t port,
                  struct listener **ret_listener, struct cm_error *err);
void listener_close(struct listener *listener);

#endif
