/*
 * The jail closes around a worker. Runs in each worker right after the fork,
 * before anything of a program is read: no input is hostile yet. It is on the
 * path of every new worker, where a fresh page costs more than ten system
 * calls: nothing is allocated and everything else was prepared by the zygote.
 */
#include "jail/filter.h"
#include "jail/jail.h"
#include "jail/privileges.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct entry {
    const struct jail_filter *filter;
    int keep_fd;
    uint64_t data_limit_bytes;
    pid_t parent;
};

/* Asked for first, checked second: a zygote that died in between is not our
 * parent any more, and one that dies later kills us. */
static int die_with_parent(const struct entry *entry)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return CM_E_SYSTEM;
    if (getppid() != entry->parent) {
        errno = ESRCH;
        return CM_E_SYSTEM;
    }
    return 0;
}

/* No more than what is in force already: raising a limit takes privileges. */
static int limit_data(uint64_t bytes)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_DATA, &limit) < 0)
        return CM_E_SYSTEM;
    if (bytes < limit.rlim_max)
        limit.rlim_max = bytes;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_DATA, &limit);
}

/* One descriptor, not none: poll() refuses to watch more than may be open. No
 * bound on processes: all workers of a host count as one user's, so that one of
 * them could starve the rest. */
static int limit_resources(const struct entry *entry)
{
    static const struct {
        __rlimit_resource_t resource;
        rlim_t limit;
    } limits[] = {
        { RLIMIT_CORE, 0 },    { RLIMIT_FSIZE, 0 },    { RLIMIT_NOFILE, 1 },
        { RLIMIT_MEMLOCK, 0 }, { RLIMIT_MSGQUEUE, 0 },
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(limits); i++) {
        struct rlimit limit = { limits[i].limit, limits[i].limit };

        if (setrlimit(limits[i].resource, &limit) < 0)
            return CM_E_SYSTEM;
    }
    return limit_data(entry->data_limit_bytes);
}

static int close_descriptors(const struct entry *entry)
{
    unsigned keep = (unsigned)entry->keep_fd;

    if (keep > 0 && close_range(0, keep - 1, 0) < 0)
        return CM_E_SYSTEM;
    return close_range(keep + 1, UINT_MAX, 0);
}

/* The zygote has none to pass on; a worker does not rely on it. */
static int refuse_privileges(const struct entry *entry)
{
    (void)entry;
    return jail_drop_capabilities();
}

static int refuse_new_privileges(const struct entry *entry)
{
    (void)entry;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static int refuse_calls(const struct entry *entry)
{
    struct sock_filter code[JAIL_FILTER_MAX];
    struct sock_fprog program = { entry->filter->len, code };

    jail_filter_fill(entry->filter, getpid(), code);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* The filter comes last: it refuses what the others do. */
static const struct {
    enum ipc_layer layer;
    int (*enter)(const struct entry *entry);
    const char *what;
} steps[] = {
    { IPC_LAYER_PID_NS, die_with_parent, "the worker cannot be tied to its zygote" },
    { IPC_LAYER_RLIMITS, limit_resources, "the worker's resources cannot be limited" },
    { IPC_LAYER_DESCRIPTORS, close_descriptors, "the worker's descriptors cannot be closed" },
    { IPC_LAYER_CAPABILITIES, refuse_privileges, "the worker's capabilities cannot be dropped" },
    { IPC_LAYER_NO_NEW_PRIVS, refuse_new_privileges, "new privileges cannot be ruled out" },
    { IPC_LAYER_SECCOMP, refuse_calls, "the system call filter cannot be put in force" },
};

/* *ret_failed is the layer that an error is about. */
static int enter(const struct entry *entry, enum ipc_layer *ret_failed, struct cm_error *err)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(steps); i++) {
        if (steps[i].enter(entry) >= 0)
            continue;
        *ret_failed = steps[i].layer;
        return cm_fail(err, CM_E_SYSTEM, errno, "%s", steps[i].what);
    }
    return 0;
}

int jail_worker_enter(const struct jail_filter *filter, int keep_fd, uint64_t data_limit_bytes,
                      pid_t parent, struct cm_error *err)
{
    const struct entry entry = { filter, keep_fd, data_limit_bytes, parent };
    enum ipc_layer failed;

    return enter(&entry, &failed, err);
}

/* What the child of jail_try() tells: one write, shorter than PIPE_BUF. */
struct verdict {
    enum ipc_layer failed; /* valid with an error */
    struct cm_error err;
};

/* That the kernel took the filter does not prove that it obeys it (some emulate
 * the call): the answer of a row does, which no other layer gives. */
static void probe_filter(struct verdict *verdict)
{
    if (syscall(SYS_openat, AT_FDCWD, "/", O_PATH | O_CLOEXEC) >= 0 || errno != EPERM) {
        verdict->failed = IPC_LAYER_SECCOMP;
        cm_fail(&verdict->err, CM_E_SYSTEM, 0, "the system call filter has no effect");
    }
}

static _Noreturn void try_in_child(struct entry *entry)
{
    struct verdict verdict = { IPC_LAYER_COUNT, CM_ERROR_INIT };

    if (enter(entry, &verdict.failed, &verdict.err) == 0)
        probe_filter(&verdict);
    _exit(write(entry->keep_fd, &verdict, sizeof(verdict)) == sizeof(verdict) ? 0 : 1);
}

/* Takes `pid` and reads what it has to say from `fd`. */
static int hear_verdict(pid_t pid, int fd, struct verdict *ret_verdict, struct cm_error *err)
{
    ssize_t bytes;
    int status = 0;

    do
        bytes = read(fd, ret_verdict, sizeof(*ret_verdict));
    while (bytes < 0 && errno == EINTR);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (bytes == sizeof(*ret_verdict))
        return 0;
    if (WIFSIGNALED(status))
        return cm_fail(err, CM_E_SYSTEM, 0, "a process that entered the jail died of signal %d",
                       WTERMSIG(status));
    return cm_fail(err, CM_E_SYSTEM, 0, "a process that entered the jail said nothing");
}

static int record(const struct verdict *verdict, struct jail_report *report, struct cm_error *err)
{
    static const enum ipc_layer proved[] = { IPC_LAYER_SECCOMP, IPC_LAYER_RLIMITS,
                                             IPC_LAYER_DESCRIPTORS };

    if (verdict->err.code != CM_OK) {
        report->layers[verdict->failed].in_force = false;
        report->layers[verdict->failed].sys_errno = verdict->err.sys_errno;
        return cm_fail(err, verdict->err.code, 0, "%s", verdict->err.text);
    }
    for (size_t i = 0; i < CM_ARRAY_LEN(proved); i++)
        report->layers[proved[i]].in_force = true;
    return 0;
}

int jail_try(const struct jail_filter *filter, struct jail_report *report, struct cm_error *err)
{
    struct entry entry = { filter, -1, UINT64_MAX, getpid() };
    CM_AUTO_FD int ours = -1;
    struct verdict verdict;
    int ends[2];
    pid_t pid;
    int r;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the jail cannot be tried");
    ours = ends[0];
    entry.keep_fd = ends[1];
    pid = fork();
    if (pid == 0)
        try_in_child(&entry);
    r = errno;
    close(ends[1]); /* so that the end of the child ends our read() */
    if (pid < 0)
        return cm_fail(err, CM_E_SYSTEM, r, "the jail cannot be tried");
    r = hear_verdict(pid, ours, &verdict, err);
    return r < 0 ? r : record(&verdict, report, err);
}
