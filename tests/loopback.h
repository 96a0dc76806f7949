/* Sockets of a test's own, on the loopback address. */
#ifndef CM_TESTS_LOOPBACK_H
#define CM_TESTS_LOOPBACK_H

#include <stdint.h>

/* Listens on a port that the system chooses. The caller's to close. */
int loopback_listen(int backlog, uint16_t *ret_port);

#endif
