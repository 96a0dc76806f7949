/* The keys of objects that a peer sends. */
#ifndef CM_CAPNWEB_KEYS_H
#define CM_CAPNWEB_KEYS_H

#include "capnweb/value.h"

/* Drops what a JavaScript receiver drops: members of Object.prototype and toJSON, in
 * an error its own fields too, and all but the last of several with one key (in the
 * place of the first). CM_E_NOMEM. */
int rpc_keys_clean(struct capnweb_member *members, size_t *count, bool error);

#endif
