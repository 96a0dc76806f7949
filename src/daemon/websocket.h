/* Connections over WebSocket. */
#ifndef CM_DAEMON_WEBSOCKET_H
#define CM_DAEMON_WEBSOCKET_H

#include "daemon/daemon.h"

/* The protocol of both vhosts: one callback for HTTP and WebSocket. */
extern const struct lws_protocols websocket_protocol;

/* Sends what this turn has made, as far as the sockets take it. */
void websockets_flush(struct daemon *daemon);

/* Whether the handshake that `wsi` has just made carried the right bearer token. */
bool http_presents_token(struct lws *wsi);

#endif
