/* Which addresses are the public internet. Pure. */
#ifndef CM_EXECUTOR_ADDRESS_H
#define CM_EXECUTOR_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

struct sockaddr;

/* False for an address of src/tables/addresses.def, for one of another family
 * than IPv4 and IPv6, and for one that is too short. */
bool address_is_public(const struct sockaddr *address, size_t bytes);

#endif
