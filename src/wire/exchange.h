/* Requests and responses of programs as plain values of the wire: {url, method,
 * headers: [[name, value]...], body} and {status, statusText, headers, body}, with
 * native bytes. */
#ifndef CM_WIRE_EXCHANGE_H
#define CM_WIRE_EXCHANGE_H

#include "capnweb/value.h"
#include "codemode/executor.h"

/* What an object of the wire borrows from beside its request or response. */
struct exchange_value {
    struct capnweb_value *pairs; /* two of each header, then the arrays of them */
    struct capnweb_member members[4];
};

/* `fetch` as a value, which borrows from it and from `to`; exchange_done() either
 * way. CM_E_NOMEM. */
int exchange_put_request(const struct cm_fetch *fetch, struct exchange_value *to,
                         struct capnweb_value *ret_value);
void exchange_done(struct exchange_value *value);

/* A response that was read, with the headers it owns. */
struct exchange_response {
    struct cm_response response;
    struct cm_header *headers;
};

/* The same for a response. */
int exchange_put_response(const struct cm_response *response, struct exchange_value *to,
                          struct capnweb_value *ret_value);

/* A request that was read, with the headers it owns. */
struct exchange_request {
    struct cm_fetch request;
    struct cm_header *headers;
};

/* Reads a request, which borrows from `value`; exchange_request_done() either way.
 * CM_E_INVAL with a sentence about what is wrong; CM_E_NOMEM. */
int exchange_take_request(const struct capnweb_value *value, struct exchange_request *to,
                          struct cm_error *err);
void exchange_request_done(struct exchange_request *request);

/* Reads a response, which borrows from `value`; exchange_response_done() either way.
 * CM_E_INVAL with a sentence about what is wrong; CM_E_NOMEM. */
int exchange_take_response(const struct capnweb_value *value, struct exchange_response *to,
                           struct cm_error *err);
void exchange_response_done(struct exchange_response *response);

#endif
