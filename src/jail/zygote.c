/*
 * The zygote leaves the host: namespaces, an empty root, Landlock, no user, no
 * capabilities. Runs once, with one thread; its workers inherit all of it. The
 * only input is the supervisor's, which is trusted. What the machine does not
 * allow is recorded and left out, so each step is tried alone; seccomp, which
 * the workers add, is never optional.
 *
 * The user namespace comes last where it can: the others then belong to the
 * host's, and whoever gained capabilities inside would have none over them.
 */
#include "jail/jail.h"
#include "jail/landlock.h"
#include "jail/privileges.h"

#include "base/cleanup.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the new root is mounted before it becomes the root. Every system that a
 * zygote runs on has it. */
static const char root_at[] = "/proc";

static void note(struct jail_report *report, enum ipc_layer layer, int result)
{
    report->layers[layer].in_force = result >= 0;
    report->layers[layer].sys_errno = result >= 0 ? 0 : errno;
}

static void note_spawned(struct jail_report *report, enum ipc_layer layer, bool in_force,
                         int spawn_errno)
{
    report->layers[layer].in_force = in_force;
    report->layers[layer].sys_errno = in_force ? 0 : spawn_errno;
}

/* A read-only directory with nothing in it becomes the root and the host's tree
 * is gone. pivot_root(".", ".") stacks the old root over the new one, where "."
 * finds it for umount2(); it needs no directory inside the new root. */
static int empty_root(void)
{
    const unsigned long flags = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;

    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("none", root_at, "tmpfs", flags, "size=4k,nr_inodes=1,mode=0555") < 0 ||
        chdir(root_at) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0)
        return CM_E_SYSTEM;
    return chdir("/") < 0 ? CM_E_SYSTEM : 0;
}

static int own_network(void)
{
    return unshare(CLONE_NEWNET);
}

static int own_ipc(void)
{
    return unshare(CLONE_NEWIPC);
}

/* A new uts namespace begins with the host's names. */
static int own_names(void)
{
    static const char name[] = "isolate";

    if (unshare(CLONE_NEWUTS) < 0 || sethostname(name, sizeof(name) - 1) < 0)
        return CM_E_SYSTEM;
    return setdomainname("", 0);
}

static const struct {
    enum ipc_layer layer;
    int (*enter)(void);
} namespaces[] = {
    { IPC_LAYER_NET_NS, own_network },
    { IPC_LAYER_IPC_NS, own_ipc },
    { IPC_LAYER_UTS_NS, own_names },
    { IPC_LAYER_MOUNT_NS, empty_root },
};

/* With no ids mapped into it, every id inside is shown as nobody's. */
static void enter_user_ns(struct jail_report *report)
{
    if (!report->layers[IPC_LAYER_USER_NS].in_force)
        note(report, IPC_LAYER_USER_NS, unshare(CLONE_NEWUSER));
}

static void enter_namespaces(struct jail_report *report)
{
    if (!jail_is_admin())
        enter_user_ns(report); /* it makes us admin of what follows */
    for (size_t i = 0; i < CM_ARRAY_LEN(namespaces); i++)
        note(report, namespaces[i].layer, namespaces[i].enter());
    enter_user_ns(report);
}

/* Applied beside the mount namespace too: it is cheap, so that its effects are
 * the same on every machine, and it holds where a namespace's wall had a hole. */
static void enter_landlock(struct jail_report *report)
{
    note(report, IPC_LAYER_LANDLOCK, jail_landlock());
    if (report->layers[IPC_LAYER_MOUNT_NS].in_force)
        report->layers[IPC_LAYER_LANDLOCK].sys_errno = 0; /* not needed */
}

/* The bounding set stays where there is no CAP_SETPCAP to empty it: then there
 * is no capability either, and no_new_privs keeps an exec from giving one. */
static void drop_privileges(struct jail_report *report)
{
    jail_drop_bounding_set();
    note(report, IPC_LAYER_CAPABILITIES, jail_drop_capabilities());
}

void jail_zygote_enter(uint32_t spawned_in, int spawn_errno, struct jail_report *report)
{
    int nobody_errno = 0;
    int death_signal = 0;

    memset(report, 0, sizeof(*report));
    prctl(PR_GET_PDEATHSIG, &death_signal, 0, 0, 0);
    note(report, IPC_LAYER_NO_NEW_PRIVS, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    note_spawned(report, IPC_LAYER_PID_NS, (spawned_in & IPC_SPAWN_PID_NS) != 0, spawn_errno);
    note_spawned(report, IPC_LAYER_USER_NS, (spawned_in & IPC_SPAWN_USER_NS) != 0, spawn_errno);

    if (!report->layers[IPC_LAYER_USER_NS].in_force && geteuid() == 0 && jail_become_nobody() < 0)
        nobody_errno = errno;
    enter_namespaces(report);
    if (nobody_errno != 0) /* root outside is still root outside */
        note_spawned(report, IPC_LAYER_USER_NS, false, nobody_errno);
    enter_landlock(report);
    drop_privileges(report);

    /* No core dump, also not to a pipe, which RLIMIT_CORE does not stop; no
     * ptrace and no /proc/PID/mem for processes of the same user. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    /* Changing user disarmed it. A supervisor that died meanwhile is noticed by
     * its closed socket. */
    prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0);
}
