/* Who may come in: web origins, host names and tokens. No I/O. */
#ifndef CM_DAEMON_ACCESS_H
#define CM_DAEMON_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `origin` is one of the comma-separated `allowed`. Case is ignored, as
 * scheme and host have none; "null" is nobody's name. */
bool access_origin(const char *allowed, const char *origin);

/* Whether `origin` is the page that this `host` (a Host header) itself serves. */
bool access_same_origin(const char *host, const char *origin);

/* Whether a Host header names this machine: localhost, the address that was
 * connected to, or the name that was configured. The port is not looked at, since
 * it may be forwarded; DNS rebinding needs a name. */
bool access_host(const char *host, const char *local_address, const char *configured);

/* Compares in a time that does not depend on where they differ. */
bool access_token(const char *token, const char *given, size_t given_bytes);

/* "Bearer TOKEN": what follows the scheme, or NULL. */
const char *access_bearer(const char *authorization);

#endif
