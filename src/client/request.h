/* Requests as values of the wire. */
#ifndef CM_CLIENT_REQUEST_H
#define CM_CLIENT_REQUEST_H

#include "capnweb/value.h"
#include "codemode/executor.h"

enum { REQUEST_MEMBERS_MAX = 8 };

/* What the value of a request borrows from beside the request. */
struct request_value {
    struct capnweb_member members[REQUEST_MEMBERS_MAX];
    size_t count;
    struct capnweb_member *parts; /* of providers and modules */
    struct capnweb_value *items;  /* the providers, and the tools of all */
};

/* `request`, which has been checked, as a value, which borrows from both;
 * request_value_done() either way. CM_E_NOMEM. */
int request_value_put(const struct cm_request *request, struct request_value *to,
                      struct capnweb_value *ret_value);
void request_value_done(struct request_value *value);

#endif
