/* What of a request is taken apart here and not by libwebsockets; who may ask is in
 * access.h. No I/O. */
#ifndef CM_DAEMON_HTTP_PARSE_H
#define CM_DAEMON_HTTP_PARSE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a comma-separated list of words has this one, in any case. */
bool http_has_word(const char *list, const char *word);

/* {"on": true} or {"on": false} and nothing else; *ret_on is set where it is. */
bool http_parse_maintenance(const char *body, size_t bytes, bool *ret_on);

#endif
