/* Executors whose runs a daemon carries out: how a connection begins and ends, and what
 * becomes of its runs. That programs do the same there as here is shown by the other
 * tests of this folder, which run through a daemon as well. */
#include "../loopback.h"
#include "base/cleanup.h"
#include "client/websocket.h"
#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static const char answer_42[] = "async () => 42";
static const char wait_forever[] = "async () => store.silent()";

/* ---- connecting ---- */

static int listen_anywhere(char *url, size_t cap)
{
    uint16_t port;
    int fd = loopback_listen(8, &port);

    snprintf(url, cap, "ws://127.0.0.1:%u", port);
    return fd;
}

static void expect_rejected(const struct job *job, const char *url)
{
    char message[128];

    snprintf(message, sizeof(message), "Executor handshake failed for %s", url);
    expect_fault(job, "CONNECTION_REJECTED", message);
    assert_int_equal(cm_run_outcome(job->run)->retryable, 0);
}

static void open_url(struct host *host, const char *url)
{
    struct cm_error err = CM_ERROR_INIT;

    *host = (struct host){ 0 };
    if (cm_connect(url, NULL, &host->executor, &err) < 0)
        fail_msg("%s", err.text);
}

static void a_daemon_that_does_not_listen_rejects_the_connection(void **state)
{
    struct job job = { .code = answer_42 };
    struct host nobody;
    char url[64];

    (void)state;
    close(listen_anywhere(url, sizeof(url)));
    open_url(&nobody, url);
    host_run(&nobody, &job);
    expect_rejected(&job, url);
    job_done(&job);
    cm_executor_free(nobody.executor);
}

/* Takes the connection of the run, says something, and closes. */
static void serve_once(struct host *host, const struct job *job, int listener, const char *text)
{
    char request[2048];

    while (job->ends == 0) {
        struct pollfd fds[] = { { cm_executor_fd(host->executor), POLLIN, 0 },
                                { listener, POLLIN, 0 } };
        int fd;

        assert_true(poll(fds, 2, cm_executor_timeout_ms(host->executor)) >= 0);
        cm_executor_process(host->executor);
        if (fds[1].revents == 0)
            continue;
        fd = accept(listener, NULL, NULL);
        assert_true(fd >= 0);
        cm_executor_process(host->executor);
        assert_true(recv(fd, request, sizeof(request), MSG_DONTWAIT) >= -1);
        assert_int_equal(write(fd, text, strlen(text)), strlen(text));
        shutdown(fd, SHUT_WR);
        while (job->ends == 0)
            host_turn(host);
        close(fd);
    }
}

static void a_server_that_is_no_daemon_rejects_the_connection(void **state)
{
    static const char *const answers[] = {
        "",
        "garbage\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 403 Forbidden\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(answers); i++) {
        struct job job = { .code = answer_42 };
        struct host stranger;
        char url[64];
        CM_AUTO_FD int listener = listen_anywhere(url, sizeof(url));

        open_url(&stranger, url);
        host_start(&stranger, &job);
        serve_once(&stranger, &job, listener, answers[i]);
        expect_rejected(&job, url);
        job_done(&job);
        cm_executor_free(stranger.executor);
    }
}

/* What the client has sent, with a NUL; ends with that text, where one is given. */
static size_t hear(struct host *host, int fd, char *to, size_t cap, const char *until)
{
    size_t n = 0;

    for (;;) {
        ssize_t more = recv(fd, to + n, cap - 1 - n, MSG_DONTWAIT);

        if (more > 0)
            n += (size_t)more;
        to[n] = '\0';
        if (more == 0 || (until != NULL && strstr(to, until) != NULL))
            return n;
        cm_executor_process(host->executor);
    }
}

/* Accepts the upgrade of the run and sends a frame; the last frame of the client. */
static void send_frame(struct host *host, struct job *job, int listener, const char *frame,
                       size_t frame_bytes, uint8_t ret_last[8])
{
    char text[4096];
    char key[64];
    char accept_text[WEBSOCKET_ACCEPT_CHARS + 1];
    size_t n;
    CM_AUTO_FD int fd = -1;

    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) < 0)
        cm_executor_process(host->executor);
    hear(host, fd, text, sizeof(text), "\r\n\r\n");
    assert_true(websocket_header(text, "Sec-WebSocket-Key", key, sizeof(key)));
    assert_true(websocket_accept(key, accept_text));
    n = (size_t)snprintf(text, sizeof(text),
                         "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                         accept_text);
    memcpy(text + n, frame, frame_bytes);
    assert_int_equal(write(fd, text, n + frame_bytes), n + frame_bytes);
    while (job->ends == 0)
        host_turn(host);
    n = hear(host, fd, text, sizeof(text), NULL);
    assert_true(n >= 8);
    memcpy(ret_last, text + n - 8, 8);
}

static void a_server_that_breaks_the_framing_is_told_how(void **state)
{
    static const struct {
        const char *frame;
        size_t bytes;
        unsigned code;
    } rows[] = {
        { "\x83\x00", 2, 1002 },                  /* an opcode that is none */
        { "\x81\x81mask!", 7, 1002 },             /* a mask */
        { "\x80\x00", 2, 1002 },                  /* a continuation of nothing */
        { "\x82\x01x", 3, 1003 },                 /* bytes */
        { "\x81\x02\xc3(", 4, 1007 },             /* no UTF-8 */
        { "\x81\x7f\0\0\1\0\0\0\0\0", 10, 1009 }, /* a terabyte */
        { "\x88\x01x", 3, 1002 },                 /* half a close code */
        { "\x88\x02\x03\xe9", 4, 1001 },          /* what is no breach is answered with the same */
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct job job = { .code = answer_42 };
        struct host stranger;
        char url[64];
        uint8_t last[8];
        CM_AUTO_FD int listener = listen_anywhere(url, sizeof(url));

        open_url(&stranger, url);
        host_start(&stranger, &job);
        assert_int_equal(fcntl(listener, F_SETFL, O_NONBLOCK), 0);
        send_frame(&stranger, &job, listener, rows[i].frame, rows[i].bytes, last);
        assert_int_equal(last[0], 0x80 | WEBSOCKET_CLOSE);
        assert_int_equal(last[1], 0x80 | 2);
        assert_int_equal((last[6] ^ last[2]) << 8 | (last[7] ^ last[3]), rows[i].code);
        expect_rejected(&job, url);
        job_done(&job);
        cm_executor_free(stranger.executor);
    }
}

static void what_is_no_url_of_a_daemon_is_refused(void **state)
{
    static const char *const urls[] = { "",       "127.0.0.1:8080", "http://127.0.0.1", "ws://",
                                        "ws:///", "ws://a:b@host",  "ws://host:99999" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(urls); i++) {
        struct cm_executor *executor = NULL;
        struct cm_error err = CM_ERROR_INIT;

        assert_int_equal(cm_connect(urls[i], NULL, &executor, &err), CM_E_INVAL);
        assert_null(executor);
        assert_non_null(strstr(err.text, "it is like ws://127.0.0.1:8080"));
    }
}

static const char *const with_token[] = { "AUTH_TOKEN", "open-sesame-please", NULL };

static void run_with_token(const char *token, struct job *job, struct host *host)
{
    host_connect(host, with_token, token);
    host_run(host, job);
}

static void a_token_is_presented(void **state)
{
    struct job job = { .code = answer_42 };
    struct host host;

    (void)state;
    run_with_token("open-sesame-please", &job, &host);
    expect_result(&job, "42");
    job_done(&job);
    host_close(&host);
}

static void without_the_right_token_runs_are_unauthorized(void **state)
{
    static const char *const wrong[] = { NULL, "open-barley-please" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(wrong); i++) {
        struct job job = { .code = answer_42 };
        struct host host;

        run_with_token(wrong[i], &job, &host);
        expect_text("fault", cm_fault_name(cm_run_outcome(job.run)->fault), "UNAUTHORIZED");
        job_done(&job);
        host_close(&host);
    }
}

static void the_name_of_a_host_is_resolved(void **state)
{
    struct job job = { .code = answer_42 };
    struct host named;
    struct host host;
    char url[64];

    (void)state;
    host_connect(&host, NULL, NULL);
    snprintf(url, sizeof(url), "ws://localhost:%u/?a=b", served_port(&host.served));
    open_url(&named, url);
    host_run(&named, &job);
    expect_result(&job, "42");
    job_done(&job);
    cm_executor_free(named.executor);
    host_close(&host);
}

/* ---- a connection that breaks ---- */

static void a_run_that_waits_when_its_daemon_dies_is_broken(void **state)
{
    struct job job = { .code = wait_forever };
    struct host host;
    char message[128];

    (void)state;
    host_connect(&host, NULL, NULL);
    host_start(&host, &job);
    host_until_calls(&host, &job, 1);
    served_kill(&host.served);
    host_finish(&host, &job);
    snprintf(message, sizeof(message),
             "The connection to %s broke before the execution was answered", host.served.url);
    expect_fault(&job, "CONNECTION_BROKEN", message);
    assert_int_equal(cm_run_outcome(job.run)->retryable, 1);
    assert_int_equal(job.drop_count, 1);
    job_done(&job);
    host_close(&host);
}

static void the_next_run_connects_anew(void **state)
{
    struct job waits = { .code = wait_forever };
    struct job early = { .code = answer_42 };
    struct job late = { .code = answer_42 };
    struct host host;
    uint16_t port;

    (void)state;
    host_connect(&host, NULL, NULL);
    port = served_port(&host.served);
    host_start(&host, &waits);
    host_until_calls(&host, &waits, 1);
    served_kill(&host.served);
    host_finish(&host, &waits);
    host_run(&host, &early);
    expect_rejected(&early, host.served.url);
    served_start(&host.served, getenv("CM_TEST_DAEMON"), worker_program(), NULL, port);
    host_run(&host, &late);
    expect_result(&late, "42");
    job_done(&waits);
    job_done(&early);
    job_done(&late);
    host_close(&host);
}

/* ---- runs ---- */

static void a_cancelled_run_ends_and_the_connection_goes_on(void **state)
{
    struct job job = { .code = wait_forever };
    struct job next = { .code = answer_42 };
    struct host host;

    (void)state;
    host_connect(&host, NULL, NULL);
    host_start(&host, &job);
    host_until_calls(&host, &job, 1);
    cm_run_cancel(job.run);
    assert_int_equal(job.ends, 0);
    host_finish(&host, &job);
    expect_fault(&job, "CANCELLED", "The host cancelled the execution.");
    assert_int_equal(job.drop_count, 1);
    assert_int_equal(cm_run_answer(job.run, job.open[0], "{}", 2), CM_E_STATE);
    host_run(&host, &next);
    expect_result(&next, "42");
    job_done(&job);
    job_done(&next);
    host_close(&host);
}

static void a_run_that_is_given_back_ends_without_a_word(void **state)
{
    struct job job = { .code = wait_forever };
    struct job next = { .code = answer_42 };
    struct host host;

    (void)state;
    host_connect(&host, NULL, NULL);
    host_start(&host, &job);
    host_until_calls(&host, &job, 1);
    job_done(&job);
    host_run(&host, &next);
    expect_result(&next, "42");
    assert_int_equal(job.ends, 0);
    job_done(&next);
    host_close(&host);
}

static void runs_outlive_their_executor_with_their_outcome(void **state)
{
    struct job done = { .code = "async () => { console.log('kept'); return 'x'.repeat(100000) }" };
    struct job live = { .code = wait_forever };
    struct host host;

    (void)state;
    host_connect(&host, NULL, NULL);
    host_run(&host, &done);
    host_start(&host, &live);
    host_until_calls(&host, &live, 1);
    host_close(&host);
    expect_fault(&live, "INTERNAL", "The pool is shutting down.");
    assert_int_equal(live.ends, 1);
    assert_int_equal(cm_run_outcome(done.run)->result_bytes, 100002);
    expect_logs(&done, "log kept|");
    job_done(&done);
    job_done(&live);
}

static void hundreds_of_runs_wait_for_their_tools_at_once(void **state)
{
    enum { RUNS = 200 };
    static struct job jobs[RUNS];
    static const char *const settings[] = { "CONNECTION_RUNS", "200", "WORKERS_MAX", "200", NULL };
    struct host host;

    (void)state;
    host_connect(&host, settings, NULL);
    for (size_t i = 0; i < RUNS; i++) {
        jobs[i] = (struct job){ .code = "async () => store.hold()" };
        host_start(&host, &jobs[i]);
    }
    for (size_t i = 0; i < RUNS; i++)
        host_until_calls(&host, &jobs[i], 1);
    for (size_t i = 0; i < RUNS; i++)
        assert_int_equal(cm_run_answer(jobs[i].run, jobs[i].open[0], "{\"result\":1}", 12), 0);
    for (size_t i = 0; i < RUNS; i++) {
        host_finish(&host, &jobs[i]);
        expect_result(&jobs[i], "1");
        job_done(&jobs[i]);
    }
    host_close(&host);
}

static void what_only_a_pool_here_can_do_is_refused(void **state)
{
    struct job job = { .code = answer_42, .key = "tenant" };
    struct host host;

    (void)state;
    host_connect(&host, NULL, NULL);
    host_run(&host, &job);
    expect_fault(&job, "INVALID_REQUEST", "isolation_key is given; a connection is its own key");
    assert_null(cm_executor_report(host.executor));
    job_done(&job);
    host_close(&host);
}

/* The daemon's lower bound is known once it has greeted. */
static void the_daemons_bound_on_a_message_holds(void **state)
{
    static const char *const settings[] = { "MESSAGE_LIMIT_BYTES", "65536", NULL };
    static char large[70000];
    struct job first = { .code = answer_42 };
    struct job job = { .code = large };
    struct host host;

    (void)state;
    memset(large, ' ', sizeof(large) - 1);
    host_connect(&host, settings, NULL);
    host_run(&host, &first);
    host_run(&host, &job);
    expect_text("fault", cm_fault_name(cm_run_outcome(job.run)->fault), "INVALID_REQUEST");
    job_done(&first);
    job_done(&job);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_daemon_that_does_not_listen_rejects_the_connection),
        cmocka_unit_test(a_server_that_is_no_daemon_rejects_the_connection),
        cmocka_unit_test(a_server_that_breaks_the_framing_is_told_how),
        cmocka_unit_test(what_is_no_url_of_a_daemon_is_refused),
        cmocka_unit_test(a_token_is_presented),
        cmocka_unit_test(without_the_right_token_runs_are_unauthorized),
        cmocka_unit_test(the_name_of_a_host_is_resolved),
        cmocka_unit_test(a_run_that_waits_when_its_daemon_dies_is_broken),
        cmocka_unit_test(the_next_run_connects_anew),
        cmocka_unit_test(a_cancelled_run_ends_and_the_connection_goes_on),
        cmocka_unit_test(a_run_that_is_given_back_ends_without_a_word),
        cmocka_unit_test(runs_outlive_their_executor_with_their_outcome),
        cmocka_unit_test(hundreds_of_runs_wait_for_their_tools_at_once),
        cmocka_unit_test(what_only_a_pool_here_can_do_is_refused),
        cmocka_unit_test(the_daemons_bound_on_a_message_holds),
    };
    static const struct group group = { .name = "client",
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests) };

    return group_main(argc, argv, &group);
}
