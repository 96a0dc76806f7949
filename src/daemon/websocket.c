/* Connections over WebSocket. Runs in the daemon, called back by libwebsockets,
 * which has checked the framing and the UTF-8. It also takes frames without a mask, and
 * tells nobody: a mask guards proxies between a page and a server, not the server.
 *
 * Output goes out as fragments of one text message, because libwebsockets copies
 * what a socket did not take of a frame: that is then at most one fragment. */
#include "daemon/websocket.h"

#include "base/cleanup.h"
#include "daemon/connection.h"
#include "daemon/http.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    FRAGMENT_BYTES = 1 << 17,
    BURST_BYTES = 1 << 22, /* written before others get their turn */
    READ_BYTES = 1 << 16,
    END_CHECK_MS = 50 /* while nothing is read */
};

static const char no_sign_of_life[] = "the caller did not answer a ping";
static const char no_token[] = "no token was presented in time";

struct websocket {
    struct lws *wsi;
    struct connection *connection;
    struct cm_list unflushed;     /* daemon->unflushed, while there is output of this turn */
    lws_sorted_usec_list_t alive; /* looks for a sign of life */
    lws_sorted_usec_list_t hello;
    lws_sorted_usec_list_t end_check;
    const char *reason; /* why it ended; NULL: it broke */
    bool heard;         /* since `alive` looked last */
    bool pinged;
    bool ping_due;
    bool finishing; /* the close frame is on its way; the caller's is awaited */
    bool peer_closed;
};

/* ---- transport ---- */

static void want_output(struct connection *connection)
{
    struct websocket *socket = connection->carrier;

    cm_list_move(&connection->daemon->unflushed, &socket->unflushed);
}

static void set_paused(struct connection *connection, bool paused);

/* Without a close frame: the peer does not take what is before it. */
static void kill_socket(struct connection *connection)
{
    struct websocket *socket = connection->carrier;

    lws_set_timeout(socket->wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC);
}

static const struct transport transport = { "websocket", want_output, set_paused, kill_socket };

/* ---- time ---- */

static void schedule(struct websocket *socket, lws_sorted_usec_list_t *timer,
                     void (*fire)(lws_sorted_usec_list_t *timer), uint64_t delay_ms)
{
    lws_sul_schedule(lws_get_context(socket->wsi), 0, timer, fire,
                     (lws_usec_t)delay_ms * LWS_US_PER_MS);
}

static void end_now(struct websocket *socket, const char *reason)
{
    socket->reason = reason;
    socket->connection->dead = true;
    kill_socket(socket->connection);
}

static bool peer_has_ended(const struct websocket *socket)
{
    struct tcp_info info = { 0 };
    socklen_t bytes = sizeof(info);

    getsockopt(lws_get_socket_fd(socket->wsi), IPPROTO_TCP, TCP_INFO, &info, &bytes);
    return info.tcpi_state == TCP_CLOSE_WAIT;
}

/* Who does not read sees no end, and libwebsockets waits for nothing else that tells. */
static void look_for_end(lws_sorted_usec_list_t *timer)
{
    struct websocket *socket = lws_container_of(timer, struct websocket, end_check);

    if (peer_has_ended(socket))
        end_now(socket, NULL);
    else
        schedule(socket, timer, look_for_end, END_CHECK_MS);
}

static void set_paused(struct connection *connection, bool paused)
{
    struct websocket *socket = connection->carrier;

    lws_rx_flow_control(socket->wsi, !paused);
    if (paused)
        schedule(socket, &socket->end_check, look_for_end, END_CHECK_MS);
    else
        lws_sul_cancel(&socket->end_check);
}

static void look_for_life(lws_sorted_usec_list_t *timer)
{
    struct websocket *socket = lws_container_of(timer, struct websocket, alive);

    if (!socket->heard && socket->pinged) {
        end_now(socket, no_sign_of_life);
        return;
    }
    if (!socket->heard) {
        socket->pinged = true;
        socket->ping_due = true;
        lws_callback_on_writable(socket->wsi);
    }
    socket->heard = false;
    schedule(socket, timer, look_for_life, socket->connection->daemon->settings->ping_interval_ms);
}

static void on_life(struct websocket *socket)
{
    socket->heard = true;
    socket->pinged = false;
}

static void miss_hello(lws_sorted_usec_list_t *timer)
{
    struct websocket *socket = lws_container_of(timer, struct websocket, hello);

    if (!socket->connection->authorized)
        end_now(socket, no_token);
}

/* ---- events ---- */

static int on_established(struct lws *wsi, struct http_exchange *exchange)
{
    struct daemon *daemon = lws_context_user(lws_get_context(wsi));
    const struct daemon_settings *settings = daemon->settings;
    struct websocket *socket = calloc(1, sizeof(*socket));
    bool authorized = settings->auth_token[0] == '\0' || http_presents_token(wsi);

    if (socket == NULL)
        return -1;
    socket->wsi = wsi;
    cm_list_init(&socket->unflushed);
    if (connection_open(daemon, &transport, socket, authorized, &socket->connection) < 0) {
        free(socket);
        return -1;
    }
    exchange->socket = socket;
    schedule(socket, &socket->alive, look_for_life, settings->ping_interval_ms);
    if (!authorized)
        schedule(socket, &socket->hello, miss_hello, settings->hello_timeout_ms);
    return 0;
}

static int on_received(struct websocket *socket, const char *bytes, size_t count)
{
    on_life(socket);
    if (lws_frame_is_binary(socket->wsi)) {
        capnweb_abort_text(socket->connection->rpc, "TypeError", "Messages are text frames here.");
        return 0;
    }
    connection_receive(socket->connection, bytes, count, lws_remaining_packet_payload(socket->wsi),
                       lws_is_final_fragment(socket->wsi));
    return 0;
}

static int send_ping(struct websocket *socket)
{
    unsigned char buffer[LWS_PRE];

    socket->ping_due = false;
    return lws_write(socket->wsi, buffer + LWS_PRE, 0, LWS_WRITE_PING) < 0 ? -1 : 0;
}

static int send_piece(struct websocket *socket, const struct connection_piece *piece)
{
    int how = piece->first ? LWS_WRITE_TEXT : LWS_WRITE_CONTINUATION;

    if (!piece->last)
        how |= LWS_WRITE_NO_FIN;
    if (lws_write(socket->wsi, (unsigned char *)piece->bytes, piece->count,
                  (enum lws_write_protocol)how) < 0)
        return -1;
    on_life(socket);
    connection_sent(socket->connection, piece->count);
    return 0;
}

/* Once: a second time would end the connection without the caller's close frame,
 * and with what it has not read yet. */
static int finish(struct websocket *socket)
{
    const struct connection *connection = socket->connection;

    socket->finishing = true;
    socket->reason = "the session was over";
    lws_close_reason(socket->wsi, (enum lws_close_status)connection->close_code,
                     (unsigned char *)socket->connection->close_reason,
                     strlen(connection->close_reason));
    return -1;
}

static int send_burst(struct websocket *socket)
{
    struct connection_piece piece;
    size_t written = 0;

    while (written < BURST_BYTES && !lws_partial_buffered(socket->wsi) &&
           connection_output(socket->connection, FRAGMENT_BYTES, &piece)) {
        if (send_piece(socket, &piece) < 0)
            return -1;
        written += piece.count;
    }
    return 0;
}

static int on_writable(struct websocket *socket)
{
    if (socket->finishing)
        return 0;
    if (socket->ping_due && send_ping(socket) < 0)
        return -1;
    if (send_burst(socket) < 0)
        return -1;
    if (!cm_list_empty(&socket->connection->output))
        lws_callback_on_writable(socket->wsi);
    else if (connection_is_finished(socket->connection) && !lws_partial_buffered(socket->wsi))
        return finish(socket);
    else if (connection_is_finished(socket->connection))
        lws_callback_on_writable(socket->wsi);
    return 0;
}

static void cork(struct websocket *socket, int on)
{
    setsockopt(lws_get_socket_fd(socket->wsi), IPPROTO_TCP, TCP_CORK, &on, sizeof(on));
}

/* What a turn made for one caller leaves as one segment, and without another turn that
 * learns that the socket takes it. What it does not take waits for that. */
static void flush(struct websocket *socket)
{
    const struct cm_list *output = &socket->connection->output;
    bool several = output->next != output->prev;

    cm_list_unlink(&socket->unflushed);
    if (socket->finishing || socket->peer_closed || socket->connection->dead)
        return;
    if (several)
        cork(socket, 1);
    if (send_burst(socket) < 0)
        end_now(socket, NULL);
    if (several)
        cork(socket, 0);
    if (!cm_list_empty(output) || socket->connection->closing)
        lws_callback_on_writable(socket->wsi);
}

void websockets_flush(struct daemon *daemon)
{
    struct websocket *socket;

    while ((socket = CM_LIST_FIRST(&daemon->unflushed, struct websocket, unflushed)) != NULL)
        flush(socket);
}

static int on_closed(struct websocket *socket, struct http_exchange *exchange)
{
    const char *broke = socket->peer_closed ? "the caller closed it" : "it broke";

    exchange->socket = NULL;
    cm_list_unlink(&socket->unflushed);
    lws_sul_cancel(&socket->alive);
    lws_sul_cancel(&socket->hello);
    lws_sul_cancel(&socket->end_check);
    connection_lost(socket->connection, socket->reason == NULL ? broke : socket->reason);
    free(socket);
    return 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    struct http_exchange *exchange = user;
    struct websocket *socket = exchange == NULL ? NULL : exchange->socket;

    if (reason == LWS_CALLBACK_ESTABLISHED && exchange != NULL)
        return on_established(wsi, exchange);
    if (socket == NULL)
        return http_on_event(wsi, reason, exchange, in, len);
    switch (reason) {
    case LWS_CALLBACK_RECEIVE:
        return on_received(socket, in, len);
    case LWS_CALLBACK_RECEIVE_PONG:
        on_life(socket);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return on_writable(socket);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        socket->peer_closed = true;
        return 0;
    case LWS_CALLBACK_CLOSED:
        return on_closed(socket, exchange);
    default:
        return 0;
    }
}

const struct lws_protocols websocket_protocol = { .name = "capnweb",
                                                  .callback = on_event,
                                                  .per_session_data_size =
                                                      sizeof(struct http_exchange),
                                                  .rx_buffer_size = READ_BYTES,
                                                  .tx_packet_size = FRAGMENT_BYTES };
