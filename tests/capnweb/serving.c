/* See serving.h. What comes in is hostile. */
#include "serving.h"

#include "codemode/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUEST_MAX = 16384, REQUEST_ROOM = 4 * REQUEST_MAX };

void serving_init(struct serving *serving)
{
    *serving = (struct serving){ .left = 0 };
    cm_buf_init(&serving->request, REQUEST_ROOM);
}

void serving_done(struct serving *serving)
{
    cm_buf_done(&serving->request);
}

/* ---- the handshake ---- */

static bool says(const char *head, const char *name, const char *word)
{
    char value[256];

    return websocket_header(head, name, value, sizeof(value)) && strcasestr(value, word) != NULL;
}

static enum serving_request upgrade(struct serving *serving, const char *head)
{
    char accept[WEBSOCKET_ACCEPT_CHARS + 1];
    char key[64];
    bool is_good = strncmp(head, "GET / HTTP/1.1\r\n", 16) == 0 &&
                   says(head, "Upgrade", "websocket") && says(head, "Connection", "upgrade") &&
                   says(head, "Sec-WebSocket-Version", "13") &&
                   websocket_header(head, "Sec-WebSocket-Key", key, sizeof(key)) &&
                   strlen(key) == WEBSOCKET_KEY_CHARS && websocket_accept(key, accept);

    if (!is_good) {
        snprintf(serving->reply, sizeof(serving->reply),
                 "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                 says(head, "Upgrade", "websocket") ? "400 Bad Request" : "405 Method Not Allowed");
        return SERVING_REFUSED;
    }
    snprintf(serving->reply, sizeof(serving->reply),
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\n\r\n",
             accept);
    return SERVING_UPGRADED;
}

/* A POST is taken whole. */
static enum serving_request post(struct serving *serving, const char *head, const char *body,
                                 size_t there)
{
    char length[32] = "0";
    size_t n;

    websocket_header(head, "Content-Length", length, sizeof(length));
    n = strtoul(length, NULL, 10);
    if (n > REQUEST_MAX)
        return SERVING_TOO_LONG;
    serving->body = body;
    serving->body_bytes = n;
    return there < n ? SERVING_MORE : SERVING_POSTED;
}

enum serving_request serving_take(struct serving *serving, const uint8_t *bytes, size_t n,
                                  size_t *ret_taken)
{
    struct cm_buf *request = &serving->request;
    size_t before = request->len;
    enum serving_request answer;
    char *head;
    char *end;

    *ret_taken = n;
    if (cm_buf_append(request, bytes, n) < 0)
        return SERVING_TOO_LONG;
    head = (char *)cm_buf_bytes(request);
    end = memmem(head, request->len, "\r\n\r\n", 4);
    if (end == NULL)
        return request->len > REQUEST_MAX ? SERVING_TOO_LONG : SERVING_MORE;
    end[3] = '\0';
    if (strncmp(head, "POST / ", 7) == 0 && !says(head, "Upgrade", "websocket")) {
        answer = post(serving, head, end + 4, request->len - (size_t)(end + 4 - head));
        end[3] = '\n'; /* found again while a body is awaited */
        return answer;
    }
    *ret_taken = (size_t)(end + 4 - head) - before;
    return upgrade(serving, head);
}

/* ---- frames ---- */

/* Of at least two bytes of a head: how long it is behind them, without its mask. */
static size_t length_bytes(const struct serving *serving)
{
    unsigned bytes = serving->head[1] & 0x7F;

    return bytes == 127 ? 8 : bytes == 126 ? 2 : 0;
}

static bool is_masked(const struct serving *serving)
{
    return (serving->head[1] & 0x80) != 0;
}

static bool is_whole(const struct serving *serving)
{
    return serving->head_bytes >= 2 &&
           serving->head_bytes == 2 + length_bytes(serving) + (is_masked(serving) ? 4 : 0);
}

/* Goes on with the other bit of the mask. */
static int pass_head(struct serving *serving, struct websocket *websocket)
{
    size_t extra = length_bytes(serving);

    serving->left = extra == 0 ? serving->head[1] & 0x7F : 0;
    for (size_t i = 0; i < extra; i++)
        serving->left = serving->left << 8 | serving->head[2 + i];
    memcpy(serving->mask, serving->head + 2 + extra, sizeof(serving->mask));
    serving->masked = 0;
    serving->head[1] ^= 0x80;
    serving->head_bytes = 0;
    return websocket_feed(websocket, serving->head, 2 + extra);
}

static int pass_payload(struct serving *serving, struct websocket *websocket, uint8_t *bytes,
                        size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] ^= serving->mask[serving->masked++ & 3];
    serving->left -= n;
    return websocket_feed(websocket, bytes, n);
}

int serving_feed(struct serving *serving, struct websocket *websocket, uint8_t *bytes, size_t n)
{
    int r = 0;

    for (size_t at = 0; at < n && r == 0;) {
        size_t count = serving->left < n - at ? (size_t)serving->left : n - at;

        if (count > 0) {
            r = pass_payload(serving, websocket, bytes + at, count);
            at += count;
            continue;
        }
        serving->head[serving->head_bytes++] = bytes[at++];
        if (is_whole(serving))
            r = pass_head(serving, websocket);
    }
    return r;
}

size_t serving_head(enum websocket_opcode opcode, size_t n, uint8_t to[SERVING_HEAD_MAX])
{
    size_t extra = n > UINT16_MAX ? 8 : n > WEBSOCKET_CONTROL_MAX ? 2 : 0;

    to[0] = (uint8_t)(0x80 | opcode);
    to[1] = (uint8_t)(extra == 8 ? 127 : extra == 2 ? 126 : n);
    for (size_t i = 0; i < extra; i++)
        to[2 + i] = (uint8_t)(n >> (8 * (extra - 1 - i)));
    return 2 + extra;
}
