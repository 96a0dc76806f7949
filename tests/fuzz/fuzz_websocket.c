/* A server that answers a client anything. The first byte says whether the handshake has
 * been made already; the rest is what comes, once as a whole and once byte by byte, which
 * must come to the same. */
#include "fuzz.h"

#include "base/text.h"
#include "client/websocket.h"
#include "codemode/executor.h"

#include <stdbool.h>
#include <string.h>

enum { MESSAGE_MAX = 4096, INPUT_MAX = 16384, EVENTS_MAX = 1 << 20 };

/* That of RFC 6455: a seed can hold what a server makes of it. */
static const char key[] = "dGhlIHNhbXBsZSBub25jZQ==";

/* What came out, written down one after the other. */
struct seen {
    struct cm_buf events;
    int end; /* what websocket_next() said last */
};

static void note(struct seen *seen, const struct websocket_event *event)
{
    char type = (char)('0' + event->type);

    MUST(cm_buf_append(&seen->events, &type, 1) == 0);
    MUST(cm_buf_append(&seen->events, event->data, event->bytes) == 0);
}

static void take(struct websocket *websocket, struct seen *seen)
{
    struct websocket_event event = { 0 };

    while ((seen->end = websocket_next(websocket, &event)) == 1) {
        note(seen, &event);
        switch (event.type) {
        case WEBSOCKET_ON_OPEN:
            break;
        case WEBSOCKET_ON_TEXT:
            MUST(event.bytes <= MESSAGE_MAX && cm_utf8_valid(event.data, event.bytes));
            event.data[event.bytes] = '\0'; /* the byte of room */
            free(event.data);
            break;
        case WEBSOCKET_ON_PING:
        case WEBSOCKET_ON_CLOSE:
            MUST(event.bytes <= WEBSOCKET_CONTROL_MAX);
            break;
        }
    }
    MUST(seen->end == 0 || seen->end == CM_E_PEER);
}

static void run(bool open, const uint8_t *bytes, size_t n, size_t piece, struct seen *seen)
{
    struct websocket websocket;

    cm_buf_init(&seen->events, EVENTS_MAX);
    MUST(websocket_init(&websocket, MESSAGE_MAX) == 0);
    memcpy(websocket.key, key, sizeof(key));
    websocket.open = open;
    seen->end = 0;
    for (size_t at = 0; at < n && seen->end == 0; at += piece) {
        size_t count = n - at < piece ? n - at : piece;

        MUST(websocket_feed(&websocket, bytes + at, count) == 0);
        take(&websocket, seen);
    }
    MUST((seen->end != 0 && websocket.open) == (websocket.code != 0)); /* a breach has a code */
    websocket_done(&websocket);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct seen whole;
    struct seen torn;

    if (n == 0 || n > INPUT_MAX)
        return 0;
    run((bytes[0] & 1) != 0, bytes + 1, n - 1, n, &whole);
    run((bytes[0] & 1) != 0, bytes + 1, n - 1, 1, &torn);
    MUST(whole.end == torn.end && whole.events.len == torn.events.len);
    MUST(whole.events.len == 0 ||
         memcmp(cm_buf_bytes(&whole.events), cm_buf_bytes(&torn.events), whole.events.len) == 0);
    cm_buf_done(&whole.events);
    cm_buf_done(&torn.events);
    return 0;
}
