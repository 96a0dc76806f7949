/*
 * Landlock: every right that the kernel knows is handled and no rule grants one.
 * Runs in the zygote; no input is hostile.
 */
#include "jail/landlock.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel's interface of today takes; one that knows less accepts it as
 * long as the rest is 0. Debian 12's header ends after the first field. */
struct ruleset {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
};

#define BITS(from, to) ((UINT64_MAX >> (63 - (to))) & ~((UINT64_C(1) << (from)) - 1))

/* What each version of the interface has added. */
static const struct ruleset added[] = {
    { .fs = BITS(0, 12) },    /* 1: execute, read, write, list, make, remove */
    { .fs = BITS(13, 13) },   /* 2: rename and link between directories */
    { .fs = BITS(14, 14) },   /* 3: truncate */
    { .net = BITS(0, 1) },    /* 4: TCP bind and connect */
    { .fs = BITS(15, 15) },   /* 5: ioctl of devices */
    { .scoped = BITS(0, 1) }, /* 6: abstract sockets and signals of others */
};

int jail_landlock(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct ruleset all = { 0 };
    CM_AUTO_FD int fd = -1;

    if (version < 0)
        return CM_E_SYSTEM;
    for (size_t i = 0; i < CM_ARRAY_LEN(added) && (long)i < version; i++) {
        all.fs |= added[i].fs;
        all.net |= added[i].net;
        all.scoped |= added[i].scoped;
    }
    fd = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
    if (fd < 0)
        return CM_E_SYSTEM;
    return syscall(SYS_landlock_restrict_self, fd, 0) < 0 ? CM_E_SYSTEM : 0;
}
