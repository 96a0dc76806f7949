/* A shell with pipes to its standard input and output. */
#ifndef CM_CLI_SPAWN_H
#define CM_CLI_SPAWN_H

#include "codemode/executor.h"

#include <sys/types.h>

struct child {
    pid_t pid; /* of the shell and of its process group; 0: none */
    int pidfd;
    int to_fd;   /* its standard input; ours is non-blocking */
    int from_fd; /* its standard output; ours is non-blocking */
};

#define CHILD_INIT     \
    {                  \
        0, -1, -1, -1, \
    }

/* Starts `line` with /bin/sh. What `child` holds is the caller's to close, to
 * kill and to wait for, whatever this returns. */
int spawn_shell(const char *line, struct child *child, struct cm_error *err);

#endif
