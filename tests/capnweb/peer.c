/*
 * A peer for the interoperability checks: serves the target over WebSocket, or dials
 * and exposes it to the server. One thread; libwebsockets has the sockets, the timers
 * and the loop.
 *
 *     capnweb-peer serve [PORT]       prints "listening PORT"
 *     capnweb-peer dial URL COUNT     keeps COUNT connections, each dialled anew at once
 */
#include "serving.h"
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
    REDIAL_US = 2000,
    CLOSE_WAIT_US = 1000000, /* for the peer's close frame */
    CLOSE_RPC = 3000,
    REASON_MAX = 123,
    HEADROOM = LWS_PRE + SERVING_HEAD_MAX,
    MESSAGE_MAX = 128 << 20,
    OUTPUT_MAX = 256 << 20,
};

struct message {
    struct cm_list link;
    size_t bytes;
    char *text; /* with HEADROOM in front */
    bool raw;   /* goes out as it is */
    enum websocket_opcode opcode;
};

struct connection {
    struct target_host host;
    struct lws *wsi;
    struct websocket websocket;
    struct serving serving;
    bool dialled;                    /* it is the client of the connection */
    struct capnweb_session *session; /* once the handshake is done */
    struct cm_list queue;
    bool closing; /* a close frame is in the queue, or the connection just ends */
    bool ending;  /* ends when the queue is out */
    lws_sorted_usec_list_t sul;
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

static void cut(lws_sorted_usec_list_t *sul)
{
    struct connection *connection = lws_container_of(sul, struct connection, sul);

    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

static void enqueue(struct connection *connection, struct message what)
{
    struct message *message = malloc(sizeof(*message));

    if (message == NULL)
        abort();
    *message = what;
    cm_list_init(&message->link);
    cm_list_append(&connection->queue, &message->link);
    lws_callback_on_writable(connection->wsi);
}

static void enqueue_copy(struct connection *connection, bool raw, enum websocket_opcode opcode,
                         const char *bytes, size_t n)
{
    char *copy = malloc(HEADROOM + n + 1);

    if (copy == NULL)
        abort();
    if (n > 0)
        memcpy(copy + HEADROOM, bytes, n);
    enqueue(connection,
            (struct message){ .bytes = n, .text = copy + HEADROOM, .raw = raw, .opcode = opcode });
}

/* A close frame, and a while for the peer's. */
static void close_with(struct connection *connection, unsigned code, const char *reason, size_t n)
{
    char payload[2 + REASON_MAX] = { (char)(code >> 8), (char)code };

    if (connection->closing)
        return;
    connection->closing = true;
    if (n > REASON_MAX)
        for (n = REASON_MAX; n > 0 && (reason[n] & 0xC0) == 0x80;)
            n--; /* not inside a character */
    memcpy(payload + 2, reason, n);
    enqueue_copy(connection, false, WEBSOCKET_CLOSE, payload, 2 + n);
    lws_sul_schedule(context, 0, &connection->sul, cut, CLOSE_WAIT_US);
}

static void host_close(struct target_host *host, unsigned code, const char *reason)
{
    struct connection *connection = CM_CONTAINER_OF(host, struct connection, host);

    close_with(connection, code, reason, strlen(reason));
}

static void host_drop(struct target_host *host)
{
    struct connection *connection = CM_CONTAINER_OF(host, struct connection, host);

    cut(&connection->sul);
}

/*
 * What the session says
 */

static void on_send(void *user, char *text, size_t bytes)
{
    struct connection *connection = user;

    if (connection->closing)
        free(text - HEADROOM);
    else
        enqueue(connection,
                (struct message){ .bytes = bytes, .text = text, .opcode = WEBSOCKET_TEXT });
}

static void on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    struct connection *connection = user;

    if (how != CAPNWEB_END_LOST)
        close_with(connection, CLOSE_RPC, reason.data, reason.bytes);
}

static const struct capnweb_events events = { .send = on_send, .on_ended = on_ended };

static void message_free(struct message *message)
{
    cm_list_unlink(&message->link);
    free(message->text - HEADROOM);
    free(message);
}

static void start_session(struct connection *connection)
{
    struct capnweb_settings settings;

    capnweb_settings_init(&settings);
    settings.headroom_bytes = HEADROOM;
    if (capnweb_session_new(&settings, &events, connection, &target_class,
                            target_new(&connection->host), &connection->session) < 0)
        abort();
}

static void opened(struct connection *connection, struct lws *wsi, bool dialled)
{
    *connection = (struct connection){ .wsi = wsi,
                                       .host = { host_after, host_close, host_drop },
                                       .dialled = dialled };
    if (websocket_init(&connection->websocket, MESSAGE_MAX) < 0)
        abort();
    serving_init(&connection->serving);
    cm_list_init(&connection->queue);
}

static void closed(struct connection *connection)
{
    struct message *message;

    if (connection->session != NULL)
        capnweb_lost(connection->session, "the connection is closed");
    capnweb_session_free(CM_TAKE(connection->session));
    while ((message = CM_LIST_FIRST(&connection->queue, struct message, link)) != NULL)
        message_free(message);
    websocket_done(&connection->websocket);
    serving_done(&connection->serving);
    lws_sul_cancel(&connection->sul);
}

/*
 * Frames
 */

/* HTTP batch mode: the messages of one session, a line each. What is not answered at
 * once is missing in the reply. */
struct batch {
    struct cm_buf out;
    bool failed;
};

static void batch_on_send(void *user, char *text, size_t bytes)
{
    struct batch *batch = user;

    if ((batch->out.len > 0 && cm_buf_append(&batch->out, "\n", 1) < 0) ||
        cm_buf_append(&batch->out, text, bytes) < 0)
        batch->failed = true;
    free(text);
}

static void batch_on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    struct batch *batch = user;

    (void)how, (void)reason;
    batch->failed = true;
}

static void batch_run(struct batch *batch, struct target_host *host, const char *text, size_t n)
{
    static const struct capnweb_events batch_events = { .send = batch_on_send,
                                                        .on_ended = batch_on_ended };
    struct capnweb_session *session;

    if (capnweb_session_new(NULL, &batch_events, batch, &target_class, target_new(host), &session) <
        0)
        abort();
    while (n > 0) {
        const char *end = memchr(text, '\n', n);
        size_t length = end == NULL ? n : (size_t)(end - text);

        capnweb_receive(session, text, length);
        length += end != NULL;
        text += length;
        n -= length;
    }
    capnweb_session_free(session);
}

static void on_post(struct connection *connection)
{
    struct batch batch = { .failed = false };
    char head[128];
    int n;

    cm_buf_init(&batch.out, 1 << 24);
    batch_run(&batch, &connection->host, connection->serving.body, connection->serving.body_bytes);
    n = snprintf(head, sizeof(head),
                 "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n",
                 batch.failed ? "400 Bad Request" : "200 OK", batch.failed ? 0 : batch.out.len);
    enqueue_copy(connection, true, WEBSOCKET_TEXT, head, (size_t)n);
    if (!batch.failed && batch.out.len > 0)
        enqueue_copy(connection, true, WEBSOCKET_TEXT, (char *)batch.out.data, batch.out.len);
    cm_buf_done(&batch.out);
}

static void end_when_sent(struct connection *connection)
{
    connection->closing = connection->ending = true;
    lws_callback_on_writable(connection->wsi);
}

/* Of a client; how many bytes it took, the rest are frames. Negative ends the connection
 * at once. */
static int on_request(struct connection *connection, const uint8_t *bytes, size_t n)
{
    struct serving *serving = &connection->serving;
    size_t taken;

    switch (serving_take(serving, bytes, n, &taken)) {
    case SERVING_MORE:
        break;
    case SERVING_UPGRADED:
        enqueue_copy(connection, true, WEBSOCKET_TEXT, serving->reply, strlen(serving->reply));
        connection->websocket.open = true;
        start_session(connection);
        break;
    case SERVING_REFUSED:
        enqueue_copy(connection, true, WEBSOCKET_TEXT, serving->reply, strlen(serving->reply));
        end_when_sent(connection);
        break;
    case SERVING_POSTED:
        on_post(connection);
        end_when_sent(connection);
        break;
    case SERVING_TOO_LONG:
        return -1;
    }
    return (int)taken;
}

static void on_frame(struct connection *connection, const struct websocket_event *event)
{
    switch (event->type) {
    case WEBSOCKET_ON_OPEN:
        start_session(connection);
        lws_callback_on_writable(connection->wsi);
        break;
    case WEBSOCKET_ON_TEXT:
        capnweb_receive_owned(connection->session, event->data, event->bytes);
        break;
    case WEBSOCKET_ON_PING:
        if (!connection->closing)
            enqueue_copy(connection, false, WEBSOCKET_PONG, event->data, event->bytes);
        break;
    case WEBSOCKET_ON_CLOSE:
        if (!connection->closing)
            enqueue_copy(connection, false, WEBSOCKET_CLOSE, event->data, event->bytes);
        end_when_sent(connection);
        break;
    }
}

static int take_frames(struct connection *connection, uint8_t *bytes, size_t n)
{
    struct websocket_event event;
    int r = connection->dialled
                ? websocket_feed(&connection->websocket, bytes, n)
                : serving_feed(&connection->serving, &connection->websocket, bytes, n);

    while (r >= 0 && !connection->ending &&
           (r = websocket_next(&connection->websocket, &event)) > 0)
        on_frame(connection, &event);
    return r;
}

/* Negative ends the connection at once. */
static int received(struct connection *connection, uint8_t *bytes, size_t n)
{
    int taken = 0;

    if (!connection->dialled && !connection->websocket.open)
        taken = on_request(connection, bytes, n);
    if (taken < 0)
        return -1;
    if (connection->ending || take_frames(connection, bytes + taken, n - (size_t)taken) >= 0)
        return 0;
    if (connection->websocket.code == 0)
        return -1;
    if (connection->session != NULL)
        capnweb_lost(connection->session, "the peer broke the framing");
    close_with(connection, connection->websocket.code, "", 0);
    connection->ending = true;
    return 0;
}

/* A message as a client frames it. */
static int write_masked(struct connection *connection, const struct message *message)
{
    struct cm_buf out;
    int r;

    cm_buf_init(&out, OUTPUT_MAX);
    if (cm_buf_append(&out, (uint8_t[LWS_PRE]){ 0 }, LWS_PRE) < 0 ||
        websocket_frame(message->opcode, message->text, message->bytes, &out) < 0)
        abort();
    r = lws_write(connection->wsi, cm_buf_bytes(&out) + LWS_PRE, out.len - LWS_PRE, LWS_WRITE_RAW);
    cm_buf_done(&out);
    return r;
}

static int write_message(struct connection *connection, const struct message *message)
{
    uint8_t *from = (uint8_t *)message->text;
    uint8_t head[SERVING_HEAD_MAX];
    size_t n = 0;

    if (!message->raw && connection->dialled)
        return write_masked(connection, message);
    if (!message->raw)
        n = serving_head(message->opcode, message->bytes, head);
    memcpy(from - n, head, n);
    return lws_write(connection->wsi, from - n, n + message->bytes, LWS_WRITE_RAW);
}

/* One message a time, as libwebsockets has it. */
static int writable(struct connection *connection)
{
    struct message *message = CM_LIST_FIRST(&connection->queue, struct message, link);

    if (message == NULL)
        return connection->ending ? -1 : 0;
    if (write_message(connection, message) < 0)
        return -1;
    message_free(message);
    lws_callback_on_writable(connection->wsi);
    return 0;
}

/* The first bytes of a client. */
static void request(struct connection *connection, struct lws *wsi)
{
    struct cm_buf out;

    opened(connection, wsi, true);
    cm_buf_init(&out, 4096);
    if (websocket_request(&connection->websocket, dialler.address, "/", &out) < 0)
        abort();
    enqueue_copy(connection, true, WEBSOCKET_TEXT, (char *)cm_buf_bytes(&out), out.len);
    cm_buf_done(&out);
}

static void dial_soon(void);

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t n)
{
    struct connection *connection = user;

    switch ((int)reason) {
    case LWS_CALLBACK_RAW_ADOPT:
        opened(connection, wsi, false);
        return 0;
    case LWS_CALLBACK_RAW_CONNECTED:
        request(connection, wsi);
        return 0;
    case LWS_CALLBACK_RAW_RX:
        return received(connection, in, n);
    case LWS_CALLBACK_RAW_WRITEABLE:
        return writable(connection);
    case LWS_CALLBACK_RAW_CLOSE:
        if (connection->wsi != NULL)
            closed(connection);
        if (dialler.count == 0)
            return 0;
        dialler.open--;
        dial_soon();
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        dialler.open--;
        dial_soon();
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    { "capnweb", on_event, sizeof(struct connection), 65536, 0, NULL, 0 },
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
                                                      .method = "RAW",
                                                      .local_protocol_name = "capnweb" };

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
        .options =
            LWS_SERVER_OPTION_ADOPT_APPLY_LISTEN_ACCEPT_CONFIG | LWS_SERVER_OPTION_DISABLE_IPV6,
        .listen_accept_role = "raw-skt",
        .listen_accept_protocol = "capnweb",
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
        printf("listening %d\n",
               lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
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
