/* The compiled system call filter. Private to the jail and its tests. */
#ifndef CM_JAIL_FILTER_H
#define CM_JAIL_FILTER_H

#include "jail/jail.h"

#include <linux/filter.h>
#include <sys/types.h>

/* Instructions. The kernel takes 4,096; ours has to fit on a worker's stack. */
enum { JAIL_FILTER_MAX = 512 };

/* What stands for the worker's own pid until it is known: above every pid that
 * Linux gives out, and found in the program exactly once. */
enum { JAIL_OWN_PID = 0x5ca1ab1e };

struct jail_filter {
    unsigned short len; /* as in struct sock_fprog */
    unsigned short own_pid_at;
    struct sock_filter code[JAIL_FILTER_MAX];
};

/* Writes the program of the process `pid` to `ret_code`, which has room for
 * JAIL_FILTER_MAX; its length is filter->len. Allocates nothing. */
void jail_filter_fill(const struct jail_filter *filter, pid_t pid, struct sock_filter *ret_code);

#endif
