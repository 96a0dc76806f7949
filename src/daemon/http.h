/* HTTP on both ports: routes, who may ask, answers. A connection serves one request. */
#ifndef CM_DAEMON_HTTP_H
#define CM_DAEMON_HTTP_H

#include "daemon/daemon.h"

struct websocket;

enum http_port { HTTP_CALLERS, HTTP_ADMIN };

enum { HTTP_BODY_MAX = 1024, HTTP_HEADER_BYTES = 8192 /* of one request */ };

/* What libwebsockets keeps a connection: the body of a request while it arrives,
 * and the WebSocket that it has become. */
struct http_exchange {
    struct websocket *socket;
    const struct http_route *route;
    size_t body_bytes;
    char body[HTTP_BODY_MAX + 1]; /* one more tells that it is too long */
};

struct http_answer {
    unsigned status;
    const char *type;  /* NULL: text/plain */
    const char *allow; /* of 405 */
    const char *body;
    size_t bytes;
    const char *policy; /* of a page: its Content-Security-Policy */
    bool is_head;       /* the body is not sent */
};

/* Writes the answer and returns what the callback of libwebsockets has to return. */
int http_answer(struct lws *wsi, const struct http_answer *answer);

/* A line of text. */
int http_answer_text(struct lws *wsi, unsigned status, const char *text);

/* One request, with the body of a PUT. */
struct http_request {
    struct daemon *daemon;
    struct lws *wsi;
    const char *body;
    size_t body_bytes;
    bool is_head;
};

/* Hands over an accepted socket, which came in at this port. */
void http_adopt(struct daemon *daemon, enum http_port port, int fd);

/* The callback for everything but an established WebSocket. */
int http_on_event(struct lws *wsi, enum lws_callback_reasons reason, struct http_exchange *exchange,
                  const void *in, size_t len);

#endif
