/* One connection over standard input and output, a message a line. */
#ifndef CM_DAEMON_STDIO_H
#define CM_DAEMON_STDIO_H

#include "daemon/daemon.h"

struct stdio;

/* Opens the connection, which lives until standard input ends or output breaks; the
 * daemon ends then. */
int stdio_open(struct daemon *daemon, struct stdio **ret_stdio, struct cm_error *err);
void stdio_free(struct stdio *stdio);

#endif
