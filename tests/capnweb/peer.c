/*
 * A peer for the interoperability checks: serves the target over WebSocket, or dials
 * and exposes it to the server. One thread; libwebsockets has the loop.
 *
 *     capnweb-peer serve [PORT]       prints "listening PORT"
 *     capnweb-peer dial URL COUNT     keeps COUNT connections, each dialled anew at once
 */
#include "target.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/list.h"

#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_MAX = 128 << 20,
    REDIAL_US = 2000,
    CLOSE_RPC = 3000,
    REASON_MAX = 123,
};

struct message {
    struct cm_list link;
    size_t bytes;
    char *text; /* headroom in front */
};

struct connection {
    struct target_host host;
    struct lws *wsi;
    struct capnweb_session *session;
    char *text; /* of the message that is arriving */
    size_t bytes;
    size_t cap;
    struct cm_list queue;
    bool closing; /* once the queue is out */
    unsigned code;
    char reason[REASON_MAX + 1];
};

struct timer {
    lws_sorted_usec_list_t sul;
    void (*fn)(void *user);
    void *user;
};

static struct lws_context *context;
static volatile sig_atomic_t stopped;

/* Where to dial. */
static struct {
    char address[64];
    int port;
    size_t count;
    size_t open;
    lws_sorted_usec_list_t sul;
} dialler;

/*
 * What the target may do with its connection
 */

static void timer_fire(lws_sorted_usec_list_t *sul)
{
    struct timer *timer = lws_container_of(sul, struct timer, sul);

    timer->fn(timer->user);
    free(timer);
}

static void host_after(struct target_host *host, double ms, void (*fn)(void *user), void *user)
{
    struct timer *timer = calloc(1, sizeof(*timer));

    (void)host;
    if (timer == NULL)
        abort();
    timer->fn = fn;
    timer->user = user;
    lws_sul_schedule(context, 0, &timer->sul, timer_fire, (lws_usec_t)(ms * 1000) + 1);
}

static void close_later(struct connection *connection, unsigned code, const char *reason, size_t n)
{
    if (connection->closing)
        return;
    connection->closing = true;
    connection->code = code;
    n = n < REASON_MAX ? n : REASON_MAX;
    while (n > 0 && n == REASON_MAX && (reason[n] & 0xC0) == 0x80)
        n--; /* not inside a character */
    memcpy(connection->reason, reason, n);
    connection->reason[n] = '\0';
    lws_callback_on_writable(connection->wsi);
}

static void host_close(struct target_host *host, unsigned code, const char *reason)
{
    struct connection *connection = CM_CONTAINER_OF(host, struct connection, host);

    close_later(connection, code, reason, strlen(reason));
}

static void host_drop(struct target_host *host)
{
    struct connection *connection = CM_CONTAINER_OF(host, struct connection, host);

    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

/*
 * What the session says
 */

static void on_send(void *user, char *text, size_t bytes)
{
    struct connection *connection = user;
    struct message *message = malloc(sizeof(*message));

    if (message == NULL)
        abort();
    *message = (struct message){ .bytes = bytes, .text = text };
    cm_list_init(&message->link);
    cm_list_append(&connection->queue, &message->link);
    lws_callback_on_writable(connection->wsi);
}

static void on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    struct connection *connection = user;

    if (how != CAPNWEB_END_LOST)
        close_later(connection, CLOSE_RPC, reason.data, reason.bytes);
}

static const struct capnweb_events events = { .send = on_send, .on_ended = on_ended };

static void message_free(struct message *message)
{
    cm_list_unlink(&message->link);
    free(message->text - LWS_PRE);
    free(message);
}

static void opened(struct connection *connection, struct lws *wsi)
{
    struct capnweb_settings settings;

    *connection = (struct connection){ .wsi = wsi,
                                       .host = { host_after, host_close, host_drop } };
    cm_list_init(&connection->queue);
    capnweb_settings_init(&settings);
    settings.headroom_bytes = LWS_PRE;
    if (capnweb_session_new(&settings, &events, connection, &target_class,
                            target_new(&connection->host), &connection->session) < 0)
        abort();
}

static void closed(struct connection *connection)
{
    struct message *message;

    if (connection->session == NULL)
        return;
    capnweb_lost(connection->session, "the connection is closed");
    capnweb_session_free(CM_TAKE(connection->session));
    while ((message = CM_LIST_FIRST(&connection->queue, struct message, link)) != NULL)
        message_free(message);
    free(CM_TAKE(connection->text));
}

/*
 * Frames
 */

static bool make_room(struct connection *connection, size_t more)
{
    size_t need = connection->bytes + more + 1;
    size_t cap = need < connection->cap * 2 ? connection->cap * 2 : need;
    char *grown;

    if (need <= connection->cap)
        return true;
    if (more > MESSAGE_MAX - connection->bytes)
        return false;
    grown = realloc(connection->text, cap);
    if (grown == NULL)
        return false;
    connection->text = grown;
    connection->cap = cap;
    return true;
}

/* Negative ends the connection with what lws_close_reason() was told. */
static int received(struct connection *connection, const void *bytes, size_t n)
{
    size_t rest = lws_remaining_packet_payload(connection->wsi);

    if (connection->closing)
        return 0;
    if (lws_frame_is_binary(connection->wsi)) {
        capnweb_abort_text(connection->session, "TypeError", "a message is text");
        return 0;
    }
    if (rest > MESSAGE_MAX || !make_room(connection, n + rest)) {
        lws_close_reason(connection->wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    memcpy(connection->text + connection->bytes, bytes, n);
    connection->bytes += n;
    if (rest > 0 || !lws_is_final_fragment(connection->wsi))
        return 0;
    n = connection->bytes;
    connection->bytes = 0;
    connection->cap = 0;
    capnweb_receive_owned(connection->session, CM_TAKE(connection->text), n);
    return 0;
}

static int writable(struct connection *connection)
{
    struct message *message = CM_LIST_FIRST(&connection->queue, struct message, link);

    if (message == NULL && connection->closing) {
        lws_close_reason(connection->wsi, (enum lws_close_status)connection->code,
                         (unsigned char *)connection->reason, strlen(connection->reason));
        return -1;
    }
    if (message == NULL)
        return 0;
    if (lws_write(connection->wsi, (unsigned char *)message->text, message->bytes,
                  LWS_WRITE_TEXT) < (int)message->bytes)
        return -1;
    message_free(message);
    if (connection->closing || !cm_list_empty(&connection->queue))
        lws_callback_on_writable(connection->wsi);
    return 0;
}

static void dial_soon(void);

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t n)
{
    struct connection *connection = user;

    switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        opened(connection, wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return received(connection, in, n);
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return writable(connection);
    case LWS_CALLBACK_CLOSED:
        closed(connection);
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        closed(connection);
        dialler.open--;
        dial_soon();
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        dialler.open--;
        dial_soon();
        return 0;
    case LWS_CALLBACK_HTTP:
        lws_return_http_status(wsi, HTTP_STATUS_NOT_FOUND, NULL);
        return -1;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    { "", on_event, sizeof(struct connection), 65536, 0, NULL, 0 },
    { NULL, NULL, 0, 0, 0, NULL, 0 },
};

/*
 * Dialling
 */

static void dial(lws_sorted_usec_list_t *sul)
{
    (void)sul;
    while (dialler.open < dialler.count) {
        const struct lws_client_connect_info info = { .context = context,
                                                      .address = dialler.address,
                                                      .port = dialler.port,
                                                      .path = "/",
                                                      .host = dialler.address,
                                                      .local_protocol_name = "" };

        dialler.open++;
        if (lws_client_connect_via_info(&info) == NULL)
            break; /* on_event() has been told */
    }
}

static void dial_soon(void)
{
    lws_sul_schedule(context, 0, &dialler.sul, dial, REDIAL_US);
}

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
    lws_cancel_service(context);
}

static int usage(void)
{
    fputs("usage: capnweb-peer serve [PORT] | dial URL COUNT\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    bool serves = argc >= 2 && strcmp(argv[1], "serve") == 0;
    struct lws_context_creation_info info = {
        .port = serves ? (argc > 2 ? atoi(argv[2]) : 0) : CONTEXT_PORT_NO_LISTEN,
        .iface = "127.0.0.1",
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_DISABLE_IPV6,
        .pt_serv_buf_size = 65536,
    };

    lws_set_log_level(LLL_ERR, NULL);
    if (!serves && (argc != 4 || strcmp(argv[1], "dial") != 0 ||
                    sscanf(argv[2], "ws://%63[^:/]:%d", dialler.address, &dialler.port) != 2))
        return usage();
    context = lws_create_context(&info);
    if (context == NULL)
        return 1;
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    if (serves) {
        printf("listening %d\n", lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
        fflush(stdout);
    } else {
        dialler.count = strtoul(argv[3], NULL, 10);
        dial_soon();
    }
    while (!stopped && lws_service(context, 0) >= 0)
        ;
    lws_context_destroy(context);
    return 0;
}
