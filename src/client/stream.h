/* Bytes to and from a server: its name, the connection and TLS, by c-ares and libcurl
 * in the executor's loop. */
#ifndef CM_CLIENT_STREAM_H
#define CM_CLIENT_STREAM_H

#include "executor/resolver.h"
#include "executor/target.h"
#include "executor/watches.h"

#include <curl/curl.h>
#include <stdbool.h>

/* Owner: a client, for as long as its executor lives; opened and closed many times. */
struct stream {
    struct loop *loop;
    const struct target *target; /* borrowed; http or https */
    struct resolver *resolver;   /* NULL until a name has to be resolved */
    struct lookup *lookup;
    CURLM *multi; /* NULL: closed */
    CURL *easy;
    struct curl_slist *addresses;
    struct watches watches;
    struct timer timer; /* libcurl's */
    curl_socket_t fd;   /* -1: not connected */
    uint8_t *rest;      /* taken and not sent: TLS wants to be given the same again */
    size_t rest_bytes;
    size_t rest_sent;
    /* The stream is connected, has bytes, takes bytes again, or failed (`failed`). From
     * the loop only. */
    void (*on_ready)(struct stream *stream);
    bool failed;
    bool untrusted;      /* why it did: of the server's certificate. Until it is opened again */
    const char *ca_file; /* borrowed; NULL: the system's */
};

/* CM_E_NOMEM: stream_done() is due in any case. */
int stream_init(struct stream *stream, struct loop *loop, const struct target *target,
                void (*on_ready)(struct stream *stream));
void stream_done(struct stream *stream);

/* Begins to connect. CM_E_NOMEM. */
int stream_open(struct stream *stream);
void stream_close(struct stream *stream);

bool stream_is_connected(const struct stream *stream);

/* How many bytes were read; 0: none now. CM_E_PEER: the stream is at its end. */
ssize_t stream_read(struct stream *stream, void *to, size_t cap);

/* on_ready is called in the next turn, whether there are bytes or not: TLS may have some
 * that the socket does not show. */
void stream_look_again(struct stream *stream);

/* Takes as much as it can send and a piece more; what is left is to be offered again
 * from on_ready, n may be 0. How many bytes were taken. CM_E_PEER, CM_E_NOMEM. */
ssize_t stream_write(struct stream *stream, const void *bytes, size_t n);

#endif
