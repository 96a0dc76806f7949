#include "inside.h"

#include "base/cleanup.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A fork with namespaces: no stack of its own, so it returns twice. */
static pid_t fork_into(int flags)
{
    return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, 0L);
}

/* cmocka catches faults to fail a test; here they have to be deadly. */
static void forget_handlers(void)
{
    static const int caught[] = { SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS };

    for (size_t i = 0; i < CM_ARRAY_LEN(caught); i++)
        signal(caught[i], SIG_DFL);
}

static _Noreturn void be_zygote(int fd, uint32_t spawned_in, int spawn_errno,
                                void (*body)(const struct inside_zygote *zygote))
{
    struct cm_error err = CM_ERROR_INIT;
    struct jail_filter *filter = NULL;
    struct jail_report report;

    forget_handlers();
    if (jail_filter_new(&filter, &err) < 0) {
        fprintf(stderr, "zygote: %s\n", err.text);
        _exit(1);
    }
    jail_zygote_enter(spawned_in, spawn_errno, &report);
    body(&(struct inside_zygote){ filter, &report, fd });
    _exit(0);
}

void inside_start(struct inside *ret_inside, enum inside_how how,
                  void (*body)(const struct inside_zygote *zygote))
{
    int flags = geteuid() == 0 ? CLONE_NEWPID : CLONE_NEWUSER | CLONE_NEWPID;
    uint32_t spawned_in = geteuid() == 0 ? IPC_SPAWN_PID_NS : IPC_SPAWN_USER_NS | IPC_SPAWN_PID_NS;
    int spawn_errno = 0;
    int fds[2];
    pid_t pid = -1;

    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
    fflush(NULL); /* or the child would print it again */
    if (how == INSIDE_NAMESPACES) {
        pid = fork_into(flags);
        spawn_errno = errno;
    }
    if (pid < 0) {
        spawned_in = 0;
        pid = fork();
    }
    if (pid == 0) {
        close(fds[0]);
        be_zygote(fds[1], spawned_in, spawn_errno, body);
    }
    close(fds[1]);
    assert_true(pid > 0);
    *ret_inside = (struct inside){ pid, fds[0] };
}

void inside_end(struct inside *inside)
{
    if (inside->zygote > 0)
        assert_int_equal(waitpid(inside->zygote, NULL, 0), inside->zygote);
    inside->zygote = -1;
    cm_close_fd(&inside->fd);
}

void inside_enter(const struct inside_zygote *zygote, int keep_fd, uint64_t data_limit_bytes,
                  pid_t parent)
{
    struct cm_error err = CM_ERROR_INIT;

    if (jail_worker_enter(zygote->filter, keep_fd, data_limit_bytes, parent, &err) < 0) {
        fprintf(stderr, "worker: %s\n", err.text);
        _exit(1);
    }
}

bool inside_must_work(void)
{
    const char *value = getenv("CM_MUST_WORK");

    return value != NULL && strcmp(value, "1") == 0;
}

void inside_send_pidfd(int fd, pid_t pid)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = { 0 };
    char byte = 0;
    struct iovec iov = { &byte, 1 };
    struct msghdr message = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)
    };
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);

    control.head = (struct cmsghdr){ CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
    memcpy(CMSG_DATA(&control.head), &pidfd, sizeof(pidfd));
    if (sendmsg(fd, &message, 0) < 0)
        _exit(1);
}

int inside_receive_pidfd(int fd)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = { 0 };
    char byte;
    struct iovec iov = { &byte, 1 };
    struct msghdr message = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)
    };
    int pidfd;

    assert_int_equal(recvmsg(fd, &message, MSG_CMSG_CLOEXEC), 1);
    memcpy(&pidfd, CMSG_DATA(&control.head), sizeof(pidfd));
    return pidfd;
}
