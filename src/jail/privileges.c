/*
 * User ids and capabilities, by system calls: libcap would be one library more
 * for two of them. Runs in the zygote and in each worker; no input is hostile.
 */
#include "jail/privileges.h"

#include "codemode/executor.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOBODY = 65534 }; /* also the id that an unmapped one is shown as */

static struct __user_cap_header_struct this_process(void)
{
    return (struct __user_cap_header_struct){ .version = _LINUX_CAPABILITY_VERSION_3 };
}

bool jail_is_admin(void)
{
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
    struct __user_cap_header_struct header = this_process();

    return syscall(SYS_capget, &header, data) == 0 &&
           (data[0].effective & CAP_TO_MASK(CAP_SYS_ADMIN)) != 0;
}

/* Becoming another user empties the effective set even with PR_SET_KEEPCAPS. */
static int make_permitted_effective(void)
{
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
    struct __user_cap_header_struct header = this_process();

    if (syscall(SYS_capget, &header, data) < 0)
        return CM_E_SYSTEM;
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        data[i].effective = data[i].permitted;
    return syscall(SYS_capset, &header, data) < 0 ? CM_E_SYSTEM : 0;
}

int jail_become_nobody(void)
{
    if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 || setgroups(0, NULL) < 0 ||
        setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
        return CM_E_SYSTEM;
    return make_permitted_effective();
}

/* The kernel takes from the ambient set what is no longer permitted. */
int jail_drop_capabilities(void)
{
    static const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    struct __user_cap_header_struct header = this_process();

    return syscall(SYS_capset, &header, none) < 0 ? CM_E_SYSTEM : 0;
}

/* This kernel may know more capabilities than our header: ask until it says
 * that there is no such one. */
int jail_drop_bounding_set(void)
{
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0;
         capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0)
            return CM_E_SYSTEM;
    return 0;
}
