/* User ids and capabilities. Private to the jail. Errors: CM_E_SYSTEM with
 * errno set. */
#ifndef CM_JAIL_PRIVILEGES_H
#define CM_JAIL_PRIVILEGES_H

#include <stdbool.h>

/* Whether this process may unshare and mount. */
bool jail_is_admin(void);

/* Nobody's user and group, no supplementary group. Capabilities are kept: they
 * are needed once more, for the user namespace. */
int jail_become_nobody(void);

/* No capability is left: effective, permitted, inheritable, ambient. */
int jail_drop_capabilities(void);

/* None can come back by an exec either. Before jail_drop_capabilities(); needs
 * CAP_SETPCAP. */
int jail_drop_bounding_set(void);

#endif
