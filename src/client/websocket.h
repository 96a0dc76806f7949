/* WebSocket as RFC 6455 has it, on bytes: the handshake and the frames of a client.
 * No I/O. */
#ifndef CM_CLIENT_WEBSOCKET_H
#define CM_CLIENT_WEBSOCKET_H

#include "base/buf.h"

#include <stdbool.h>

enum {
    WEBSOCKET_KEY_CHARS = 24,
    WEBSOCKET_ACCEPT_CHARS = 28,
    WEBSOCKET_CONTROL_MAX = 125,
};

enum websocket_opcode {
    WEBSOCKET_CONTINUATION = 0,
    WEBSOCKET_TEXT = 1,
    WEBSOCKET_BINARY = 2,
    WEBSOCKET_CLOSE = 8,
    WEBSOCKET_PING = 9,
    WEBSOCKET_PONG = 10,
};

enum websocket_event_type {
    WEBSOCKET_ON_OPEN,  /* the server has accepted */
    WEBSOCKET_ON_TEXT,  /* `data` is the receiver's: free(), one byte of room behind it */
    WEBSOCKET_ON_PING,  /* `data` is what to send back */
    WEBSOCKET_ON_CLOSE, /* likewise */
};

struct websocket_event {
    enum websocket_event_type type;
    char *data;
    size_t bytes;
};

struct websocket {
    struct cm_buf in; /* not taken apart yet */
    char key[WEBSOCKET_KEY_CHARS + 1];
    size_t message_max;
    bool open;
    bool in_payload; /* of a data frame: `left` bytes are to come */
    bool in_message; /* fragments are to come */
    bool final;
    uint64_t left;
    char *message;
    size_t bytes;
    size_t cap;
    unsigned code; /* what to close with after CM_E_PEER; 0: nothing of the kind fits */
};

/* A websocket that is not open, with a key of its own. `message_max` is the longest
 * message that is taken. CM_E_SYSTEM: there is no randomness. */
int websocket_init(struct websocket *websocket, size_t message_max);

/* Takes a websocket of zeros too, and one that is done already. */
void websocket_done(struct websocket *websocket);

/* The request for that path of that host (with its port), to the end of `out`. CM_E_NOMEM,
 * CM_E_LIMIT. */
int websocket_request(const struct websocket *websocket, const char *host, const char *path,
                      struct cm_buf *out);

/* Bytes came. CM_E_NOMEM, CM_E_LIMIT. */
int websocket_feed(struct websocket *websocket, const void *bytes, size_t n);

/* 1: an event; 0: more bytes are needed; CM_E_PEER: the server breaks the protocol;
 * CM_E_NOMEM. The data of a ping or a close lives until the next bytes come. */
int websocket_next(struct websocket *websocket, struct websocket_event *ret_event);

/* A frame with a copy of the payload, masked, to the end of `out`. CM_E_NOMEM,
 * CM_E_LIMIT, CM_E_SYSTEM: nothing was put there. */
int websocket_frame(enum websocket_opcode opcode, const void *payload, size_t n,
                    struct cm_buf *out);

/* The value of a header in the NUL-terminated head of a message. */
bool websocket_header(const char *head, const char *name, char *value, size_t cap);

/* What a server makes of a client's key, base64 with its NUL. false: no memory. */
bool websocket_accept(const char *key, char ret_accept[WEBSOCKET_ACCEPT_CHARS + 1]);

#endif
