/* codemode-executor check: one real job through the whole path, and a report of
 * what the sandbox of this machine consists of. */
#include "cli/check.h"

#include "base/clock.h"
#include "base/fail.h"
#include "cli/connect.h"
#include "cli/settings.h"
#include "cli/verdict.h"

#include <string.h>

static const char code[] = "async () => {\n"
                           "  console.log('asking')\n"
                           "  return 6 * (await machine.number())\n"
                           "}\n";
static const char expected[] = "42";
static const char wrong_answer[] =
    "The job came back, but not with the answer, the tool call and the log line that it makes.";

enum { TIMEOUT_MS = 10000 };

struct heard {
    int calls;
    int lines;
};

static void on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    static const char answer[] = "{\"result\":7}";
    struct heard *heard = user;

    heard->calls++;
    cm_run_answer(run, call->id, answer, sizeof(answer) - 1);
}

static void on_log(void *user, struct cm_run *run, const struct cm_log *line)
{
    struct heard *heard = user;

    (void)run;
    (void)line;
    heard->lines++;
}

static void judge(const struct cm_outcome *outcome, const struct heard *heard,
                  struct verdict *verdict)
{
    verdict->failure = wrong_answer;
    if (outcome->fault != CM_FAULT_NONE)
        verdict->failure = outcome->message;
    else if (outcome->error != NULL)
        verdict->failure = outcome->error;
    verdict->failure_bytes = strlen(verdict->failure);
    if (verdict->failure != wrong_answer || outcome->result == NULL)
        return;
    verdict->answer = outcome->result;
    verdict->answer_bytes = outcome->result_bytes;
    verdict->ok = strcmp(outcome->result, expected) == 0 && heard->calls == 1 && heard->lines == 1;
}

static int run_job(struct cm_executor *executor, struct verdict *verdict, struct cm_run **ret_run,
                   struct cm_error *err)
{
    static const struct cm_provider machine = { "machine", NULL, 0 };
    const struct cm_events events = { .on_call = on_call, .on_log = on_log };
    struct cm_request request = CM_REQUEST_INIT;
    struct heard heard = { 0, 0 };
    uint64_t start_ns = cm_now_ns();
    int r;

    request.code = code;
    request.code_bytes = sizeof(code) - 1;
    request.providers = &machine;
    request.provider_count = 1;
    request.timeout_ms = TIMEOUT_MS;
    r = cm_execute(executor, &request, &events, &heard, ret_run, err);
    if (r < 0)
        return r;
    verdict->duration_ms = (double)(cm_now_ns() - start_ns) / (double)CM_NS_PER_MS;
    judge(cm_run_outcome(*ret_run), &heard, verdict);
    return 0;
}

static int tell(struct verdict *verdict, struct cm_executor *executor, bool json)
{
    verdict->report = cm_executor_report(executor);
    if (verdict->report != NULL)
        advice_on_layers(verdict->report, &verdict->advice);
    if (!verdict->ok && verdict->daemon == NULL)
        advice_on_start(verdict->worker_path, &verdict->advice);
    if (json)
        verdict_json(verdict);
    else
        verdict_draw(verdict);
    return verdict->ok ? CLI_EXIT_OK : CLI_EXIT_NO_SANDBOX;
}

/* Whether there is nobody at the URL who would tell about a sandbox. */
static bool is_unanswered(const struct cm_outcome *outcome)
{
    return outcome->fault == CM_FAULT_CONNECTION_REJECTED ||
           outcome->fault == CM_FAULT_CONNECTION_BROKEN || outcome->fault == CM_FAULT_UNAUTHORIZED;
}

static int check(const struct cli_options *options, struct cm_settings *settings,
                 struct cm_error *err)
{
    struct verdict verdict = { .worker_path = cm_settings_get(settings, "WORKER_PATH"),
                               .daemon = cli_option_get(options, CLI_OPT_CONNECT) };
    struct cm_executor *executor = NULL;
    struct cm_run *run = NULL;
    int status = CLI_EXIT_WRONG;
    int r = cli_executor_new(options, settings, &executor, err);

    if (r == 0)
        r = run_job(executor, &verdict, &run, err);
    if (r == 0)
        status = tell(&verdict, executor, cli_option_get(options, CLI_OPT_JSON) != NULL);
    if (r == 0 && is_unanswered(cm_run_outcome(run)))
        status = CLI_EXIT_WRONG;
    cm_run_free(run);
    cm_executor_free(executor);
    return status;
}

int cli_check(const struct cli_options *options, struct cm_error *err)
{
    struct cm_settings *settings = NULL;
    int status;

    if (cli_settings_load(options, &settings, err) < 0)
        return CLI_EXIT_WRONG;
    status = check(options, settings, err);
    cm_settings_free(settings);
    return status;
}
