/* Where a request goes: a URL taken apart, and what the fetch standard says about
 * going on to another. Pure. */
#ifndef CM_EXECUTOR_TARGET_H
#define CM_EXECUTOR_TARGET_H

#include "codemode/executor.h"

#include <stdbool.h>

/* Owner: who parsed it. Its texts are libcurl's. */
struct target {
    char *url; /* without a fragment */
    char *scheme;
    char *host;       /* an IPv6 address in brackets, a name in ASCII */
    char *port;       /* NULL: libcurl does not know the scheme, and no port is given */
    bool credentials; /* the URL has a user or password in it */
};

/* `base` is what a relative URL is resolved against, or NULL. CM_E_INVAL: it is
 * no URL with a host. CM_E_NOMEM. */
int target_parse(const char *url, const char *base, struct target *ret_target);
void target_done(struct target *target);

bool target_is_http(const struct target *target);
bool target_is_address(const struct target *target); /* its host is no name */
bool target_same_origin(const struct target *a, const struct target *b);

/* Whether a response of this status is a redirect where it has a Location. */
bool redirect_status(unsigned status);

/* Whether such a redirect turns the method into GET, without a body. */
bool redirect_makes_get(unsigned status, const char *method);

/* Whether a request header stays behind when the request goes on. */
bool redirect_drops_header(const char *name, bool made_get, bool cross_origin);

#endif
