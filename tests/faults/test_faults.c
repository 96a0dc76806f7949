/* What happens to runs when workers, the zygote or the machine fail. Each test
 * ends by proving that no process and no descriptor is left. */
#include "../loopback.h"
#include "base/cleanup.h"
#include "executor/state.h"
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>

#include <cmocka.h>

#define ENDED "The sandbox worker ended unexpectedly"
#define BROKE ENDED " (it broke the protocol: "

/* ---- one row a way in which a running worker fails ---- */

static const struct row {
    const char *name;
    const char *code;
    const char *message; /* of fault WORKER_LOST */
    bool deaf;           /* the host takes no calls */
} rows[] = {
    { "a worker that exits is lost, with its status", "exit:3", ENDED " (exit status 3).", false },
    { "a worker that crashes is lost, with its signal", "signal:11", ENDED " (signal 11).", false },
    { "a worker that is killed from elsewhere is lost", "signal:9", ENDED " (signal 9).", false },
    { "a worker that closes its socket is lost", "close", ENDED " (signal 9).", false },
    { "a worker that dies with a call open is lost", "call exit:4", ENDED " (exit status 4).",
      false },
    { "a worker that dies in the middle of a frame is lost", "raw:0800000003000000ff exit:5",
      ENDED " (exit status 5).", false },
    { "a frame of unknown type is a breach", "raw:0000000063000000",
      BROKE "a frame of unknown type).", false },
    { "a head with its reserved bits set is a breach", "raw:0000000003000100",
      BROKE "a frame of unknown type).", false },
    { "READY of a running worker is a breach", "ready",
      BROKE "a frame that its state does not permit).", false },
    { "a LOG above its length is a breach before its body comes", "raw:ffffff7f03000000 hang",
      BROKE "a frame above its length).", false },
    { "a CALL above its length is a breach", "raw:ffffff7f02000000 hang",
      BROKE "a frame above its length).", false },
    { "a DONE above its length is a breach", "raw:ffffff7f06000000 hang",
      BROKE "a frame above its length).", false },
    { "a WAIT above its length is a breach", "raw:0900000005000000 hang",
      BROKE "a frame above its length).", false },
    { "a LOG_STOP above its length is a breach", "raw:0900000004000000 hang",
      BROKE "a frame above its length).", false },
    { "an EXHAUSTED above its length is a breach", "raw:0100000007000000 hang",
      BROKE "a frame above its length).", false },
    { "a CALL that is malformed is a breach", "raw:0400000002000000deadbeef",
      BROKE "a CALL that is malformed).", false },
    { "a LOG that is malformed is a breach", "raw:0400000003000000deadbeef",
      BROKE "a LOG that is malformed).", false },
    { "a LOG that is not UTF-8 is a breach", "raw:0a000000030000000000000000000000ff00",
      BROKE "a LOG that is malformed).", false },
    { "a LOG_STOP that is malformed is a breach", "stop:9", BROKE "a LOG_STOP that is malformed).",
      false },
    { "a WAIT that is malformed is a breach", "wait:2", BROKE "a WAIT that is malformed).", false },
    { "a DONE that is malformed is a breach", "raw:0400000006000000deadbeef",
      BROKE "a DONE that is malformed).", false },
    { "a DONE with an unknown failure is a breach", "fail:99", BROKE "a DONE that is malformed).",
      false },
    { "a DONE that states a timeout is a breach", "fail:5",
      BROKE "a DONE with a failure that is not the worker's to state).", false },
    { "a DONE that states a wall bound is a breach", "fail:6",
      BROKE "a DONE with a failure that is not the worker's to state).", false },
    { "a call id out of order is a breach", "call:2",
      BROKE "a CALL with an id that is not the next).", false },
    { "a call id that was used is a breach", "call:1 call:1",
      BROKE "a CALL with an id that is not the next).", false },
    { "one call in flight above the bound is a breach", "calls:5",
      BROKE "more calls in flight than its bound).", false },
    { "a CALL to a host that takes none is a breach", "call",
      BROKE "a CALL though the host takes none).", true },
    { "one log line above the bound is a breach", "logs:11",
      BROKE "more log lines than its bound).", false },
    { "log text above the bound is a breach",
      "log:0123456789012345678901234567890123456789 log:0123456789",
      BROKE "more log text than its bound).", false },
    { "a LOG after LOG_STOP is a breach", "stop:1 log:x", BROKE "a LOG after LOG_STOP).", false },
    { "a second LOG_STOP is a breach", "stop:1 stop:1", BROKE "a second LOG_STOP).", false },
    { "a FETCH above its length is a breach", "raw:ffffff7f08000000 hang",
      BROKE "a frame above its length).", false },
    { "a FETCH that is malformed is a breach", "raw:0400000008000000deadbeef",
      BROKE "a FETCH that is malformed).", false },
    { "a fetch id out of order is a breach", "fetch:2",
      BROKE "a FETCH with an id that is not the next).", false },
    { "a fetch with the id of a call is a breach", "call fetch:1",
      BROKE "a FETCH with an id that is not the next).", false },
    { "one fetch in flight above the bound is a breach", "fetches:5",
      BROKE "more fetches in flight than its bound).", false },
    { "a FETCH to a host that takes none is a breach", "fetch",
      BROKE "a FETCH though its network is closed).", true },
    { "a FETCH_ABORT that is malformed is a breach", "raw:0400000009000000deadbeef",
      BROKE "a FETCH_ABORT that is malformed).", false },
    { "giving a fetch up that was not made is a breach", "abort:1",
      BROKE "a FETCH_ABORT of a fetch that it has not made).", false },
    { "a FETCH_TOOK that is malformed is a breach", "raw:040000000a000000deadbeef",
      BROKE "a FETCH_TOOK that is malformed).", false },
    { "keeping an isolate without being asked is a breach", "retained",
      BROKE "a RETAINED though the host keeps nothing).", false },
    { "a RETAINED that is malformed is a breach", "raw:040000000b000000deadbeef",
      BROKE "a RETAINED that is malformed).", false },
    { "CONTEXT of a run is a breach", "context:0", BROKE "a frame that its state does not permit).",
      false },
    { "REPLY of a run is a breach", "reply:1", BROKE "a frame that its state does not permit).",
      false },
};

static void a_run_of_it_ends_with_worker_lost_and_the_next_works(void **state)
{
    const struct row *row = *state;
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };
    struct host host;

    host_open(&host, "fake_worker");
    host_set(&host, "CALLS_IN_FLIGHT", "4");
    host_set(&host, "FETCHES_IN_FLIGHT", "4");
    host_set(&host, "CONSOLE_LINES", "10");
    host_set(&host, "CONSOLE_BYTES", "49");
    request.code = row->code;
    request.code_bytes = strlen(row->code);
    request.outbound = CM_OUTBOUND_HOST;
    host_start_request(&host, &heard, &request, !row->deaf);
    host_finish(&host, &heard);
    assert_string_equal(heard.message, row->message);
    assert_int_equal(heard.fault, CM_FAULT_WORKER_LOST);
    assert_int_equal(heard.drop_count, heard.call_count);
    heard_done(&heard);

    host_still_runs(&host);
    host_close(&host);
}

/* ---- workers of retained executions ---- */

#define GONE "EXECUTION_GONE"

static const struct retained_row {
    const char *name;
    const char *code;    /* after RETAINED and the first INVOKE */
    const char *fault;   /* of the invocation; "": none */
    const char *message; /* NULL: that the execution is gone */
} retained_rows[] = {
    { "a retained worker that exits is gone", "exit:3", GONE, NULL },
    { "a retained worker that crashes in a call is gone", "context:1 signal:11", GONE, NULL },
    { "a CONTEXT of no invocation is a breach", "context:2", GONE, NULL },
    { "a CONTEXT that is malformed is a breach", "raw:040000000c000000deadbeef", GONE, NULL },
    { "a REPLY to no invocation is a breach", "reply:2", GONE, NULL },
    { "a REPLY that is malformed is a breach", "raw:040000000d000000deadbeef", GONE, NULL },
    { "a second REPLY is a breach, after the first", "reply:1 reply:1", "", NULL },
    { "a CALL of no invocation is a breach", "call", GONE, NULL },
    { "a FETCH of no invocation is a breach", "fetch", GONE, NULL },
    { "a LOG of no invocation is a breach", "context:1 context:0 log:x", GONE, NULL },
    { "READY of a retained worker is a breach", "context:1 ready", "WORKER_LOST",
      BROKE "a frame that its state does not permit)." },
    { "a second RETAINED is a breach", "context:1 retained", "WORKER_LOST",
      BROKE "a frame that its state does not permit)." },
    { "a DONE with a result instead of a REPLY is a breach", "context:1 done", "WORKER_LOST",
      BROKE "a DONE instead of a REPLY)." },
    { "a call id out of order is a breach in an invocation too", "context:1 call:2", "WORKER_LOST",
      BROKE "a CALL with an id that is not the next)." },
    { "EXHAUSTED of no invocation ends it", "exhausted hang", GONE, NULL },
};

static void an_invocation_ends_and_so_does_the_execution(void **state)
{
    static const struct cm_fetch get = { .url = "http://h/", .url_bytes = 9 };
    const struct retained_row *row = *state;
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;
    char code[256];
    char id[64];
    char gone[128];

    host_open(&host, "fake_worker");
    snprintf(code, sizeof(code), "retained answer %s", row->code);
    request.code = code;
    request.code_bytes = strlen(code);
    request.retain_handles = 1;
    host_start_request(&host, &heard, &request, true);
    host_finish(&host, &heard);
    snprintf(id, sizeof(id), "%s", cm_run_outcome(heard.run)->execution_id);
    heard_done(&heard);
    host_invoke(&host, &heard, id, &get);
    host_finish(&host, &heard);
    snprintf(gone, sizeof(gone), "Execution %s is no longer retained.", id);
    assert_string_equal(cm_fault_name(heard.fault), row->fault);
    if (row->fault[0] != '\0')
        assert_string_equal(heard.message, row->message == NULL ? gone : row->message);
    heard_done(&heard);
    do {
        cm_executor_stats(host_executor(&host), &stats);
        if (stats.retained_live > 0)
            host_turn(&host);
    } while (stats.retained_live > 0);
    host_still_runs(&host);
    host_close(&host);
}

static void taking_more_of_a_body_than_was_sent_is_a_breach(void **state)
{
    struct heard heard = { 0 };
    struct host host;
    char code[64];
    uint16_t port;
    int listener = loopback_listen(8, &port); /* and it never answers */

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "OUTBOUND_MODE", "open");
    snprintf(code, sizeof(code), "port:%u fetch took:0 took:1", port);
    host_run(&host, &heard, code);
    assert_string_equal(heard.message, BROKE "more bytes taken than it was sent).");
    heard_done(&heard);
    host_close(&host);
    close(listener);
}

static void want_of_memory_in_an_invocation_is_its_failure(void **state)
{
    static const struct cm_fetch get = { .url = "http://h/", .url_bytes = 9 };
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };
    struct host host;
    char id[64];

    (void)state;
    host_open(&host, "fake_worker");
    request.code = "retained answer context:1 exhausted hang";
    request.code_bytes = strlen(request.code);
    request.retain_handles = 1;
    host_start_request(&host, &heard, &request, true);
    host_finish(&host, &heard);
    snprintf(id, sizeof(id), "%s", cm_run_outcome(heard.run)->execution_id);
    heard_done(&heard);
    host_invoke(&host, &heard, id, &get);
    host_finish(&host, &heard);
    assert_int_equal(heard.failure, CM_FAILURE_MEMORY);
    heard_done(&heard);
    assert_int_equal(cm_execution_release(host_executor(&host), id), CM_E_STATE);
    host_close(&host);
}

/* ---- one row a way in which the zygote fails ---- */

static const struct zygote_row {
    const char *name;
    const char *link;
    /* After "No sandbox worker could be started: ". NULL: it is a race whether
     * a worker is faster than the death, but the run ends. */
    const char *message;
} zygote_rows[] = {
    { "a worker program that is missing", "no-such-file",
      "%s cannot be started (execve): No such file or directory." },
    { "a worker program of another version", "wrong-version",
      "%s is version 9.9.9, this library needs " CM_VERSION "." },
    { "a worker program of another protocol", "wrong-ipc",
      "%s is of another build: it speaks protocol 6, this library 5." },
    { "a worker program that cannot make its jail", "cannot-serve",
      "seccomp is not available on this kernel." },
    { "a worker program that exits", "exits-early", "the worker program ended (exit status 3)." },
    { "a zygote that refuses to fork", "refuses", "fork: Resource temporarily unavailable." },
    { "workers that never get ready", "dead-workers", "the worker ended before it was ready." },
    { "a zygote that dies when it is asked for a worker", "dies-instead",
      "the worker program ended (exit status 7)." },
    { "a zygote that dies once it has forked", "forks-and-dies", NULL },
    { "a zygote that introduces itself twice", "hello-twice",
      "the worker program ended (signal 9)." },
    { "a zygote that talks nonsense", "nonsense", "the worker program ended (signal 9)." },
    { "a zygote that refuses twice", "refuses-twice", NULL },
    { "a zygote that reports a stranger's exit", "reports-a-stranger",
      "the worker program ended (signal 9)." },
    { "a zygote that forks what nobody asked for", "forks-unasked",
      "the worker program ended (signal 9)." },
};

static void a_run_ends_with_internal_and_the_reason(void **state)
{
    const struct zygote_row *row = *state;
    struct heard heard = { 0 };
    char expected[1024] = "No sandbox worker could be started: ";
    struct host host;

    host_open(&host, row->link);
    for (int i = 0; i < 2; i++) { /* the next run tries anew, and learns the same */
        host_run(&host, &heard, "done");
        if (row->message != NULL) {
            const char *hole = strstr(row->message, "%s");
            size_t at = strlen("No sandbox worker could be started: ");

            if (hole != NULL)
                snprintf(expected + at, sizeof(expected) - at, "%s%s", host_link(row->link),
                         hole + 2);
            else
                snprintf(expected + at, sizeof(expected) - at, "%s", row->message);
            assert_string_equal(heard.message, expected);
            assert_int_equal(heard.fault, CM_FAULT_INTERNAL);
        }
        heard_done(&heard);
    }
    host_close(&host);
}

/* ---- between runs ---- */

static void the_worker_after(const char *code, uint64_t workers_started)
{
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;

    host_open(&host, "fake_worker");
    host_run(&host, &heard, code);
    assert_string_equal(heard.result, "42");
    heard_done(&heard);
    while (workers_started > 1 && host.executor->pool.count[WORKER_READY] > 0)
        host_turn(&host); /* until its end is heard of */
    host_still_runs(&host);
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_started, workers_started);
    host_close(&host);
}

/* ---- the compiler ---- */

#define ENDED_TWICE                                                                          \
    "The text ended its compiler twice, as one that is too large does; the bound is 256 MB " \
    "of memory [program.js]"

static void what_ends_a_compiler_twice_fails_and_the_next_text_is_compiled(void **state)
{
    static const char *const texts[] = {
        "import exit:3",
        "import signal:11",
        "import close",
        "import exhausted",
        "import compiled:1",
        "import compiled compiled",
        "import raw:040000000e00000000000000",
        "import raw:ffffffff0e000000",
        "import call",
        "import ready",
        "import done",
    };
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    for (size_t i = 0; i < CM_ARRAY_LEN(texts); i++) {
        host_run(&host, &heard, texts[i]);
        if (i == 5) { /* the first answer was good */
            assert_string_equal(heard.result, "42");
        } else {
            assert_string_equal(heard.error, ENDED_TWICE);
            assert_int_equal(heard.failure, CM_FAILURE_MODULE);
        }
        heard_done(&heard);
        host_run(&host, &heard, "import compiled");
        assert_string_equal(heard.result, "42");
        heard_done(&heard);
    }
    host_close(&host);
}

static void a_compiler_that_says_nothing_is_given_up_at_its_bound(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "COMPILE_TIMEOUT_MS", "50");
    host_run(&host, &heard, "import hang");
    assert_string_equal(heard.error, "The text was not compiled within its bound of 50 ms; leave "
                                     "out of it what is not used [program.js]");
    assert_int_equal(heard.failure, CM_FAILURE_MODULE);
    heard_done(&heard);
    host_close(&host);
}

static void a_worker_serves_one_run_after_another(void **state)
{
    (void)state;
    the_worker_after("done", 1);
}

static void a_worker_that_dies_after_its_run_is_replaced(void **state)
{
    (void)state;
    the_worker_after("done exit:0", 2);
    the_worker_after("done signal:11", 2);
}

static void a_worker_that_breaks_a_rule_after_its_run_is_replaced(void **state)
{
    (void)state;
    the_worker_after("done raw:0200000001000000abcd hang", 2);
    the_worker_after("done log:late hang", 2);
    the_worker_after("done done hang", 2);
    the_worker_after("done exhausted hang", 2);
}

static void a_worker_that_says_it_is_spent_is_replaced(void **state)
{
    (void)state;
    the_worker_after("done", 1);
    the_worker_after("spent done", 2);
}

static void a_worker_serves_no_more_than_programs_per_worker(void **state)
{
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "PROGRAMS_PER_WORKER", "2");
    for (int i = 0; i < 4; i++) {
        host_run(&host, &heard, "done");
        heard_done(&heard);
    }
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_started, 2);
    host_close(&host);
}

static void runs_of_two_keys_never_share_a_worker(void **state)
{
    static const char *const keys[] = { "a", "b", "a", "b" };
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    request.code = "done";
    request.code_bytes = 4;
    for (size_t i = 0; i < CM_ARRAY_LEN(keys); i++) {
        request.isolation_key = keys[i];
        host_start_request(&host, &heard, &request, true);
        host_finish(&host, &heard);
        assert_string_equal(heard.result, "42");
        heard_done(&heard);
    }
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_started, 4);
    host_close(&host);
}

static void a_dead_zygote_loses_the_runs_in_flight_and_is_started_again(void **state)
{
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_start(&host, &heard, "log:before call hang");
    host_until_calls(&host, &heard, 1);
    assert_int_equal(pidfd_send_signal(host.executor->zygote->exit.fd, SIGKILL, NULL, 0), 0);
    host_finish(&host, &heard);
    assert_int_equal(heard.fault, CM_FAULT_WORKER_LOST);
    assert_string_equal(heard.message, ENDED ".");
    assert_string_equal(heard.logs, "log before|");
    heard_done(&heard);
    host_still_runs(&host);
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.zygotes_started, 2);
    host_close(&host);
}

static void a_worker_killed_while_it_waits_loses_no_run(void **state)
{
    struct pollfd ended = { -1, POLLIN, 0 };
    struct heard heard = { 0 };
    struct worker *worker;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "done");
    heard_done(&heard);
    worker = CM_LIST_FIRST(&host.executor->pool.ready, struct worker, ready);
    assert_int_equal(pidfd_send_signal(worker->pidfd, SIGKILL, NULL, 0), 0);
    ended.fd = worker->pidfd;
    assert_int_equal(poll(&ended, 1, -1), 1);
    host_run(&host, &heard, "done"); /* handed over before the loop has seen the death */
    assert_string_equal(heard.result, "42");
    heard_done(&heard);
    host_close(&host);
}

/* ---- no descriptors ---- */

static void allow_descriptors(rlim_t count, struct rlimit *ret_before)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    *ret_before = limit;
    limit.rlim_cur = count;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* The number of the next descriptor: with so many allowed, there is none. */
static rlim_t next_fd(void)
{
    int fd = dup(0);

    close(fd);
    return (rlim_t)fd;
}

static void without_descriptors_no_executor_is_made(void **state)
{
    struct cm_executor *executor = NULL;
    struct cm_error err = CM_ERROR_INIT;
    struct rlimit before;

    (void)state;
    for (rlim_t spare = 0; spare < 2; spare++) {
        err = (struct cm_error)CM_ERROR_INIT;
        allow_descriptors(next_fd() + spare, &before);
        assert_int_equal(cm_executor_new(NULL, &executor, &err), CM_E_SYSTEM);
        setrlimit(RLIMIT_NOFILE, &before);
        assert_int_equal(err.sys_errno, EMFILE);
        assert_null(executor);
    }
}

static void without_descriptors_a_run_ends_with_internal(void **state)
{
    struct heard heard = { 0 };
    struct rlimit before;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_executor(&host);
    for (rlim_t spare = 0; spare < 12; spare++) {
        allow_descriptors(next_fd() + spare, &before);
        host_run(&host, &heard, "done");
        setrlimit(RLIMIT_NOFILE, &before);
        if (heard.fault == CM_FAULT_NONE) {
            heard_done(&heard);
            break;
        }
        assert_int_equal(heard.fault, CM_FAULT_INTERNAL);
        if (strstr(heard.message, "descriptor") == NULL &&
            strstr(heard.message, "Too many open files") == NULL)
            fail_msg("%s", heard.message);
        heard_done(&heard);
    }
    host_still_runs(&host);
    host_close(&host);
}

static void a_worker_whose_descriptors_were_lost_is_given_up(void **state)
{
    struct heard heard = { 0 };
    struct rlimit before;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "done exit:0"); /* the zygote serves, and no worker is left */
    heard_done(&heard);
    while (host.executor->pool.count[WORKER_READY] + host.executor->pool.count[WORKER_ENDING] > 0)
        host_turn(&host);
    for (rlim_t spare = 0; spare < 2; spare++) {
        allow_descriptors(next_fd() + spare, &before);
        host_run(&host, &heard, "done");
        setrlimit(RLIMIT_NOFILE, &before);
        assert_int_equal(heard.fault, CM_FAULT_INTERNAL);
        assert_string_equal(heard.message,
                            "No sandbox worker could be started: this process has no descriptor "
                            "left for the worker's socket.");
        heard_done(&heard);
    }
    host_still_runs(&host);
    host_close(&host);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_ends_a_compiler_twice_fails_and_the_next_text_is_compiled),
    cmocka_unit_test(a_compiler_that_says_nothing_is_given_up_at_its_bound),
    cmocka_unit_test(a_worker_serves_one_run_after_another),
    cmocka_unit_test(a_worker_that_dies_after_its_run_is_replaced),
    cmocka_unit_test(a_worker_that_breaks_a_rule_after_its_run_is_replaced),
    cmocka_unit_test(a_worker_that_says_it_is_spent_is_replaced),
    cmocka_unit_test(a_worker_serves_no_more_than_programs_per_worker),
    cmocka_unit_test(runs_of_two_keys_never_share_a_worker),
    cmocka_unit_test(a_dead_zygote_loses_the_runs_in_flight_and_is_started_again),
    cmocka_unit_test(a_worker_killed_while_it_waits_loses_no_run),
    cmocka_unit_test(without_descriptors_no_executor_is_made),
    cmocka_unit_test(without_descriptors_a_run_ends_with_internal),
    cmocka_unit_test(a_worker_whose_descriptors_were_lost_is_given_up),
    cmocka_unit_test(taking_more_of_a_body_than_was_sent_is_a_breach),
    cmocka_unit_test(want_of_memory_in_an_invocation_is_its_failure),
};

enum {
    TESTS = CM_ARRAY_LEN(tests),
    ROWS = CM_ARRAY_LEN(rows),
    ZYGOTE_ROWS = CM_ARRAY_LEN(zygote_rows),
    RETAINED_ROWS = CM_ARRAY_LEN(retained_rows)
};

int main(int argc, char **argv)
{
    struct CMUnitTest all[TESTS + ROWS + ZYGOTE_ROWS + RETAINED_ROWS];

    memcpy(all, tests, sizeof(tests));
    for (size_t i = 0; i < ROWS; i++)
        all[TESTS + i] =
            (struct CMUnitTest){ rows[i].name, a_run_of_it_ends_with_worker_lost_and_the_next_works,
                                 NULL, NULL, (void *)(uintptr_t)&rows[i] };
    for (size_t i = 0; i < ZYGOTE_ROWS; i++)
        all[TESTS + ROWS + i] =
            (struct CMUnitTest){ zygote_rows[i].name, a_run_ends_with_internal_and_the_reason, NULL,
                                 NULL, (void *)(uintptr_t)&zygote_rows[i] };
    for (size_t i = 0; i < RETAINED_ROWS; i++)
        all[TESTS + ROWS + ZYGOTE_ROWS + i] =
            (struct CMUnitTest){ retained_rows[i].name,
                                 an_invocation_ends_and_so_does_the_execution, NULL, NULL,
                                 (void *)(uintptr_t)&retained_rows[i] };
    return host_main(argc, argv, "faults", all, CM_ARRAY_LEN(all));
}
