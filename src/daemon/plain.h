/* Values of the wire as JSON text, which the library takes requests as. */
#ifndef CM_DAEMON_PLAIN_H
#define CM_DAEMON_PLAIN_H

#include "capnweb/value.h"
#include "codemode/executor.h"

/* Bytes become the binary envelope, numbers that are not finite the text that names
 * them. *ret_text is the caller's, free(). CM_E_INVAL: a function, a date or the like,
 * with a sentence that names the member; CM_E_NOMEM. */
int plain_json(const struct capnweb_value *value, char **ret_text, struct cm_error *err);

#endif
