/* Landlock. Private to the jail. */
#ifndef CM_JAIL_LANDLOCK_H
#define CM_JAIL_LANDLOCK_H

/* From here on this process and its children open, make, rename and remove no
 * file at all; descriptors that are open stay usable. Needs no_new_privs.
 * CM_E_SYSTEM with errno set. */
int jail_landlock(void);

#endif
