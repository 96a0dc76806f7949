/* The pool seen from outside: which process runs what, how many there are, and
 * that none is left. Processes are told apart as children of the zygote. */
#include "harness.h"

#include "base/cleanup.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { CROWD = 6 };

static void run_trivial(struct host *host, const char *key)
{
    struct job job = { .code = "() => 1", .key = key };

    host_run(host, &job);
    expect_result(&job, "1");
    job_done(&job);
}

/* A job that waits for its tool until answer_all(). */
static void start_waiting(struct host *host, struct job *job, const char *key)
{
    *job = (struct job){ .code = "() => store.silent()", .key = key };
    host_start(host, job);
    host_until_calls(host, job, 1);
}

static void finish_waiting(struct host *host, struct job *job)
{
    assert_int_equal(cm_run_answer(job->run, job->open[0], "{}", 2), 0);
    host_finish(host, job);
    expect_result(job, NULL);
    job_done(job);
}

static struct cm_stats stats_of(const struct host *host)
{
    struct cm_stats stats;

    cm_executor_stats(host->executor, &stats);
    return stats;
}

/* ---- reuse ---- */

static void one_worker_runs_as_many_programs_as_it_may(void **state)
{
    static const char *const settings[] = {
        "WORKERS_MAX", "1", "WORKERS_IDLE", "1", "PROGRAMS_PER_WORKER", "3", NULL
    };
    pid_t seen[9];
    pid_t pids[PROCESSES_MAX];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < CM_ARRAY_LEN(seen); i++) {
        struct job job;

        start_waiting(&host, &job, NULL);
        assert_int_equal(host_workers(pids), 1);
        seen[i] = pids[0];
        finish_waiting(&host, &job);
    }
    for (size_t i = 1; i < CM_ARRAY_LEN(seen); i++)
        assert_int_equal(seen[i] == seen[i - 1], i % 3 != 0);
    host_close(&host);
}

static void with_one_program_a_worker_each_has_a_process_of_its_own(void **state)
{
    static const char *const settings[] = { "PROGRAMS_PER_WORKER", "1", "WORKERS_MAX", "1", NULL };
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (int i = 0; i < 5; i++)
        run_trivial(&host, NULL);
    assert_true(stats_of(&host).workers_started >= 5);
    host_close(&host);
}

static void runs_of_different_keys_never_share_a_process(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "1", "WORKERS_IDLE", "1", NULL };
    static const char *const keys[] = { "a", "b", NULL, "a", "", "b" };
    pid_t seen[CM_ARRAY_LEN(keys)];
    pid_t pids[PROCESSES_MAX];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < CM_ARRAY_LEN(keys); i++) {
        struct job job;

        start_waiting(&host, &job, keys[i]);
        assert_int_equal(host_workers(pids), 1);
        seen[i] = pids[0];
        finish_waiting(&host, &job);
    }
    for (size_t i = 0; i < CM_ARRAY_LEN(keys); i++)
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(seen[i], seen[k]);
    host_close(&host);
}

static void a_worker_is_not_used_again_after_a_bound(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "1", "WORKERS_IDLE", "1", NULL };
    struct job job = { .code = "() => { for (;;); }", .timeout_ms = 50 };
    struct host host;

    (void)state;
    host_open(&host, settings);
    run_trivial(&host, NULL);
    host_run(&host, &job);
    job_done(&job);
    run_trivial(&host, NULL);
    assert_int_equal(stats_of(&host).workers_killed, 1);
    assert_true(stats_of(&host).workers_started >= 2);
    host_close(&host);
}

/* ---- size ---- */

static void starts_and_kills_are_counted(void **state)
{
    struct host host;
    struct job endless = { .code = "() => { for (;;); }", .timeout_ms = 50 };
    struct job waiting = { .code = "() => store.silent()" };
    struct cm_stats stats;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &endless);
    host_start(&host, &waiting);
    host_until_calls(&host, &waiting, 1);
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_running, 1);
    job_done(&waiting); /* given back while it runs */
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.kills_timeout, 1);
    assert_int_equal(stats.kills_cancelled, 1);
    assert_int_equal(stats.kills_wall + stats.kills_memory, 0);
    assert_true(stats.spawns > 0 && stats.spawns <= stats.workers_started);
    assert_true(stats.spawn_ns > 0);
    job_done(&endless);
    host_close(&host);
}

static void the_pool_grows_to_its_maximum_and_no_further(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "3", "WORKERS_IDLE", "1", NULL };
    struct job jobs[CROWD];
    pid_t pids[PROCESSES_MAX];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < CROWD; i++) {
        jobs[i] = (struct job){ .code = "() => store.silent()" };
        host_start(&host, &jobs[i]);
    }
    for (size_t i = 0; i < 3; i++)
        host_until_calls(&host, &jobs[i], 1);
    assert_int_equal(host_workers(pids), 3);
    assert_int_equal(stats_of(&host).runs_queued, CROWD - 3);
    for (size_t i = 0; i < CROWD; i++) {
        host_until_calls(&host, &jobs[i], 1);
        finish_waiting(&host, &jobs[i]);
    }
    host_close(&host);
}

static void programs_that_compute_without_end_hold_up_no_other(void **state)
{
    struct job jobs[CROWD];
    struct host host;

    (void)state;
    host_open(&host, NULL);
    for (size_t i = 0; i < CROWD; i++) {
        jobs[i] = (struct job){ .code = "() => { for (;;); }" };
        host_start(&host, &jobs[i]);
    }
    while (stats_of(&host).workers_running < CROWD)
        host_turn(&host);
    run_trivial(&host, NULL);
    for (size_t i = 0; i < CROWD; i++)
        job_done(&jobs[i]); /* given back while it runs */
    host_close(&host);
}

static void the_pool_shrinks_when_it_is_idle(void **state)
{
    static const char *const settings[] = {
        "WORKERS_MAX", "4", "WORKERS_IDLE", "1", "WORKER_IDLE_MS", "50", NULL
    };
    struct job jobs[4];
    pid_t pids[PROCESSES_MAX];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < CM_ARRAY_LEN(jobs); i++)
        start_waiting(&host, &jobs[i], NULL);
    assert_int_equal(host_workers(pids), 4);
    for (size_t i = 0; i < CM_ARRAY_LEN(jobs); i++)
        finish_waiting(&host, &jobs[i]);
    while (stats_of(&host).workers_live > 1)
        host_turn(&host);
    assert_true(host_workers(pids) <= 1);
    run_trivial(&host, NULL);
    host_close(&host);
}

static void an_executor_that_was_not_used_has_no_process(void **state)
{
    struct cm_error err = CM_ERROR_INIT;
    struct host host;

    (void)state;
    host_open(&host, NULL);
    assert_int_equal(host_zygote(), 0);
    assert_int_equal(cm_executor_start(host.executor, &err), 0);
    assert_int_not_equal(host_zygote(), 0);
    host_close(&host);
}

/* ---- the queue ---- */

static void a_full_queue_is_overloaded(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "1", "QUEUE_LIMIT", "1", NULL };
    struct job busy;
    struct job waits = { .code = "() => 1" };
    struct job refused = { .code = "() => 1" };
    struct host host;

    (void)state;
    host_open(&host, settings);
    start_waiting(&host, &busy, NULL);
    host_start(&host, &waits);
    host_run(&host, &refused);
    expect_fault(
        &refused, "OVERLOADED",
        "The executor is overloaded: its queue is full, with 1 waiting for a worker. Try again "
        "later.");
    assert_true(cm_fault_retryable(cm_run_outcome(refused.run)->fault));
    finish_waiting(&host, &busy);
    host_finish(&host, &waits);
    expect_result(&waits, "1");
    job_done(&waits);
    job_done(&refused);
    host_close(&host);
}

static void a_wait_in_the_queue_runs_out_and_is_not_charged(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "1", "QUEUE_TIMEOUT_MS", "50", NULL };
    struct job waits = { .code = "() => 1" };
    struct cm_error err = CM_ERROR_INIT;
    struct job busy;
    struct host host;

    (void)state;
    host_open(&host, settings);
    assert_int_equal(cm_executor_start(host.executor, &err), 0);
    while (stats_of(&host).workers_ready == 0) /* the first run is not to wait */
        host_turn(&host);
    start_waiting(&host, &busy, NULL);
    host_run(&host, &waits);
    expect_fault(&waits, "OVERLOADED",
                 "The executor is overloaded: no worker became free within 50 ms. Try again "
                 "later.");
    assert_int_equal(cm_run_outcome(waits.run)->charged_ns, 0);
    assert_true(cm_run_outcome(waits.run)->queued_ns >= 50 * 1000000ull);
    finish_waiting(&host, &busy);
    job_done(&waits);
    host_close(&host);
}

/* ---- the end ---- */

static void dispose_drains_and_then_refuses(void **state)
{
    struct job running;
    struct job late = { .code = "() => 1" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    start_waiting(&host, &running, NULL);
    cm_executor_dispose(host.executor);
    cm_executor_dispose(host.executor);
    host_run(&host, &late);
    expect_fault(&late, "INTERNAL", "The pool is shutting down.");
    finish_waiting(&host, &running);
    while (host_zygote() != 0)
        host_turn(&host);
    job_done(&late);
    late.ends = 0;
    host_run(&host, &late);
    expect_fault(&late, "INTERNAL", "The pool is shutting down.");
    assert_int_equal(host_zygote(), 0);
    job_done(&late);
    host_close(&host);
}

static void free_ends_what_runs_and_leaves_nothing(void **state)
{
    size_t before = processes_descriptors();
    struct job busy = { .code = "() => { console.log('x'); for (;;); }" };
    struct job waiting;
    struct host host;

    (void)state;
    host_open(&host, NULL);
    start_waiting(&host, &waiting, NULL);
    host_start(&host, &busy);
    while (busy.live_lines == 0)
        host_turn(&host);
    host_close(&host);
    expect_fault(&busy, "INTERNAL", "The pool is shutting down.");
    expect_fault(&waiting, "INTERNAL", "The pool is shutting down.");
    assert_null(cm_run_executor(busy.run));
    assert_int_equal(host_zygote(), 0);
    assert_int_equal(processes_descriptors(), before);
    job_done(&busy);
    job_done(&waiting);
}

/* ---- the host's process ---- */

static void executors_of_one_process_do_not_meet(void **state)
{
    struct job first;
    struct job second;
    struct host a;
    struct host b;

    (void)state;
    host_open(&a, NULL);
    host_open(&b, NULL);
    start_waiting(&a, &first, NULL);
    start_waiting(&b, &second, NULL);
    finish_waiting(&b, &second);
    finish_waiting(&a, &first);
    cm_executor_free(a.executor);
    a.executor = NULL;
    run_trivial(&b, NULL);
    cm_executor_free(b.executor);
    cm_settings_free(a.settings);
    cm_settings_free(b.settings);
    assert_int_equal(host_zygote(), 0);
    assert_int_equal(processes_descriptors(), a.fds_before);
}

static pid_t start_child(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(7);
    assert_true(pid > 0);
    return pid;
}

static void the_hosts_own_children_are_its_own(void **state)
{
    pid_t child = start_child();
    struct job job;
    struct host host;
    int status;

    (void)state;
    host_open(&host, NULL);
    start_waiting(&host, &job, NULL);
    finish_waiting(&host, &job);
    host_close(&host);
    assert_int_equal(waitpid(child, &status, 0), child); /* nobody took its status */
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void reap_everything(int number)
{
    int saved = errno;

    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    errno = saved;
}

static void with_handler(void (*handler)(int))
{
    struct job job = { .code = "() => { for (;;); }", .timeout_ms = 50 };
    struct sigaction mine = { .sa_handler = handler };
    struct sigaction before;
    struct sigaction after;
    struct host host;

    assert_int_equal(sigaction(SIGCHLD, &mine, &before), 0);
    host_open(&host, NULL);
    run_trivial(&host, NULL);
    host_run(&host, &job);
    expect_text("failure", cm_failure_name(cm_run_outcome(job.run)->failure), "timeout");
    job_done(&job);
    run_trivial(&host, NULL);
    host_close(&host);
    assert_int_equal(sigaction(SIGCHLD, &before, &after), 0);
    assert_ptr_equal(after.sa_handler, handler); /* the library left it alone */
    assert_int_equal(host_zygote(), 0);
}

static void a_host_that_reaps_every_child_in_a_handler_works(void **state)
{
    (void)state;
    with_handler(reap_everything);
}

static void a_host_that_ignores_the_end_of_children_works(void **state)
{
    (void)state;
    with_handler(SIG_IGN);
}

static void many_runs_leave_no_descriptor_and_no_process(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "2", NULL };
    pid_t pids[PROCESSES_MAX];
    struct host host;
    size_t before;

    (void)state;
    host_open(&host, settings);
    run_trivial(&host, NULL);
    run_trivial(&host, NULL);
    before = processes_descriptors();
    for (int i = 0; i < 300; i++) {
        struct job job = { .code = "async () => { console.log('x'); return store.echo(1) }" };

        host_run(&host, &job);
        expect_result(&job, "[1]");
        job_done(&job);
    }
    assert_true(processes_descriptors() <= before + 2); /* a worker more, at most */
    assert_true(host_workers(pids) <= 2);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_runs_as_many_programs_as_it_may),
        cmocka_unit_test(with_one_program_a_worker_each_has_a_process_of_its_own),
        cmocka_unit_test(runs_of_different_keys_never_share_a_process),
        cmocka_unit_test(a_worker_is_not_used_again_after_a_bound),
        cmocka_unit_test(starts_and_kills_are_counted),
        cmocka_unit_test(the_pool_grows_to_its_maximum_and_no_further),
        cmocka_unit_test(programs_that_compute_without_end_hold_up_no_other),
        cmocka_unit_test(the_pool_shrinks_when_it_is_idle),
        cmocka_unit_test(an_executor_that_was_not_used_has_no_process),
        cmocka_unit_test(a_full_queue_is_overloaded),
        cmocka_unit_test(a_wait_in_the_queue_runs_out_and_is_not_charged),
        cmocka_unit_test(dispose_drains_and_then_refuses),
        cmocka_unit_test(free_ends_what_runs_and_leaves_nothing),
        cmocka_unit_test(executors_of_one_process_do_not_meet),
        cmocka_unit_test(the_hosts_own_children_are_its_own),
        cmocka_unit_test(a_host_that_reaps_every_child_in_a_handler_works),
        cmocka_unit_test(a_host_that_ignores_the_end_of_children_works),
        cmocka_unit_test(many_runs_leave_no_descriptor_and_no_process),
    };
    static const struct group group = { .name = "pool",
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests) };

    return group_main(argc, argv, &group);
}
