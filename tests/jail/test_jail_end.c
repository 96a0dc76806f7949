/*
 * How the jail ends, how it is tried, and what it does on machines that offer
 * less than all of it.
 */
#include "base/cleanup.h"
#include "inside.h"
#include "jail/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void spin_in_worker(const struct inside_zygote *zygote)
{
    pid_t parent = getpid();
    pid_t pid;
    int start[2];

    if (pipe(start) < 0)
        _exit(1);
    pid = fork();
    if (pid == 0) {
        char byte;

        if (read(start[0], &byte, 1) != 1) /* the pidfd is sent first */
            _exit(1);
        inside_enter(zygote, zygote->fd, UINT64_MAX, parent);
        if (write(zygote->fd, "", 1) != 1)
            _exit(1);
        for (volatile unsigned i = 0;; i++)
            continue;
    }
    inside_send_pidfd(zygote->fd, pid);
    if (write(start[1], "", 1) != 1 || waitpid(pid, NULL, 0) != pid)
        _exit(1);
}

static void check_death_with_zygote(enum inside_how how)
{
    struct inside inside;
    struct pollfd pfd = { .events = POLLIN };
    char byte;

    inside_start(&inside, how, spin_in_worker);
    pfd.fd = inside_receive_pidfd(inside.fd);
    assert_int_equal(read(inside.fd, &byte, 1), 1); /* it is busy now */
    assert_int_equal(kill(inside.zygote, SIGKILL), 0);
    inside_end(&inside);
    assert_int_equal(poll(&pfd, 1, -1), 1);
    close(pfd.fd);
}

static void a_busy_worker_dies_with_its_zygote(void **state)
{
    (void)state;
    check_death_with_zygote(INSIDE_NAMESPACES);
}

static void a_busy_worker_dies_with_its_zygote_without_a_pid_namespace(void **state)
{
    (void)state;
    check_death_with_zygote(INSIDE_PLAIN);
}

/* Runs `act` in a zygote and gives what it wrote. */
static int answer_of(enum inside_how how, void (*act)(const struct inside_zygote *zygote))
{
    struct inside inside;
    int answer;

    inside_start(&inside, how, act);
    assert_int_equal(read(inside.fd, &answer, sizeof(answer)), sizeof(answer));
    inside_end(&inside);
    return answer;
}

static void tell(const struct inside_zygote *zygote, int answer)
{
    if (write(zygote->fd, &answer, sizeof(answer)) != sizeof(answer))
        _exit(1);
}

static void enter_as_an_orphan(const struct inside_zygote *zygote)
{
    struct cm_error err = CM_ERROR_INIT;
    pid_t pid = fork();

    if (pid == 0) {
        jail_worker_enter(zygote->filter, zygote->fd, UINT64_MAX, getpid(), &err);
        tell(zygote, err.code == CM_E_SYSTEM ? err.sys_errno : -1);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void a_worker_whose_zygote_is_gone_does_not_enter(void **state)
{
    (void)state;
    assert_int_equal(answer_of(INSIDE_NAMESPACES, enter_as_an_orphan), ESRCH);
}

/* ---- the trial, and less fortunate machines ---- */

static void try_jail(const struct inside_zygote *zygote)
{
    static const enum ipc_layer proved[] = { IPC_LAYER_SECCOMP, IPC_LAYER_RLIMITS,
                                             IPC_LAYER_DESCRIPTORS };
    struct jail_report report = *zygote->report;
    struct cm_error err = CM_ERROR_INIT;
    int in_force = 0;

    if (jail_try(zygote->filter, &report, &err) < 0)
        fprintf(stderr, "jail_try: %s\n", err.text);
    for (size_t i = 0; i < CM_ARRAY_LEN(proved); i++)
        in_force += report.layers[proved[i]].in_force;
    tell(zygote, in_force);
}

static void the_trial_proves_the_layers_of_a_worker_and_leaves_the_zygote_as_it_was(void **state)
{
    (void)state;
    assert_int_equal(answer_of(INSIDE_NAMESPACES, try_jail), 3);
    assert_int_equal(answer_of(INSIDE_PLAIN, try_jail), 3);
}

static void try_without_descriptors(const struct inside_zygote *zygote)
{
    struct jail_report report = *zygote->report;
    struct cm_error err = CM_ERROR_INIT;
    int r;

    setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, 0 }); /* no pipe can be had */
    r = jail_try(zygote->filter, &report, &err);
    tell(zygote,
         r == CM_E_SYSTEM && !report.layers[IPC_LAYER_SECCOMP].in_force ? err.sys_errno : -1);
}

static void a_trial_that_cannot_be_made_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(answer_of(INSIDE_NAMESPACES, try_without_descriptors), EMFILE);
}

static void tell_spawn_errno(const struct inside_zygote *zygote)
{
    const struct jail_report *report = zygote->report;

    tell(zygote, report->layers[IPC_LAYER_PID_NS].in_force ? 1 : 0);
}

static void a_namespace_that_the_supervisor_could_not_make_is_not_claimed(void **state)
{
    (void)state;
    assert_int_equal(answer_of(INSIDE_PLAIN, tell_spawn_errno), 0);
}

/* In a child, since there is no way back. */
static void landlock_alone_keeps_every_file_away(void **state)
{
    int status;
    pid_t pid;

    (void)state;
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        int early = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
        char byte;

        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (jail_landlock() < 0)
            _exit(errno == ENOSYS || errno == EOPNOTSUPP ? 77 : 1);
        if (open("/proc/self/status", O_RDONLY | O_CLOEXEC) >= 0 || errno != EACCES)
            _exit(2);
        if (open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) >= 0 || errno != EACCES)
            _exit(3);
        if (open("/tmp/made", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0 || errno != EACCES)
            _exit(4);
        _exit(read(early, &byte, 1) == 1 ? 0 : 5); /* what was open stays so */
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WEXITSTATUS(status) == 77 && !inside_must_work()) {
        print_message("passed over: this kernel has no Landlock\n");
        return;
    }
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_worker_dies_with_its_zygote),
        cmocka_unit_test(a_busy_worker_dies_with_its_zygote_without_a_pid_namespace),
        cmocka_unit_test(a_worker_whose_zygote_is_gone_does_not_enter),
        cmocka_unit_test(the_trial_proves_the_layers_of_a_worker_and_leaves_the_zygote_as_it_was),
        cmocka_unit_test(a_trial_that_cannot_be_made_is_an_error),
        cmocka_unit_test(a_namespace_that_the_supervisor_could_not_make_is_not_claimed),
        cmocka_unit_test(landlock_alone_keeps_every_file_away),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
