/* codemode-executor run: one program, its tools, its output. The executor, the
 * tool command and signals share one poll(2). The program's texts are hostile
 * and leave through output.c only. */
#include "cli/run.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/settings.h"
#include "cli/tools.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>

struct job {
    struct cm_settings *settings;
    struct tools *tools; /* NULL without --tools */
    struct request_source source;
    struct cm_executor *executor;
    struct command *command; /* NULL without --tool-command */
    struct cm_run *run;
    struct cm_events events;
    int signal_fd;
    int signal; /* that ended the run; 0 */
};

/* ---- what the run tells ---- */

static void on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    struct job *job = user;

    if (job->tools != NULL && tools_answer(job->tools, run, call))
        return;
    if (job->command != NULL)
        command_call(job->command, run, call);
    else
        tools_reject(job->tools, run, call);
}

static void on_drop(void *user, struct cm_run *run, uint32_t call_id)
{
    struct job *job = user;

    (void)run;
    if (job->command != NULL)
        command_drop(job->command, call_id);
}

static void on_log(void *user, struct cm_run *run, const struct cm_log *line)
{
    (void)user;
    (void)run;
    output_log(line);
}

/* Without tools there is nobody to call, and the isolate says so. */
static int start_run(struct job *job, struct cm_error *err)
{
    job->events = (struct cm_events){ .on_drop = on_drop, .on_log = on_log };
    if (job->tools != NULL || job->command != NULL)
        job->events.on_call = on_call;
    return cm_run_start(job->executor, &job->source.request, &job->events, job, &job->run, err);
}

/* ---- the loop ---- */

/* The first signal cancels the run and ends the tool command by steps, the
 * second one kills it. */
static void on_signal(struct job *job, uint64_t now_ns)
{
    struct signalfd_siginfo info;

    if (read(job->signal_fd, &info, sizeof(info)) != sizeof(info))
        return;
    if (job->command != NULL && job->signal != 0)
        command_kill(job->command);
    else if (job->command != NULL)
        command_end(job->command, now_ns);
    job->signal = (int)info.ssi_signo;
    cm_run_cancel(job->run);
}

static int wait_ms(const struct job *job, uint64_t now_ns)
{
    int executor_ms = cm_executor_timeout_ms(job->executor);
    uint64_t deadline_ns = CM_NEVER;
    uint64_t command_ms;

    if (job->command != NULL)
        deadline_ns = command_deadline_ns(job->command);
    if (deadline_ns == CM_NEVER)
        return executor_ms;
    command_ms = deadline_ns <= now_ns ? 0 : (deadline_ns - now_ns) / CM_NS_PER_MS + 1;
    if (executor_ms >= 0 && (uint64_t)executor_ms < command_ms)
        return executor_ms;
    return command_ms > INT_MAX ? INT_MAX : (int)command_ms;
}

static int turn(struct job *job, struct cm_error *err)
{
    struct pollfd fds[2 + COMMAND_FDS] = {
        { cm_executor_fd(job->executor), POLLIN, 0 },
        { job->signal_fd, POLLIN, 0 },
    };
    uint64_t now_ns = cm_now_ns();
    nfds_t count = 2;
    int r;

    if (job->command != NULL) {
        command_poll(job->command, &fds[2]);
        count += COMMAND_FDS;
    }
    r = poll(fds, count, wait_ms(job, now_ns));
    if (r < 0)
        return errno == EINTR ? 0 : cm_fail(err, CM_E_SYSTEM, errno, "cannot wait for the run");
    now_ns = cm_now_ns();
    if (fds[1].revents != 0)
        on_signal(job, now_ns);
    if (job->command != NULL)
        command_process(job->command, &fds[2], now_ns);
    cm_executor_process(job->executor);
    return 0;
}

static int run_to_end(struct job *job, struct cm_error *err)
{
    int r = 0;

    while (r == 0 && cm_run_outcome(job->run) == NULL)
        r = turn(job, err);
    return r;
}

/* The command outlives the run by its own good-bye. */
static int end_command(struct job *job, struct cm_error *err)
{
    int r = 0;

    if (job->command == NULL)
        return 0;
    command_end(job->command, cm_now_ns());
    while (r == 0 && !command_gone(job->command))
        r = turn(job, err);
    return r;
}

/* ---- begin and end ---- */

/* From here on signals wait until the loop takes them, so that the tool command
 * is never left behind. */
static int take_signals(struct job *job, struct cm_error *err)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    job->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (job->signal_fd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "signals cannot be taken");
    return 0;
}

static int read_inputs(struct job *job, const struct cli_options *options, struct cm_error *err)
{
    const char *tools = cli_option_get(options, CLI_OPT_TOOLS);
    size_t file_bytes;
    int r;

    r = cli_settings_load(options, &job->settings, err);
    if (r < 0)
        return r;
    /* A request's text may be longer than the code in it, most of all by escapes;
     * the library judges the code itself. */
    file_bytes = 2 * cli_message_bytes(job->settings) + 65536;
    if (tools != NULL) {
        r = tools_load(tools, file_bytes, &job->tools, err);
        if (r < 0)
            return r;
    }
    return request_load(options, job->tools, file_bytes, &job->source, err);
}

static int start(struct job *job, const struct cli_options *options, struct cm_error *err)
{
    const char *command = cli_option_get(options, CLI_OPT_TOOL_COMMAND);
    int r = take_signals(job, err);

    if (r == 0)
        r = cli_executor_new(options, job->settings, &job->executor, err);
    if (r == 0 && command != NULL)
        r = command_start(command, cli_message_bytes(job->settings), &job->command, err);
    if (r == 0)
        r = start_run(job, err);
    return r;
}

static void job_done(struct job *job)
{
    command_free(CM_TAKE(job->command));
    cm_run_free(job->run);
    cm_executor_free(job->executor);
    request_done(&job->source);
    tools_free(job->tools);
    cm_settings_free(job->settings);
    cm_close_fd(&job->signal_fd);
}

static int exit_of(const struct cm_outcome *outcome)
{
    if (outcome->fault != CM_FAULT_NONE)
        return CLI_EXIT_WRONG;
    return outcome->error != NULL ? CLI_EXIT_FAILED : CLI_EXIT_OK;
}

static int show(const struct cm_outcome *outcome, bool json)
{
    if (json)
        output_outcome_json(outcome);
    else
        output_outcome(outcome);
    fflush(stdout);
    return exit_of(outcome);
}

/* The library refused the request file: that is a fault like any other, and not
 * of the command line. */
static int show_refusal(struct cm_error *err, bool json)
{
    struct cm_error cause = *err;
    struct cm_outcome outcome = { .fault = CM_FAULT_INVALID_REQUEST, .message = cause.text };

    *err = (struct cm_error)CM_ERROR_INIT;
    return show(&outcome, json);
}

static int run_job(struct job *job, const struct cli_options *options, struct cm_error *err)
{
    bool json = cli_option_get(options, CLI_OPT_JSON) != NULL;
    int status;

    if (read_inputs(job, options, err) < 0)
        return job->source.malformed ? show_refusal(err, json) : CLI_EXIT_WRONG;
    if (start(job, options, err) < 0 || run_to_end(job, err) < 0)
        return CLI_EXIT_WRONG;
    status = show(cm_run_outcome(job->run), json);
    if (end_command(job, err) < 0)
        return CLI_EXIT_WRONG;
    return job->signal != 0 ? 128 + job->signal : status;
}

int cli_run(const struct cli_options *options, struct cm_error *err)
{
    struct job job = { .signal_fd = -1 };
    int status = run_job(&job, options, err);

    job_done(&job);
    return status;
}
