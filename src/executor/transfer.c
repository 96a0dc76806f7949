/* One request of a program's. Runs in the host's process. The request is a
 * worker's and the response a server's: both are hostile. Each hop is a handle of
 * its own, configured here in full, and each address is judged when libcurl asks
 * for a socket to it: there is no other way to a connection. */
#include "executor/transfer.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "executor/address.h"
#include "executor/run.h"
#include "executor/state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum {
    REDIRECTS_MAX = 20,       /* as the fetch standard says */
    DISCARDED_MAX = 1 << 16,  /* of a redirect's body; more ends its connection */
    STATUS_TEXT_MAX = 1 << 10 /* of a status line */
};

static struct cm_run *run_of(const struct transfer *transfer)
{
    return transfer->outbound->run;
}

static const struct cm_settings *settings_of(const struct transfer *transfer)
{
    return &run_of(transfer)->executor->settings;
}

/* ---- the end ---- */

/* A program that has been given a response hears of it while it reads the body, and
 * any other at once; which one it is must not depend on how the packets fell. The run
 * is still there, its memory is until the turn is over; `transfer` is not. */
static void fail(struct transfer *transfer, char *sentence)
{
    struct fetch *fetch = transfer->fetch;
    struct outbound *outbound = transfer->outbound;

    transfer_flush(transfer);
    if (outbound->multi == NULL) /* sending ended the run */
        free(sentence);
    else
        fetch_fail(fetch, sentence);
}

/* The host that the program has asked for, or the one that a redirect led to. */
static const char *host_of(const struct transfer *transfer)
{
    return transfer->target.host == NULL ? "that URL" : transfer->target.host;
}

static void fail_with(struct transfer *transfer, enum cm_message message)
{
    fail(transfer, cm_message_new(message, host_of(transfer), NULL));
}

static void fail_because(struct transfer *transfer, const char *reason)
{
    fail(transfer, cm_message_new(CM_MSG_FETCH_FAILED, host_of(transfer), reason, NULL));
}

static void on_overdue(struct timer *timer, uint64_t now_ns)
{
    struct transfer *transfer = CM_CONTAINER_OF(timer, struct transfer, timer);
    uint64_t ms = settings_of(transfer)->outbound_timeout_ms;

    (void)now_ns;
    fail(transfer,
         cm_message_new(CM_MSG_FETCH_TIMEOUT, host_of(transfer), cm_number_grouped(ms).text, NULL));
}

static void end_hop(struct transfer *transfer)
{
    if (transfer->lookup != NULL)
        lookup_cancel(CM_TAKE(transfer->lookup));
    if (transfer->easy != NULL) {
        curl_multi_remove_handle(transfer->outbound->multi, transfer->easy);
        curl_easy_cleanup(CM_TAKE(transfer->easy));
    }
    curl_slist_free_all(CM_TAKE(transfer->lines));
    curl_slist_free_all(CM_TAKE(transfer->addresses));
}

static void drop_body(struct transfer *transfer)
{
    transfer->outbound->body_bytes -= transfer->body_bytes;
    transfer->body_bytes = 0;
    free(CM_TAKE(transfer->body));
}

void transfer_free(struct transfer *transfer)
{
    end_hop(transfer);
    run_of(transfer)->answered_count -= transfer->head_sent;
    run_of(transfer)->stalled_count -= transfer->stalled;
    cm_list_unlink(&transfer->link);
    timer_done(&transfer->timer);
    target_done(&transfer->target);
    drop_body(transfer);
    free(transfer->method);
    free(transfer->headers);
    free(transfer->name);
    free(transfer->status_text);
    free(transfer->location);
    cm_buf_done(&transfer->head);
    cm_buf_done(&transfer->pending);
    free(transfer);
}

/* ---- the response's head, as libcurl reads it ---- */

/* Latin-1, as HTTP has it, to UTF-8. What no header may hold is left out. */
static int append_latin1(struct cm_buf *to, const char *text, size_t bytes)
{
    int r = cm_buf_reserve(to, bytes * 2 + 1);

    if (r < 0)
        return r;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        uint8_t *at = cm_buf_tail(to);

        if (c == '\0' || c == '\r' || c == '\n')
            continue;
        if (c < 0x80) {
            at[0] = c;
            to->len++;
        } else {
            at[0] = (uint8_t)(0xc0 | c >> 6);
            at[1] = (uint8_t)(0x80 | (c & 0x3f));
            to->len += 2;
        }
    }
    return cm_buf_append(to, "", 1);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **text, size_t *bytes)
{
    while (*bytes > 0 && is_blank(**text)) {
        (*text)++;
        (*bytes)--;
    }
    while (*bytes > 0 && is_blank((*text)[*bytes - 1]))
        (*bytes)--;
}

static char *latin1_text(const char *text, size_t bytes)
{
    struct cm_buf buf;

    cm_buf_init(&buf, 2 * bytes + 2);
    if (append_latin1(&buf, text, bytes) < 0)
        return NULL;
    return (char *)buf.data;
}

/* A response begins: what an interim one (100, 103) has told is forgotten. */
static int on_status_line(struct transfer *transfer, const char *line, size_t bytes)
{
    const char *text = memchr(line, ' ', bytes);
    size_t left = text == NULL ? 0 : bytes - (size_t)(text - line);

    trim(&text, &left);
    text = left == 0 ? NULL : memchr(text, ' ', left); /* behind the number */
    left = text == NULL ? 0 : bytes - (size_t)(text - line);
    trim(&text, &left);
    cm_buf_consume(&transfer->head, transfer->head.len);
    transfer->head_count = 0;
    free(CM_TAKE(transfer->location));
    free(transfer->status_text);
    transfer->status_text =
        latin1_text(text == NULL ? "" : text, left > STATUS_TEXT_MAX ? STATUS_TEXT_MAX : left);
    return transfer->status_text == NULL ? CM_E_NOMEM : 0;
}

static int on_header_line(struct transfer *transfer, const char *line, size_t bytes)
{
    const char *colon = memchr(line, ':', bytes);
    size_t name_bytes = colon == NULL ? 0 : (size_t)(colon - line);
    const char *value = colon == NULL ? NULL : colon + 1;
    size_t value_bytes = colon == NULL ? 0 : bytes - name_bytes - 1;
    int r;

    if (!ipc_is_token(line, name_bytes)) /* not a header at all */
        return 0;
    trim(&value, &value_bytes);
    if (name_bytes == strlen("location") && transfer->location == NULL &&
        strncasecmp(line, "location", name_bytes) == 0)
        transfer->location = strndup(value, value_bytes);
    r = append_latin1(&transfer->head, line, name_bytes);
    if (r == 0)
        r = append_latin1(&transfer->head, value, value_bytes);
    transfer->head_count++;
    return r;
}

static void on_head_end(struct transfer *transfer)
{
    long status = 0;

    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200 || status > 599) /* an interim one; past 599 there is none */
        return;
    transfer->head_done = true;
    transfer->status = (unsigned)status;
    transfer->follows = redirect_status(transfer->status) && transfer->location != NULL &&
                        transfer->mode != IPC_REDIRECT_MANUAL;
    transfer->has_body =
        strcmp(transfer->method, "HEAD") != 0 && status != 204 && status != 205 && status != 304;
}

static size_t on_head(char *line, size_t size, size_t bytes, void *user)
{
    struct transfer *transfer = user;
    int r = 0;

    (void)size;              /* always 1 */
    if (transfer->head_done) /* a trailer */
        return bytes;
    if (bytes >= 5 && memcmp(line, "HTTP/", 5) == 0)
        r = on_status_line(transfer, line, bytes);
    else if (bytes > 0 && (line[0] == '\r' || line[0] == '\n'))
        on_head_end(transfer);
    else
        r = on_header_line(transfer, line, bytes);
    if (r == 0)
        return bytes;
    transfer->fault = TRANSFER_BAD_HEAD;
    return 0;
}

/* ---- the response's body ---- */

static uint64_t in_window(const struct transfer *transfer)
{
    return transfer->pending.len + transfer->untaken_bytes;
}

/* A piece is CURL_MAX_WRITE_SIZE at most, which an empty window has room for. */
static size_t on_body(char *from, size_t size, size_t bytes, void *user)
{
    struct transfer *transfer = user;
    bool wanted = transfer->has_body && !transfer->follows;
    uint64_t limit = wanted ? settings_of(transfer)->outbound_limit_bytes : DISCARDED_MAX;

    (void)size; /* always 1 */
    if (wanted && in_window(transfer) + bytes > IPC_BODY_WINDOW) {
        transfer->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (bytes > limit - transfer->received_bytes)
        transfer->fault = TRANSFER_TOO_LARGE;
    else if (wanted && cm_buf_append(&transfer->pending, from, bytes) < 0)
        transfer->fault = TRANSFER_NO_MEMORY;
    if (transfer->fault != TRANSFER_FINE)
        return 0;
    transfer->received_bytes += bytes;
    return bytes;
}

/* ---- a hop ---- */

static curl_socket_t on_open(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *transfer = user;

    (void)purpose;
    if (settings_of(transfer)->outbound_mode == OUTBOUND_PUBLIC &&
        !address_is_public(&address->addr, address->addrlen)) {
        transfer->fault = TRANSFER_REFUSED;
        return CURL_SOCKET_BAD;
    }
    if (address_port_is_blocked(&address->addr, address->addrlen)) {
        transfer->fault = TRANSFER_BAD_PORT;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* What libcurl itself writes, and what could make two requests of one. */
static bool is_ours(const char *name)
{
    static const char *const names[] = {
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "accept-encoding",
        "proxy-connection",
        "proxy-authorization",
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(names); i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

static int add_line(struct transfer *transfer, const char *line)
{
    struct curl_slist *longer = curl_slist_append(transfer->lines, line);

    if (longer == NULL)
        return CM_E_NOMEM;
    transfer->lines = longer;
    return 0;
}

/* UTF-8 of the wire back to the bytes of HTTP. In place. */
static void to_latin1(char *text)
{
    char *to = text;

    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;

        if (c >= 0xc0) /* C2 or C3: ipc_is_header_value() */
            *to++ = (char)((c << 6) | ((unsigned char)*++at & 0x3f));
        else
            *to++ = *at;
    }
    *to = '\0';
}

/* "name: value"; libcurl sends a header without a value for "name;". */
static int add_header(struct transfer *transfer, const struct cm_header *header)
{
    CM_AUTO_FREE char *line = NULL;

    if (asprintf(&line, "%s%s%s", header->name, header->value_bytes == 0 ? ";" : ": ",
                 header->value) < 0) {
        line = NULL;
        return CM_E_NOMEM;
    }
    to_latin1(line);
    return add_line(transfer, line);
}

static int set_lines(struct transfer *transfer)
{
    static const struct {
        const char *name;
        const char *line; /* instead of libcurl's own */
    } defaults[] = {
        { "accept", "accept: */*" },
        { "user-agent", "user-agent: codemode-executor/" CM_VERSION },
        { "content-type", "content-type:" }, /* none */
    };
    bool given[CM_ARRAY_LEN(defaults)] = { false };
    const char *at = transfer->headers;
    bool empty_body = transfer->body == NULL && (strcmp(transfer->method, "POST") == 0 ||
                                                 strcmp(transfer->method, "PUT") == 0);
    int r = add_line(transfer, "expect:");

    for (size_t i = 0; i < transfer->header_count && r == 0; i++) {
        struct cm_header header = ipc_next_header(&at);

        if (is_ours(header.name))
            continue;
        for (size_t k = 0; k < CM_ARRAY_LEN(defaults); k++)
            given[k] = given[k] || strcasecmp(defaults[k].name, header.name) == 0;
        r = add_header(transfer, &header);
    }
    for (size_t k = 0; k < CM_ARRAY_LEN(defaults) && r == 0; k++)
        if (!given[k])
            r = add_line(transfer, defaults[k].line);
    if (r == 0 && empty_body)
        r = add_line(transfer, "content-length: 0");
    return r;
}

#define SET(option, value) \
    (code = code == CURLE_OK ? curl_easy_setopt(transfer->easy, option, value) : code)

static int configure(struct transfer *transfer)
{
    CURLcode code = CURLE_OK;

    SET(CURLOPT_URL, transfer->target.url);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_ACCEPT_ENCODING, "");
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
    SET(CURLOPT_HEADERFUNCTION, on_head);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, transfer);
    SET(CURLOPT_PRIVATE, transfer);
    SET(CURLOPT_HTTPHEADER, transfer->lines);
    SET(CURLOPT_RESOLVE, transfer->addresses);
    if (strcmp(transfer->method, "HEAD") == 0)
        SET(CURLOPT_NOBODY, 1L);
    if (transfer->body != NULL) {
        SET(CURLOPT_POSTFIELDS, transfer->body);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)transfer->body_bytes);
    }
    SET(CURLOPT_CUSTOMREQUEST, transfer->method);
    return code == CURLE_OK ? 0 : CM_E_NOMEM;
}

static void connect_hop(struct transfer *transfer)
{
    transfer->easy = curl_easy_init();
    if (transfer->easy == NULL || set_lines(transfer) < 0 || configure(transfer) < 0)
        fail(transfer, NULL);
    else if (curl_multi_add_handle(transfer->outbound->multi, transfer->easy) != CURLM_OK)
        fail(transfer, NULL);
}

/* libcurl finds the addresses in its table and resolves nothing itself: it would
 * start a thread for that. */
static void on_resolved(void *user, const char *addresses, const char *why)
{
    struct transfer *transfer = user;
    CM_AUTO_FREE char *row = NULL;

    transfer->lookup = NULL;
    if (addresses == NULL) {
        fail_because(transfer, why);
        return;
    }
    if (asprintf(&row, "+%s:%s:%s", transfer->target.host, transfer->target.port, addresses) < 0)
        row = NULL;
    transfer->addresses = row == NULL ? NULL : curl_slist_append(NULL, row);
    if (transfer->addresses == NULL)
        fail(transfer, NULL);
    else
        connect_hop(transfer);
}

/* Without the dot that makes it absolute: the system's list of hosts has none. */
static int set_name(struct transfer *transfer)
{
    size_t bytes = strlen(transfer->target.host);

    if (bytes > 1 && transfer->target.host[bytes - 1] == '.')
        bytes--;
    free(transfer->name);
    transfer->name = strndup(transfer->target.host, bytes);
    return transfer->name == NULL ? CM_E_NOMEM : 0;
}

static int look_up(struct transfer *transfer)
{
    struct cm_executor *executor = run_of(transfer)->executor;

    if (set_name(transfer) < 0)
        return CM_E_NOMEM;
    if (executor->resolver == NULL && resolver_new(&executor->loop, &executor->resolver) < 0)
        return CM_E_NOMEM;
    return lookup_start(executor->resolver, transfer->name, on_resolved, transfer,
                        &transfer->lookup);
}

static void start_hop(struct transfer *transfer)
{
    if (!target_is_http(&transfer->target))
        fail(transfer, cm_message_new(CM_MSG_FETCH_SCHEME, transfer->target.scheme, NULL));
    else if (target_is_address(&transfer->target))
        connect_hop(transfer);
    else if (look_up(transfer) < 0)
        fail(transfer, NULL);
}

/* ---- redirects ---- */

/* Leaves out the headers that do not go along. In place. */
static void filter_headers(struct transfer *transfer, bool made_get, bool cross_origin)
{
    const char *at = transfer->headers;
    char *to = transfer->headers;
    size_t kept = 0;

    for (size_t i = 0; i < transfer->header_count; i++) {
        struct cm_header header = ipc_next_header(&at);
        size_t bytes = header.name_bytes + header.value_bytes + 2;

        if (redirect_drops_header(header.name, made_get, cross_origin))
            continue;
        memmove(to, header.name, bytes);
        to += bytes;
        kept++;
    }
    transfer->header_count = kept;
}

static void forget_response(struct transfer *transfer)
{
    transfer->head_done = false;
    transfer->follows = false;
    transfer->received_bytes = 0;
    transfer->fault = TRANSFER_FINE;
    free(CM_TAKE(transfer->location));
}

static int set_method(struct transfer *transfer, const char *method)
{
    char *copy = strdup(method);

    if (copy == NULL)
        return CM_E_NOMEM;
    free(transfer->method);
    transfer->method = copy;
    return 0;
}

static void redirect(struct transfer *transfer)
{
    bool made_get = redirect_makes_get(transfer->status, transfer->method);
    struct target next = { 0 };
    int r;

    if (transfer->mode == IPC_REDIRECT_ERROR) {
        fail_with(transfer, CM_MSG_FETCH_REDIRECT_REFUSED);
        return;
    }
    if (transfer->redirects++ == REDIRECTS_MAX) {
        fail(transfer, cm_message_new(CM_MSG_FETCH_REDIRECTS, host_of(transfer),
                                      cm_number_grouped(REDIRECTS_MAX).text, NULL));
        return;
    }
    r = made_get ? set_method(transfer, "GET") : 0;
    if (r == 0)
        r = target_parse(transfer->location, transfer->target.url, &next);
    if (r < 0 || next.credentials) {
        target_done(&next);
        fail_with(transfer, CM_MSG_FETCH_REDIRECT_BAD);
        return;
    }
    filter_headers(transfer, made_get, !target_same_origin(&transfer->target, &next));
    if (made_get)
        drop_body(transfer);
    end_hop(transfer);
    target_done(&transfer->target);
    transfer->target = next;
    forget_response(transfer);
    start_hop(transfer);
}

/* ---- what the worker gets ---- */

static bool send_head(struct transfer *transfer, bool whole)
{
    struct ipc_response head = { .id = transfer->fetch->id,
                                 .status = transfer->status,
                                 .header_count = transfer->head_count,
                                 .headers_bytes = (uint32_t)transfer->head.len,
                                 .has_body = transfer->has_body,
                                 .whole = transfer->has_body && whole };

    transfer->head_sent = true;
    run_of(transfer)->answered_count++;
    return run_send_response(run_of(transfer), &head, transfer->status_text, transfer->target.url,
                             cm_buf_bytes(&transfer->head));
}

static bool send_body(struct transfer *transfer, bool last)
{
    struct cm_buf body = transfer->pending;
    bool sent;

    transfer->untaken_bytes += body.len;
    cm_buf_init(&transfer->pending, body.max);
    sent =
        run_send_body(run_of(transfer), transfer->fetch->id, last, cm_buf_bytes(&body), body.len);
    cm_buf_done(&body);
    return sent;
}

/* False: that has ended the run, and `transfer` is gone. */
static bool send_all(struct transfer *transfer, bool last)
{
    if (!transfer->head_sent && !send_head(transfer, last))
        return false;
    if (!transfer->has_body || (transfer->pending.len == 0 && !last))
        return true;
    return send_body(transfer, last);
}

/* While a transfer waits for the program, neither of the clocks that are for the
 * network goes on. */
static void set_stalled(struct transfer *transfer, bool stalled)
{
    struct cm_run *run = run_of(transfer);
    uint64_t now_ns;

    if (stalled == transfer->stalled)
        return;
    now_ns = cm_now_ns();
    transfer->stalled = stalled;
    if (stalled) {
        run->stalled_count++;
        transfer->stalled_at_ns = now_ns;
        timer_disarm(&transfer->timer);
    } else {
        run->stalled_count--;
        transfer->due_ns = cm_deadline(transfer->due_ns, now_ns - transfer->stalled_at_ns);
        timer_arm(&transfer->timer, transfer->due_ns);
    }
    run_update_clock(run);
}

void transfer_flush(struct transfer *transfer)
{
    if (!transfer->head_done || transfer->follows)
        return;
    if (send_all(transfer, false))
        set_stalled(transfer, transfer->paused);
}

bool transfer_took(struct transfer *transfer, uint32_t bytes)
{
    if (bytes > transfer->untaken_bytes)
        return false;
    transfer->untaken_bytes -= bytes;
    if (transfer->paused && in_window(transfer) <= IPC_BODY_WINDOW / 2) {
        transfer->paused = false;
        curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
        transfer_flush(transfer); /* it may have brought more at once */
    }
    return true;
}

static void finish(struct transfer *transfer)
{
    struct fetch *fetch = transfer->fetch;

    if (send_all(transfer, true))
        fetch_close(fetch);
}

void transfer_on_done(struct transfer *transfer, CURLcode code)
{
    uint64_t limit = settings_of(transfer)->outbound_limit_bytes;

    if (transfer->head_done && transfer->follows) { /* whatever became of its body */
        redirect(transfer);
    } else if (transfer->fault == TRANSFER_NO_MEMORY || code == CURLE_OUT_OF_MEMORY) {
        fail(transfer, NULL);
    } else if (transfer->fault == TRANSFER_TOO_LARGE) {
        fail(transfer, cm_message_new(CM_MSG_FETCH_TOO_LARGE, host_of(transfer),
                                      cm_number_grouped(limit).text, NULL));
    } else if (code == CURLE_OK && transfer->head_done) {
        finish(transfer);
    } else if (transfer->fault == TRANSFER_REFUSED) {
        run_of(transfer)->executor->stats.fetches_refused++;
        fail_with(transfer, CM_MSG_FETCH_REFUSED);
    } else if (transfer->fault == TRANSFER_BAD_PORT) {
        fail(transfer,
             cm_message_new(CM_MSG_FETCH_PORT, transfer->target.port, host_of(transfer), NULL));
    } else if (transfer->fault == TRANSFER_BAD_HEAD) {
        fail_because(transfer, "the head of the response is too long");
    } else {
        fail_because(transfer, code == CURLE_OK ? "the response has no valid status"
                                                : curl_easy_strerror(code));
    }
}

/* ---- the start ---- */

static char *copy_bytes(const void *from, size_t bytes)
{
    char *copy = malloc(bytes + 1);

    if (copy != NULL && bytes > 0)
        memcpy(copy, from, bytes);
    return copy;
}

static size_t headers_bytes(const char *headers, size_t count)
{
    const char *at = headers;

    for (size_t i = 0; i < count; i++)
        ipc_next_header(&at);
    return (size_t)(at - headers);
}

static int copy_request(struct transfer *transfer, const struct ipc_fetch_body *request)
{
    transfer->mode = request->redirect;
    transfer->header_count = request->header_count;
    transfer->headers =
        copy_bytes(request->headers, headers_bytes(request->headers, request->header_count));
    if (transfer->headers == NULL || set_method(transfer, request->method) < 0)
        return CM_E_NOMEM;
    if (request->body == NULL)
        return 0;
    transfer->body = (uint8_t *)copy_bytes(request->body, request->body_bytes);
    if (transfer->body == NULL)
        return CM_E_NOMEM;
    transfer->body_bytes = request->body_bytes;
    transfer->outbound->body_bytes += request->body_bytes;
    return 0;
}

/* CONNECT would make a tunnel of the connection. */
static bool is_forbidden(const char *method)
{
    return strcasecmp(method, "CONNECT") == 0 || strcasecmp(method, "TRACE") == 0 ||
           strcasecmp(method, "TRACK") == 0;
}

static int begin(struct transfer *transfer, const char *url)
{
    uint64_t timeout_ns = settings_of(transfer)->outbound_timeout_ms * CM_NS_PER_MS;
    uint64_t bodies_max = run_of(transfer)->executor->limits.message_bytes;
    int r = target_parse(url, NULL, &transfer->target);

    if (r == CM_E_NOMEM)
        return r;
    transfer->due_ns = cm_deadline(cm_now_ns(), timeout_ns);
    timer_arm(&transfer->timer, transfer->due_ns);
    if (r < 0 || transfer->target.credentials) {
        fail_because(transfer, "its URL is not valid");
        return 0;
    }
    if (is_forbidden(transfer->method))
        fail_because(transfer, "its method is not allowed");
    else if (transfer->outbound->body_bytes > bodies_max)
        fail_because(transfer, "too many bytes are being sent. Await some requests first");
    else
        start_hop(transfer);
    return 0;
}

int transfer_start(struct outbound *outbound, struct fetch *fetch,
                   const struct ipc_fetch_body *request)
{
    struct transfer *transfer = calloc(1, sizeof(*transfer));
    struct loop *loop = &outbound->run->executor->loop;
    int r;

    if (transfer == NULL)
        return CM_E_NOMEM;
    transfer->outbound = outbound;
    transfer->fetch = fetch;
    cm_list_append(&outbound->transfers, &transfer->link);
    cm_buf_init(&transfer->head, IPC_FETCH_HEAD_MAX);
    cm_buf_init(&transfer->pending, (size_t)2 * IPC_BODY_WINDOW);
    r = timer_init(&transfer->timer, &loop->timers, on_overdue);
    if (r == 0)
        r = copy_request(transfer, request);
    fetch->transfer = transfer;
    if (r == 0)
        r = begin(transfer, request->url);
    if (r < 0) {
        fetch->transfer = NULL;
        transfer_free(transfer);
    }
    return r;
}
