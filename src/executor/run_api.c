/* The public calls about one run. Runs in the host's process; the arguments are
 * the embedder's, answers may come from anywhere behind it. Nothing here calls
 * back. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/text.h"
#include "executor/run.h"
#include "executor/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cm_events no_events = { 0 };

/* A caller's structure may be shorter than ours, or longer: what it does not
 * have is zero, and what we do not know has to be. */
static int normalize(const struct cm_request *from, struct cm_request *to)
{
    const size_t known = sizeof(*to);
    const uint8_t *bytes = (const uint8_t *)from;

    *to = (struct cm_request)CM_REQUEST_INIT;
    if (from->struct_bytes < offsetof(struct cm_request, providers))
        return CM_E_INVAL;
    for (size_t i = known; i < from->struct_bytes; i++)
        if (bytes[i] != 0)
            return CM_E_INVAL;
    memcpy(to, from, from->struct_bytes < known ? from->struct_bytes : known);
    return 0;
}

struct cm_run *run_new(struct cm_executor *executor, const struct cm_events *events, void *user)
{
    struct cm_run *run = calloc(1, sizeof(*run));

    if (run == NULL)
        return NULL;
    run->executor = executor;
    run->events = events == NULL ? &no_events : events;
    run->user = user;
    run->submitted_ns = cm_now_ns();
    cm_list_init(&run->link);
    cm_list_init(&run->all);
    cm_list_init(&run->fetches);
    cm_list_init(&run->of_execution);
    if (timer_init(&run->timer, &executor->loop.timers, run_on_timer) < 0) {
        run_destroy(run);
        return NULL;
    }
    return run;
}

/* What the run needs compiled: its program, and the entries of its map. */
static int hold_units(struct cm_run *run, const struct cm_request *request)
{
    const struct request *copy = run->request;
    int r = 0;

    if (copy->module_count == 0)
        return 0;
    run->units = calloc(copy->module_count, sizeof(void *));
    if (run->units == NULL)
        return CM_E_NOMEM;
    run->unit_count = copy->module_count;
    for (size_t i = 0; r == 0 && i < copy->module_count; i++) {
        const struct request_module *module = &copy->modules[i];
        bool program = i == request->module_count;

        if (!request_compiled(module->kind))
            continue;
        r = modules_hold(run->executor, module->kind, module->typescript,
                         program ? request->code : request->modules[i].source,
                         program ? request->code_bytes : request->modules[i].source_bytes,
                         &run->units[i]);
    }
    return r;
}

/* Everything that keeps a run from starting is its end, not an error of
 * cm_run_start(): the host hears of it where it hears of all ends. CM_E_NOMEM. */
static int admit(struct cm_run *run, const struct cm_request *request)
{
    struct cm_executor *executor = run->executor;
    struct cm_error wrong = CM_ERROR_INIT;
    int r;

    if (executor->disposed) {
        run_stop_fault(run, CM_FAULT_INTERNAL, cm_message_new(CM_MSG_SHUTTING_DOWN, NULL));
        return 0;
    }
    r = request_check(request, executor->limits.message_bytes, &wrong);
    if (r == CM_E_INVAL) {
        run_stop_fault(run, CM_FAULT_INVALID_REQUEST, strdup(wrong.text));
        return 0;
    }
    if (r == 0 && executor->remote != NULL)
        return executor->remote->ops->start(executor->remote, run, request);
    if (r == 0)
        r = request_copy(request, &run->request);
    if (r == 0)
        r = hold_units(run, request);
    if (r < 0)
        return r;
    if (pool_enqueue(executor, run) < 0) {
        run_stop_fault(
            run, CM_FAULT_OVERLOADED,
            cm_message_new(CM_MSG_QUEUE_FULL, cm_number_grouped(executor->pool.queued).text, NULL));
        return 0;
    }
    run_enqueued(run);
    return 0;
}

void run_submitted(struct cm_run *run)
{
    cm_list_append(&run->executor->runs, &run->all);
    run->executor->stats.runs_started++;
    run->executor->stats.runs_live++;
}

int cm_run_start(struct cm_executor *executor, const struct cm_request *request,
                 const struct cm_events *events, void *user, struct cm_run **ret_run,
                 struct cm_error *err)
{
    struct cm_request known;
    struct cm_run *run;

    if (executor == NULL || request == NULL || ret_run == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "executor, request and ret_run are required");
    if (executor->freeing)
        return cm_fail(err, CM_E_STATE, 0, "the executor is being freed");
    if (normalize(request, &known) < 0)
        return cm_fail(err, CM_E_INVAL, 0, "the request's struct_bytes does not fit this library");
    run = run_new(executor, events, user);
    if (run == NULL || admit(run, &known) < 0) {
        if (run != NULL) {
            run_release_units(run);
            run_destroy(run);
        }
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for a run");
    }
    run_submitted(run);
    *ret_run = run;
    pool_balance(executor);
    return 0;
}

/* ---- answers ---- */

static int reject(struct cm_run *run, struct open_call *call, char *sentence)
{
    int r = CM_E_NOMEM;

    if (sentence != NULL && run->carried != NULL)
        r = run->executor->remote->ops->reject(run, call->id, sentence, strlen(sentence));
    else if (sentence != NULL)
        r = worker_answer(run->worker, call->id, IPC_ANSWER_REJECT, sentence, strlen(sentence));
    free(sentence);
    return r;
}

static int reject_too_large(struct cm_run *run, struct open_call *call, size_t bytes)
{
    CM_AUTO_FREE char *what = NULL;

    if (asprintf(&what, "The answer to %s", call->name) < 0) {
        what = NULL;
        return CM_E_NOMEM;
    }
    return reject(run, call,
                  cm_message_new(CM_MSG_TOO_LARGE, what, cm_number_grouped(bytes).text,
                                 cm_number_grouped(run->executor->limits.message_bytes).text,
                                 NULL));
}

static struct open_call *find_call(const struct cm_run *run, uint32_t id)
{
    return run->state == RUN_RUNNING ? calls_find(&run->calls, id) : NULL;
}

static int send_answer(struct cm_run *run, struct open_call *call, const char *json, size_t bytes)
{
    if (bytes > run->executor->limits.message_bytes)
        return reject_too_large(run, call, bytes);
    if (!cm_utf8_valid(json, bytes) || memchr(json, '\0', bytes) != NULL)
        return reject(run, call, cm_message_new(CM_MSG_ANSWER_NOT_JSON, call->name, NULL));
    if (run->carried != NULL)
        return run->executor->remote->ops->answer(run, call->id, json, bytes);
    return worker_answer(run->worker, call->id, IPC_ANSWER_JSON, json, bytes);
}

int cm_run_answer(struct cm_run *run, uint32_t call_id, const char *json, size_t json_bytes)
{
    struct open_call *call;
    int r;

    if (run == NULL || json == NULL)
        return CM_E_INVAL;
    call = find_call(run, call_id);
    if (call == NULL)
        return CM_E_STATE;
    r = send_answer(run, call, json, json_bytes);
    if (r == 0)
        run_close_call(run, call);
    return r;
}

char *run_repaired(const char *text, size_t bytes)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    char *fixed = malloc(bytes * strlen(replacement) + 1);
    char *to = fixed;
    size_t i = 0;

    if (fixed == NULL)
        return NULL;
    while (i < bytes) {
        size_t n = 1;

        while (n < 4 && n < bytes - i && !cm_utf8_valid(text + i, n))
            n++;
        if (text[i] != '\0' && cm_utf8_valid(text + i, n)) {
            memcpy(to, text + i, n);
            to += n;
            i += n;
        } else {
            memcpy(to, replacement, strlen(replacement));
            to += strlen(replacement);
            i++;
        }
    }
    *to = '\0';
    return fixed;
}

int cm_run_reject(struct cm_run *run, uint32_t call_id, const char *message, size_t message_bytes)
{
    struct open_call *call;
    int r;

    if (run == NULL || message == NULL)
        return CM_E_INVAL;
    call = find_call(run, call_id);
    if (call == NULL)
        return CM_E_STATE;
    if (message_bytes > run->executor->limits.message_bytes)
        r = reject_too_large(run, call, message_bytes);
    else
        r = reject(run, call, run_repaired(message, message_bytes));
    if (r == 0)
        run_close_call(run, call);
    return r;
}

/* ---- the rest ---- */

void cm_run_cancel(struct cm_run *run)
{
    if (run == NULL || run->executor == NULL)
        return;
    run_stop_fault(run, CM_FAULT_CANCELLED, cm_message_new(CM_MSG_CANCELLED, NULL));
}

const struct cm_outcome *cm_run_outcome(const struct cm_run *run)
{
    return run != NULL && run->state == RUN_OVER ? &run->outcome : NULL;
}

struct cm_executor *cm_run_executor(const struct cm_run *run)
{
    return run == NULL ? NULL : run->executor;
}

void cm_run_free(struct cm_run *run)
{
    struct cm_executor *executor;

    if (run == NULL)
        return;
    executor = run->executor;
    if (executor == NULL) {
        run_destroy(run);
        return;
    }
    run_abandon(run);
    cm_list_unlink(&run->all);
    cm_list_move(&executor->run_graves, &run->link);
    if (!executor->turning)
        executor_bury(executor);
}
