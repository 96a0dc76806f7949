/* What a host may rely on: bounds, answers, the pool, and what it may do when.
 * Each test ends by proving that no process and no descriptor is left. */
#include "../loopback.h"
#include "base/cleanup.h"
#include "executor/state.h"
#include "host.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cmocka.h>

#define BROKE "The sandbox worker ended unexpectedly (it broke the protocol: "

/* ---- bounds ---- */

static void a_busy_run_is_killed_at_its_clock_and_keeps_its_log_lines(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run_for(&host, &heard, "log:before spin", 30);
    assert_string_equal(heard.error, "Execution timed out at its 30 ms bound. Do less work per run "
                                     "and return the part that is already finished.");
    assert_int_equal(heard.failure, CM_FAILURE_TIMEOUT);
    assert_string_equal(heard.logs, "log before|");
    assert_true(heard.charged_ns >= 30000000);
    heard_done(&heard);
    host_close(&host);
}

static void a_clock_of_a_fraction_is_printed_as_it_was_given(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run_for(&host, &heard, "hang", 0.5);
    assert_non_null(strstr(heard.error, "at its 0.5 ms bound."));
    heard_done(&heard);
    host_close(&host);
}

static void max_timeout_caps_the_clock_of_every_run(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "MAX_TIMEOUT_MS", "20");
    host_run_for(&host, &heard, "hang", 50000);
    assert_non_null(strstr(heard.error, "at its 20 ms bound."));
    heard_done(&heard);
    host_run_for(&host, &heard, "hang", __builtin_inf());
    assert_non_null(strstr(heard.error, "at its 20 ms bound."));
    heard_done(&heard);
    host_close(&host);
}

static void a_host_wait_is_free_until_the_wall_bound(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "MAX_WALL_MS", "60");
    host_run_for(&host, &heard, "call wait:0 hang", 30);
    assert_string_equal(heard.error, "Execution reached its 60 ms wall bound while waiting on the "
                                     "host. Ask for less per run.");
    assert_int_equal(heard.failure, CM_FAILURE_WALL);
    assert_int_equal(heard.drop_count, 1);
    assert_true(heard.charged_ns < 30000000);
    heard_done(&heard);
    host_close(&host);
}

/* A fetch that the host performs is a host wait, one that the executor performs is
 * not. The server takes the connection and never answers. */
static void a_fetch_of_the_host_is_free_and_one_of_the_executor_is_charged(void **state)
{
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };
    struct host host;
    char code[64];
    uint16_t port;
    int listener = loopback_listen(8, &port);

    (void)state;
    snprintf(code, sizeof(code), "port:%u fetch wait:0 hang", port);
    host_open(&host, "fake_worker");
    host_set(&host, "OUTBOUND_MODE", "open");
    host_set(&host, "MAX_WALL_MS", "60");
    request.code = code;
    request.code_bytes = strlen(code);
    request.timeout_ms = 30;
    request.outbound = CM_OUTBOUND_HOST;
    host_start_request(&host, &heard, &request, true);
    host_finish(&host, &heard);
    assert_int_equal(heard.failure, CM_FAILURE_WALL);
    assert_true(heard.charged_ns < 30000000);
    assert_int_equal(heard.drop_count, 1);
    heard_done(&heard);
    request.outbound = CM_OUTBOUND_DEFAULT;
    host_start_request(&host, &heard, &request, true);
    host_finish(&host, &heard);
    assert_int_equal(heard.failure, CM_FAILURE_TIMEOUT);
    assert_int_equal(heard.drop_count, 0);
    heard_done(&heard);
    host_close(&host);
    close(listener);
}

/* Ends when the connection does. */
static void serve_flood(int listener)
{
    static const char head[] = "HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n";
    static char bytes[65536];
    int connection = accept(listener, NULL, NULL);

    if (recv(connection, bytes, sizeof(bytes), 0) > 0 &&
        send(connection, head, sizeof(head) - 1, MSG_NOSIGNAL) > 0)
        while (send(connection, bytes, sizeof(bytes), MSG_NOSIGNAL) > 0)
            ;
    _exit(0);
}

/* The worker takes nothing of what comes: the window is full, and the executor does
 * nothing for the program any more. */
static void a_body_that_waits_for_the_program_is_not_charged(void **state)
{
    struct heard heard = { 0 };
    struct host host;
    char code[64];
    pid_t pid;
    uint16_t port;
    int listener = loopback_listen(8, &port);

    (void)state;
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        serve_flood(listener);
    close(listener);
    host_open(&host, "fake_worker");
    host_set(&host, "OUTBOUND_MODE", "open");
    host_set(&host, "MAX_WALL_MS", "2500");
    snprintf(code, sizeof(code), "port:%u fetch call wait:0 hang", port);
    host_run_for(&host, &heard, code, 1000);
    assert_int_equal(heard.failure, CM_FAILURE_WALL);
    assert_true(heard.charged_ns < 1000000000);
    heard_done(&heard);
    assert_int_equal(waitpid(pid, NULL, 0), pid); /* the connection went with the run */
    host_close(&host);
}

static void a_worker_that_computes_while_it_claims_to_wait_is_charged(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run_for(&host, &heard, "call wait:0 spin", 30);
    assert_int_equal(heard.failure, CM_FAILURE_TIMEOUT);
    heard_done(&heard);
    host_run_for(&host, &heard, "call flood", 30);
    assert_int_equal(heard.failure, CM_FAILURE_TIMEOUT);
    heard_done(&heard);
    host_close(&host);
}

static void a_wait_with_a_timer_pending_is_charged(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run_for(&host, &heard, "call wait:1 hang", 30);
    assert_int_equal(heard.failure, CM_FAILURE_TIMEOUT);
    heard_done(&heard);
    host_close(&host);
}

static void count_host_waits_charges_them(void **state)
{
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    request.code = "call wait:0 hang";
    request.code_bytes = strlen(request.code);
    request.timeout_ms = 30;
    request.count_host_waits = 1;
    host_start_request(&host, &heard, &request, true);
    host_finish(&host, &heard);
    assert_int_equal(heard.failure, CM_FAILURE_TIMEOUT);
    heard_done(&heard);
    host_close(&host);
}

static void death_for_want_of_memory_is_the_programs_failure(void **state)
{
    static const char *const codes[] = { "exhausted hang", "fail:7", "touch:40 signal:6",
                                         "touch:40 signal:4", "touch:40 signal:11" };
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "MEMORY_LIMIT_MB", "16");
    for (size_t i = 0; i < CM_ARRAY_LEN(codes); i++) {
        host_run(&host, &heard, codes[i]);
        assert_string_equal(heard.error,
                            "Execution exceeded its 16 MB memory bound. Hold less data at once and "
                            "return the part that is already finished.");
        assert_int_equal(heard.failure, CM_FAILURE_MEMORY);
        heard_done(&heard);
    }
    host_run(&host, &heard, "signal:6"); /* without the memory it is a crash */
    assert_int_equal(heard.fault, CM_FAULT_WORKER_LOST);
    heard_done(&heard);
    host_close(&host);
}

static void the_console_bound_is_said_in_the_last_line(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "log:one stop:1 done");
    assert_string_equal(heard.logs, "log one|warn Console output stopped at its bound of 1,000 "
                                    "lines. Log less per run.|");
    heard_done(&heard);
    host_run(&host, &heard, "stop:2 done");
    assert_string_equal(heard.logs, "warn Console output stopped at its bound of 1,048,576 bytes. "
                                    "Log less per run.|");
    heard_done(&heard);
    host_close(&host);
}

/* ---- calls ---- */

static void an_answer_reaches_the_program(void **state)
{
    struct heard heard = { .answer = "{\"result\":7}" };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "call answer echo");
    assert_string_equal(heard.error, "{\"result\":7}");
    heard_done(&heard);
    host_close(&host);
}

static void reject_badly(struct heard *heard)
{
    static const char text[] = { 'a', (char)0xFF, 'b', '\0', (char)0xC3 };

    assert_int_equal(cm_run_reject(heard->run, 1, text, sizeof(text)), 0);
    assert_int_equal(cm_run_reject(heard->run, 1, "again", 5), CM_E_STATE);
    assert_int_equal(cm_run_answer(heard->run, 2, "{}", 2), CM_E_STATE);
}

static void a_rejection_is_made_into_text(void **state)
{
    struct heard heard = { .in_call = reject_badly };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "call answer echo");
    assert_string_equal(heard.error, "a\xEF\xBF\xBD"
                                     "b\xEF\xBF\xBD\xEF\xBF\xBD");
    heard_done(&heard);
    host_close(&host);
}

static void an_answer_that_is_not_text_rejects_the_call(void **state)
{
    struct heard heard = { .answer = "\xFF" };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "call answer echo");
    assert_string_equal(heard.error, "The host's answer to store.slow is not valid JSON.");
    heard_done(&heard);
    host_close(&host);
}

static void answer_with_1025_bytes(struct heard *heard)
{
    char text[1025];

    memset(text, ' ', sizeof(text));
    assert_int_equal(cm_run_answer(heard->run, 1, text, sizeof(text)), 0);
}

static void an_answer_above_the_message_ceiling_rejects_the_call(void **state)
{
    struct heard heard = { .in_call = answer_with_1025_bytes };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "MESSAGE_LIMIT_BYTES", "1024");
    host_run(&host, &heard, "call answer echo");
    assert_string_equal(heard.error, "The answer to store.slow of 1,025 bytes exceeds the 1,024 "
                                     "byte bound on one message. Return less data.");
    heard_done(&heard);
    host_close(&host);
}

static void calls_that_nobody_answered_are_named_in_a_last_line(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "call done");
    assert_string_equal(heard.result, "42");
    assert_string_equal(heard.logs, "warn The run ended before 1 tool call was answered: "
                                    "store.slow. Await every tool call before returning.|");
    assert_int_equal(heard.drop_count, 1);
    heard_done(&heard);
    host_run(&host, &heard, "calls:12 done");
    assert_string_equal(
        heard.logs,
        "warn The run ended before 12 tool calls were answered: store.slow, store.slow, "
        "store.slow, "
        "store.slow, store.slow, store.slow, store.slow, store.slow, store.slow, store.slow, and 2 "
        "more. Await every tool call before returning.|");
    assert_int_equal(heard.drop_count, 12);
    heard_done(&heard);
    host_close(&host);
}

static void one_call_above_the_bound_of_a_run_is_a_breach(void **state)
{
    struct heard heard = { .answer = "{}" };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "CALLS_A_RUN", "2");
    host_run(&host, &heard, "call answer call answer done");
    assert_string_equal(heard.result, "42");
    heard_done(&heard);
    heard.answer = "{}";
    host_run(&host, &heard, "call answer call answer call answer done");
    assert_string_equal(heard.message, BROKE "more calls than its bound).");
    heard_done(&heard);
    host_close(&host);
}

/* ---- sizes and sockets ---- */

static void a_large_result_arrives_whole_and_the_worker_is_used_again(void **state)
{
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    for (int i = 0; i < 3; i++) {
        host_run(&host, &heard, "result:3000000");
        assert_int_equal(heard.result_bytes, 3000000);
        heard_done(&heard);
    }
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_started, 1);
    host_close(&host);
}

static void expect_kept(struct host *host, struct cm_module *modules, size_t count,
                        const char *kept)
{
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };

    for (size_t i = 0; i < count; i++)
        modules[i].source_bytes = strlen(modules[i].source);
    request.code = "import compiled";
    request.code_bytes = strlen(request.code);
    request.modules = modules;
    request.module_count = count;
    host_start_request(host, &heard, &request, true);
    host_finish(host, &heard);
    if (strcmp(heard.result, kept) != 0)
        fail_msg("%s, but not %s%s%s", kept, heard.result, heard.error, heard.message);
    heard_done(&heard);
}

/* Under whatever name; and what is not compiled comes with each run. */
static void a_module_that_comes_again_is_sent_once_to_a_worker(void **state)
{
    struct cm_module modules[] = { { .specifier = "a", .source = "compiled" },
                                   { .specifier = "b", .source = "compiled " },
                                   { .specifier = "t", .kind = CM_MODULE_TEXT, .source = "t" } };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    expect_kept(&host, modules, 3, "[0,0,0]");
    expect_kept(&host, modules, 3, "[1,2,0]");
    modules[0].source = "compiled  ";
    expect_kept(&host, modules, 3, "[0,2,0]");
    modules[1].specifier = "c";
    expect_kept(&host, modules, 3, "[3,2,0]");
    expect_kept(&host, modules, 2, "[3,2]");
    host_close(&host);
}

static void no_more_modules_are_kept_than_a_worker_takes(void **state)
{
    enum { COUNT = IPC_KEEP_MAX + 2 };
    static struct cm_module modules[COUNT];
    static char names[COUNT][16];
    static char texts[COUNT][COUNT + 16];
    char kept[COUNT * 4 + 16] = "[1";
    struct host host;

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "%d", i);
        snprintf(texts[i], sizeof(texts[i]), "compiled%*s", i, "");
        modules[i] = (struct cm_module){ .specifier = names[i], .source = texts[i] };
        if (i > 0)
            sprintf(kept + strlen(kept), ",%d", i < IPC_KEEP_MAX ? i + 1 : 0);
    }
    strcat(kept, "]");
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    host_set(&host, "PROGRAMS_PER_WORKER", "1000");
    for (int i = 0; i < COUNT; i++)
        expect_kept(&host, &modules[i], 1, "[0]");
    expect_kept(&host, modules, COUNT, kept);
    host_close(&host);
}

/* The text that ends its compiler fails alone; two processes have compiled the others. */
static void many_texts_are_compiled_in_two_processes(void **state)
{
    enum { COUNT = 16, BYTES = 8192 };
    static struct cm_module modules[COUNT];
    static char names[COUNT][16];
    static char texts[COUNT][BYTES + 1];
    struct cm_stats stats;
    struct host host;

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "%d", i);
        snprintf(texts[i], sizeof(texts[i]), "%s%*s", i == 3 ? "exit:3" : "compiled", BYTES / 2 + i,
                 "");
        modules[i] = (struct cm_module){ .specifier = names[i], .source = texts[i] };
    }
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    host_set(&host, "WORKERS_IDLE", "0");
    expect_kept(&host, modules, COUNT, "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]");
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.modules_compiled, COUNT);
    assert_in_range(stats.workers_started, 1 + 2, 1 + 2 + 2);
    expect_kept(&host, modules, COUNT, "[1,2,3,0,4,5,6,7,8,9,10,11,12,13,14,15]");
    host_close(&host);
}

static void a_program_that_does_not_fit_the_socket_arrives_whole(void **state)
{
    enum { BYTES = 4000000 };
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0 };
    char *code = malloc(BYTES);
    struct host host;

    (void)state;
    assert_non_null(code);
    memset(code, ' ', BYTES);
    memcpy(code + BYTES - 4, "done", 4);
    host_open(&host, "fake_worker");
    request.code = code;
    request.code_bytes = BYTES;
    host_start_request(&host, &heard, &request, true);
    host_finish(&host, &heard);
    assert_string_equal(heard.result, "42");
    heard_done(&heard);
    free(code);
    host_close(&host);
}

static void answer_with_a_megabyte(struct heard *heard)
{
    enum { BYTES = 1 << 20 };
    char *text = malloc(BYTES);

    assert_non_null(text);
    memset(text, ' ', BYTES);
    assert_int_equal(cm_run_answer(heard->run, heard->calls[heard->call_count - 1], text, BYTES),
                     0);
    free(text);
}

static void a_worker_that_does_not_read_its_answers_holds_nobody_up(void **state)
{
    struct heard stuck = { .in_call = answer_with_a_megabyte };
    struct heard other = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_start(&host, &stuck, "calls:3 hang");
    host_until_calls(&host, &stuck, 3);
    host_run(&host, &other, "done");
    assert_string_equal(other.result, "42");
    cm_run_cancel(stuck.run);
    host_finish(&host, &stuck);
    assert_int_equal(stuck.fault, CM_FAULT_CANCELLED);
    assert_string_equal(stuck.message, "The host cancelled the execution.");
    heard_done(&stuck);
    heard_done(&other);
    host_close(&host);
}

static void a_worker_that_ends_with_answers_unread_is_replaced(void **state)
{
    struct heard heard = { .in_call = answer_with_a_megabyte };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "hold call done");
    assert_string_equal(heard.result, "42");
    heard_done(&heard);
    host_still_runs(&host);
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_started, 2);
    host_close(&host);
}

/* ---- the pool ---- */

static void a_burst_of_waiting_runs_starts_a_worker_for_each(void **state)
{
    struct heard heard[6] = { { 0 } };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    for (size_t i = 0; i < CM_ARRAY_LEN(heard); i++)
        host_start(&host, &heard[i], "call answer done");
    for (size_t i = 0; i < CM_ARRAY_LEN(heard); i++)
        host_until_calls(&host, &heard[i], 1);
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_started, CM_ARRAY_LEN(heard));
    for (size_t i = 0; i < CM_ARRAY_LEN(heard); i++) {
        assert_int_equal(cm_run_answer(heard[i].run, 1, "{}", 2), 0);
        host_finish(&host, &heard[i]);
        heard_done(&heard[i]);
    }
    host_close(&host);
}

static void idle_workers_are_kept_ready_and_surplus_ones_end(void **state)
{
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_IDLE", "2");
    host_set(&host, "WORKER_IDLE_MS", "20");
    host_run(&host, &heard, "done");
    heard_done(&heard);
    do {
        host_turn(&host);
        cm_executor_stats(host.executor, &stats);
    } while (stats.workers_started < 3 || stats.workers_live != 2);
    assert_int_equal(stats.workers_ready, 2);
    host_close(&host);
}

static void a_run_beyond_the_queue_is_refused_at_once(void **state)
{
    struct heard first = { 0 };
    struct heard second = { 0 };
    struct heard third = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    host_set(&host, "QUEUE_LIMIT", "1");
    host_start(&host, &first, "call answer done");
    host_until_calls(&host, &first, 1);
    host_start(&host, &second, "done");
    host_start(&host, &third, "done");
    host_finish(&host, &third);
    assert_int_equal(third.fault, CM_FAULT_OVERLOADED);
    assert_string_equal(
        third.message,
        "The executor is overloaded: its queue is full, with 1 waiting for a worker. Try "
        "again later.");
    assert_int_equal(cm_run_answer(first.run, 1, "{}", 2), 0);
    host_finish(&host, &first);
    host_finish(&host, &second);
    assert_string_equal(second.result, "42");
    heard_done(&first);
    heard_done(&second);
    heard_done(&third);
    host_close(&host);
}

static void a_queue_of_none_takes_what_has_a_worker(void **state)
{
    struct heard first = { 0 };
    struct heard second = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    host_set(&host, "QUEUE_LIMIT", "0");
    host_start(&host, &first, "call hang");
    host_start(&host, &second, "done");
    host_finish(&host, &second);
    assert_int_equal(second.fault, CM_FAULT_OVERLOADED);
    host_until_calls(&host, &first, 1);
    heard_done(&first);
    heard_done(&second);
    host_close(&host);
}

static void a_run_waits_for_a_worker_no_longer_than_its_bound(void **state)
{
    struct heard first = { 0 };
    struct heard second = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    host_set(&host, "QUEUE_TIMEOUT_MS", "1000");
    host_start(&host, &first, "call hang");
    host_until_calls(&host, &first, 1);
    host_start(&host, &second, "done");
    host_finish(&host, &second);
    assert_int_equal(second.fault, CM_FAULT_OVERLOADED);
    assert_string_equal(second.message, "The executor is overloaded: no worker became free within "
                                        "1,000 ms. Try again later.");
    assert_int_equal(second.charged_ns, 0);
    heard_done(&first);
    heard_done(&second);
    host_close(&host);
}

/* ---- the host's own doings ---- */

static void a_cancelled_run_ends_with_cancelled_and_its_log_lines(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_start(&host, &heard, "log:one call spin");
    host_until_calls(&host, &heard, 1);
    cm_run_cancel(heard.run);
    cm_run_cancel(heard.run);
    assert_int_equal(heard.ends, 0);
    host_finish(&host, &heard);
    assert_int_equal(heard.fault, CM_FAULT_CANCELLED);
    assert_string_equal(heard.logs, "log one|");
    assert_int_equal(heard.drop_count, 1);
    heard_done(&heard);
    host_close(&host);
}

static void cancel_it(struct heard *heard)
{
    cm_run_cancel(heard->run);
}

static void free_it(struct heard *heard)
{
    cm_run_free(heard->run);
    heard->run = NULL;
}

static void a_run_may_be_cancelled_in_each_callback(void **state)
{
    struct heard in_call = { .in_call = cancel_it };
    struct heard in_log = { .in_log = cancel_it };
    struct heard in_last_log = { .in_log = cancel_it };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &in_call, "call done");
    assert_int_equal(in_call.fault, CM_FAULT_CANCELLED);
    host_run(&host, &in_log, "log:x done");
    assert_int_equal(in_log.fault, CM_FAULT_CANCELLED);
    host_run(&host, &in_last_log, "call done"); /* in the line about unanswered calls */
    assert_int_equal(in_last_log.fault, CM_FAULT_CANCELLED);
    heard_done(&in_call);
    heard_done(&in_log);
    heard_done(&in_last_log);
    host_close(&host);
}

static void until_freed(struct host *host, struct heard *heard, const char *code)
{
    host_start(host, heard, code);
    while (heard->run != NULL)
        host_turn(host);
}

static void a_run_may_be_freed_in_each_callback(void **state)
{
    struct heard in_call = { .in_call = free_it };
    struct heard in_log = { .in_log = free_it };
    struct heard in_drop = { .in_drop = free_it };
    struct heard in_end = { .in_end = free_it };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    until_freed(&host, &in_call, "call done");
    until_freed(&host, &in_log, "log:x done");
    until_freed(&host, &in_drop, "calls:3 done");
    until_freed(&host, &in_end, "done");
    assert_int_equal(in_call.ends + in_log.ends + in_drop.ends, 0);
    assert_int_equal(in_drop.drop_count, 1);
    assert_int_equal(in_end.ends, 1);
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.runs_live, 0);
    assert_int_equal(stats.runs_started, stats.runs_ended);
    host_close(&host);
}

static void a_live_run_may_be_freed_at_any_time(void **state)
{
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_start(&host, &heard, "call hang"); /* queued */
    heard_done(&heard);
    host_start(&host, &heard, "call hang");
    host_until_calls(&host, &heard, 1);
    heard_done(&heard);
    host_still_runs(&host);
    host_close(&host);
}

static void freeing_the_executor_ends_every_run_first(void **state)
{
    struct heard queued = { 0 };
    struct heard running = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_set(&host, "WORKERS_MAX", "1");
    host_start(&host, &running, "call spin");
    host_until_calls(&host, &running, 1);
    host_start(&host, &queued, "done");
    cm_executor_free(CM_TAKE(host.executor));
    assert_int_equal(queued.ends, 1);
    assert_int_equal(running.ends, 1);
    assert_int_equal(running.fault, CM_FAULT_INTERNAL);
    assert_string_equal(running.message, "The pool is shutting down.");
    assert_int_equal(running.drop_count, 1);
    assert_null(cm_run_executor(running.run));
    cm_run_cancel(running.run);
    assert_int_equal(cm_run_answer(running.run, 1, "{}", 2), CM_E_STATE);
    assert_non_null(cm_run_outcome(running.run));
    heard_done(&queued);
    heard_done(&running);
    host_close(&host);
}

static void a_disposed_executor_finishes_and_takes_no_more(void **state)
{
    struct heard admitted = { 0 };
    struct heard late = { 0 };
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_start(&host, &admitted, "done");
    cm_executor_dispose(host.executor);
    host_start(&host, &late, "done");
    host_finish(&host, &late);
    assert_int_equal(late.fault, CM_FAULT_INTERNAL);
    assert_string_equal(late.message, "The pool is shutting down.");
    host_finish(&host, &admitted);
    assert_string_equal(admitted.result, "42");
    while (host_processes() > 0)
        host_turn(&host);
    heard_done(&admitted);
    heard_done(&late);
    host_close(&host);
}

static void a_malformed_request_ends_with_invalid_request(void **state)
{
    struct heard heard = { 0 };
    struct cm_stats stats;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "");
    assert_int_equal(heard.fault, CM_FAULT_INVALID_REQUEST);
    assert_string_equal(heard.message, "code is empty; it is a non-empty string");
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.zygotes_started, 0);
    heard_done(&heard);
    host_close(&host);
}

static void execute_runs_one_program_to_its_end(void **state)
{
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err = CM_ERROR_INIT;
    struct cm_run *run = NULL;
    struct host host;

    (void)state;
    host_open(&host, "fake_worker");
    request.code = "done";
    request.code_bytes = 4;
    assert_int_equal(cm_execute(host_executor(&host), &request, NULL, NULL, &run, &err), 0);
    assert_string_equal(cm_run_outcome(run)->result, "42");
    assert_string_equal(cm_executor_report(host.executor)->engine, "FakeEngine 1.0");
    assert_string_equal(cm_executor_report(host.executor)->layers[IPC_LAYER_USER_NS].detail,
                        "Operation not permitted");
    cm_run_free(run);
    host_close(&host);
}

static void children_that_the_host_has_reaped_are_no_trouble(void **state)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct sigaction before;
    struct heard heard = { 0 };
    struct host host;

    (void)state;
    sigaction(SIGCHLD, &ignore, &before);
    host_open(&host, "fake_worker");
    host_run(&host, &heard, "exit:3");
    assert_int_equal(heard.fault, CM_FAULT_WORKER_LOST);
    heard_done(&heard);
    host_close(&host);
    sigaction(SIGCHLD, &before, NULL);
}

static void the_hosts_other_children_are_left_alone(void **state)
{
    struct heard heard = { 0 };
    struct host host;
    pid_t mine;
    int status;

    (void)state;
    host_open(&host, "fake_worker");
    mine = fork();
    if (mine == 0)
        _exit(5);
    host_run(&host, &heard, "done");
    heard_done(&heard);
    host_close(&host);
    assert_int_equal(waitpid(mine, &status, 0), mine);
    assert_int_equal(WEXITSTATUS(status), 5);
    assert_int_equal(waitpid(-1, &status, WNOHANG), -1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_busy_run_is_killed_at_its_clock_and_keeps_its_log_lines),
    cmocka_unit_test(a_clock_of_a_fraction_is_printed_as_it_was_given),
    cmocka_unit_test(max_timeout_caps_the_clock_of_every_run),
    cmocka_unit_test(a_host_wait_is_free_until_the_wall_bound),
    cmocka_unit_test(a_worker_that_computes_while_it_claims_to_wait_is_charged),
    cmocka_unit_test(a_wait_with_a_timer_pending_is_charged),
    cmocka_unit_test(a_fetch_of_the_host_is_free_and_one_of_the_executor_is_charged),
    cmocka_unit_test(a_body_that_waits_for_the_program_is_not_charged),
    cmocka_unit_test(count_host_waits_charges_them),
    cmocka_unit_test(death_for_want_of_memory_is_the_programs_failure),
    cmocka_unit_test(the_console_bound_is_said_in_the_last_line),
    cmocka_unit_test(an_answer_reaches_the_program),
    cmocka_unit_test(a_rejection_is_made_into_text),
    cmocka_unit_test(an_answer_that_is_not_text_rejects_the_call),
    cmocka_unit_test(an_answer_above_the_message_ceiling_rejects_the_call),
    cmocka_unit_test(calls_that_nobody_answered_are_named_in_a_last_line),
    cmocka_unit_test(one_call_above_the_bound_of_a_run_is_a_breach),
    cmocka_unit_test(a_large_result_arrives_whole_and_the_worker_is_used_again),
    cmocka_unit_test(a_module_that_comes_again_is_sent_once_to_a_worker),
    cmocka_unit_test(no_more_modules_are_kept_than_a_worker_takes),
    cmocka_unit_test(many_texts_are_compiled_in_two_processes),
    cmocka_unit_test(a_program_that_does_not_fit_the_socket_arrives_whole),
    cmocka_unit_test(a_worker_that_does_not_read_its_answers_holds_nobody_up),
    cmocka_unit_test(a_worker_that_ends_with_answers_unread_is_replaced),
    cmocka_unit_test(a_burst_of_waiting_runs_starts_a_worker_for_each),
    cmocka_unit_test(idle_workers_are_kept_ready_and_surplus_ones_end),
    cmocka_unit_test(a_run_beyond_the_queue_is_refused_at_once),
    cmocka_unit_test(a_queue_of_none_takes_what_has_a_worker),
    cmocka_unit_test(a_run_waits_for_a_worker_no_longer_than_its_bound),
    cmocka_unit_test(a_cancelled_run_ends_with_cancelled_and_its_log_lines),
    cmocka_unit_test(a_run_may_be_cancelled_in_each_callback),
    cmocka_unit_test(a_run_may_be_freed_in_each_callback),
    cmocka_unit_test(a_live_run_may_be_freed_at_any_time),
    cmocka_unit_test(freeing_the_executor_ends_every_run_first),
    cmocka_unit_test(a_disposed_executor_finishes_and_takes_no_more),
    cmocka_unit_test(a_malformed_request_ends_with_invalid_request),
    cmocka_unit_test(execute_runs_one_program_to_its_end),
    cmocka_unit_test(children_that_the_host_has_reaped_are_no_trouble),
    cmocka_unit_test(the_hosts_other_children_are_left_alone),
};

int main(int argc, char **argv)
{
    return host_main(argc, argv, "supervisor", tests, CM_ARRAY_LEN(tests));
}
