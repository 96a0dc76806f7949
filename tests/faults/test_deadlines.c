/* What a host sees of a worker program that says nothing. The deadlines are
 * seconds long, so the library's clock is the test's: the linker sends
 * clock_gettime() through here (--wrap). It stands still but for a microsecond a
 * look, so that what was armed first is due first. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "executor/state.h"
#include "host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define HELLO_MS 10000
#define START_MS 10000

static uint64_t now_us = 1000000;

int __real_clock_gettime(clockid_t clock, struct timespec *ret_time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time)
{
    if (clock != CLOCK_MONOTONIC)
        return __real_clock_gettime(clock, ret_time);
    now_us++;
    *ret_time = (struct timespec){ (time_t)(now_us / 1000000), (long)(now_us % 1000000) * 1000 };
    return 0;
}

static void let_pass(struct host *host, uint64_t ms)
{
    now_us += ms * 1000;
    assert_true(cm_executor_process(host->executor) >= 0);
}

/* Who is waited for: workers on their way, and a zygote that is not given up. */
static size_t awaited(const struct cm_executor *executor)
{
    const size_t *count = executor->pool.count;

    return count[WORKER_FORKING] + count[WORKER_STARTING] +
           (executor->zygote != NULL && executor->zygote->control.fd >= 0);
}

/* Up to shortly before a deadline, where nothing has happened yet, and beyond it. */
static void let_pass_deadline(struct host *host, const struct heard *heard, uint64_t ms)
{
    let_pass(host, ms - 10);
    assert_int_equal(heard->ends, 0);
    assert_int_equal(awaited(host->executor), 2);
    let_pass(host, 20);
}

/* From now on that worker program does what it should. */
static void mend(const char *name)
{
    const char *path = host_link(name);
    FILE *file;

    assert_int_equal(unlink(path), 0);
    file = fopen(path, "wx");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nexec %s\n", host_fake_path());
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static void the_next_run_works(struct host *host, struct heard *heard)
{
    host_run(host, heard, "done");
    assert_string_equal(heard->result, "42");
    heard_done(heard);
}

static void a_worker_program_that_never_says_hello_is_given_up_after_10_seconds(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "says-nothing");
    for (int i = 0; i < 2; i++) { /* the next run tries anew, and learns the same */
        host_start(&host, &heard, "done");
        let_pass_deadline(&host, &heard, HELLO_MS);
        host_finish(&host, &heard);
        assert_int_equal(heard.fault, CM_FAULT_INTERNAL);
        assert_string_equal(heard.message, "No sandbox worker could be started: the worker program "
                                           "did not get ready within 10 seconds.");
        heard_done(&heard);
    }
    mend("says-nothing");
    the_next_run_works(&host, &heard);
    host_close(&host);
}

/* So many zygotes have said HELLO and so many workers are forked, the last for a
 * run that waits. */
static bool started(const struct cm_executor *executor, uint64_t zygotes, uint64_t workers)
{
    const struct pool *pool = &executor->pool;

    return executor->stats.zygotes_started == zygotes &&
           executor->stats.workers_started == workers && executor->zygote != NULL &&
           executor->zygote->serving &&
           pool->count[WORKER_FORKING] + pool->count[WORKER_STARTING] == 1;
}

static void until_started(struct host *host, uint64_t zygotes, uint64_t workers)
{
    while (!started(host->executor, zygotes, workers))
        host_turn(host);
}

static void a_zygote_that_never_forks_is_replaced_after_10_seconds(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "only-says-hello");
    host_set(&host, "QUEUE_TIMEOUT_MS", "60000");
    host_start(&host, &heard, "done");
    for (uint64_t zygotes = 1; zygotes <= 3; zygotes++) {
        until_started(&host, zygotes, 0);
        let_pass_deadline(&host, &heard, START_MS);
    }
    host_finish(&host, &heard);
    assert_int_equal(heard.fault, CM_FAULT_INTERNAL);
    assert_string_equal(heard.message, "No sandbox worker could be started: the worker program "
                                       "ended (signal 9).");
    heard_done(&heard);
    mend("only-says-hello");
    the_next_run_works(&host, &heard);
    host_close(&host);
}

static void a_worker_that_never_gets_ready_is_replaced_after_10_seconds(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "mute-workers");
    host_set(&host, "QUEUE_TIMEOUT_MS", "60000");
    host_start(&host, &heard, "done");
    for (uint64_t workers = 1; workers <= 3; workers++) {
        until_started(&host, 1, workers);
        let_pass_deadline(&host, &heard, START_MS);
    }
    host_finish(&host, &heard);
    assert_int_equal(heard.fault, CM_FAULT_INTERNAL);
    assert_string_equal(heard.message, "No sandbox worker could be started: the worker ended "
                                       "before it was ready.");
    assert_int_equal(host.executor->stats.zygotes_started, 1);
    heard_done(&heard);
    host_close(&host);
}

static void a_run_waits_for_workers_that_say_nothing_no_longer_than_its_bound(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "mute-workers");
    host_set(&host, "QUEUE_TIMEOUT_MS", "15000");
    host_start(&host, &heard, "done");
    until_started(&host, 1, 1);
    let_pass_deadline(&host, &heard, START_MS);
    until_started(&host, 1, 2);
    let_pass(&host, 15000 - START_MS);
    host_finish(&host, &heard);
    assert_int_equal(heard.fault, CM_FAULT_OVERLOADED);
    assert_string_equal(heard.message, "The executor is overloaded: no worker became free within "
                                       "15,000 ms. Try again later.");
    heard_done(&heard);
    host_close(&host);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_worker_program_that_never_says_hello_is_given_up_after_10_seconds),
    cmocka_unit_test(a_zygote_that_never_forks_is_replaced_after_10_seconds),
    cmocka_unit_test(a_worker_that_never_gets_ready_is_replaced_after_10_seconds),
    cmocka_unit_test(a_run_waits_for_workers_that_say_nothing_no_longer_than_its_bound),
};

int main(int argc, char **argv)
{
    return host_main(argc, argv, "deadlines", tests, CM_ARRAY_LEN(tests));
}
