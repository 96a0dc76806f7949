/* WebSocket on bytes. What comes in is hostile. */
#include "websocket.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    HANDSHAKE_MAX = 16384,
    MESSAGE_MAX = 128 << 20,
    BAD_FRAME = 1002,
    BAD_TEXT = 1007,
    TOO_BIG = 1009,
};

void websocket_init(struct websocket *websocket, const char *key)
{
    *websocket = (struct websocket){ .client = key != NULL };
    cm_buf_init(&websocket->in, MESSAGE_MAX);
    if (key != NULL)
        snprintf(websocket->key, sizeof(websocket->key), "%s", key);
}

void websocket_done(struct websocket *websocket)
{
    cm_buf_done(&websocket->in);
    free(CM_TAKE(websocket->message));
}

size_t websocket_request(const struct websocket *websocket, const char *host, char *to, size_t cap)
{
    return (size_t)snprintf(to, cap,
                            "GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
                            "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
                            "Sec-WebSocket-Version: 13\r\n\r\n",
                            host, websocket->key);
}

int websocket_feed(struct websocket *websocket, const void *bytes, size_t n)
{
    return cm_buf_append(&websocket->in, bytes, n);
}

/*
 * The handshake
 */

/* The value of a header in the NUL-terminated head of a message; NULL: none. */
static char *header(char *head, const char *name, char *value, size_t cap)
{
    size_t n = strlen(name);

    for (char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        const char *at = line + 2;
        size_t length;

        if (strncasecmp(at, name, n) != 0 || at[n] != ':')
            continue;
        at += n + 1;
        at += strspn(at, " \t");
        length = strcspn(at, "\r");
        snprintf(value, cap, "%.*s", (int)length, at);
        return value;
    }
    return NULL;
}

static bool header_says(char *head, const char *name, const char *word)
{
    char value[256];

    return header(head, name, value, sizeof(value)) != NULL && strcasestr(value, word) != NULL;
}

static void accept_key(const char *key, char *to, int cap)
{
    char text[256];
    unsigned char hash[20];

    snprintf(text, sizeof(text), "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    lws_SHA1((const unsigned char *)text, strlen(text), hash);
    lws_b64_encode_string((const char *)hash, sizeof(hash), to, cap);
}

static bool request_is_good(char *head)
{
    char key[128];

    return strncmp(head, "GET / HTTP/1.1\r\n", 16) == 0 &&
           header_says(head, "Upgrade", "websocket") &&
           header_says(head, "Connection", "upgrade") &&
           header_says(head, "Sec-WebSocket-Version", "13") &&
           header(head, "Sec-WebSocket-Key", key, sizeof(key)) != NULL &&
           strlen(key) == WEBSOCKET_KEY_CHARS;
}

static void refuse(struct websocket *websocket, const char *status)
{
    snprintf(websocket->reply, sizeof(websocket->reply),
             "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", status);
}

/* The body of a POST that asks for no upgrade. 0: it is not all there; negative: this
 * is no such request. */
static int read_post(struct websocket *websocket, char *head, uint8_t *body,
                     struct websocket_event *ret_event)
{
    struct cm_buf *in = &websocket->in;
    size_t there = in->len - (size_t)(body - cm_buf_bytes(in));
    char length[32] = "0";
    size_t n;

    if (strncmp(head, "POST / ", 7) != 0 || header_says(head, "Upgrade", "websocket"))
        return -1;
    header(head, "Content-Length", length, sizeof(length));
    n = strtoul(length, NULL, 10);
    if (n > HANDSHAKE_MAX)
        return -1;
    if (there < n)
        return 0;
    *ret_event = (struct websocket_event){ WEBSOCKET_ON_POST, (char *)body, n };
    cm_buf_consume(in, in->len - there + n);
    return 1;
}

static enum websocket_event_type serve_handshake(struct websocket *websocket, char *head)
{
    char key[128];
    char accept[64];

    if (!request_is_good(head)) {
        refuse(websocket, header_says(head, "Upgrade", "websocket") ? "400 Bad Request"
                                                                    : "405 Method Not Allowed");
        return WEBSOCKET_ON_REFUSE;
    }
    header(head, "Sec-WebSocket-Key", key, sizeof(key));
    accept_key(key, accept, sizeof(accept));
    snprintf(websocket->reply, sizeof(websocket->reply),
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\n\r\n",
             accept);
    return WEBSOCKET_ON_OPEN;
}

static enum websocket_event_type check_reply(struct websocket *websocket, char *head)
{
    char given[128];
    char accept[64];

    accept_key(websocket->key, accept, sizeof(accept));
    if (strncmp(head, "HTTP/1.1 101 ", 13) != 0 || !header_says(head, "Upgrade", "websocket") ||
        !header_says(head, "Connection", "upgrade") ||
        header(head, "Sec-WebSocket-Accept", given, sizeof(given)) == NULL ||
        strcmp(given, accept) != 0 ||
        header(head, "Sec-WebSocket-Protocol", given, sizeof(given)) != NULL ||
        header(head, "Sec-WebSocket-Extensions", given, sizeof(given)) != NULL)
        return WEBSOCKET_ON_REFUSE;
    return WEBSOCKET_ON_OPEN;
}

static int next_handshake(struct websocket *websocket, struct websocket_event *ret_event)
{
    struct cm_buf *in = &websocket->in;
    uint8_t *start = cm_buf_bytes(in);
    uint8_t *end = start == NULL ? NULL : memmem(start, in->len, "\r\n\r\n", 4);
    char *head = (char *)start;
    int r;

    if (end == NULL)
        return in->len > HANDSHAKE_MAX ? -1 : 0;
    end[3] = '\0'; /* found again while a body is awaited: put back below */
    r = websocket->client ? -1 : read_post(websocket, head, end + 4, ret_event);
    if (r == 0)
        end[3] = '\n';
    if (r >= 0)
        return r;
    ret_event->type =
        websocket->client ? check_reply(websocket, head) : serve_handshake(websocket, head);
    ret_event->data = websocket->reply;
    ret_event->bytes = strlen(websocket->reply);
    cm_buf_consume(in, (size_t)(end + 4 - cm_buf_bytes(in)));
    websocket->open = ret_event->type == WEBSOCKET_ON_OPEN;
    return 1;
}

/*
 * Frames
 */

struct head {
    bool final;
    bool masked;
    unsigned opcode;
    uint64_t bytes;
    size_t length;
    uint8_t mask[4];
};

static int fail(struct websocket *websocket, unsigned code)
{
    websocket->code = code;
    return -1;
}

/* 1: there is a whole head. */
static int read_head(struct websocket *websocket, struct head *head)
{
    const uint8_t *at = cm_buf_bytes(&websocket->in);
    size_t extra;

    if (websocket->in.len < 2)
        return 0;
    if ((at[0] & 0x70) != 0)
        return fail(websocket, BAD_FRAME);
    head->final = (at[0] & 0x80) != 0;
    head->opcode = at[0] & 0x0F;
    head->masked = (at[1] & 0x80) != 0;
    head->bytes = at[1] & 0x7F;
    extra = head->bytes == 127 ? 8 : head->bytes == 126 ? 2 : 0;
    head->length = 2 + extra + (head->masked ? 4 : 0);
    if (head->masked == websocket->client)
        return fail(websocket, BAD_FRAME);
    if (websocket->in.len < head->length)
        return 0;
    if (extra > 0)
        head->bytes = 0;
    for (size_t i = 0; i < extra; i++)
        head->bytes = head->bytes << 8 | at[2 + i];
    if (head->masked)
        memcpy(head->mask, at + 2 + extra, 4);
    return 1;
}

static int check_head(struct websocket *websocket, const struct head *head)
{
    bool control = (head->opcode & 8) != 0;

    if (head->opcode > WEBSOCKET_PONG ||
        (head->opcode > WEBSOCKET_BINARY && head->opcode < WEBSOCKET_CLOSE))
        return fail(websocket, BAD_FRAME);
    if (control && (!head->final || head->bytes > WEBSOCKET_CONTROL_MAX))
        return fail(websocket, BAD_FRAME);
    if (!control && (head->opcode == WEBSOCKET_CONTINUATION) != websocket->in_message)
        return fail(websocket, BAD_FRAME);
    if (head->bytes > MESSAGE_MAX - websocket->bytes)
        return fail(websocket, TOO_BIG);
    return 0;
}

static void unmask(uint8_t *bytes, size_t n, const uint8_t mask[4], size_t from)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] ^= mask[(from + i) & 3];
}

static bool close_code_is_good(unsigned code)
{
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
           (code >= 3000 && code <= 4999);
}

static int check_close(struct websocket *websocket, const uint8_t *payload, size_t n)
{
    if (n == 0)
        return 0;
    if (n == 1 || !close_code_is_good((unsigned)payload[0] << 8 | payload[1]))
        return fail(websocket, BAD_FRAME);
    if (!cm_utf8_valid(payload + 2, n - 2))
        return fail(websocket, BAD_TEXT);
    return 0;
}

/* A control frame is taken whole. */
static int next_control(struct websocket *websocket, const struct head *head,
                        struct websocket_event *ret_event)
{
    uint8_t *payload = cm_buf_bytes(&websocket->in) + head->length;

    if (websocket->in.len - head->length < head->bytes)
        return 0;
    if (head->masked)
        unmask(payload, head->bytes, head->mask, 0);
    if (head->opcode == WEBSOCKET_CLOSE && check_close(websocket, payload, head->bytes) < 0)
        return -1;
    cm_buf_consume(&websocket->in, head->length + head->bytes);
    if (head->opcode == WEBSOCKET_PONG)
        return websocket_next(websocket, ret_event);
    ret_event->type = head->opcode == WEBSOCKET_PING ? WEBSOCKET_ON_PING : WEBSOCKET_ON_CLOSE;
    ret_event->data = (char *)payload; /* until the next bytes come */
    ret_event->bytes = head->bytes;
    return 1;
}

static bool make_room(struct websocket *websocket, size_t more)
{
    size_t need = websocket->bytes + more + 1;
    char *grown;

    if (need <= websocket->cap)
        return true;
    need = need < websocket->cap * 2 ? websocket->cap * 2 : need;
    grown = realloc(websocket->message, need);
    if (grown == NULL)
        return false;
    websocket->message = grown;
    websocket->cap = need;
    return true;
}

static int begin_payload(struct websocket *websocket, const struct head *head)
{
    if (!make_room(websocket, head->bytes))
        return fail(websocket, TOO_BIG);
    if (head->opcode != WEBSOCKET_CONTINUATION)
        websocket->binary = head->opcode == WEBSOCKET_BINARY;
    websocket->final = head->final;
    websocket->in_payload = true;
    websocket->left = head->bytes;
    websocket->masked = 0;
    memcpy(websocket->mask, head->mask, 4);
    cm_buf_consume(&websocket->in, head->length);
    return 0;
}

/* Takes what there is of a data frame; 1 when it ends a message. */
static int next_payload(struct websocket *websocket, struct websocket_event *ret_event)
{
    size_t n = websocket->in.len < websocket->left ? websocket->in.len : websocket->left;

    if (n > 0) {
        memcpy(websocket->message + websocket->bytes, cm_buf_bytes(&websocket->in), n);
        if (!websocket->client)
            unmask((uint8_t *)websocket->message + websocket->bytes, n, websocket->mask,
                   websocket->masked);
        cm_buf_consume(&websocket->in, n);
        websocket->bytes += n;
        websocket->masked += n;
        websocket->left -= n;
    }
    if (websocket->left > 0)
        return 0;
    websocket->in_payload = false;
    websocket->in_message = !websocket->final;
    if (!websocket->final)
        return websocket_next(websocket, ret_event);
    if (!websocket->binary && !cm_utf8_valid(websocket->message, websocket->bytes))
        return fail(websocket, BAD_TEXT);
    ret_event->type = websocket->binary ? WEBSOCKET_ON_BINARY : WEBSOCKET_ON_TEXT;
    ret_event->data = CM_TAKE(websocket->message);
    ret_event->bytes = websocket->bytes;
    websocket->bytes = 0;
    websocket->cap = 0;
    return 1;
}

int websocket_next(struct websocket *websocket, struct websocket_event *ret_event)
{
    struct head head = { 0 };
    int r;

    if (!websocket->open)
        return next_handshake(websocket, ret_event);
    if (websocket->in_payload)
        return next_payload(websocket, ret_event);
    r = read_head(websocket, &head);
    if (r <= 0)
        return r;
    if (check_head(websocket, &head) < 0)
        return -1;
    if ((head.opcode & 8) != 0)
        return next_control(websocket, &head, ret_event);
    if (begin_payload(websocket, &head) < 0)
        return -1;
    return next_payload(websocket, ret_event);
}

size_t websocket_frame(const struct websocket *websocket, enum websocket_opcode opcode,
                       uint8_t *payload, size_t n, uint32_t random)
{
    size_t extra = n > 65535 ? 8 : n > WEBSOCKET_CONTROL_MAX ? 2 : 0;
    size_t length = 2 + extra + (websocket->client ? 4 : 0);
    uint8_t *at = payload - length;

    at[0] = (uint8_t)(0x80 | opcode);
    at[1] = (uint8_t)(extra == 8 ? 127 : extra == 2 ? 126 : n);
    for (size_t i = 0; i < extra; i++)
        at[2 + i] = (uint8_t)(n >> (8 * (extra - 1 - i)));
    if (websocket->client) {
        at[1] |= 0x80;
        memcpy(payload - 4, &random, 4);
        unmask(payload, n, payload - 4, 0);
    }
    return length;
}
