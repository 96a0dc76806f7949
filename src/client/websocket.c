/* WebSocket on bytes, as a client. Runs in the host's process; what comes in is a
 * server's, which may be anything that listens there, and is hostile. */
#include "client/websocket.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "codemode/executor.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

enum {
    HANDSHAKE_MAX = 16384,
    INPUT_MAX = 1 << 20,
    KEY_BYTES = 16,
    SHA1_BYTES = 20,
    HEAD_MAX = 14,
    GO_ON = 2, /* something was taken that is no event */

    /* close codes */
    BAD_FRAME = 1002,
    NOT_TEXT = 1003,
    BAD_TEXT = 1007,
    TOO_BIG = 1009,
};

int websocket_init(struct websocket *websocket, size_t message_max)
{
    unsigned char key[KEY_BYTES];

    *websocket = (struct websocket){ .message_max = message_max };
    cm_buf_init(&websocket->in, INPUT_MAX);
    if (getrandom(key, sizeof(key), 0) != sizeof(key))
        return CM_E_SYSTEM;
    EVP_EncodeBlock((unsigned char *)websocket->key, key, sizeof(key));
    return 0;
}

void websocket_done(struct websocket *websocket)
{
    cm_buf_done(&websocket->in);
    free(CM_TAKE(websocket->message));
}

int websocket_feed(struct websocket *websocket, const void *bytes, size_t n)
{
    return cm_buf_append(&websocket->in, bytes, n);
}

/* ---- the handshake ---- */

int websocket_request(const struct websocket *websocket, const char *host, const char *path,
                      struct cm_buf *out)
{
    CM_AUTO_FREE char *text = NULL;
    int n = asprintf(&text,
                     "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
                     "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
                     "Sec-WebSocket-Version: 13\r\n\r\n",
                     path, host, websocket->key);

    if (n < 0) {
        text = NULL;
        return CM_E_NOMEM;
    }
    return cm_buf_append(out, text, (size_t)n);
}

bool websocket_header(const char *head, const char *name, char *value, size_t cap)
{
    size_t n = strlen(name);

    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        const char *at = line + 2;

        if (strncasecmp(at, name, n) != 0 || at[n] != ':')
            continue;
        at += n + 1;
        at += strspn(at, " \t");
        snprintf(value, cap, "%.*s", (int)strcspn(at, "\r"), at);
        return true;
    }
    return false;
}

static bool header_says(const char *head, const char *name, const char *word)
{
    char value[256];

    return websocket_header(head, name, value, sizeof(value)) && strcasestr(value, word) != NULL;
}

bool websocket_accept(const char *key, char ret_accept[WEBSOCKET_ACCEPT_CHARS + 1])
{
    char text[128];
    unsigned char hash[SHA1_BYTES];

    snprintf(text, sizeof(text), "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    if (EVP_Digest(text, strlen(text), hash, NULL, EVP_sha1(), NULL) != 1)
        return false;
    EVP_EncodeBlock((unsigned char *)ret_accept, hash, sizeof(hash));
    return true;
}

/* No cache and no other protocol knows what to make of our key. */
static bool accepts_key(const char *head, const char *key)
{
    char given[64];
    char wanted[WEBSOCKET_ACCEPT_CHARS + 1];

    return websocket_accept(key, wanted) &&
           websocket_header(head, "Sec-WebSocket-Accept", given, sizeof(given)) &&
           strcmp(given, wanted) == 0;
}

/* No subprotocol and no extension was asked for. */
static bool is_accepted(const char *head, const char *key)
{
    char value[64];

    return strncmp(head, "HTTP/1.1 101 ", 13) == 0 && header_says(head, "Upgrade", "websocket") &&
           header_says(head, "Connection", "upgrade") && accepts_key(head, key) &&
           !websocket_header(head, "Sec-WebSocket-Protocol", value, sizeof(value)) &&
           !websocket_header(head, "Sec-WebSocket-Extensions", value, sizeof(value));
}

static int next_handshake(struct websocket *websocket, struct websocket_event *ret_event)
{
    struct cm_buf *in = &websocket->in;
    uint8_t *start = cm_buf_bytes(in);
    uint8_t *end = in->len == 0 ? NULL : memmem(start, in->len, "\r\n\r\n", 4);

    if (end == NULL)
        return in->len > HANDSHAKE_MAX ? CM_E_PEER : 0;
    end[3] = '\0';
    if (!is_accepted((const char *)start, websocket->key))
        return CM_E_PEER;
    cm_buf_consume(in, (size_t)(end + 4 - start));
    websocket->open = true;
    *ret_event = (struct websocket_event){ .type = WEBSOCKET_ON_OPEN };
    return 1;
}

/* ---- frames that come ---- */

struct head {
    bool final;
    unsigned opcode;
    uint64_t bytes;
    size_t length;
};

static int refuse(struct websocket *websocket, unsigned code)
{
    websocket->code = code;
    return CM_E_PEER;
}

/* 1: there is a whole head. A server masks nothing, and no bit of an extension is
 * set. */
static int read_head(struct websocket *websocket, struct head *head)
{
    const struct cm_buf *in = &websocket->in;
    const uint8_t *at = cm_buf_bytes(in);
    size_t extra;

    if (in->len < 2)
        return 0;
    if ((at[0] & 0x70) != 0 || (at[1] & 0x80) != 0)
        return refuse(websocket, BAD_FRAME);
    head->final = (at[0] & 0x80) != 0;
    head->opcode = at[0] & 0x0F;
    head->bytes = at[1] & 0x7F;
    extra = head->bytes == 127 ? 8 : head->bytes == 126 ? 2 : 0;
    head->length = 2 + extra;
    if (in->len < head->length)
        return 0;
    if (extra > 0)
        head->bytes = 0;
    for (size_t i = 0; i < extra; i++)
        head->bytes = head->bytes << 8 | at[2 + i];
    return 1;
}

/* The close code for a frame that may not come now; 0: it may. The protocol has text
 * only: a binary message breaks it. */
static unsigned wrong_code(const struct websocket *websocket, const struct head *head)
{
    switch (head->opcode) {
    case WEBSOCKET_CONTINUATION:
        if (!websocket->in_message)
            return BAD_FRAME;
        return head->bytes > websocket->message_max - websocket->bytes ? TOO_BIG : 0;
    case WEBSOCKET_TEXT:
        if (websocket->in_message)
            return BAD_FRAME;
        return head->bytes > websocket->message_max ? TOO_BIG : 0;
    case WEBSOCKET_BINARY:
        return NOT_TEXT;
    case WEBSOCKET_CLOSE:
    case WEBSOCKET_PING:
    case WEBSOCKET_PONG:
        return !head->final || head->bytes > WEBSOCKET_CONTROL_MAX ? BAD_FRAME : 0;
    default:
        return BAD_FRAME;
    }
}

static bool is_close_code(unsigned code)
{
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
           (code >= 3000 && code <= 4999);
}

/* A code and a reason, or nothing. */
static int check_close(struct websocket *websocket, const uint8_t *payload, size_t n)
{
    if (n == 0)
        return 0;
    if (n == 1 || !is_close_code((unsigned)payload[0] << 8 | payload[1]))
        return refuse(websocket, BAD_FRAME);
    return cm_utf8_valid(payload + 2, n - 2) ? 0 : refuse(websocket, BAD_TEXT);
}

/* A control frame is taken whole. */
static int next_control(struct websocket *websocket, const struct head *head,
                        struct websocket_event *ret_event)
{
    uint8_t *payload = cm_buf_bytes(&websocket->in) + head->length;

    if (websocket->in.len - head->length < head->bytes)
        return 0;
    if (head->opcode == WEBSOCKET_CLOSE && check_close(websocket, payload, head->bytes) < 0)
        return CM_E_PEER;
    cm_buf_consume(&websocket->in, head->length + head->bytes);
    if (head->opcode == WEBSOCKET_PONG)
        return GO_ON;
    *ret_event = (struct websocket_event){ head->opcode == WEBSOCKET_PING ? WEBSOCKET_ON_PING
                                                                          : WEBSOCKET_ON_CLOSE,
                                           (char *)payload, head->bytes };
    return 1;
}

/* Room for the payload and one byte behind it. */
static int make_room(struct websocket *websocket, size_t more)
{
    size_t need = websocket->bytes + more + 1;
    char *grown;

    if (need <= websocket->cap)
        return 0;
    need = need < websocket->cap * 2 ? websocket->cap * 2 : need;
    grown = realloc(websocket->message, need);
    if (grown == NULL)
        return CM_E_NOMEM;
    websocket->message = grown;
    websocket->cap = need;
    return 0;
}

static int begin_payload(struct websocket *websocket, const struct head *head)
{
    int r = make_room(websocket, head->bytes);

    if (r < 0)
        return r;
    websocket->final = head->final;
    websocket->in_payload = true;
    websocket->left = head->bytes;
    cm_buf_consume(&websocket->in, head->length);
    return 0;
}

/* Takes what there is of a data frame; 1 when it ends a message. */
static int next_payload(struct websocket *websocket, struct websocket_event *ret_event)
{
    size_t n = websocket->in.len < websocket->left ? websocket->in.len : websocket->left;

    if (n > 0) {
        memcpy(websocket->message + websocket->bytes, cm_buf_bytes(&websocket->in), n);
        cm_buf_consume(&websocket->in, n);
        websocket->bytes += n;
        websocket->left -= n;
    }
    if (websocket->left > 0)
        return 0;
    websocket->in_payload = false;
    websocket->in_message = !websocket->final;
    if (!websocket->final)
        return GO_ON;
    if (!cm_utf8_valid(websocket->message, websocket->bytes))
        return refuse(websocket, BAD_TEXT);
    ret_event->type = WEBSOCKET_ON_TEXT;
    ret_event->data = CM_TAKE(websocket->message);
    ret_event->bytes = websocket->bytes;
    websocket->bytes = 0;
    websocket->cap = 0;
    return 1;
}

static int next_frame(struct websocket *websocket, struct websocket_event *ret_event)
{
    struct head head = { 0 };
    unsigned wrong;
    int r;

    if (!websocket->open)
        return next_handshake(websocket, ret_event);
    if (websocket->in_payload)
        return next_payload(websocket, ret_event);
    r = read_head(websocket, &head);
    if (r <= 0)
        return r;
    wrong = wrong_code(websocket, &head);
    if (wrong != 0)
        return refuse(websocket, wrong);
    if ((head.opcode & 8) != 0)
        return next_control(websocket, &head, ret_event);
    r = begin_payload(websocket, &head);
    return r < 0 ? r : next_payload(websocket, ret_event);
}

int websocket_next(struct websocket *websocket, struct websocket_event *ret_event)
{
    int r;

    do
        r = next_frame(websocket, ret_event);
    while (r == GO_ON);
    return r;
}

/* ---- frames that go ---- */

/* Copies with the mask, eight bytes at once. */
static void put_masked(uint8_t *to, const uint8_t *from, size_t n, const uint8_t mask[4])
{
    uint64_t both;
    uint64_t word;
    size_t i = 0;

    memcpy(&both, mask, 4);
    memcpy((uint8_t *)&both + 4, mask, 4);
    for (; n - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, from + i, sizeof(word));
        word ^= both;
        memcpy(to + i, &word, sizeof(word));
    }
    for (; i < n; i++)
        to[i] = from[i] ^ mask[i & 3];
}

static size_t put_head(uint8_t *at, enum websocket_opcode opcode, size_t n, const uint8_t mask[4])
{
    size_t extra = n > UINT16_MAX ? 8 : n > WEBSOCKET_CONTROL_MAX ? 2 : 0;

    at[0] = (uint8_t)(0x80 | opcode);
    at[1] = (uint8_t)(0x80 | (extra == 8 ? 127 : extra == 2 ? 126 : n));
    for (size_t i = 0; i < extra; i++)
        at[2 + i] = (uint8_t)(n >> (8 * (extra - 1 - i)));
    memcpy(at + 2 + extra, mask, 4);
    return 2 + extra + 4;
}

int websocket_frame(enum websocket_opcode opcode, const void *payload, size_t n, struct cm_buf *out)
{
    uint8_t mask[4];
    int r;

    if (getrandom(mask, sizeof(mask), 0) != sizeof(mask))
        return CM_E_SYSTEM;
    if (n > SIZE_MAX - HEAD_MAX)
        return CM_E_LIMIT;
    r = cm_buf_reserve(out, n + HEAD_MAX);
    if (r < 0)
        return r;
    out->len += put_head(cm_buf_tail(out), opcode, n, mask);
    put_masked(cm_buf_tail(out), payload, n, mask);
    out->len += n;
    return 0;
}
