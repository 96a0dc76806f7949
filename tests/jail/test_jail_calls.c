/*
 * Each system call of attempts.def is tried by a worker of its own, from inside
 * the whole jail; one test a row. All are tried in the set-up, by one zygote.
 */
#include "base/cleanup.h"
#include "inside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum expectation { EXPECT_KILL, EXPECT_ROW_ERRNO, EXPECT_KERNEL };

struct attempt {
    const char *call;
    const char *how;
    long number;
    enum expectation expectation;
    int sys_errno;
    unsigned long args[6];
};

/* clang-format off */
#define KILLED          EXPECT_KILL, 0
#define REFUSED(e)      EXPECT_ROW_ERRNO, (e)
#define REACHES(e)      EXPECT_KERNEL, (e)
#define OWN             0x7e57ed00ul /* plus flags that do not overlap */
#define TEXT            ((unsigned long)"jailed")
#define BAD             1ul
#define HIGH_BIT        (1ul << 32)
#define CPU_CLOCK_OF_1  ((unsigned)~1u << 3 | 2u)
#define THREAD_FLAGS    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | \
                         CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
/* clang-format on */

static struct attempt attempts[] = {
/* not const only because cmocka's states are not */
#define ATTEMPT(call, how, expectation, ...) \
    { #call, how, SCMP_SYS(call), expectation, { __VA_ARGS__ } },
#include "attempts.def"
#undef ATTEMPT
};

/* What became of one worker. */
struct outcome {
    int status;    /* as waitpid() gives it */
    int sys_errno; /* of the call, when the worker lived to tell */
};

static struct outcome outcomes[CM_ARRAY_LEN(attempts)];

static unsigned long argument(unsigned long value)
{
    return (value & ~HIGH_BIT) == OWN ? (unsigned long)getpid() | (value & HIGH_BIT) : value;
}

static int try_call(const struct attempt *attempt)
{
    unsigned long args[6];
    long result;

    for (size_t i = 0; i < CM_ARRAY_LEN(args); i++)
        args[i] = argument(attempt->args[i]);
    errno = 0;
    result = syscall(attempt->number, args[0], args[1], args[2], args[3], args[4], args[5]);
    return result == -1 ? errno : 0;
}

static struct outcome try_in_worker(const struct inside_zygote *zygote,
                                    const struct attempt *attempt)
{
    struct outcome outcome = { 0, -1 };
    pid_t parent = getpid();
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) < 0)
        _exit(1);
    pid = fork();
    if (pid == 0) {
        int sys_errno;

        inside_enter(zygote, ends[1], UINT64_MAX, parent);
        sys_errno = try_call(attempt);
        _exit(write(ends[1], &sys_errno, sizeof(sys_errno)) == sizeof(sys_errno) ? 0 : 1);
    }
    close(ends[1]);
    if (waitpid(pid, &outcome.status, 0) != pid)
        _exit(1);
    if (read(ends[0], &outcome.sys_errno, sizeof(outcome.sys_errno)) < 0)
        outcome.sys_errno = -1;
    close(ends[0]);
    return outcome;
}

static void try_all(const struct inside_zygote *zygote)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(attempts); i++) {
        struct outcome outcome = try_in_worker(zygote, &attempts[i]);

        if (write(zygote->fd, &outcome, sizeof(outcome)) != sizeof(outcome))
            _exit(1);
    }
}

static int set_up(void **state)
{
    struct inside inside;

    (void)state;
    inside_start(&inside, INSIDE_NAMESPACES, try_all);
    for (size_t i = 0; i < CM_ARRAY_LEN(attempts); i++)
        assert_int_equal(read(inside.fd, &outcomes[i], sizeof(outcomes[i])), sizeof(outcomes[i]));
    inside_end(&inside);
    return 0;
}

static void the_attempt_ends_as_expected(void **state)
{
    const struct attempt *attempt = *state;
    const struct outcome *outcome = &outcomes[attempt - attempts];

    if (attempt->expectation == EXPECT_KILL) {
        assert_true(WIFSIGNALED(outcome->status));
        assert_int_equal(WTERMSIG(outcome->status), SIGSYS);
        return;
    }
    assert_int_equal(outcome->status, 0);
    assert_int_equal(outcome->sys_errno, attempt->sys_errno);
}

/* ---- what takes more than one call with numbers ---- */

static pid_t fork_worker(const struct inside_zygote *zygote, int keep_fd)
{
    pid_t parent = getpid();
    pid_t pid = fork();

    if (pid == 0)
        inside_enter(zygote, keep_fd, UINT64_MAX, parent);
    return pid;
}

static int run_in_worker(void (*act)(const struct inside_zygote *zygote))
{
    struct inside inside;
    int status;

    inside_start(&inside, INSIDE_NAMESPACES, act);
    assert_int_equal(read(inside.fd, &status, sizeof(status)), sizeof(status));
    inside_end(&inside);
    return status;
}

static void tell_status(const struct inside_zygote *zygote, pid_t pid)
{
    int status;

    if (waitpid(pid, &status, 0) != pid ||
        write(zygote->fd, &status, sizeof(status)) != sizeof(status))
        _exit(1);
}

static void *give_back(void *value)
{
    return value;
}

static void start_threads(const struct inside_zygote *zygote)
{
    pid_t pid = fork_worker(zygote, zygote->fd);

    if (pid == 0) {
        static int value;

        for (int i = 0; i < 3; i++) {
            pthread_t thread;
            void *result = NULL;

            if (pthread_create(&thread, NULL, give_back, &value) != 0 ||
                pthread_join(thread, &result) != 0 || result != &value)
                _exit(1);
        }
        _exit(0);
    }
    tell_status(zygote, pid);
}

static void a_worker_can_start_and_join_threads(void **state)
{
    (void)state;
    assert_int_equal(run_in_worker(start_threads), 0);
}

static void *call_uname(void *unused)
{
    syscall(SYS_uname, BAD);
    return unused;
}

static void break_rule_in_thread(const struct inside_zygote *zygote)
{
    pid_t pid = fork_worker(zygote, zygote->fd);

    if (pid == 0) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, call_uname, NULL) == 0)
            pthread_join(thread, NULL);
        _exit(0);
    }
    tell_status(zygote, pid);
}

static void a_refused_call_of_a_thread_kills_the_whole_worker(void **state)
{
    int status = run_in_worker(break_rule_in_thread);

    (void)state;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSYS);
}

static volatile sig_atomic_t signals_seen;

static void on_signal(int number)
{
    (void)number;
    signals_seen++;
}

static void return_from_handler(const struct inside_zygote *zygote)
{
    pid_t pid = fork_worker(zygote, zygote->fd);

    if (pid == 0) {
        struct sigaction action = { .sa_handler = on_signal };

        sigaction(SIGUSR1, &action, NULL);
        raise(SIGUSR1);
        _exit(signals_seen == 1 ? 0 : 1);
    }
    tell_status(zygote, pid);
}

static void a_signal_handler_of_a_worker_returns(void **state)
{
    (void)state;
    assert_int_equal(run_in_worker(return_from_handler), 0);
}

static void end_thread(const struct inside_zygote *zygote)
{
    pid_t pid = fork_worker(zygote, zygote->fd);

    if (pid == 0)
        syscall(SYS_exit, 7);
    tell_status(zygote, pid);
}

static void a_worker_can_exit(void **state)
{
    int status = run_in_worker(end_thread);

    (void)state;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void call_abort(const struct inside_zygote *zygote)
{
    pid_t pid = fork_worker(zygote, zygote->fd);

    if (pid == 0)
        abort();
    tell_status(zygote, pid);
}

static void a_worker_that_aborts_is_seen_to_abort(void **state)
{
    int status = run_in_worker(call_abort);

    (void)state;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_false(WCOREDUMP(status));
}

#ifdef __x86_64__
static void call_by_other_doors(const struct inside_zygote *zygote)
{
    pid_t pid = fork_worker(zygote, zygote->fd);
    long result = SYS_getpid | 0x40000000; /* getpid() of the x32 interface */

    if (pid == 0) {
        __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
        _exit(0);
    }
    tell_status(zygote, pid);

    pid = fork_worker(zygote, zygote->fd);
    if (pid == 0) {
        result = 20; /* getpid() of the 32-bit interface */
        __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
        _exit(0);
    }
    tell_status(zygote, pid);
}

static void the_x32_and_32_bit_interfaces_kill_the_worker(void **state)
{
    struct inside inside;
    int status;

    (void)state;
    inside_start(&inside, INSIDE_NAMESPACES, call_by_other_doors);
    assert_int_equal(read(inside.fd, &status, sizeof(status)), sizeof(status));
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSYS);
    assert_int_equal(read(inside.fd, &status, sizeof(status)), sizeof(status));
    inside_end(&inside);
    assert_true(WIFSIGNALED(status)); /* SIGSEGV where the kernel was built without it */
    assert_true(WTERMSIG(status) == SIGSYS || WTERMSIG(status) == SIGSEGV);
}
#endif

/* The rows whose calls the tests above make and attempts.def cannot. */
static bool is_tried_by_a_function(const char *call)
{
    return strcmp(call, "rt_sigreturn") == 0 || strcmp(call, "exit") == 0 ||
           strcmp(call, "exit_group") == 0;
}

static void every_row_of_the_filter_is_tried(void **state)
{
    static const char *const rows[] = {
#define CM_SYSCALL(name, answer, sys_errno, test, why) #name,
#include "tables/syscalls.def"
#undef CM_SYSCALL
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        bool tried = is_tried_by_a_function(rows[i]);

        for (size_t j = 0; j < CM_ARRAY_LEN(attempts) && !tried; j++)
            tried =
                strcmp(attempts[j].call, rows[i]) == 0 && attempts[j].expectation != EXPECT_KILL;
        if (!tried)
            fail_msg("%s is a row and is not tried", rows[i]);
    }
}

static char *name_of(const struct attempt *attempt)
{
    static const char *const ends[] = { "kills the worker", "is refused with",
                                        "reaches the kernel" };
    char *name = NULL;

    if (asprintf(&name, "%s%s%s %s%s%s", attempt->call, attempt->how[0] ? " " : "", attempt->how,
                 ends[attempt->expectation], attempt->expectation == EXPECT_ROW_ERRNO ? " " : "",
                 attempt->expectation == EXPECT_ROW_ERRNO ? strerrorname_np(attempt->sys_errno)
                                                          : "") < 0)
        abort();
    return name;
}

static const struct CMUnitTest function_tests[] = {
    cmocka_unit_test(every_row_of_the_filter_is_tried),
    cmocka_unit_test(a_worker_can_start_and_join_threads),
    cmocka_unit_test(a_refused_call_of_a_thread_kills_the_whole_worker),
    cmocka_unit_test(a_signal_handler_of_a_worker_returns),
    cmocka_unit_test(a_worker_can_exit),
    cmocka_unit_test(a_worker_that_aborts_is_seen_to_abort),
#ifdef __x86_64__
    cmocka_unit_test(the_x32_and_32_bit_interfaces_kill_the_worker),
#endif
};

int main(void)
{
    static struct CMUnitTest tests[CM_ARRAY_LEN(attempts) + CM_ARRAY_LEN(function_tests)];
    int failed;

    memcpy(tests, function_tests, sizeof(function_tests));
    for (size_t i = 0; i < CM_ARRAY_LEN(attempts); i++)
        tests[CM_ARRAY_LEN(function_tests) + i] = (struct CMUnitTest){
            .name = name_of(&attempts[i]),
            .test_func = the_attempt_ends_as_expected,
            .initial_state = &attempts[i],
        };
    failed = cmocka_run_group_tests(tests, set_up, NULL);
    for (size_t i = 0; i < CM_ARRAY_LEN(attempts); i++)
        free((void *)(uintptr_t)tests[CM_ARRAY_LEN(function_tests) + i].name);
    return failed;
}
