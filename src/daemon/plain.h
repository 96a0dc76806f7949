/* Values of the wire as JSON text, which the library takes requests as. */
#ifndef CM_DAEMON_PLAIN_H
#define CM_DAEMON_PLAIN_H

#include "capnweb/value.h"

/* Bytes become the binary envelope. What JSON has no form for (functions, dates,
 * numbers that are not finite) becomes text that names it, so that whoever checks the
 * field can say what was given. *ret_text is the caller's, free(). CM_E_NOMEM. */
int plain_json(const struct capnweb_value *value, char **ret_text);

#endif
