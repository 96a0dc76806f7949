/*
 * An expression of a peer, which the session makes a value of and writes again: what
 * was written reads back as the same and is written the same.
 */
#include "fuzz.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "capnweb/session.h"

#include <stdbool.h>
#include <string.h>

enum { MESSAGE_MAX = 1 << 22 };

struct trip {
    struct capnweb_session *session;
    struct cm_buf answer; /* the expression of the last resolve or reject */
    bool resolved;
};

static void on_send(void *user, char *message, size_t bytes)
{
    static const char resolve[] = "[\"resolve\",1,";
    struct trip *trip = user;

    if (bytes > sizeof(resolve) && memcmp(message, resolve, sizeof(resolve) - 1) == 0) {
        trip->resolved = true;
        MUST(cm_buf_append(&trip->answer, message + sizeof(resolve) - 1, bytes - sizeof(resolve)) ==
             0);
    }
    free(message);
}

static void echo(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, *capnweb_call_arg(call, 0));
}

static const struct capnweb_class class = { .call = echo };
static const struct capnweb_events events = { .send = on_send };

/* What the session answers to that argument. False: it refused it. */
static bool make_trip(struct trip *trip, const void *expression, size_t n)
{
    static const char before[] = "[\"push\",[\"pipeline\",0,[],[";
    struct cm_buf message;

    *trip = (struct trip){ .resolved = false };
    cm_buf_init(&trip->answer, MESSAGE_MAX);
    cm_buf_init(&message, MESSAGE_MAX);
    MUST(capnweb_session_new(NULL, &events, trip, &class, NULL, &trip->session) == 0);
    MUST(cm_buf_append(&message, before, sizeof(before) - 1) == 0);
    MUST(cm_buf_append(&message, expression, n) == 0);
    MUST(cm_buf_append(&message, "]]]", 3) == 0);
    capnweb_receive(trip->session, (char *)message.data, message.len);
    capnweb_receive(trip->session, "[\"pull\",1]", 10);
    capnweb_session_free(trip->session);
    cm_buf_done(&message);
    return trip->resolved;
}

/* References are numbered anew, and streams are spoken apart. */
static bool has_reference(const struct cm_buf *text)
{
    static const char *const tags[] = { "\"export\"",   "\"import\"",   "\"promise\"",
                                        "\"writable\"", "\"readable\"", "\"pipeline\"" };

    for (size_t i = 0; i < CM_ARRAY_LEN(tags); i++)
        if (memmem(text->data, text->len, tags[i], strlen(tags[i])) != NULL)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct trip first;
    struct trip second;

    if (n > MESSAGE_MAX / 4)
        return 0;
    if (make_trip(&first, bytes, n) && !has_reference(&first.answer)) {
        MUST(make_trip(&second, first.answer.data, first.answer.len));
        MUST(second.answer.len == first.answer.len &&
             memcmp(second.answer.data, first.answer.data, first.answer.len) == 0);
        cm_buf_done(&second.answer);
    }
    cm_buf_done(&first.answer);
    return 0;
}
