/*
 * What a server of WebSocket has to do beside what the client of src/client/websocket.h
 * does: it answers a handshake, takes frames that are masked and sends frames that are not.
 * libwebsockets would take unmasked frames and old versions, which a peer of the checks has
 * to refuse.
 */
#ifndef CM_TESTS_CAPNWEB_SERVING_H
#define CM_TESTS_CAPNWEB_SERVING_H

#include "client/websocket.h"

enum { SERVING_HEAD_MAX = 14 };

enum serving_request {
    SERVING_MORE,     /* bytes are needed */
    SERVING_UPGRADED, /* send `reply`, frames follow */
    SERVING_REFUSED,  /* send `reply` and end */
    SERVING_POSTED,   /* it is a POST with `body` */
    SERVING_TOO_LONG,
};

struct serving {
    struct cm_buf request;
    char reply[256];
    const char *body; /* of the request */
    size_t body_bytes;
    uint8_t head[SERVING_HEAD_MAX]; /* of the frame that comes */
    size_t head_bytes;
    uint64_t left; /* of its payload */
    uint8_t mask[4];
    size_t masked; /* bytes of the payload so far */
};

void serving_init(struct serving *serving);
void serving_done(struct serving *serving);

/* Takes bytes of a request; *ret_taken tells how many of them, the rest are frames. */
enum serving_request serving_take(struct serving *serving, const uint8_t *bytes, size_t n,
                                  size_t *ret_taken);

/* Hands frames of a client to the reader of frames as if a server had sent them: with the
 * mask taken off, and with one where there was none, which the reader refuses. */
int serving_feed(struct serving *serving, struct websocket *websocket, uint8_t *bytes, size_t n);

/* The head of a frame of a server; its length. */
size_t serving_head(enum websocket_opcode opcode, size_t n, uint8_t to[SERVING_HEAD_MAX]);

#endif
