/*
 * One message, as it is put together: started, written piece by piece, and sent or
 * taken back. The first error is kept, and nothing is written after it.
 */
#ifndef CM_CAPNWEB_ENCODE_H
#define CM_CAPNWEB_ENCODE_H

#include "capnweb/state.h"

#include "base/buf.h"

struct encoder {
    struct capnweb_session *session;
    struct cm_buf buf;
    struct export *made;
    int error; /* the first */
    bool root; /* the next value is a whole result */
};

struct encoder rpc_encode_start(struct capnweb_session *session);

/* Whether it is longer than a message may be. */
bool rpc_encode_too_long(const struct encoder *encoder);

/* Sends what was written. In failure nothing remains of it. CM_E_NOMEM, CM_E_LIMIT,
 * CM_E_INVAL. */
int rpc_encode_send(struct encoder *encoder);

/* Text of the protocol's own, as it is. */
void rpc_encode_text(struct encoder *encoder, const char *text);

void rpc_encode_id(struct encoder *encoder, int64_t id);

/* A value that stands so deep in its message. */
void rpc_encode_value(struct encoder *encoder, const struct capnweb_value *value, size_t depth);

/* An array of the protocol's own, of values. */
void rpc_encode_list(struct encoder *encoder, const struct capnweb_value *items, size_t count,
                     size_t depth);

#endif
