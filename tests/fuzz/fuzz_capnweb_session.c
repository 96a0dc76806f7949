/*
 * A peer that sends anything: each line of the input is a message to a session whose
 * object can do a bit of everything. What the session sends has to be text.
 */
#include "fuzz.h"

#include "../capnweb/answers.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "capnweb/session.h"

#include <string.h>

enum { HELD_MAX = 8, SENT_MAX = 1 << 20 };

struct peer {
    struct capnweb_session *session;
    struct capnweb_call *held[HELD_MAX];
    size_t count;
    size_t sent; /* bytes; an input that makes more has shown enough */
    bool aborted;
    bool ended;
};

/* Small, so that an input of some kilobytes reaches both sides of each bound. */
static const struct capnweb_settings settings = {
    .max_message = 4096,
    .max_depth = 16,
    .max_values = 1024,
    .max_entries = 32,
    .max_pending = 64,
    .max_stream = 16384,
    .headroom_bytes = 16,
};

static void on_send(void *user, char *message, size_t bytes)
{
    struct peer *peer = user;

    MUST(bytes > 0 && cm_utf8_valid(message, bytes) && message[0] == '[');
    MUST(!peer->aborted && !peer->ended);
    peer->aborted = bytes > 8 && memcmp(message, "[\"abort\"", 8) == 0;
    peer->sent += bytes;
    memset(message - settings.headroom_bytes, 0, settings.headroom_bytes);
    free(message - settings.headroom_bytes);
}

static void on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    struct peer *peer = user;

    MUST(!peer->ended && reason.data != NULL);
    MUST(peer->aborted == (how == CAPNWEB_END_FAULT));
    peer->ended = true;
}

static void once(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer_once(call, *capnweb_call_arg(call, 0));
}

static void throw(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_reject(call, *capnweb_call_arg(call, 0));
}

static void list(void *object, struct capnweb_call *call)
{
    static const struct capnweb_value items[3] = { { .kind = CAPNWEB_NULL } };

    (void)object;
    capnweb_answer(call, capnweb_array(items, CM_ARRAY_LEN(items)));
}

/* Answered by a later message, or at the end. */
static void hold(void *object, struct capnweb_call *call)
{
    struct peer *peer = object;

    if (peer->count == HELD_MAX)
        capnweb_reject_text(call, "Error", "enough are held");
    else
        peer->held[peer->count++] = call;
}

static void let_go(struct peer *peer)
{
    if (peer->count > 0) {
        struct capnweb_call *call = peer->held[--peer->count];

        capnweb_answer(call, *capnweb_call_arg(call, 0));
    }
}

static void call_back(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *fn = capnweb_call_arg(call, 0);

    (void)object;
    if ((fn->kind != CAPNWEB_STUB && fn->kind != CAPNWEB_WRITABLE) ||
        capnweb_invoke(fn->stub, fn->kind == CAPNWEB_STUB ? NULL : "write",
                       capnweb_call_arg(call, 1), 1, answer_alike, call, NULL) < 0)
        capnweb_reject_text(call, "TypeError", "this cannot be called");
}

static void on_read(void *user, const struct capnweb_outcome *outcome)
{
    struct capnweb_call *call = user;

    if (outcome->rejected || outcome->ended)
        answer_alike(call, outcome);
    else if (capnweb_pipe_read(capnweb_call_arg(call, 0)->pipe, on_read, call) < 0)
        capnweb_reject_text(call, "Error", "this cannot be read");
}

static void read_all(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *stream = capnweb_call_arg(call, 0);

    (void)object;
    if (stream->kind != CAPNWEB_READABLE || capnweb_pipe_read(stream->pipe, on_read, call) < 0)
        capnweb_reject_text(call, "TypeError", "this cannot be read");
}

static void give(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_number(1));
}

static const struct capnweb_method given_methods[] = { { "give", give } };
static const struct capnweb_class given_class = { .methods = given_methods,
                                                  .method_count = 1,
                                                  .call = echo };

static void make(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub = capnweb_stub_new(capnweb_call_session(call), &given_class, object);

    MUST(stub != NULL);
    capnweb_answer(call, capnweb_stub(stub));
    capnweb_stub_unref(stub);
}

static void stream(void *object, struct capnweb_call *call)
{
    struct capnweb_pipe *pipe = capnweb_pipe_new(capnweb_call_session(call));

    (void)object;
    MUST(pipe != NULL);
    capnweb_pipe_write(pipe, *capnweb_call_arg(call, 0));
    capnweb_pipe_close(pipe);
    capnweb_answer(call, capnweb_readable(pipe));
    capnweb_pipe_unref(pipe);
}

static const struct capnweb_method methods[] = {
    { "e", echo },      { "o", once },     { "t", throw }, { "l", list },   { "h", hold },
    { "c", call_back }, { "r", read_all }, { "m", make },  { "s", stream },
};
static const struct capnweb_property properties[] = { { "p", list } };
static const struct capnweb_class class = { .methods = methods,
                                            .method_count = CM_ARRAY_LEN(methods),
                                            .properties = properties,
                                            .property_count = 1 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const struct capnweb_events events = { .send = on_send, .on_ended = on_ended };
    const char *text = (const char *)bytes;
    struct peer peer = { .count = 0 };

    MUST(capnweb_session_new(&settings, &events, &peer, &class, &peer, &peer.session) == 0);
    while (n > 0 && peer.sent < SENT_MAX) {
        const char *line = memchr(text, '\n', n);
        size_t length = line == NULL ? n : (size_t)(line - text);

        capnweb_receive(peer.session, text, length);
        if (length == 0)
            let_go(&peer);
        length += line != NULL;
        text += length;
        n -= length;
    }
    while (peer.count > 0)
        let_go(&peer);
    capnweb_session_free(peer.session);
    return 0;
}
