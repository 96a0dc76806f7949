/* A zygote of the test's own, made as the supervisor makes it, for the tests
 * that look at the jail from inside. */
#ifndef CM_TESTS_INSIDE_H
#define CM_TESTS_INSIDE_H

#include "jail/jail.h"

#include <stdbool.h>
#include <sys/types.h>

/* What a zygote's body gets. It runs in the zygote, inside the jail's first
 * half; when it returns the zygote exits. */
struct inside_zygote {
    const struct jail_filter *filter;
    const struct jail_report *report;
    int fd; /* a sequenced-packet socket to the test */
};

struct inside {
    pid_t zygote; /* -1: not running */
    int fd;
};

enum inside_how {
    INSIDE_NAMESPACES, /* those that this user may have */
    INSIDE_PLAIN       /* a fork: where a machine allows no pid namespace */
};

/* Both fail the test when they cannot. */
void inside_start(struct inside *ret_inside, enum inside_how how,
                  void (*body)(const struct inside_zygote *zygote));
void inside_end(struct inside *inside); /* waits for the zygote's own end */

/* A worker's start: enters the jail with `keep_fd` or exits with a message. */
void inside_enter(const struct inside_zygote *zygote, int keep_fd, uint64_t data_limit_bytes,
                  pid_t parent);

/* Tells the test, which is in another pid namespace, what process `pid` is. */
void inside_send_pidfd(int fd, pid_t pid);
int inside_receive_pidfd(int fd);

/* Whether a layer that the machine lacks is a failure: CM_MUST_WORK=1. */
bool inside_must_work(void);

#endif
