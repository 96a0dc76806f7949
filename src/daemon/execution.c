/* Executions of a caller. Runs in the daemon. Requests and what callbacks answer are
 * the caller's, tool calls and log lines a program's: neither is believed.
 *
 * An execution is in one of two lists of its connection: `waiting` until the bound
 * on executions of one connection lets it through, then `executions` until its run
 * has ended. */
#include "daemon/execution.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "daemon/answer.h"
#include "daemon/asker.h"
#include "daemon/plain.h"
#include "daemon/retained.h"
#include "wire/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUEST_ID_MAX = 256, TEXT_MAX = 256, ID_SHOWN = 64 };

/* Which argument offers the caller's functions. Those of an invocation are its own, or
 * those of the call that made the execution. */
enum { CALLBACKS_OF_EXECUTE = 1, CALLBACKS_OF_INVOKE = 3 };

struct execution {
    struct cm_list link; /* connection->waiting or ->executions */
    struct connection *connection;
    struct capnweb_call *call;
    struct cm_request *request; /* until the run has started */
    struct cm_run *run;         /* NULL while it waits */
    struct asker asker;
    struct capnweb_text request_id; /* of the call; data NULL: none */
    struct capnweb_text invoked;    /* the retained execution that this is a call of */
    uint64_t waits_until_ns;
};

static struct metrics *metrics_of(struct connection *connection)
{
    return &connection->daemon->metrics;
}

/* ---- faults ---- */

void execution_reject(struct capnweb_call *call, enum cm_fault fault, const char *message)
{
    const struct capnweb_member props[] = {
        { capnweb_text("code"), capnweb_cstring(cm_fault_name(fault)) },
        { capnweb_text("retryable"), capnweb_boolean(cm_fault_retryable(fault)) },
    };
    const struct capnweb_error error = { .type = capnweb_text("ExecutorError"),
                                         .message = capnweb_text(message),
                                         .props = props,
                                         .prop_count = CM_ARRAY_LEN(props) };

    capnweb_reject(call, capnweb_error(&error));
}

/* An execution that has not become one. */
static void refuse(struct connection *connection, struct capnweb_call *call, enum cm_fault fault,
                   const char *message)
{
    metrics_count_outcome(metrics_of(connection), outcome_kind_of_fault(fault));
    log_write(&connection->daemon->log, LOG_INFO, "execution refused",
              LOG_NUMBER("connection", connection->id), LOG_TEXT("code", cm_fault_name(fault)));
    execution_reject(call, fault, message);
}

/* ---- its end ---- */

/* Out of the connection's hands; the call stays to be answered. */
static struct capnweb_call *take_call(struct execution *execution)
{
    struct capnweb_call *call = CM_TAKE(execution->call);

    capnweb_call_on_dropped(call, NULL, NULL);
    return call;
}

static void leave_list(struct execution *execution)
{
    struct connection *connection = execution->connection;

    cm_list_unlink(&execution->link);
    metrics_sub(metrics_of(connection), METRIC_EXECUTIONS_RUNNING, 1);
    if (execution->run != NULL) {
        connection->execution_count--;
        return;
    }
    connection->waiting_count--;
    metrics_sub(metrics_of(connection), METRIC_EXECUTIONS_WAITING, 1);
}

static void execution_free(struct execution *execution)
{
    asker_done(&execution->asker);
    cm_run_free(execution->run);
    cm_request_free(execution->request);
    free(execution);
}

static void end_with_fault(struct execution *execution, enum cm_fault fault, const char *message)
{
    struct connection *connection = execution->connection;
    struct capnweb_call *call = take_call(execution);

    leave_list(execution);
    execution_free(execution);
    metrics_count_outcome(metrics_of(connection), outcome_kind_of_fault(fault));
    execution_reject(call, fault, message);
    daemon_check_drained(connection->daemon);
}

void executions_end_all(struct connection *connection)
{
    static const char gone[] = "The connection is gone.";
    struct execution *execution;

    while ((execution = CM_LIST_FIRST(&connection->waiting, struct execution, link)) != NULL)
        end_with_fault(execution, CM_FAULT_CANCELLED, gone);
    while ((execution = CM_LIST_FIRST(&connection->executions, struct execution, link)) != NULL)
        end_with_fault(execution, CM_FAULT_CANCELLED, gone);
}

/* The caller has let go of the result. */
static void on_dropped(void *user)
{
    struct execution *execution = user;

    end_with_fault(execution, CM_FAULT_CANCELLED, "The caller dropped the call.");
}

/* ---- what a program asks ---- */

static void on_call(void *user, struct cm_run *run, const struct cm_call *call)
{
    struct execution *execution = user;

    asker_call(&execution->asker, run, call);
}

static void on_fetch(void *user, struct cm_run *run, const struct cm_fetch *fetch)
{
    struct execution *execution = user;

    asker_fetch(&execution->asker, run, fetch);
}

static void on_drop(void *user, struct cm_run *run, uint32_t id)
{
    struct execution *execution = user;

    (void)run;
    asker_drop(&execution->asker, id);
}

static void on_log(void *user, struct cm_run *run, const struct cm_log *log)
{
    struct execution *execution = user;

    (void)run;
    asker_log(&execution->asker, log);
}

/* ---- the outcome ---- */

static bool is_too_large(const struct connection *connection, const struct cm_outcome *outcome,
                         char *to, size_t cap)
{
    uint64_t limit = connection->daemon->settings->response_limit_bytes;
    uint64_t bytes = limit == 0 ? 0 : answer_bytes(outcome);

    if (bytes <= limit)
        return false;
    cm_message_write(to, cap, CM_MSG_RESPONSE_TOO_LARGE, cm_number_grouped(bytes).text,
                     cm_number_grouped(limit).text, NULL);
    return true;
}

static void count(struct connection *connection, const struct cm_outcome *outcome,
                  enum outcome_kind kind)
{
    struct metrics *metrics = metrics_of(connection);

    metrics_count_outcome(metrics, kind);
    metrics_observe(metrics, METRIC_DURATION, outcome->wall_ns);
    metrics_observe(metrics, METRIC_QUEUE_WAIT, outcome->queued_ns);
    log_write(&connection->daemon->log, LOG_DEBUG, "execution ended",
              LOG_NUMBER("connection", connection->id), LOG_TEXT("outcome", outcome_word(kind)),
              LOG_NUMBER("wall_us", outcome->wall_ns / 1000),
              LOG_NUMBER("queued_us", outcome->queued_ns / 1000));
}

static void start_next(struct connection *connection);

/* An execution has become a retained one, or is none any more. */
static void note_retained(const struct execution *execution, const struct cm_outcome *outcome)
{
    struct connection *connection = execution->connection;

    if (outcome->fault == CM_FAULT_EXECUTION_GONE && execution->invoked.data != NULL)
        retained_forget(connection, execution->invoked);
    if (outcome->execution_id != NULL &&
        retained_keep(connection, outcome->execution_id, &execution->asker.callbacks) < 0)
        cm_execution_release(connection->daemon->executor, outcome->execution_id);
}

static void on_end(void *user, struct cm_run *run, const struct cm_outcome *outcome)
{
    struct execution *execution = user;
    struct connection *connection = execution->connection;
    struct capnweb_call *call = take_call(execution);
    enum outcome_kind kind = outcome_kind_of(outcome);
    char text[TEXT_MAX];

    (void)run;
    leave_list(execution);
    note_retained(execution, outcome);
    if (outcome->fault != CM_FAULT_NONE) {
        execution_reject(call, outcome->fault, outcome->message);
    } else if (is_too_large(connection, outcome, text, sizeof(text))) {
        kind = OUTCOME_RESPONSE_TOO_LARGE;
        execution_reject(call, CM_FAULT_RESPONSE_TOO_LARGE, text);
    } else {
        size_t unsent = connection->output_bytes;

        answer_outcome(call, outcome);
        if (connection->paused && connection->output_bytes == unsent) /* nobody asked for it yet */
            connection_held(connection, answer_bytes(outcome));
    }
    count(connection, outcome, kind);
    execution_free(execution);
    start_next(connection);
    daemon_check_drained(connection->daemon);
}

/* ---- its start ---- */

static const struct cm_events with_dispatch = {
    .on_call = on_call, .on_fetch = on_fetch, .on_drop = on_drop, .on_log = on_log, .on_end = on_end
};
static const struct cm_events without_dispatch = {
    .on_fetch = on_fetch, .on_drop = on_drop, .on_log = on_log, .on_end = on_end
};

static const struct cm_events *events_of(const struct execution *execution)
{
    return execution->asker.callbacks.dispatch == NULL ? &without_dispatch : &with_dispatch;
}

/* From `waiting` into the executor. */
static void start(struct execution *execution)
{
    struct connection *connection = execution->connection;
    struct cm_error err = CM_ERROR_INIT;
    int r;

    r = cm_run_start(connection->daemon->executor, execution->request, events_of(execution),
                     execution, &execution->run, &err);
    if (r < 0) {
        end_with_fault(execution, CM_FAULT_INTERNAL, err.text);
        return;
    }
    cm_request_free(CM_TAKE(execution->request));
    cm_list_move(&connection->executions, &execution->link);
    connection->execution_count++;
    connection->waiting_count--;
    metrics_sub(metrics_of(connection), METRIC_EXECUTIONS_WAITING, 1);
}

static void end_overdue(lws_sorted_usec_list_t *timer);

/* The first that waits is the first whose time runs out. */
static void watch_queue(struct connection *connection)
{
    struct execution *first = CM_LIST_FIRST(&connection->waiting, struct execution, link);
    uint64_t now_ns = cm_now_ns();
    uint64_t left_ns;

    lws_sul_cancel(&connection->queue_timer);
    if (first == NULL)
        return;
    left_ns = first->waits_until_ns > now_ns ? first->waits_until_ns - now_ns : 0;
    lws_sul_schedule(connection->daemon->lws, 0, &connection->queue_timer, end_overdue,
                     (lws_usec_t)(left_ns / 1000) + 1);
}

static void start_next(struct connection *connection)
{
    struct execution *next;

    while (connection->execution_count < connection->daemon->settings->connection_runs &&
           (next = CM_LIST_FIRST(&connection->waiting, struct execution, link)) != NULL)
        start(next);
    watch_queue(connection);
}

static uint64_t queue_timeout_ms(const struct connection *connection)
{
    uint64_t ms = 0;

    cm_parse_u64(cm_settings_get(connection->daemon->settings->executor, "QUEUE_TIMEOUT_MS"), &ms);
    return ms;
}

static void end_overdue(lws_sorted_usec_list_t *timer)
{
    struct connection *connection = lws_container_of(timer, struct connection, queue_timer);
    struct execution *first = CM_LIST_FIRST(&connection->waiting, struct execution, link);
    char text[TEXT_MAX];

    if (first != NULL && first->waits_until_ns <= cm_now_ns()) {
        cm_message_write(text, sizeof(text), CM_MSG_QUEUE_TIMEOUT,
                         cm_number_grouped(queue_timeout_ms(connection)).text, NULL);
        end_with_fault(first, CM_FAULT_OVERLOADED, text);
    }
    watch_queue(connection);
}

static void enqueue(struct execution *execution)
{
    struct connection *connection = execution->connection;

    cm_list_append(&connection->waiting, &execution->link);
    connection->waiting_count++;
    metrics_add(metrics_of(connection), METRIC_EXECUTIONS_RUNNING, 1);
    metrics_add(metrics_of(connection), METRIC_EXECUTIONS_WAITING, 1);
    execution->waits_until_ns =
        cm_deadline(cm_now_ns(), queue_timeout_ms(connection) * CM_NS_PER_MS);
    start_next(connection);
}

/* ---- the call ---- */

/* What is wrong with a call of execute(), or what keeps it from being served. */
struct refusal {
    enum cm_fault fault;
    char text[sizeof(((struct cm_error *)NULL)->text)];
};

static bool refused(struct refusal *refusal, enum cm_fault fault, const char *text)
{
    refusal->fault = fault;
    snprintf(refusal->text, sizeof(refusal->text), "%s", text);
    return false;
}

static bool take_callbacks(struct execution *execution, size_t index, struct refusal *refusal)
{
    struct cm_error err = CM_ERROR_INIT;

    if (callbacks_take(&execution->asker.callbacks, capnweb_call_arg(execution->call, index),
                       &err) < 0)
        return refused(refusal, CM_FAULT_INVALID_REQUEST, err.text);
    return true;
}

static struct execution *find(struct connection *connection, struct capnweb_text request_id)
{
    struct cm_list *lists[] = { &connection->waiting, &connection->executions };

    for (size_t i = 0; i < CM_ARRAY_LEN(lists); i++) {
        CM_LIST_EACH(lists[i], link, after)
        {
            struct execution *execution = CM_CONTAINER_OF(link, struct execution, link);
            struct capnweb_text id = execution->request_id;

            if (id.data != NULL && id.bytes == request_id.bytes &&
                memcmp(id.data, request_id.data, id.bytes) == 0)
                return execution;
        }
    }
    return NULL;
}

static bool take_request_id(struct execution *execution, struct refusal *refusal)
{
    const struct capnweb_value *request = capnweb_call_arg(execution->call, 0);

    execution->request_id = capnweb_get_text(request, "requestId");
    if (execution->request_id.data == NULL)
        return true;
    if (execution->request_id.bytes > REQUEST_ID_MAX)
        return refused(refusal, CM_FAULT_INVALID_REQUEST,
                       "requestId is too long; it has at most 256 bytes");
    if (find(execution->connection, execution->request_id) != NULL)
        return refused(refusal, CM_FAULT_INVALID_REQUEST,
                       "requestId is that of an execution that has not ended; it is unique");
    return true;
}

static bool take_request(struct execution *execution, struct refusal *refusal)
{
    CM_AUTO_FREE char *json = NULL;
    struct cm_error err = CM_ERROR_INIT;

    if (plain_json(capnweb_call_arg(execution->call, 0), &json, &err) < 0 ||
        cm_request_parse(json, strlen(json), &execution->request, &err) < 0)
        return refused(refusal,
                       err.code == CM_E_INVAL ? CM_FAULT_INVALID_REQUEST : CM_FAULT_INTERNAL,
                       err.text);
    execution->request->isolation_key = execution->connection->key;
    if (execution->asker.callbacks.outbound != NULL &&
        execution->request->outbound == CM_OUTBOUND_DEFAULT)
        execution->request->outbound = CM_OUTBOUND_HOST;
    return true;
}

static bool may_start(const struct connection *connection, struct refusal *refusal)
{
    const struct daemon *daemon = connection->daemon;
    char text[TEXT_MAX];

    if (!daemon_takes_executions(daemon)) {
        snprintf(text, sizeof(text), "The executor takes no executions now: it is %s.",
                 daemon->state >= DAEMON_DRAINING ? "draining" : "under maintenance");
        return refused(refusal, CM_FAULT_UNAVAILABLE, text);
    }
    if (connection->execution_count >= daemon->settings->connection_runs &&
        connection->waiting_count >= daemon->settings->connection_queue) {
        cm_message_write(text, sizeof(text), CM_MSG_QUEUE_FULL,
                         cm_number_grouped(connection->waiting_count).text, NULL);
        return refused(refusal, CM_FAULT_OVERLOADED, text);
    }
    return true;
}

/* NULL: no memory, and the call was rejected. */
static struct execution *execution_new(struct connection *connection, struct capnweb_call *call)
{
    struct execution *execution = calloc(1, sizeof(*execution));

    if (execution == NULL) {
        refuse(connection, call, CM_FAULT_INTERNAL, "The daemon has no memory for this request.");
        return NULL;
    }
    execution->connection = connection;
    execution->call = call;
    cm_list_init(&execution->link);
    asker_init(&execution->asker);
    return execution;
}

void execution_start(struct connection *connection, struct capnweb_call *call)
{
    struct execution *execution = execution_new(connection, call);
    struct refusal refusal;

    if (execution == NULL)
        return;
    if (!may_start(connection, &refusal) ||
        !take_callbacks(execution, CALLBACKS_OF_EXECUTE, &refusal) ||
        !take_request_id(execution, &refusal) || !take_request(execution, &refusal)) {
        execution_free(execution);
        refuse(connection, call, refusal.fault, refusal.text);
        return;
    }
    capnweb_call_on_dropped(call, on_dropped, execution);
    enqueue(execution);
}

/* ---- calls of retained executions ---- */

static bool take_invoked(struct execution *execution, struct refusal *refusal)
{
    const struct capnweb_value *id = capnweb_call_arg(execution->call, 0);
    const struct callbacks *callbacks;
    char text[TEXT_MAX];

    if (id->kind != CAPNWEB_STRING)
        return refused(refusal, CM_FAULT_INVALID_REQUEST,
                       "executionId is no string; it is a string");
    callbacks = retained_find(execution->connection, id->text);
    if (callbacks == NULL) {
        snprintf(text, sizeof(text), "Execution %.*s is no longer retained.",
                 (int)(id->text.bytes < ID_SHOWN ? id->text.bytes : ID_SHOWN), id->text.data);
        return refused(refusal, CM_FAULT_EXECUTION_GONE, text);
    }
    execution->invoked = id->text;
    if (capnweb_call_arg(execution->call, CALLBACKS_OF_INVOKE)->kind != CAPNWEB_UNDEFINED)
        return take_callbacks(execution, CALLBACKS_OF_INVOKE, refusal);
    execution->asker.callbacks = callbacks_ref(callbacks);
    return true;
}

static bool start_invocation(struct execution *execution, struct refusal *refusal)
{
    struct connection *connection = execution->connection;
    const struct capnweb_value *handle = capnweb_call_arg(execution->call, 1);
    const struct cm_events *events = events_of(execution);
    struct exchange_request request;
    struct cm_error err = CM_ERROR_INIT;
    int r;

    if (handle->kind != CAPNWEB_STRING)
        return refused(refusal, CM_FAULT_INVALID_REQUEST, "handle is no string; it is a string");
    r = exchange_take_request(capnweb_call_arg(execution->call, 2), &request, &err);
    if (r == 0)
        r = cm_invoke_start(connection->daemon->executor, execution->invoked.data,
                            handle->text.data, &request.request, events, execution, &execution->run,
                            &err);
    exchange_request_done(&request);
    if (r < 0)
        return refused(refusal, r == CM_E_INVAL ? CM_FAULT_INVALID_REQUEST : CM_FAULT_INTERNAL,
                       err.text);
    return true;
}

void execution_invoke(struct connection *connection, struct capnweb_call *call)
{
    struct execution *execution = execution_new(connection, call);
    struct refusal refusal;

    if (execution == NULL)
        return;
    if (!may_start(connection, &refusal) || !take_invoked(execution, &refusal) ||
        !start_invocation(execution, &refusal)) {
        execution_free(execution);
        refuse(connection, call, refusal.fault, refusal.text);
        return;
    }
    capnweb_call_on_dropped(call, on_dropped, execution);
    cm_list_append(&connection->executions, &execution->link);
    connection->execution_count++;
    metrics_add(metrics_of(connection), METRIC_EXECUTIONS_RUNNING, 1);
}

bool execution_release(struct connection *connection, struct capnweb_text id)
{
    bool known = retained_find(connection, id) != NULL;

    if (!known)
        return false;
    retained_forget(connection, id);
    return cm_execution_release(connection->daemon->executor, id.data) == 0;
}

bool execution_cancel(struct connection *connection, struct capnweb_text request_id)
{
    struct execution *execution = find(connection, request_id);

    if (execution == NULL)
        return false;
    if (execution->run != NULL)
        cm_run_cancel(execution->run);
    else
        end_with_fault(execution, CM_FAULT_CANCELLED, cm_message_text(CM_MSG_CANCELLED));
    return true;
}
