/* Bytes to and from a server. Runs in the host's process. libcurl connects, with TLS
 * where the URL says so, and leaves the connection to us; the name is resolved before,
 * because libcurl would start a thread for it. */
#include "client/stream.h"

#include "base/cleanup.h"
#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

enum { PIECE_BYTES = 1 << 16 };

static void fail(struct stream *stream)
{
    stream->failed = true;
    stream->on_ready(stream);
}

/* ---- libcurl in the loop, until it has connected ---- */

static void take_end(struct stream *stream)
{
    int left;
    const CURLMsg *message = curl_multi_info_read(stream->multi, &left);

    if (message == NULL)
        return;
    if (message->data.result != CURLE_OK ||
        curl_easy_getinfo(stream->easy, CURLINFO_ACTIVESOCKET, &stream->fd) != CURLE_OK ||
        stream->fd == CURL_SOCKET_BAD || watches_set(&stream->watches, stream->fd, EPOLLIN) < 0) {
        stream->fd = -1;
        stream->untrusted = message->data.result == CURLE_PEER_FAILED_VERIFICATION;
        fail(stream);
        return;
    }
    timer_disarm(&stream->timer);
    stream->on_ready(stream);
}

static void act(struct stream *stream, curl_socket_t fd, int ready)
{
    int running;

    if (stream->multi == NULL || stream->failed)
        return;
    curl_multi_socket_action(stream->multi, fd, ready, &running);
    if (stream->fd < 0)
        take_end(stream);
}

static void on_watch(struct watches *watches, int fd, uint32_t events)
{
    struct stream *stream = CM_CONTAINER_OF(watches, struct stream, watches);
    int ready = ((events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                ((events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                ((events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);

    if (stream->fd >= 0)
        stream->on_ready(stream);
    else
        act(stream, fd, ready);
}

static void on_timer(struct timer *timer, uint64_t now_ns)
{
    struct stream *stream = CM_CONTAINER_OF(timer, struct stream, timer);

    (void)now_ns;
    if (stream->fd >= 0)
        stream->on_ready(stream);
    else
        act(stream, CURL_SOCKET_TIMEOUT, 0);
}

/* A connection that is ours is watched for us. */
static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *of_socket)
{
    struct stream *stream = user;
    uint32_t events =
        ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0u) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0u);

    (void)easy;
    (void)of_socket;
    if (stream->fd >= 0)
        return 0;
    return watches_set(&stream->watches, fd, what == CURL_POLL_REMOVE ? 0 : events) < 0 ? -1 : 0;
}

static int on_timeout(CURLM *multi, long timeout_ms, void *user)
{
    struct stream *stream = user;

    (void)multi;
    if (stream->fd >= 0)
        return 0;
    if (timeout_ms < 0)
        timer_disarm(&stream->timer);
    else
        timer_arm(&stream->timer, cm_deadline(cm_now_ns(), (uint64_t)timeout_ms * CM_NS_PER_MS));
    return 0;
}

#define SET(option, value) \
    (code = code == CURLE_OK ? curl_easy_setopt(stream->easy, option, value) : code)

static int configure(struct stream *stream)
{
    CURLcode code = CURLE_OK;

    SET(CURLOPT_URL, stream->target->url);
    SET(CURLOPT_CONNECT_ONLY, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_RESOLVE, stream->addresses);
    if (stream->ca_file != NULL)
        SET(CURLOPT_CAINFO, stream->ca_file);
    return code == CURLE_OK ? 0 : CM_E_NOMEM;
}

static int start(struct stream *stream)
{
    stream->multi = curl_multi_init();
    stream->easy = curl_easy_init();
    if (stream->multi == NULL || stream->easy == NULL || configure(stream) < 0)
        return CM_E_NOMEM;
    curl_multi_setopt(stream->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(stream->multi, CURLMOPT_SOCKETDATA, stream);
    curl_multi_setopt(stream->multi, CURLMOPT_TIMERFUNCTION, on_timeout);
    curl_multi_setopt(stream->multi, CURLMOPT_TIMERDATA, stream);
    return curl_multi_add_handle(stream->multi, stream->easy) == CURLM_OK ? 0 : CM_E_NOMEM;
}

/* ---- the name ---- */

static void on_resolved(void *user, const char *addresses, const char *why)
{
    struct stream *stream = user;
    CM_AUTO_FREE char *row = NULL;

    (void)why;
    stream->lookup = NULL;
    if (addresses != NULL &&
        asprintf(&row, "+%s:%s:%s", stream->target->host, stream->target->port, addresses) < 0)
        row = NULL;
    stream->addresses = row == NULL ? NULL : curl_slist_append(NULL, row);
    if (stream->addresses == NULL || start(stream) < 0)
        fail(stream);
}

static int look_up(struct stream *stream)
{
    if (stream->resolver == NULL && resolver_new(stream->loop, &stream->resolver) < 0)
        return CM_E_NOMEM;
    return lookup_start(stream->resolver, stream->target->host, on_resolved, stream,
                        &stream->lookup);
}

/* ---- its life ---- */

int stream_init(struct stream *stream, struct loop *loop, const struct target *target,
                void (*on_ready)(struct stream *stream))
{
    *stream = (struct stream){ .loop = loop, .target = target, .fd = -1, .on_ready = on_ready };
    watches_init(&stream->watches, loop, on_watch);
    stream->rest = malloc(PIECE_BYTES);
    if (stream->rest == NULL)
        return CM_E_NOMEM;
    return timer_init(&stream->timer, &loop->timers, on_timer);
}

int stream_open(struct stream *stream)
{
    int r;

    stream->untrusted = false;
    r = target_is_address(stream->target) ? start(stream) : look_up(stream);
    if (r < 0)
        stream_close(stream);
    return r;
}

void stream_close(struct stream *stream)
{
    if (stream->lookup != NULL)
        lookup_cancel(CM_TAKE(stream->lookup));
    watches_clear(&stream->watches);
    if (stream->multi != NULL && stream->easy != NULL)
        curl_multi_remove_handle(stream->multi, stream->easy);
    curl_easy_cleanup(CM_TAKE(stream->easy));
    curl_multi_cleanup(CM_TAKE(stream->multi));
    curl_slist_free_all(CM_TAKE(stream->addresses));
    watches_clear(&stream->watches);
    timer_disarm(&stream->timer);
    stream->fd = -1;
    stream->rest_sent = stream->rest_bytes = 0;
    stream->failed = false;
}

void stream_done(struct stream *stream)
{
    stream_close(stream);
    resolver_free(CM_TAKE(stream->resolver));
    watches_done(&stream->watches);
    timer_done(&stream->timer);
    free(CM_TAKE(stream->rest));
}

/* ---- bytes ---- */

bool stream_is_connected(const struct stream *stream)
{
    return stream->fd >= 0;
}

ssize_t stream_read(struct stream *stream, void *to, size_t cap)
{
    size_t n = 0;
    CURLcode code = curl_easy_recv(stream->easy, to, cap, &n);

    if (code == CURLE_AGAIN)
        return 0;
    return code == CURLE_OK && n > 0 ? (ssize_t)n : CM_E_PEER;
}

void stream_look_again(struct stream *stream)
{
    timer_arm(&stream->timer, cm_now_ns());
}

static int send_rest(struct stream *stream)
{
    while (stream->rest_sent < stream->rest_bytes) {
        size_t n = 0;
        CURLcode code = curl_easy_send(stream->easy, stream->rest + stream->rest_sent,
                                       stream->rest_bytes - stream->rest_sent, &n);

        if (code == CURLE_AGAIN)
            return 0;
        if (code != CURLE_OK)
            return CM_E_PEER;
        stream->rest_sent += n;
    }
    stream->rest_sent = stream->rest_bytes = 0;
    return 0;
}

ssize_t stream_write(struct stream *stream, const void *bytes, size_t n)
{
    size_t taken = 0;
    int r = send_rest(stream);

    while (r == 0 && stream->rest_bytes == 0 && taken < n) {
        size_t piece = n - taken < PIECE_BYTES ? n - taken : PIECE_BYTES;

        memcpy(stream->rest, (const uint8_t *)bytes + taken, piece);
        stream->rest_bytes = piece;
        taken += piece;
        r = send_rest(stream);
    }
    if (r == 0)
        r = watches_set(&stream->watches, stream->fd,
                        stream->rest_bytes > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
    return r < 0 ? r : (ssize_t)taken;
}
