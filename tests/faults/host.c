/* See host.h. */
#include "host.h"

#include "../processes.h"

#include "base/cleanup.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char fake_path[PATH_MAX];
static char link_directory[] = "/tmp/codemode-faults-XXXXXX";

static const char *const link_names[] = {
    "fake_worker",        "wrong-version", "wrong-ipc",      "cannot-serve",
    "hello-twice",        "nonsense",      "exits-early",    "refuses",
    "refuses-twice",      "dead-workers",  "forks-and-dies", "dies-instead",
    "reports-a-stranger", "forks-unasked", "says-nothing",   "only-says-hello",
    "mute-workers",
};

static void make_links(const char *fake_worker)
{
    if (realpath(fake_worker, fake_path) == NULL || mkdtemp(link_directory) == NULL) {
        perror(fake_worker);
        exit(2);
    }
    for (size_t i = 0; i < CM_ARRAY_LEN(link_names); i++)
        if (symlink(fake_path, host_link(link_names[i])) < 0)
            perror(link_names[i]);
}

static void remove_links(void)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(link_names); i++)
        unlink(host_link(link_names[i]));
    rmdir(link_directory);
}

const char *host_link(const char *name)
{
    static char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", link_directory, name);
    return path;
}

const char *host_fake_path(void)
{
    return fake_path;
}

size_t host_processes(void)
{
    return processes_below(getpid());
}

void host_open(struct host *host, const char *name)
{
    *host = (struct host){ .settings = cm_settings_new() };
    assert_non_null(host->settings);
    host_set(host, "WORKER_PATH", host_link(name));
    host_set(host, "WORKERS_IDLE", "0");
    host->fds_before = processes_descriptors();
}

void host_set(struct host *host, const char *name, const char *value)
{
    struct cm_error err = CM_ERROR_INIT;

    if (cm_settings_set(host->settings, name, value, &err) < 0)
        fail_msg("%s", err.text);
}

struct cm_executor *host_executor(struct host *host)
{
    struct cm_error err = CM_ERROR_INIT;

    if (host->executor == NULL && cm_executor_new(host->settings, &host->executor, &err) < 0)
        fail_msg("%s", err.text);
    return host->executor;
}

void host_close(struct host *host)
{
    cm_executor_free(host->executor);
    cm_settings_free(host->settings);
    assert_int_equal(host_processes(), 0);
    assert_int_equal(processes_descriptors(), host->fds_before);
}

static void copy(char *to, const char *from)
{
    snprintf(to, HOST_TEXT_MAX, "%s", from == NULL ? "" : from);
}

static void on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    struct heard *heard = user;

    assert_string_equal(call->provider, "store");
    assert_string_equal(call->tool, "slow");
    assert_string_equal(call->args, "[1,2]");
    assert_true(heard->call_count < HOST_CALLS_MAX);
    heard->calls[heard->call_count++] = call->id;
    if (heard->in_call != NULL)
        heard->in_call(heard);
    else if (heard->answer != NULL)
        assert_int_equal(cm_run_answer(run, call->id, heard->answer, strlen(heard->answer)), 0);
}

static void on_drop(void *user, struct cm_run *run, uint32_t call_id)
{
    struct heard *heard = user;

    (void)run;
    (void)call_id;
    assert_int_equal(heard->ends, 0);
    heard->drop_count++;
    if (heard->in_drop != NULL)
        heard->in_drop(heard);
}

static void on_log(void *user, struct cm_run *run, const struct cm_log *line)
{
    struct heard *heard = user;

    (void)run;
    (void)line;
    assert_int_equal(heard->ends, 0);
    heard->lines_live++;
    if (heard->in_log != NULL)
        heard->in_log(heard);
}

static void on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    struct heard *heard = user;
    size_t used = 0;

    assert_ptr_equal(cm_run_outcome(run), outcome);
    heard->ends++;
    heard->fault = outcome->fault;
    heard->failure = outcome->failure;
    heard->result_bytes = outcome->result_bytes;
    heard->charged_ns = outcome->charged_ns;
    copy(heard->message, outcome->message);
    copy(heard->error, outcome->error);
    copy(heard->result, outcome->result);
    assert_int_equal(outcome->log_count, heard->lines_live);
    for (size_t i = 0; i < outcome->log_count && used < HOST_TEXT_MAX; i++)
        used += (size_t)snprintf(heard->logs + used, HOST_TEXT_MAX - used, "%s %s|",
                                 cm_level_name(outcome->logs[i].level), outcome->logs[i].text);
    if (heard->in_end != NULL)
        heard->in_end(heard);
}

/* Never answered: what a worker may do meanwhile is what a test looks at. */
static void on_fetch(void *user, struct cm_run *run, const struct cm_fetch *fetch)
{
    struct heard *heard = user;

    (void)run;
    assert_true(heard->call_count < HOST_CALLS_MAX);
    heard->calls[heard->call_count++] = fetch->id;
}

static const struct cm_events with_calls = {
    .on_call = on_call, .on_drop = on_drop, .on_log = on_log, .on_end = on_end, .on_fetch = on_fetch
};
static const struct cm_events without_calls = { .on_drop = on_drop,
                                                .on_log = on_log,
                                                .on_end = on_end };

void host_invoke(struct host *host, struct heard *heard, const char *execution_id,
                 const struct cm_fetch *request)
{
    struct cm_error err = CM_ERROR_INIT;

    if (cm_invoke_start(host_executor(host), execution_id, "default", request, &with_calls, heard,
                        &heard->run, &err) < 0)
        fail_msg("%s", err.text);
}

void host_start_request(struct host *host, struct heard *heard, const struct cm_request *request,
                        bool takes_calls)
{
    struct cm_error err = CM_ERROR_INIT;

    if (cm_run_start(host_executor(host), request, takes_calls ? &with_calls : &without_calls,
                     heard, &heard->run, &err) < 0)
        fail_msg("%s", err.text);
}

void host_start(struct host *host, struct heard *heard, const char *code)
{
    struct cm_request request = CM_REQUEST_INIT;

    request.code = code;
    request.code_bytes = strlen(code);
    host_start_request(host, heard, &request, true);
}

void host_turn(struct host *host)
{
    struct pollfd ready = { cm_executor_fd(host->executor), POLLIN, 0 };

    assert_true(poll(&ready, 1, cm_executor_timeout_ms(host->executor)) >= 0 || errno == EINTR);
    assert_true(cm_executor_process(host->executor) >= 0);
}

void host_until_calls(struct host *host, struct heard *heard, size_t count)
{
    while (heard->call_count < count) {
        if (heard->ends > 0)
            fail_msg("the run ended early: %s%s", heard->message, heard->error);
        host_turn(host);
    }
}

void host_finish(struct host *host, struct heard *heard)
{
    while (heard->ends == 0)
        host_turn(host);
    assert_int_equal(heard->ends, 1);
}

void host_run(struct host *host, struct heard *heard, const char *code)
{
    host_run_for(host, heard, code, 0);
}

void host_run_for(struct host *host, struct heard *heard, const char *code, double timeout_ms)
{
    struct cm_request request = CM_REQUEST_INIT;

    request.code = code;
    request.code_bytes = strlen(code);
    request.timeout_ms = timeout_ms;
    host_start_request(host, heard, &request, true);
    host_finish(host, heard);
}

void host_still_runs(struct host *host)
{
    struct heard heard = { 0 };

    host_run(host, &heard, "done");
    assert_string_equal(heard.result, "42");
    heard_done(&heard);
}

void heard_done(struct heard *heard)
{
    cm_run_free(heard->run);
    *heard = (struct heard){ 0 };
}

int host_main(int argc, char **argv, const char *group, const struct CMUnitTest *tests,
              size_t count)
{
    int failed;

    if (argc < 2) {
        fprintf(stderr, "usage: %s FAKE_WORKER [PATTERN]\n", argv[0]);
        return 2;
    }
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    processes_adopt();
    make_links(argv[1]);
    failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
    remove_links();
    return failed == 0 ? 0 : 1;
}
