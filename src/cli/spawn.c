/* Starting the tool command. Runs in codemode-executor; the line is the user's,
 * for the shell. */
#include "cli/spawn.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>

/* The command starts as from a shell: its own group, and no signal of ours
 * blocked or ignored. */
static int set_attributes(posix_spawnattr_t *attr)
{
    sigset_t unblocked;
    sigset_t defaults;

    sigemptyset(&unblocked);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(attr, &unblocked);
    posix_spawnattr_setsigdefault(attr, &defaults);
    posix_spawnattr_setpgroup(attr, 0);
    return posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
}

static int spawn(const char *line, int stdin_fd, int stdout_fd, pid_t *ret_pid)
{
    char shell[] = "sh";
    char dash_c[] = "-c";
    CM_AUTO_FREE char *text = strdup(line);
    char *argv[] = { shell, dash_c, text, NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    int r;

    if (text == NULL)
        return ENOMEM;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    r = posix_spawn_file_actions_adddup2(&actions, stdin_fd, STDIN_FILENO);
    if (r == 0)
        r = posix_spawn_file_actions_adddup2(&actions, stdout_fd, STDOUT_FILENO);
    if (r == 0)
        r = set_attributes(&attr);
    if (r == 0)
        r = posix_spawn(ret_pid, "/bin/sh", &actions, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    return r;
}

static int pipe_pair(int *ret_read, int *ret_write)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) < 0)
        return errno;
    *ret_read = fds[0];
    *ret_write = fds[1];
    return 0;
}

/* Our ends alone: each end of a pipe has its own flags, and the command expects
 * a blocking one. */
static int never_block(int fd)
{
    return fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
}

static int open_pipes(struct child *child, int *ret_stdin, int *ret_stdout)
{
    int r = pipe_pair(ret_stdin, &child->to_fd);

    if (r == 0)
        r = pipe_pair(&child->from_fd, ret_stdout);
    if (r == 0)
        r = never_block(child->to_fd);
    if (r == 0)
        r = never_block(child->from_fd);
    return r;
}

int spawn_shell(const char *line, struct child *child, struct cm_error *err)
{
    CM_AUTO_FD int stdin_fd = -1;
    CM_AUTO_FD int stdout_fd = -1;
    int r = open_pipes(child, &stdin_fd, &stdout_fd);

    if (r == 0)
        r = spawn(line, stdin_fd, stdout_fd, &child->pid);
    if (r != 0)
        return cm_fail(err, CM_E_SYSTEM, r, "the tool command cannot be started");
    child->pidfd = pidfd_open(child->pid, 0);
    if (child->pidfd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the tool command cannot be watched");
    return 0;
}
