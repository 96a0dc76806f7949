/* See harness.h. */
#include "harness.h"

#include "base/cleanup.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

enum { MODULES_MAX = 16 }; /* of a job */

static const char *worker_path;
static const char *programs_path;
static struct host shared; /* of the rows */

const char *programs_directory(void)
{
    return programs_path;
}

const char *worker_program(void)
{
    return worker_path;
}

/* ---- processes and descriptors ---- */

pid_t host_zygote(void)
{
    pid_t pids[PROCESSES_MAX];
    size_t count = processes_children(getpid(), pids);
    char program[PATH_MAX];

    if (realpath(worker_path, program) == NULL)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (processes_runs(pids[i], program))
            return pids[i];
    return 0;
}

size_t host_workers(pid_t *ret_pids)
{
    pid_t zygote = host_zygote();

    return zygote == 0 ? 0 : processes_children(zygote, ret_pids);
}

/* ---- an executor ---- */

static void connect_to(struct host *host, const char *token)
{
    struct cm_connect_options options = CM_CONNECT_OPTIONS_INIT;
    struct cm_error err = CM_ERROR_INIT;

    options.token = token;
    options.settings = host->settings;
    if (cm_connect(host->served.url, &options, &host->executor, &err) < 0)
        fail_msg("%s", err.text);
}

static const char *daemon_program(void)
{
    return getenv("CM_TEST_DAEMON");
}

void host_connect(struct host *host, const char *const *settings, const char *token)
{
    *host = (struct host){ .fds_before = processes_descriptors() };
    served_start(&host->served, daemon_program(), worker_path, settings, 0);
    connect_to(host, token);
}

void host_open(struct host *host, const char *const *settings)
{
    struct cm_error err = CM_ERROR_INIT;

    *host = (struct host){ .settings = cm_settings_new(), .fds_before = processes_descriptors() };
    assert_non_null(host->settings);
    if (cm_settings_set(host->settings, "WORKER_PATH", worker_path, &err) < 0)
        fail_msg("%s", err.text);
    for (const char *const *at = settings; at != NULL && at[0] != NULL; at += 2)
        if (cm_settings_set(host->settings, at[0], at[1], &err) < 0)
            fail_msg("%s", err.text);
    if (daemon_program() != NULL) {
        served_start(&host->served, daemon_program(), worker_path, settings, 0);
        connect_to(host, NULL);
    } else if (cm_executor_new(host->settings, &host->executor, &err) < 0) {
        fail_msg("%s", err.text);
    }
}

void hosts_close(struct host *const *hosts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cm_executor_free(hosts[i]->executor);
        cm_settings_free(hosts[i]->settings);
        served_stop(&hosts[i]->served);
    }
    assert_int_equal(processes_descriptors(), hosts[0]->fds_before);
}

void host_close(struct host *host)
{
    hosts_close(&host, 1);
}

/* ---- tools ---- */

static void answer(struct job *job, uint32_t id, const char *json)
{
    assert_int_equal(cm_run_answer(job->run, id, json, strlen(json)), 0);
}

static void answer_echo(struct job *job, const struct cm_call *call)
{
    size_t cap = call->args_bytes + 16;
    CM_AUTO_FREE char *json = malloc(cap);

    assert_non_null(json);
    snprintf(json, cap, "{\"result\":%s}", call->args);
    answer(job, call->id, json);
}

/* With the first argument, which is a string. */
static void answer_given(struct job *job, const struct cm_call *call, bool reject)
{
    json_t *args = json_loadb(call->args, call->args_bytes, JSON_ALLOW_NUL, NULL);
    const char *text = json_string_value(json_array_get(args, 0));

    assert_non_null(text);
    if (reject)
        assert_int_equal(cm_run_reject(job->run, call->id, text, strlen(text)), 0);
    else
        answer(job, call->id, text);
    json_decref(args);
}

static void answer_name(struct job *job, const struct cm_call *call)
{
    json_t *json = json_pack("{s:s}", "result", call->tool);
    CM_AUTO_FREE char *text = json_dumps(json, 0);

    assert_non_null(text);
    answer(job, call->id, text);
    json_decref(json);
}

static void flush(struct job *job, const struct cm_call *call)
{
    while (job->open_count > 0)
        answer(job, job->open[--job->open_count], "{\"result\":null}");
    answer_name(job, call);
}

static void on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    struct job *job = user;

    assert_int_equal(job->ends, 0);
    job->run = run;
    job->call_count++;
    snprintf(job->last_args, sizeof(job->last_args), "%s", call->args);
    if (job->in_call != NULL) {
        job->in_call(job, call);
    } else if (strcmp(call->tool, "echo") == 0) {
        answer_echo(job, call);
    } else if (strcmp(call->tool, "raw") == 0) {
        answer_given(job, call, false);
    } else if (strcmp(call->tool, "reject") == 0) {
        answer_given(job, call, true);
    } else if (strcmp(call->tool, "silent") == 0 || strcmp(call->tool, "hold") == 0) {
        assert_true(job->open_count < OPEN_CALLS_MAX);
        job->open[job->open_count++] = call->id;
    } else if (strcmp(call->tool, "flush") == 0) {
        flush(job, call);
    } else {
        answer_name(job, call);
    }
}

static void on_drop(void *user, struct cm_run *run, uint32_t call_id)
{
    struct job *job = user;

    (void)run;
    assert_int_equal(job->ends, 0);
    job->drop_count++;
    job->last_drop = call_id;
}

static void on_log(void *user, struct cm_run *run, const struct cm_log *line)
{
    struct job *job = user;

    assert_int_equal(job->ends, 0);
    job->run = run;
    job->live_lines++;
    if (job->in_log != NULL)
        job->in_log(job, line);
}

static void on_fetch(void *user, struct cm_run *run, const struct cm_fetch *fetch)
{
    struct job *job = user;

    assert_int_equal(job->ends, 0);
    job->run = run;
    job->fetch_count++;
    job->in_fetch(job, fetch);
}

static void on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    struct job *job = user;

    assert_ptr_equal(cm_run_outcome(run), outcome);
    assert_int_equal(outcome->log_count, job->live_lines);
    job->ends++;
}

/* ---- runs ---- */

static enum cm_module_kind kind_of(const char *name)
{
    static const struct {
        const char *ending;
        enum cm_module_kind kind;
    } kinds[] = { { ".cjs", CM_MODULE_CJS },
                  { ".json", CM_MODULE_JSON },
                  { ".txt", CM_MODULE_TEXT },
                  { ".bin", CM_MODULE_DATA } };

    for (size_t i = 0; i < CM_ARRAY_LEN(kinds); i++) {
        size_t ending = strlen(kinds[i].ending);

        if (strlen(name) > ending && strcmp(name + strlen(name) - ending, kinds[i].ending) == 0)
            return kinds[i].kind;
    }
    return CM_MODULE_ESM;
}

static size_t list_modules(const struct job *job, struct cm_module *modules)
{
    size_t count = 0;

    for (const char *const *at = job->modules; at != NULL && *at != NULL; at += 2) {
        assert_true(count < MODULES_MAX);
        modules[count++] = (struct cm_module){ at[0], kind_of(at[0]), at[1], strlen(at[1]) };
    }
    return count;
}

static void job_events(struct job *job)
{
    job->events = (struct cm_events){ .on_drop = on_drop, .on_log = on_log, .on_end = on_end };
    if (!job->deaf)
        job->events.on_call = on_call;
    if (job->in_fetch != NULL)
        job->events.on_fetch = on_fetch;
}

void host_start(struct host *host, struct job *job)
{
    struct cm_module modules[MODULES_MAX];
    static const char *const tools[] = { "listUsers" };
    static const struct cm_provider providers[] = { { "store", tools, 1 }, { "other", NULL, 0 } };
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err = CM_ERROR_INIT;

    request.code = job->code;
    request.code_bytes = job->code_bytes > 0 ? job->code_bytes : strlen(job->code);
    request.providers = providers;
    request.provider_count = job->bare ? 0 : CM_ARRAY_LEN(providers);
    request.timeout_ms = job->timeout_ms;
    request.count_host_waits = job->count_host_waits;
    request.isolation_key = job->key;
    request.outbound = job->outbound;
    request.retain_handles = job->retain_handles;
    request.modules = modules;
    request.module_count = list_modules(job, modules);
    request.language = job->typescript ? CM_LANGUAGE_TYPESCRIPT : CM_LANGUAGE_JAVASCRIPT;
    job_events(job);
    if (cm_run_start(host->executor, &request, &job->events, job, &job->run, &err) < 0)
        fail_msg("%s", err.text);
}

void host_invoke(struct host *host, struct job *job, const char *execution_id, const char *handle,
                 const struct cm_fetch *request)
{
    struct cm_error err = CM_ERROR_INIT;

    job_events(job);
    if (cm_invoke_start(host->executor, execution_id, handle, request, &job->events, job, &job->run,
                        &err) < 0)
        fail_msg("%s", err.text);
}

void host_turn(struct host *host)
{
    struct pollfd ready = { cm_executor_fd(host->executor), POLLIN, 0 };

    assert_true(poll(&ready, 1, cm_executor_timeout_ms(host->executor)) >= 0 || errno == EINTR);
    assert_true(cm_executor_process(host->executor) >= 0);
}

void host_until_calls(struct host *host, struct job *job, size_t count)
{
    while (job->call_count < count) {
        if (job->ends > 0)
            fail_msg("the run ended before its call %zu: %s", count,
                     cm_run_outcome(job->run)->error);
        host_turn(host);
    }
}

void host_finish(struct host *host, struct job *job)
{
    while (job->ends == 0)
        host_turn(host);
    assert_int_equal(job->ends, 1);
}

const struct cm_outcome *host_run(struct host *host, struct job *job)
{
    host_start(host, job);
    host_finish(host, job);
    return cm_run_outcome(job->run);
}

void job_done(struct job *job)
{
    cm_run_free(job->run);
    job->run = NULL;
}

/* ---- assertions ---- */

void expect_text(const char *what, const char *got, const char *wanted)
{
    if (got == NULL && wanted == NULL)
        return;
    if (got == NULL || wanted == NULL || strcmp(got, wanted) != 0)
        fail_msg("%s\n     got: %.2000s\n  wanted: %.2000s", what, got == NULL ? "(none)" : got,
                 wanted == NULL ? "(none)" : wanted);
}

void expect_result(const struct job *job, const char *json)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);

    expect_text("fault", outcome->message, NULL);
    expect_text("error", outcome->error, NULL);
    expect_text("result", outcome->result, json);
}

void expect_error(const struct job *job, const char *failure, const char *error)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);

    expect_text("fault", outcome->message, NULL);
    expect_text("result", outcome->result, NULL);
    expect_text("error", outcome->error, error);
    expect_text("failure", cm_failure_name(outcome->failure), failure);
}

void expect_engine_error(const struct job *job, const char *failure, const char *part)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);

    expect_text("fault", outcome->message, NULL);
    if (outcome->error == NULL || strstr(outcome->error, part) == NULL)
        expect_text("error", outcome->error, part);
    expect_text("failure", cm_failure_name(outcome->failure), failure);
}

void expect_fault(const struct job *job, const char *fault, const char *message)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);

    expect_text("error", outcome->error, NULL);
    expect_text("fault", cm_fault_name(outcome->fault), fault);
    expect_text("message", outcome->message, message);
}

void expect_logs(const struct job *job, const char *logs)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);
    char text[8192] = "";
    size_t used = 0;

    for (size_t i = 0; i < outcome->log_count && used < sizeof(text); i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %s|",
                                 cm_level_name(outcome->logs[i].level), outcome->logs[i].text);
    expect_text("logs", text, logs);
}

/* ---- rows ---- */

static void run_row(void **state)
{
    const struct row *row = *state;
    const char *failure = row->failure == NULL ? "thrown" : row->failure;
    struct job job = { .code = row->code,
                       .timeout_ms = row->timeout_ms,
                       .deaf = row->deaf,
                       .modules = row->modules,
                       .typescript = row->typescript };

    host_run(&shared, &job);
    if (row->error == NULL)
        expect_result(&job, row->result);
    else if (row->engine)
        expect_engine_error(&job, failure, row->error);
    else
        expect_error(&job, failure, row->error);
    expect_logs(&job, row->logs == NULL ? "" : row->logs);
    if (row->stack != NULL)
        expect_text("stack", cm_run_outcome(job.run)->stack, row->stack);
    job_done(&job);
}

static const struct group *running;

static int open_shared(void **state)
{
    (void)state;
    host_open(&shared, running->settings);
    return 0;
}

static int close_shared(void **state)
{
    (void)state;
    host_close(&shared);
    assert_int_equal(host_zygote(), 0);
    return 0;
}

static int open_tests(void **state)
{
    if (running->host != NULL)
        host_open(running->host, running->settings);
    return running->open == NULL ? 0 : running->open(state);
}

static int close_tests(void **state)
{
    if (running->close != NULL && running->close(state) < 0)
        return -1;
    if (running->host != NULL)
        host_close(running->host);
    assert_int_equal(host_zygote(), 0); /* none is left */
    return 0;
}

static int run_rows(const struct group *group)
{
    struct CMUnitTest *tests = calloc(group->row_count, sizeof(*tests));
    int failed;

    if (tests == NULL)
        return 1;
    for (size_t i = 0; i < group->row_count; i++)
        tests[i] = (struct CMUnitTest){ .name = group->rows[i].name,
                                        .test_func = run_row,
                                        .initial_state = (void *)(uintptr_t)&group->rows[i] };
    failed =
        _cmocka_run_group_tests(group->name, tests, group->row_count, open_shared, close_shared);
    free(tests);
    return failed;
}

void group_options(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s WORKER [PROGRAMS [PATTERN]]\n", argv[0]);
        exit(2);
    }
    worker_path = argv[1];
    programs_path = argc > 2 ? argv[2] : "";
    if (argc > 3)
        cmocka_set_test_filter(argv[3]);
}

int group_main(int argc, char **argv, const struct group *group)
{
    size_t left_out = daemon_program() == NULL ? 0 : group->local_count;
    int failed = 0;

    group_options(argc, argv);
    running = group;
    if (group->row_count > 0)
        failed += run_rows(group);
    if (group->test_count > 0)
        failed += _cmocka_run_group_tests(group->name, group->tests, group->test_count - left_out,
                                          open_tests, close_tests);
    return failed == 0 ? 0 : 1;
}
