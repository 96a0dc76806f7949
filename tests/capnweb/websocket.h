/*
 * WebSocket as RFC 6455 has it, on bytes: the handshake and the frames of either role.
 * The library's own layer takes unmasked frames and old versions, which a peer of the
 * checks has to refuse.
 */
#ifndef CM_TESTS_CAPNWEB_WEBSOCKET_H
#define CM_TESTS_CAPNWEB_WEBSOCKET_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WEBSOCKET_HEADROOM = 16, /* for what goes in front of a payload */
    WEBSOCKET_KEY_CHARS = 24,
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
    WEBSOCKET_ON_OPEN, /* the handshake is done; a server sends `data` */
    WEBSOCKET_ON_TEXT, /* `data` is the receiver's: free(), one byte of room behind it */
    WEBSOCKET_ON_BINARY,
    WEBSOCKET_ON_PING,
    WEBSOCKET_ON_CLOSE,  /* `data` is what to send back */
    WEBSOCKET_ON_REFUSE, /* the handshake is none: send `data` and end */
    WEBSOCKET_ON_POST,   /* it is a POST with `data` as its body */
};

struct websocket_event {
    enum websocket_event_type type;
    char *data;
    size_t bytes;
};

struct websocket {
    bool client;
    bool open;
    struct cm_buf in;
    char key[WEBSOCKET_KEY_CHARS + 1]; /* of a client */
    char reply[256];                   /* of a server */
    bool in_payload;                   /* of a data frame: `left` bytes are to come */
    bool in_message;                   /* fragments are to come */
    bool final;
    bool binary;
    uint8_t mask[4];
    size_t masked; /* bytes of the payload so far */
    uint64_t left;
    char *message;
    size_t bytes;
    size_t cap;
    unsigned code; /* why websocket_next() failed: a close code, 0: none fits */
};

/* A client's key is random: 24 characters of base64. NULL: a server. */
void websocket_init(struct websocket *websocket, const char *key);
void websocket_done(struct websocket *websocket);

/* The request of a client for that host; its length. */
size_t websocket_request(const struct websocket *websocket, const char *host, char *to, size_t cap);

/* Bytes came. Negative: too many. */
int websocket_feed(struct websocket *websocket, const void *bytes, size_t n);

/* 1: an event; 0: more bytes are needed; negative: websocket->code says why the
 * connection ends. */
int websocket_next(struct websocket *websocket, struct websocket_event *ret_event);

/* Makes a frame of n bytes that have WEBSOCKET_HEADROOM in front, masked for a client with
 * that random number. The frame begins so many bytes in front of the payload. */
size_t websocket_frame(const struct websocket *websocket, enum websocket_opcode opcode,
                       uint8_t *payload, size_t n, uint32_t random);

#endif
