/* Starting the worker program. Runs in the host's process, which may have other
 * threads, children and signal handlers: until it calls execve(2), the child
 * shares the host's memory, runs on a stack of its own, and makes system calls
 * only. The calling thread is suspended meanwhile (CLONE_VFORK). */
#include "executor/spawn.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "ipc/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { CONTROL_FD = 3, STACK_BYTES = 65536 };

/* What the child is to do, and what it reports back through shared memory. */
struct plan {
    const char *path;
    int control_fd; /* this and null_fd are above CONTROL_FD */
    int null_fd;
    bool user_namespace;
    const char *failed; /* the step; NULL: execve() was reached and did not return */
    int failed_errno;
};

/* Runs in the child. Its stack is never unwound, so the marks that the address
 * sanitizer leaves on it would be those of the next child's. */
#define CHILD __attribute__((no_sanitize("address")))

CHILD static int child_fails(struct plan *plan, const char *step)
{
    plan->failed_errno = errno;
    plan->failed = step;
    return 127; /* glibc's clone() makes it the exit status */
}

/* A handler of the host's must never run in here, and a signal that the host
 * ignores would stay ignored across execve(). */
CHILD static void reset_signals(void)
{
    struct sigaction action = { .sa_handler = SIG_DFL };
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        sigaction(number, &action, NULL); /* fails for those that cannot be set */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The new user namespace grants every capability until execve(), which would
 * take them away from a user that is not mapped to 0. The zygote needs one to
 * make the other namespaces. When it cannot be kept, they are reported missing. */
CHILD static void keep_sys_admin(void)
{
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

    if (syscall(SYS_capget, &head, sets) < 0)
        return;
    sets[0].inheritable |= 1u << CAP_SYS_ADMIN;
    if (syscall(SYS_capset, &head, sets) < 0)
        return;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0);
}

CHILD static int set_descriptors(const struct plan *plan)
{
    for (int fd = 0; fd < CONTROL_FD; fd++)
        if (dup2(plan->null_fd, fd) < 0)
            return -1;
    if (dup2(plan->control_fd, CONTROL_FD) < 0)
        return -1;
    return close_range(CONTROL_FD + 1, ~0u, 0);
}

CHILD static int child_main(void *argument)
{
    static char name[] = "codemode-worker";
    static char option[] = "--control";
    static char number[] = "3";
    static char gigacage[] = "GIGACAGE_ENABLED=0"; /* so RLIMIT_DATA bounds typed arrays */
    static char zone[] = "TZ=UTC";
    char *const argv[] = { name, option, number, NULL };
    char *const envp[] = { gigacage, zone, NULL };
    struct plan *plan = argument;

    reset_signals();
    if (plan->user_namespace)
        keep_sys_admin();
    if (set_descriptors(plan) < 0)
        return child_fails(plan, "its descriptors");
    execve(plan->path, argv, envp);
    return child_fails(plan, "execve");
}

/* Signals are blocked so that no handler of the host runs in the child while it
 * shares memory with us; it unblocks them once their handlers are gone. */
static int clone_blocked(struct plan *plan, uint8_t *stack, int flags, int *ret_pidfd)
{
    sigset_t all;
    sigset_t before;
    int pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = clone(child_main, stack + STACK_BYTES,
                flags | CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, plan, ret_pidfd);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid < 0 ? CM_E_SYSTEM : 0;
}

/* The first way that the machine allows is taken. A container's root has often
 * no right to make a pid namespace, and no right to make a user namespace
 * either; anybody may run without, and the report says so. */
static int clone_somehow(struct plan *plan, uint8_t *stack, struct spawned *spawned)
{
    static const struct way {
        bool root_only;
        int flags;
        uint32_t namespaces;
    } ways[] = {
        { true, CLONE_NEWPID, IPC_SPAWN_PID_NS },
        { false, CLONE_NEWUSER | CLONE_NEWPID, IPC_SPAWN_USER_NS | IPC_SPAWN_PID_NS },
        { false, 0, 0 },
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(ways); i++) {
        if (ways[i].root_only && geteuid() != 0)
            continue;
        plan->user_namespace = (ways[i].flags & CLONE_NEWUSER) != 0;
        if (clone_blocked(plan, stack, ways[i].flags, &spawned->pidfd) == 0) {
            spawned->namespaces = ways[i].namespaces;
            return 0;
        }
        spawned->namespace_errno = errno;
    }
    return CM_E_SYSTEM;
}

static int spawn_on(uint8_t *stack, struct plan *plan, struct spawned *ret_spawned,
                    struct cm_error *err)
{
    struct spawned spawned = { .pidfd = -1 };
    int status;

    if (clone_somehow(plan, stack, &spawned) < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the worker program cannot be started");
    if (plan->failed != NULL) {
        spawn_reap(spawned.pidfd, &status);
        close(spawned.pidfd);
        return cm_fail(err, CM_E_WORKER, plan->failed_errno, "%s cannot be started (%s)",
                       plan->path, plan->failed);
    }
    *ret_spawned = spawned;
    return 0;
}

int spawn_worker_program(const char *path, int control_fd, struct spawned *ret_spawned,
                         struct cm_error *err)
{
    /* Above what they become in the child, or one dup2() would close the next. */
    CM_AUTO_FD int low_null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    CM_AUTO_FD int null_fd = fcntl(low_null_fd, F_DUPFD_CLOEXEC, CONTROL_FD + 1);
    CM_AUTO_FD int high_fd = fcntl(control_fd, F_DUPFD_CLOEXEC, CONTROL_FD + 1);
    struct plan plan = { .path = path, .control_fd = high_fd, .null_fd = null_fd };
    uint8_t *stack;
    int r;

    if (null_fd < 0 || high_fd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "descriptors for the worker program");
    stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK,
                 -1, 0);
    if (stack == MAP_FAILED)
        return cm_fail(err, CM_E_NOMEM, errno, "a stack for the worker program");
    r = spawn_on(stack, &plan, ret_spawned, err);
    munmap(stack, STACK_BYTES);
    return r;
}

void spawn_reap(int pidfd, int *ret_status)
{
    siginfo_t info = { 0 };
    int r;

    do
        r = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED);
    while (r < 0 && errno == EINTR);
    /* ECHILD: SIGCHLD is ignored, or the host waits for every child of its own. */
    *ret_status = r < 0                        ? -1
                  : info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0)
                                               : W_EXITCODE(0, info.si_status);
}
