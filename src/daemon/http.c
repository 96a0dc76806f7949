/* HTTP on both ports. Runs in the daemon; requests are hostile, and a web page may
 * have sent them. A connection is closed behind its answer: health probes and
 * scrapes are rare, and what libwebsockets keeps between requests cannot go wrong. */
#include "daemon/http.h"

#include "base/cleanup.h"
#include "daemon/access.h"
#include "daemon/http_parse.h"
#include "daemon/pages.h"
#include "daemon/websocket.h"

#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { HEAD_MAX = 2048, HOST_HEADER_MAX = 300, ORIGIN_HEADER_MAX = 300, TOKEN_HEADER_MAX = 1100 };

enum method { METHOD_GET, METHOD_PUT, METHOD_HEAD, METHOD_OTHER };

static const struct http_route {
    enum http_port port;
    enum method method;
    const char *path;
    http_handler *handler;
} routes[] = {
#define ROUTE(port, method, path, handler, help) { HTTP_##port, METHOD_##method, path, handler },
#include "tables/routes.def"
#undef ROUTE
};

static struct daemon *daemon_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static enum http_port port_of(struct lws *wsi)
{
    return *(const enum http_port *)lws_get_opaque_user_data(wsi);
}

void http_adopt(struct daemon *daemon, enum http_port port, int fd)
{
    static enum http_port ports[] = { HTTP_CALLERS, HTTP_ADMIN };
    struct lws *wsi = lws_adopt_socket_vhost(daemon->vhost, fd); /* closes it if it cannot */

    if (wsi != NULL)
        lws_set_opaque_user_data(wsi, &ports[port]);
}

/* ---- answers ---- */

struct head {
    unsigned char *at;
    unsigned char *end;
    bool full;
};

static void put_header(struct lws *wsi, struct head *head, const char *name, const char *value)
{
    if (lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
                                    (int)strlen(value), &head->at, head->end) != 0)
        head->full = true;
}

static void put_headers(struct lws *wsi, struct head *head, const struct http_answer *answer)
{
    const char *type = answer->type == NULL ? "text/plain; charset=utf-8" : answer->type;

    head->full = lws_add_http_common_headers(wsi, answer->status, type, answer->bytes, &head->at,
                                             head->end) != 0;
    put_header(wsi, head, "connection:", "close");
    put_header(wsi, head, "cache-control:", "no-store");
    put_header(wsi, head, "x-content-type-options:", "nosniff");
    if (answer->allow != NULL)
        put_header(wsi, head, "allow:", answer->allow);
    if (answer->status == HTTP_STATUS_UNAUTHORIZED)
        put_header(wsi, head, "www-authenticate:", "Bearer");
    if (answer->policy != NULL) {
        put_header(wsi, head, "content-security-policy:", answer->policy);
        put_header(wsi, head, "referrer-policy:", "no-referrer");
    }
    if (lws_finalize_http_header(wsi, &head->at, head->end) != 0)
        head->full = true;
}

int http_answer(struct lws *wsi, const struct http_answer *answer)
{
    CM_AUTO_FREE unsigned char *buffer = malloc(LWS_PRE + HEAD_MAX + answer->bytes);
    struct head head;

    if (buffer == NULL)
        return -1;
    head = (struct head){ buffer + LWS_PRE, buffer + LWS_PRE + HEAD_MAX, false };
    put_headers(wsi, &head, answer);
    if (head.full)
        return -1;
    if (!answer->is_head) {
        memcpy(head.at, answer->body, answer->bytes);
        head.at += answer->bytes;
    }
    lws_write(wsi, buffer + LWS_PRE, (size_t)(head.at - buffer) - LWS_PRE, LWS_WRITE_HTTP_FINAL);
    return -1; /* closes it once that is out */
}

int http_answer_text(struct lws *wsi, unsigned status, const char *text)
{
    char line[512];
    struct http_answer answer = { .status = status, .body = line };

    answer.bytes = (size_t)snprintf(line, sizeof(line), "%s\n", text);
    return http_answer(wsi, &answer);
}

static void note_refusal(struct lws *wsi, unsigned status, const char *reason)
{
    log_write(&daemon_of(wsi)->log, LOG_INFO, "request refused",
              LOG_TEXT("listener", port_of(wsi) == HTTP_ADMIN ? "admin" : "callers"),
              LOG_NUMBER("status", status), LOG_TEXT("reason", reason));
}

static int refuse(struct lws *wsi, unsigned status, const char *text)
{
    note_refusal(wsi, status, text);
    return http_answer_text(wsi, status, text);
}

/* ---- who may ask ---- */

/* A header's value; "" when it is absent, NULL when it is too long. */
static const char *header(struct lws *wsi, enum lws_token_indexes token, char *to, int cap)
{
    to[0] = '\0';
    if (lws_hdr_total_length(wsi, token) == 0)
        return to;
    return lws_hdr_copy(wsi, to, cap, token) < 0 ? NULL : to;
}

/* An IPv4 address that came in on an IPv6 socket is told as what the caller wrote. */
static void local_address(struct lws *wsi, char *to, size_t cap)
{
    static const char mapped[] = "::ffff:";
    struct sockaddr_storage address;
    socklen_t bytes = sizeof(address);

    to[0] = '\0';
    if (getsockname(lws_get_socket_fd(wsi), (struct sockaddr *)&address, &bytes) == 0)
        getnameinfo((struct sockaddr *)&address, bytes, to, (socklen_t)cap, NULL, 0,
                    NI_NUMERICHOST);
    if (strncmp(to, mapped, sizeof(mapped) - 1) == 0)
        memmove(to, to + sizeof(mapped) - 1, strlen(to) - sizeof(mapped) + 2);
}

/* NULL when the request may be answered, else why not. */
static const char *why_refused(struct lws *wsi)
{
    const struct daemon_settings *settings = daemon_of(wsi)->settings;
    char host_text[HOST_HEADER_MAX];
    char origin_text[ORIGIN_HEADER_MAX];
    char local[NI_MAXHOST];
    const char *host = header(wsi, WSI_TOKEN_HOST, host_text, sizeof(host_text));
    const char *origin = header(wsi, WSI_TOKEN_ORIGIN, origin_text, sizeof(origin_text));
    bool is_admin = port_of(wsi) == HTTP_ADMIN;

    local_address(wsi, local, sizeof(local));
    if (is_admin && (host == NULL || !access_host(host, local, settings->admin_host)))
        return "The Host header does not name the address of this listener.";
    if (origin != NULL && origin[0] == '\0')
        return NULL;
    if (origin != NULL && (access_origin(settings->allowed_origins, origin) ||
                           (is_admin && access_same_origin(host, origin))))
        return NULL;
    return "This origin is not allowed. ALLOWED_ORIGINS names those that are.";
}

/* ---- routes ---- */

static enum method method_of(struct lws *wsi, char **ret_path)
{
    int bytes;

    switch (lws_http_get_uri_and_method(wsi, ret_path, &bytes)) {
    case LWSHUMETH_GET:
        return METHOD_GET;
    case LWSHUMETH_PUT:
        return METHOD_PUT;
    case LWSHUMETH_HEAD:
        return METHOD_HEAD;
    default:
        return METHOD_OTHER;
    }
}

static const struct http_route *find_route(enum http_port port, enum method method,
                                           const char *path)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(routes); i++)
        if (routes[i].port == port && routes[i].method == method &&
            strcmp(routes[i].path, path) == 0)
            return &routes[i];
    return NULL;
}

static int refuse_path(struct lws *wsi, enum http_port port)
{
    char text[256] = "There is nothing at this path. There are ";
    const char *last = "";

    for (size_t i = 0; i < CM_ARRAY_LEN(routes); i++) {
        size_t len = strlen(text);

        if (routes[i].port != port || strcmp(routes[i].path, last) == 0)
            continue;
        snprintf(text + len, sizeof(text) - len, "%s%s", last[0] == '\0' ? "" : ", ",
                 routes[i].path);
        last = routes[i].path;
    }
    strncat(text, ".", sizeof(text) - strlen(text) - 1);
    return refuse(wsi, HTTP_STATUS_NOT_FOUND, text);
}

static int refuse_method(struct lws *wsi, enum http_port port, const char *path)
{
    bool may_put = path != NULL && find_route(port, METHOD_PUT, path) != NULL;
    const char *text =
        may_put ? "This path takes GET, HEAD and PUT.\n" : "This path takes GET and HEAD.\n";
    const struct http_answer answer = { .status = HTTP_STATUS_METHOD_NOT_ALLOWED,
                                        .allow = may_put ? "GET, HEAD, PUT" : "GET, HEAD",
                                        .body = text,
                                        .bytes = strlen(text) };

    note_refusal(wsi, answer.status, "the method");
    return http_answer(wsi, &answer);
}

static int call_route(struct lws *wsi, const struct http_route *route,
                      const struct http_exchange *exchange, bool is_head)
{
    const struct http_request request = { .daemon = daemon_of(wsi),
                                          .wsi = wsi,
                                          .body = exchange == NULL ? "" : exchange->body,
                                          .body_bytes = exchange == NULL ? 0 : exchange->body_bytes,
                                          .is_head = is_head };

    return route->handler(&request);
}

static int on_body(struct http_exchange *exchange, const void *bytes, size_t count)
{
    size_t room = sizeof(exchange->body) - exchange->body_bytes;

    if (count > room)
        count = room;
    memcpy(exchange->body + exchange->body_bytes, bytes, count);
    exchange->body_bytes += count;
    return 0;
}

static int on_body_end(struct lws *wsi, struct http_exchange *exchange)
{
    if (exchange->route == NULL)
        return -1;
    if (exchange->body_bytes > HTTP_BODY_MAX)
        return refuse(wsi, HTTP_STATUS_REQ_ENTITY_TOO_LARGE, "The body has at most 1,024 bytes.");
    return call_route(wsi, exchange->route, exchange, false);
}

/* Waits for the body, where there is one: libwebsockets says nothing of its end when
 * it has no bytes. */
static int on_length(struct lws *wsi, struct http_exchange *exchange)
{
    char text[32];
    const char *length = header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof(text));

    if (length != NULL && length[0] == '\0')
        return refuse(wsi, HTTP_STATUS_LENGTH_REQUIRED, "A PUT needs a Content-Length.");
    if (length != NULL && strspn(length, "0") == strlen(length))
        return on_body_end(wsi, exchange);
    return 0;
}

static int on_request(struct lws *wsi, struct http_exchange *exchange)
{
    enum http_port port = port_of(wsi);
    char *path = NULL;
    enum method method = method_of(wsi, &path);
    enum method asked = method == METHOD_HEAD ? METHOD_GET : method;
    const struct http_route *route = path == NULL ? NULL : find_route(port, asked, path);
    const char *why = why_refused(wsi);

    if (why != NULL)
        return refuse(wsi, HTTP_STATUS_FORBIDDEN, why);
    if (route == NULL && (path == NULL || find_route(port, METHOD_GET, path) == NULL))
        return refuse_path(wsi, port);
    if (route == NULL)
        return refuse_method(wsi, port, path);
    if (method != METHOD_PUT)
        return call_route(wsi, route, NULL, method == METHOD_HEAD);
    exchange->route = route;
    return on_length(wsi, exchange);
}

/* ---- handshakes ---- */

static bool is_handshake(struct lws *wsi, const char *upgrade)
{
    char text[128];
    char nonce[24];
    const char *value = header(wsi, WSI_TOKEN_CONNECTION, text, sizeof(text));

    if (strcasecmp(upgrade, "websocket") != 0 || value == NULL || !http_has_word(value, "upgrade"))
        return false;
    value = header(wsi, WSI_TOKEN_VERSION, text, sizeof(text));
    if (value == NULL || strcmp(value, "13") != 0)
        return false;
    value = header(wsi, WSI_TOKEN_KEY, text, sizeof(text));
    return value != NULL && strlen(value) == 24 &&
           lws_b64_decode_string(value, nonce, sizeof(nonce)) == 16 &&
           lws_hdr_total_length(wsi, WSI_TOKEN_HOST) > 0 &&
           lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) == 0;
}

static const char not_a_handshake[] =
    "This is no WebSocket handshake of version 13 without a subprotocol.";

static bool is_wrong_bearer(struct lws *wsi)
{
    const char *token = daemon_of(wsi)->settings->auth_token;
    char text[TOKEN_HEADER_MAX];
    const char *given = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, text, sizeof(text));

    if (token[0] == '\0' || (given != NULL && given[0] == '\0'))
        return false;
    given = given == NULL ? NULL : access_bearer(given);
    return given == NULL || !access_token(token, given, strlen(given));
}

static int refuse_handshake(struct lws *wsi, unsigned status, const char *why)
{
    metrics_add(&daemon_of(wsi)->metrics, METRIC_CONNECTIONS_REFUSED, 1);
    return refuse(wsi, status, why);
}

static int on_upgrade(struct lws *wsi, const char *upgrade)
{
    const struct daemon *daemon = daemon_of(wsi);
    const char *why = why_refused(wsi);
    char *path = NULL;
    enum method method = method_of(wsi, &path);

    if (why != NULL)
        return refuse_handshake(wsi, HTTP_STATUS_FORBIDDEN, why);
    if (port_of(wsi) == HTTP_ADMIN || path == NULL || strcmp(path, "/") != 0)
        return refuse_handshake(wsi, HTTP_STATUS_NOT_FOUND,
                                "There is no WebSocket here. It is at / of the caller port.");
    if (method != METHOD_GET || !is_handshake(wsi, upgrade))
        return refuse_handshake(wsi, HTTP_STATUS_BAD_REQUEST, not_a_handshake);
    if (is_wrong_bearer(wsi))
        return refuse_handshake(wsi, HTTP_STATUS_UNAUTHORIZED, "The bearer token is wrong.");
    if (daemon->metrics.values[METRIC_CONNECTIONS] >= daemon->settings->max_connections)
        return refuse_handshake(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE,
                                "MAX_CONNECTIONS connections are open. Try again later.");
    return 0;
}

bool http_presents_token(struct lws *wsi)
{
    return lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_AUTHORIZATION) > 0 && !is_wrong_bearer(wsi);
}

int serve_no_handshake(const struct http_request *request)
{
    return refuse_handshake(request->wsi, HTTP_STATUS_BAD_REQUEST, not_a_handshake);
}

/* ---- what is no HTTP ---- */

/* libwebsockets hands over what does not begin with a method that it knows. */
static int on_garbage(struct lws *wsi, const char *bytes, size_t count)
{
    static const char wrong_method[] = "HTTP/1.1 405 Method Not Allowed\r\nallow: GET, HEAD\r\n"
                                       "content-type: text/plain; charset=utf-8\r\n"
                                       "content-length: 30\r\nconnection: close\r\n\r\n"
                                       "This path takes GET and HEAD.\n";
    static const char no_request[] = "HTTP/1.1 400 Bad Request\r\n"
                                     "content-type: text/plain; charset=utf-8\r\n"
                                     "content-length: 25\r\nconnection: close\r\n\r\n"
                                     "This is no HTTP request.\n";
    const char *line_end = memchr(bytes, '\n', count);
    size_t line = line_end == NULL ? 0 : (size_t)(line_end - bytes);
    bool is_http = memmem(bytes, line, " HTTP/1.", 8) != NULL;
    const char *text = is_http ? wrong_method : no_request;
    unsigned char buffer[LWS_PRE + sizeof(wrong_method)];

    note_refusal(wsi, is_http ? 405 : 400, is_http ? "the method" : "no HTTP request");
    memcpy(buffer + LWS_PRE, text, strlen(text));
    lws_write(wsi, buffer + LWS_PRE, strlen(text), LWS_WRITE_RAW);
    return -1;
}

/* ---- what is too long ---- */

static uint64_t received_bytes(int fd)
{
    struct tcp_info info = { 0 };
    socklen_t bytes = sizeof(info);

    getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes);
    return info.tcpi_bytes_received;
}

/* A connection ends that never became a request. libwebsockets gives up without a word
 * when the headers exceed its room, and has shut the socket for answers by then. */
static void on_no_request(struct lws *wsi)
{
    if (received_bytes(lws_get_socket_fd(wsi)) <= HTTP_HEADER_BYTES)
        return;
    log_write(&daemon_of(wsi)->log, LOG_INFO, "request refused",
              LOG_TEXT("listener", port_of(wsi) == HTTP_ADMIN ? "admin" : "callers"),
              LOG_TEXT("reason", "the headers exceed 8,192 bytes: closed without an answer"));
}

int http_on_event(struct lws *wsi, enum lws_callback_reasons reason, struct http_exchange *exchange,
                  const void *in, size_t len)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return on_request(wsi, exchange);
    case LWS_CALLBACK_HTTP_BODY:
        return on_body(exchange, in, len);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return on_body_end(wsi, exchange);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return on_upgrade(wsi, in);
    case LWS_CALLBACK_RAW_RX:
        return on_garbage(wsi, in, len);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (exchange == NULL)
            on_no_request(wsi);
        return 0;
    default:
        return 0;
    }
}
