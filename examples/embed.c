/*
 * An application that runs a program in its own poll(2) loop and answers its tool
 * calls: one at once, one later, when a timer of its own has fired.
 *
 *     cc embed.c $(pkg-config --cflags --libs codemode) -o embed && ./embed
 *
 * An argument names the codemode-worker program, where it is not installed.
 */
#define _GNU_SOURCE
#include <codemode/executor.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

static const char program[] = "async () => {\n"
                              "  const [name, forecast] = await Promise.all([\n"
                              "    places.nearest(), weather.forecast('tomorrow'),\n"
                              "  ])\n"
                              "  console.log('asked about', name)\n"
                              "  return `${name}: ${forecast}`\n"
                              "}\n";

struct app {
    int timer_fd;
    struct cm_run *run;
    uint32_t waiting_call; /* 0: none */
    int failed;
};

static void answer(struct cm_run *run, uint32_t call_id, const char *json)
{
    /* CM_E_STATE, that the run is over already, is nothing to worry about. */
    cm_run_answer(run, call_id, json, strlen(json));
}

static void on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    const struct itimerspec soon = { .it_value = { .tv_nsec = 20 * 1000 * 1000 } };
    struct app *app = user;

    printf("call   %s.%s%s\n", call->provider, call->tool, call->args);
    if (strcmp(call->tool, "nearest") == 0) {
        answer(run, call->id, "{\"result\":\"Utrecht\"}");
    } else {
        app->waiting_call = call->id; /* `call` itself ends with this function */
        timerfd_settime(app->timer_fd, 0, &soon, NULL);
    }
}

/* The run was killed or ended: nobody waits for this answer any more. */
static void on_drop(void *user, struct cm_run *run, uint32_t call_id)
{
    struct app *app = user;

    (void)run;
    if (app->waiting_call == call_id)
        app->waiting_call = 0;
}

static void on_log(void *user, struct cm_run *run, const struct cm_log *line)
{
    (void)user;
    (void)run;
    printf("%-6s %s\n", cm_level_name(line->level), line->text);
}

static void on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    struct app *app = user;

    (void)run;
    app->failed = outcome->fault != CM_FAULT_NONE || outcome->error != NULL;
    if (outcome->fault != CM_FAULT_NONE)
        printf("fault  %s: %s\n", cm_fault_name(outcome->fault), outcome->message);
    else if (outcome->error != NULL)
        printf("error  %s\n", outcome->error);
    else
        printf("result %s\n", outcome->result == NULL ? "undefined" : outcome->result);
}

static void on_timer(struct app *app)
{
    uint64_t expirations;

    if (read(app->timer_fd, &expirations, sizeof(expirations)) < 0 || app->waiting_call == 0)
        return;
    answer(app->run, app->waiting_call, "{\"result\":\"sunny\"}");
    app->waiting_call = 0;
}

/* The application's own loop: the executor is one more descriptor in it. */
static void loop(struct app *app, struct cm_executor *executor)
{
    struct pollfd fds[] = {
        { cm_executor_fd(executor), POLLIN, 0 },
        { app->timer_fd, POLLIN, 0 },
    };

    while (cm_executor_process(executor) > 0) {
        if (poll(fds, 2, cm_executor_timeout_ms(executor)) < 0)
            return; /* app->failed is still set */
        if (fds[1].revents != 0)
            on_timer(app);
    }
}

static int run(struct app *app, struct cm_executor *executor, struct cm_error *err)
{
    static const struct cm_provider providers[] = { { "places", NULL, 0 }, { "weather", NULL, 0 } };
    const struct cm_events events = {
        .on_call = on_call, .on_drop = on_drop, .on_log = on_log, .on_end = on_end
    };
    struct cm_request request = CM_REQUEST_INIT;
    int r;

    request.code = program;
    request.code_bytes = strlen(program);
    request.providers = providers;
    request.provider_count = 2;
    request.timeout_ms = 2000;
    r = cm_run_start(executor, &request, &events, app, &app->run, err);
    if (r == 0)
        loop(app, executor);
    return r;
}

int main(int argc, char *argv[])
{
    struct app app = {
        .timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
        .failed = 1, /* until a run has succeeded */
    };
    struct cm_settings *settings = cm_settings_new();
    struct cm_executor *executor = NULL;
    struct cm_error err = CM_ERROR_INIT;
    int r = 0;

    if (argc > 1)
        r = cm_settings_set(settings, "WORKER_PATH", argv[1], &err);
    if (r == 0)
        r = cm_executor_new(settings, &executor, &err);
    if (r == 0)
        r = run(&app, executor, &err);
    if (r < 0)
        fprintf(stderr, "embed: %s\n", err.text);
    cm_run_free(app.run);
    cm_executor_dispose(executor); /* takes no more runs and lets those in it finish */
    cm_executor_free(executor);    /* ends the workers */
    cm_settings_free(settings);
    close(app.timer_fd);
    return r < 0 || app.failed;
}
