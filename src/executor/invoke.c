/* Invocations of retained executions. Runs in the host's process; id, handle and
 * request come from the embedder's clients and are hostile. An invocation is a run
 * that skips the queue: its worker is there. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/text.h"
#include "executor/execution.h"
#include "executor/run.h"
#include "executor/state.h"

#include <string.h>

static int wrong(struct cm_error *err, const char *sentence)
{
    return cm_fail(err, CM_E_INVAL, 0, "%s", sentence);
}

static int check_headers(const struct cm_fetch *request, struct cm_error *err)
{
    size_t bytes = request->url_bytes;

    if (request->header_count > 0 && request->headers == NULL)
        return wrong(err, "headers is missing; it is an array of names and values");
    for (size_t i = 0; i < request->header_count; i++) {
        const char *sentence = ipc_wrong_header(&request->headers[i]);

        if (sentence != NULL)
            return wrong(err, sentence);
        bytes += request->headers[i].name_bytes + request->headers[i].value_bytes + 2;
        if (bytes > IPC_FETCH_HEAD_MAX)
            break;
    }
    if (bytes <= IPC_FETCH_HEAD_MAX)
        return 0;
    return cm_fail(err, CM_E_INVAL, 0, "url and headers have more than %s bytes",
                   cm_number_grouped(IPC_FETCH_HEAD_MAX).text);
}

static int check_request(const struct cm_executor *executor, const struct cm_fetch *request,
                         struct cm_error *err)
{
    const uint64_t limit = executor->limits.message_bytes;
    const char *method = request->method == NULL ? "GET" : request->method;

    if (request->url == NULL || request->url_bytes == 0 ||
        !cm_utf8_valid(request->url, request->url_bytes) ||
        memchr(request->url, '\0', request->url_bytes) != NULL)
        return wrong(err, "url is missing or no text; it is an absolute URL");
    if (!ipc_is_token(method, strlen(method)) || strlen(method) > IPC_METHOD_MAX)
        return wrong(err, "method is not the name of an HTTP method");
    if (request->body != NULL && request->body_bytes > limit)
        return cm_fail(err, CM_E_INVAL, 0, "body has %s bytes; it has at most %s",
                       cm_number_grouped(request->body_bytes).text, cm_number_grouped(limit).text);
    return check_headers(request, err);
}

static void gone(struct cm_run *run, const char *execution_id)
{
    run_stop_fault(run, CM_FAULT_EXECUTION_GONE,
                   cm_message_new(CM_MSG_EXECUTION_GONE, execution_id, NULL));
}

/* What is left of the request that made the execution. */
static struct request *inherit(const struct execution *execution)
{
    struct request *request = calloc(1, sizeof(*request));

    if (request != NULL)
        *request = (struct request){ .timeout_ms = execution->timeout_ms,
                                     .count_host_waits = execution->count_host_waits,
                                     .outbound = execution->outbound };
    return request;
}

static int start(struct cm_run *run, struct execution *execution, const char *handle,
                 const struct cm_fetch *request)
{
    int r;

    run->request = inherit(execution);
    if (run->request == NULL)
        return CM_E_NOMEM;
    run_begin_invocation(run, execution);
    r = worker_invoke(run->worker, run->invocation, handle, request);
    if (r == CM_E_PEER)
        gone(run, execution->id);
    else if (r < 0)
        run_stop_no_memory(run);
    return 0;
}

/* As admit() of run_api.c: what keeps it from starting is its end. CM_E_NOMEM. */
static int admit(struct cm_run *run, const char *execution_id, const char *handle,
                 const struct cm_fetch *request)
{
    struct cm_executor *executor = run->executor;
    struct execution *execution = execution_find(executor, execution_id);
    struct cm_error err = CM_ERROR_INIT;

    if (executor->disposed)
        run_stop_fault(run, CM_FAULT_INTERNAL, cm_message_new(CM_MSG_SHUTTING_DOWN, NULL));
    else if (execution == NULL && executor->remote == NULL)
        gone(run, execution_id);
    else if (execution != NULL && !execution_has_handle(execution, handle))
        run_stop_fault(run, CM_FAULT_INVALID_REQUEST,
                       cm_message_new(CM_MSG_NO_HANDLE, execution_id,
                                      request_quote(handle, strlen(handle)).text, NULL));
    else if (check_request(executor, request, &err) < 0)
        run_stop_fault(run, CM_FAULT_INVALID_REQUEST, strdup(err.text));
    else if (execution == NULL)
        return executor->remote->ops->invoke(executor->remote, run, execution_id, handle, request);
    else if (execution->live >= executor->settings.calls_in_flight)
        run_stop_fault(
            run, CM_FAULT_OVERLOADED,
            cm_message_new(CM_MSG_INVOCATIONS, cm_number_grouped(execution->live).text, NULL));
    else
        return start(run, execution, handle, request);
    return 0;
}

int cm_invoke_start(struct cm_executor *executor, const char *execution_id, const char *handle,
                    const struct cm_fetch *request, const struct cm_events *events, void *user,
                    struct cm_run **ret_run, struct cm_error *err)
{
    struct cm_run *run;

    if (executor == NULL || execution_id == NULL || handle == NULL || request == NULL ||
        ret_run == NULL)
        return cm_fail(err, CM_E_INVAL, 0,
                       "executor, execution_id, handle, request and ret_run are required");
    if (executor->freeing)
        return cm_fail(err, CM_E_STATE, 0, "the executor is being freed");
    run = run_new(executor, events, user);
    if (run == NULL || admit(run, execution_id, handle, request) < 0) {
        if (run != NULL)
            run_destroy(run);
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for a run");
    }
    run_submitted(run);
    *ret_run = run;
    return 0;
}
