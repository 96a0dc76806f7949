/* One caller. Runs in the daemon; every message is hostile until the session has
 * taken it apart. Input and output are bounded: a message by what the settings
 * permit, the output by CONNECTION_OUTPUT_BYTES, and while much of it waits no
 * input is read that would make more. */
#include "daemon/connection.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "daemon/execution.h"
#include "daemon/retained.h"
#include "daemon/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OUTPUT_HIGH = 1 << 20, /* input stops above this and goes on below a quarter of it */
    OUTPUT_LOW = OUTPUT_HIGH / 4,
    UNAUTHORIZED_BYTES = 1 << 16 /* of a message before the token was presented */
};

/* Lies in the headroom in front of its bytes. */
struct message {
    struct cm_list link;
    size_t bytes;
    size_t sent;
};

enum { HEADROOM = sizeof(struct message) + LWS_PRE };

static char *message_bytes(struct message *message)
{
    return (char *)message + HEADROOM;
}

/* ---- output ---- */

static void set_paused(struct connection *connection, bool paused)
{
    if (connection->paused == paused || connection->dead)
        return;
    connection->paused = paused;
    connection->held_bytes = 0;
    connection->transport->pause(connection, paused);
}

static void kill_connection(struct connection *connection)
{
    connection->dead = true;
    connection->transport->kill(connection);
}

static void drop_output(struct connection *connection)
{
    CM_LIST_EACH(&connection->output, link, after)
    {
        free(CM_CONTAINER_OF(link, struct message, link));
    }
    cm_list_init(&connection->output);
    metrics_sub(&connection->daemon->metrics, METRIC_OUTPUT_BYTES, connection->output_bytes);
    connection->output_bytes = 0;
}

static void end_slow_reader(struct connection *connection)
{
    log_write(&connection->daemon->log, LOG_WARN, "connection ended",
              LOG_NUMBER("connection", connection->id),
              LOG_TEXT("reason", "CONNECTION_OUTPUT_BYTES are unsent: the caller does not read"),
              LOG_NUMBER("unsent_bytes", connection->output_bytes + connection->held_bytes));
    drop_output(connection);
    kill_connection(connection);
}

static void on_send(void *user, char *text, size_t bytes)
{
    struct connection *connection = user;
    struct message *message = (struct message *)(void *)(text - HEADROOM);

    if (connection->dead) {
        free(message);
        return;
    }
    message->bytes = bytes;
    message->sent = 0;
    cm_list_init(&message->link);
    cm_list_append(&connection->output, &message->link);
    connection->output_bytes += bytes;
    metrics_add(&connection->daemon->metrics, METRIC_OUTPUT_BYTES, bytes);
    if (connection->output_bytes > connection->daemon->settings->connection_output_bytes) {
        end_slow_reader(connection);
        return;
    }
    if (connection->output_bytes > OUTPUT_HIGH)
        set_paused(connection, true);
    connection->transport->want_output(connection);
}

void connection_held(struct connection *connection, uint64_t bytes)
{
    if (!connection->paused || connection->dead)
        return;
    connection->held_bytes += bytes;
    if (connection->output_bytes + connection->held_bytes >
        connection->daemon->settings->connection_output_bytes)
        end_slow_reader(connection);
}

bool connection_output(struct connection *connection, size_t max, struct connection_piece *piece)
{
    struct message *message = CM_LIST_FIRST(&connection->output, struct message, link);
    size_t left;

    if (message == NULL)
        return false;
    left = message->bytes - message->sent;
    piece->bytes = message_bytes(message) + message->sent;
    piece->count = left < max ? left : max;
    piece->first = message->sent == 0;
    piece->last = piece->count == left;
    return true;
}

void connection_sent(struct connection *connection, size_t count)
{
    struct message *message = CM_LIST_FIRST(&connection->output, struct message, link);
    struct metrics *metrics = &connection->daemon->metrics;

    message->sent += count;
    connection->output_bytes -= count;
    metrics_sub(metrics, METRIC_OUTPUT_BYTES, count);
    metrics_add(metrics, METRIC_SENT_BYTES, count);
    if (message->sent == message->bytes) {
        cm_list_unlink(&message->link);
        free(message);
    }
    if (connection->output_bytes < OUTPUT_LOW)
        set_paused(connection, false);
}

/* ---- the end ---- */

/* Cut at the start of a character. */
static void set_reason(struct connection *connection, const char *reason, size_t bytes)
{
    if (bytes > CLOSE_REASON_MAX) {
        bytes = CLOSE_REASON_MAX;
        while (bytes > 0 && ((unsigned char)reason[bytes] & 0xC0) == 0x80)
            bytes--;
    }
    memcpy(connection->close_reason, reason, bytes);
    connection->close_reason[bytes] = '\0';
}

static void close_with(struct connection *connection, unsigned code, const char *reason,
                       size_t bytes)
{
    if (connection->closing)
        return;
    connection->closing = true;
    connection->close_code = code;
    set_reason(connection, reason, bytes);
    if (!connection->dead)
        connection->transport->want_output(connection);
}

void connection_close(struct connection *connection, unsigned code, const char *reason)
{
    close_with(connection, code, reason, strlen(reason));
}

bool connection_is_finished(const struct connection *connection)
{
    return connection->closing && cm_list_empty(&connection->output);
}

/* The reason may quote what the peer sent: it goes back to the peer, and never to
 * the log. */
static void on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    struct connection *connection = user;
    struct daemon *daemon = connection->daemon;

    executions_end_all(connection);
    retained_end_all(connection);
    if (how == CAPNWEB_END_FAULT || how == CAPNWEB_END_OURS) {
        metrics_add(&daemon->metrics, METRIC_SESSION_FAULTS, 1);
        log_write(&daemon->log, LOG_WARN, "session ended", LOG_NUMBER("connection", connection->id),
                  LOG_TEXT("reason", "a message broke the protocol or a limit"));
    }
    close_with(connection, CLOSE_SESSION, reason.data, reason.bytes);
}

static const struct capnweb_events rpc_events = { .send = on_send, .on_ended = on_ended };

/* ---- input ---- */

static size_t message_limit(const struct connection *connection)
{
    if (!connection->authorized)
        return UNAUTHORIZED_BYTES;
    return session_message_limit(connection->daemon);
}

static void refuse_long(struct connection *connection)
{
    char text[128];

    snprintf(text, sizeof(text), "A message has at most %s bytes here.",
             cm_number_grouped(message_limit(connection)).text);
    capnweb_abort_text(connection->rpc, "RangeError", text);
}

/* Room for `count` bytes more, `rest` after them, and one. */
static bool make_room(struct connection *connection, size_t count, size_t rest)
{
    size_t need = connection->input_bytes + count + rest + 1;
    size_t cap = connection->input_cap;
    char *grown;

    if (need <= cap)
        return true;
    cap = cap * 2 > need ? cap * 2 : need;
    grown = realloc(connection->input, cap);
    if (grown == NULL)
        return false;
    connection->input = grown;
    connection->input_cap = cap;
    return true;
}

static void forget_input(struct connection *connection)
{
    free(CM_TAKE(connection->input));
    connection->input_bytes = 0;
    connection->input_cap = 0;
}

void connection_receive(struct connection *connection, const char *bytes, size_t count, size_t rest,
                        bool final)
{
    size_t limit = message_limit(connection);
    size_t total;

    daemon_note_event(connection->daemon);
    metrics_add(&connection->daemon->metrics, METRIC_RECEIVED_BYTES, count);
    if (capnweb_ended(connection->rpc))
        return;
    if (count > limit - connection->input_bytes || rest > limit - connection->input_bytes - count) {
        forget_input(connection);
        refuse_long(connection);
        return;
    }
    if (final && connection->input_bytes == 0) {
        capnweb_receive(connection->rpc, bytes, count);
        return;
    }
    if (!make_room(connection, count, rest)) {
        forget_input(connection);
        capnweb_abort_text(connection->rpc, "Error", "The daemon has no memory for this message.");
        return;
    }
    memcpy(connection->input + connection->input_bytes, bytes, count);
    connection->input_bytes += count;
    if (!final)
        return;
    total = connection->input_bytes;
    connection->input_bytes = 0;
    connection->input_cap = 0;
    capnweb_receive_owned(connection->rpc, CM_TAKE(connection->input), total);
}

/* ---- its life ---- */

int connection_open(struct daemon *daemon, const struct transport *transport, void *carrier,
                    bool authorized, struct connection **ret_connection)
{
    struct connection *connection = calloc(1, sizeof(*connection));
    int r;

    if (connection == NULL)
        return CM_E_NOMEM;
    *connection = (struct connection){ .daemon = daemon,
                                       .transport = transport,
                                       .carrier = carrier,
                                       .id = ++daemon->last_connection,
                                       .authorized = authorized };
    snprintf(connection->key, sizeof(connection->key), "connection %" PRIu64, connection->id);
    cm_list_init(&connection->output);
    cm_list_init(&connection->executions);
    cm_list_init(&connection->waiting);
    cm_list_init(&connection->retained);
    r = session_new(connection, &rpc_events, HEADROOM, &connection->rpc);
    if (r < 0) {
        free(connection);
        return r;
    }
    cm_list_append(&daemon->connections, &connection->link);
    metrics_add(&daemon->metrics, METRIC_CONNECTIONS, 1);
    metrics_add(&daemon->metrics, METRIC_CONNECTIONS_TOTAL, 1);
    log_write(&daemon->log, LOG_INFO, "connection opened", LOG_NUMBER("connection", connection->id),
              LOG_TEXT("transport", transport->name));
    *ret_connection = connection;
    return 0;
}

/* Executions end first: a call that learned of the end of the session would only
 * wake a program that is about to be killed. */
void connection_lost(struct connection *connection, const char *reason)
{
    struct daemon *daemon = connection->daemon;

    connection->dead = true;
    executions_end_all(connection);
    retained_end_all(connection);
    capnweb_lost(connection->rpc, reason);
    capnweb_session_free(connection->rpc);
    lws_sul_cancel(&connection->queue_timer);
    drop_output(connection);
    free(connection->input);
    cm_list_unlink(&connection->link);
    metrics_sub(&daemon->metrics, METRIC_CONNECTIONS, 1);
    if (connection->greeted)
        metrics_sub(&daemon->metrics, METRIC_SESSIONS, 1);
    log_write(&daemon->log, LOG_INFO, "connection closed", LOG_NUMBER("connection", connection->id),
              LOG_TEXT("reason", reason));
    free(connection);
    daemon_check_drained(daemon);
}
