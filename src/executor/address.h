/* Which addresses are the public internet, and which ports a web server's. Pure. */
#ifndef CM_EXECUTOR_ADDRESS_H
#define CM_EXECUTOR_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

struct sockaddr;

/* False for an address of src/tables/addresses.def, for one of another family
 * than IPv4 and IPv6, and for one that is too short. */
bool address_is_public(const struct sockaddr *address, size_t bytes);

/* True for a port of src/tables/ports.def, or when there is none to be found. */
bool address_port_is_blocked(const struct sockaddr *address, size_t bytes);

#endif
