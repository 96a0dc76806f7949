/* The main object of a caller's session. Runs in the daemon; every argument is the
 * caller's and checked before use. */
#include "daemon/session.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "daemon/access.h"
#include "daemon/execution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENVELOPE_BYTES = 1 << 16, MEMBERS_MAX = 16, TEXT_MAX = 256 };

static uint64_t executor_setting(const struct daemon *daemon, const char *name)
{
    const char *text = cm_settings_get(daemon->settings->executor, name);
    uint64_t value = 0;

    return text != NULL && cm_parse_u64(text, &value) ? value : 0;
}

/* A text doubles at most when it travels as a JSON string: what is JSON already has
 * quotes and backslashes to escape, and no control characters. */
size_t session_message_limit(const struct daemon *daemon)
{
    return (size_t)executor_setting(daemon, "MESSAGE_LIMIT_BYTES") * 2 + ENVELOPE_BYTES;
}

/* ---- objects of numbers ---- */

struct members {
    struct capnweb_member rows[MEMBERS_MAX];
    size_t count;
};

static void add(struct members *members, const char *key, struct capnweb_value value)
{
    members->rows[members->count++] = (struct capnweb_member){ capnweb_text(key), value };
}

static void add_number(struct members *members, const char *key, uint64_t number)
{
    add(members, key, capnweb_number((double)number));
}

static struct capnweb_value object(const struct members *members)
{
    return capnweb_object(members->rows, members->count);
}

/* ---- hello ---- */

static void accept_hello(struct connection *connection, struct capnweb_call *call)
{
    const struct daemon *daemon = connection->daemon;
    const struct cm_report *report = cm_executor_report(daemon->executor);
    struct members limits = { .count = 0 };
    struct members hello = { .count = 0 };

    add_number(&limits, "timeoutMs", executor_setting(daemon, "DEFAULT_TIMEOUT_MS"));
    if (executor_setting(daemon, "MAX_TIMEOUT_MS") > 0)
        add_number(&limits, "maxTimeoutMs", executor_setting(daemon, "MAX_TIMEOUT_MS"));
    add_number(&limits, "maxWallMs", executor_setting(daemon, "MAX_WALL_MS"));
    add_number(&limits, "memoryMb", executor_setting(daemon, "MEMORY_LIMIT_MB"));
    add_number(&limits, "messageBytes", executor_setting(daemon, "MESSAGE_LIMIT_BYTES"));
    if (daemon->settings->response_limit_bytes > 0)
        add_number(&limits, "responseBytes", daemon->settings->response_limit_bytes);
    add_number(&limits, "executions", daemon->settings->connection_runs);
    add_number(&limits, "queue", daemon->settings->connection_queue);
    add_number(&hello, "protocol", SESSION_PROTOCOL);
    add(&hello, "version", capnweb_cstring(cm_version()));
    add(&hello, "runtime", capnweb_cstring(report == NULL ? "JavaScriptCore" : report->engine));
    add(&hello, "limits", object(&limits));
    if (!connection->greeted) {
        connection->greeted = true;
        metrics_add(&connection->daemon->metrics, METRIC_SESSIONS, 1);
        metrics_add(&connection->daemon->metrics, METRIC_SESSIONS_TOTAL, 1);
    }
    capnweb_answer(call, object(&hello));
}

/* "999999", or "absent", as it is given. */
static void describe_protocol(const struct capnweb_value *value, char *to, size_t cap)
{
    if (value != NULL && value->kind == CAPNWEB_NUMBER && isfinite(value->number))
        snprintf(to, cap, "%s", cm_number_plain(value->number).text);
    else
        snprintf(to, cap, "%s", value == NULL ? "an unnamed one" : "what is no number");
}

static bool speaks_protocol(const struct capnweb_value *options, struct capnweb_call *call)
{
    const struct capnweb_value *protocol = capnweb_get(options, "protocol");
    char given[CM_NUMBER_CHARS];
    char text[TEXT_MAX];

    if (protocol != NULL && protocol->kind == CAPNWEB_NUMBER &&
        protocol->number == SESSION_PROTOCOL)
        return true;
    describe_protocol(protocol, given, sizeof(given));
    snprintf(text, sizeof(text), "This executor speaks protocol %d, not %s.", SESSION_PROTOCOL,
             given);
    execution_reject(call, CM_FAULT_INVALID_REQUEST, text);
    return false;
}

static bool presents_token(struct connection *connection, const struct capnweb_value *options)
{
    struct capnweb_text token = capnweb_get_text(options, "token");

    if (connection->authorized)
        return true;
    connection->authorized =
        token.data != NULL &&
        access_token(connection->daemon->settings->auth_token, token.data, token.bytes);
    return connection->authorized;
}

static void reject_unauthorized(struct connection *connection, struct capnweb_call *call)
{
    log_write(&connection->daemon->log, LOG_WARN, "call refused",
              LOG_NUMBER("connection", connection->id), LOG_TEXT("code", "UNAUTHORIZED"));
    execution_reject(call, CM_FAULT_UNAUTHORIZED,
                     "This executor wants a token, in hello() or as a bearer token of the "
                     "handshake.");
}

static void call_hello(void *object_, struct capnweb_call *call)
{
    struct connection *connection = object_;
    const struct capnweb_value *options = capnweb_call_arg(call, 0);

    if (!speaks_protocol(options, call))
        return;
    if (!presents_token(connection, options))
        reject_unauthorized(connection, call);
    else
        accept_hello(connection, call);
}

/* ---- the other methods ---- */

static bool is_authorized(struct connection *connection, struct capnweb_call *call)
{
    if (!connection->authorized)
        reject_unauthorized(connection, call);
    return connection->authorized;
}

static void call_execute(void *object_, struct capnweb_call *call)
{
    if (is_authorized(object_, call))
        execution_start(object_, call);
}

/* The text of an argument; data NULL: the call was rejected. */
static struct capnweb_text take_text(struct capnweb_call *call, size_t index, const char *name)
{
    const struct capnweb_value *value = capnweb_call_arg(call, index);
    char text[TEXT_MAX];

    if (value->kind == CAPNWEB_STRING)
        return value->text;
    snprintf(text, sizeof(text), "%s is no string; it is a string", name);
    execution_reject(call, CM_FAULT_INVALID_REQUEST, text);
    return (struct capnweb_text){ NULL, 0 };
}

static void call_cancel(void *object_, struct capnweb_call *call)
{
    struct capnweb_text id;

    if (!is_authorized(object_, call))
        return;
    id = take_text(call, 0, "requestId");
    if (id.data != NULL)
        capnweb_answer(call, capnweb_boolean(execution_cancel(object_, id)));
}

static void call_invoke(void *object_, struct capnweb_call *call)
{
    if (is_authorized(object_, call))
        execution_invoke(object_, call);
}

static void call_release(void *object_, struct capnweb_call *call)
{
    struct capnweb_text id;

    if (!is_authorized(object_, call))
        return;
    id = take_text(call, 0, "executionId");
    if (id.data != NULL)
        capnweb_answer(call, capnweb_boolean(execution_release(object_, id)));
}

static void call_stats(void *object_, struct capnweb_call *call)
{
    struct connection *connection = object_;
    struct members answer = { .count = 0 };
    struct members workers = { .count = 0 };
    struct cm_stats stats = { 0 };

    if (!is_authorized(connection, call))
        return;
    cm_executor_stats(connection->daemon->executor, &stats);
    add_number(&workers, "starting", stats.workers_starting);
    add_number(&workers, "ready", stats.workers_ready);
    add_number(&workers, "running", stats.workers_running);
    add_number(&answer, "started", stats.runs_started);
    add_number(&answer, "ended", stats.runs_ended);
    add_number(&answer, "live", stats.runs_live);
    add_number(&answer, "queued", stats.runs_queued);
    add_number(&answer, "calls", stats.calls);
    add_number(&answer, "connectionLive", connection->execution_count);
    add_number(&answer, "connectionQueued", connection->waiting_count);
    add(&answer, "workers", object(&workers));
    add(&answer, "state", capnweb_cstring(daemon_state_word(connection->daemon)));
    capnweb_answer(call, object(&answer));
}

static const struct capnweb_method methods[] = {
    { "hello", call_hello },   { "execute", call_execute }, { "cancel", call_cancel },
    { "invoke", call_invoke }, { "release", call_release }, { "stats", call_stats },
};

static const struct capnweb_class main_class = { .methods = methods,
                                                 .method_count = CM_ARRAY_LEN(methods) };

int session_new(struct connection *connection, const struct capnweb_events *events,
                size_t headroom_bytes, struct capnweb_session **ret_session)
{
    struct capnweb_settings settings;

    capnweb_settings_init(&settings);
    settings.max_message = session_message_limit(connection->daemon);
    settings.headroom_bytes = headroom_bytes;
    return capnweb_session_new(&settings, events, connection, &main_class, connection, ret_session);
}
