/* A session whose peer is a script. Its object has a few methods:
 *   echo(v), add(a, b), throw(), list(n): as they say
 *   hold(): is answered by the test; notices when nobody waits any more
 *   keep(fn): keeps the stub; call(fn, ...args): calls it and answers what it answers
 *   make(): an object with the method "ping" whose disposal is counted
 *   lose(): the transport is gone before anything that waits goes on
 *   property "data": { "a": { "b": [10, 20] } } */
#include "script.h"

#include "answers.h"
#include "describe.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <string.h>

enum { DESCRIPTION_MAX = 1 << 24 };

struct sent {
    struct cm_list link;
    char *text;
};

static void on_send(void *user, char *message, size_t bytes)
{
    struct script *script = user;
    struct sent *sent = malloc(sizeof(*sent));

    assert_non_null(sent);
    sent->text = strndup(message, bytes);
    assert_non_null(sent->text);
    assert_int_equal(strlen(sent->text), bytes);
    cm_list_init(&sent->link);
    cm_list_append(&script->sent, &sent->link);
    free(message);
}

static void on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    struct script *script = user;

    assert_false(script->ended);
    script->ended = true;
    script->how = how;
    script->reason = strndup(reason.data, reason.bytes);
}

static void add(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_number(capnweb_call_arg(call, 0)->number +
                                        capnweb_call_arg(call, 1)->number));
}

static void throw(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_reject_text(call, "RangeError", "thrown");
}

static void list(void *object, struct capnweb_call *call)
{
    size_t n = (size_t)capnweb_call_arg(call, 0)->number;
    struct capnweb_value *items = capnweb_call_alloc(call, (n + 1) * sizeof(*items));

    (void)object;
    assert_non_null(items);
    for (size_t i = 0; i < n; i++)
        items[i] = capnweb_number((double)i);
    capnweb_answer(call, capnweb_array(items, n));
}

static void on_dropped(void *user)
{
    struct script *script = user;

    script->dropped++;
}

static void hold(void *object, struct capnweb_call *call)
{
    struct script *script = object;

    assert_null(script->held);
    script->held = call;
    capnweb_call_on_dropped(call, on_dropped, script);
}

static void keep(void *object, struct capnweb_call *call)
{
    struct script *script = object;

    capnweb_stub_unref(script->kept);
    script->kept = capnweb_stub_ref(capnweb_call_arg(call, 0)->stub);
    capnweb_answer(call, capnweb_undefined());
}

static void call_back(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *fn = capnweb_call_arg(call, 0);

    (void)object;
    if (fn->kind != CAPNWEB_STUB)
        capnweb_reject_text(call, "TypeError", "no function");
    else if (capnweb_invoke(fn->stub, NULL, capnweb_call_arg(call, 1), capnweb_call_args(call) - 1,
                            answer_alike, call, NULL) < 0)
        capnweb_reject_text(call, "Error", "no call");
}

static void ping(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_cstring("pong"));
}

static void made_dispose(void *object)
{
    struct script *script = object;

    script->disposed++;
}

static const struct capnweb_method made_methods[] = { { "ping", ping } };
static const struct capnweb_class made_class = { .methods = made_methods,
                                                 .method_count = 1,
                                                 .dispose = made_dispose };

static void make(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub = capnweb_stub_new(capnweb_call_session(call), &made_class, object);

    assert_non_null(stub);
    capnweb_answer(call, capnweb_stub(stub));
    capnweb_stub_unref(stub);
}

static const struct capnweb_class empty_class = { .method_count = 0 };

static void on_turn(void *user, const struct capnweb_outcome *outcome)
{
    (void)outcome;
    capnweb_lost(user, "cut");
}

static void lose(void *object, struct capnweb_call *call)
{
    struct capnweb_session *session = capnweb_call_session(call);
    struct capnweb_stub *stub = capnweb_stub_new(session, &empty_class, NULL);

    (void)object;
    assert_non_null(stub);
    assert_int_equal(capnweb_await(stub, on_turn, session, NULL), 0);
    capnweb_stub_unref(stub);
    capnweb_answer(call, capnweb_undefined());
}

static void get_data(void *object, struct capnweb_call *call)
{
    const struct capnweb_value list[] = { capnweb_number(10), capnweb_number(20) };
    const struct capnweb_member inner[] = { { capnweb_text("b"), capnweb_array(list, 2) } };
    const struct capnweb_member outer[] = { { capnweb_text("a"), capnweb_object(inner, 1) } };

    (void)object;
    capnweb_answer(call, capnweb_object(outer, 1));
}

static const struct capnweb_method methods[] = {
    { "echo", echo }, { "add", add },        { "throw", throw }, { "list", list }, { "hold", hold },
    { "keep", keep }, { "call", call_back }, { "make", make },   { "lose", lose },
};
static const struct capnweb_property properties[] = { { "data", get_data } };
static const struct capnweb_class class = { .methods = methods,
                                            .method_count = CM_ARRAY_LEN(methods),
                                            .properties = properties,
                                            .property_count = 1 };
static const struct capnweb_events events = { .send = on_send, .on_ended = on_ended };

static void start(struct script *script, const struct capnweb_settings *settings,
                  const struct capnweb_class *main_class)
{
    *script = (struct script){ .outcomes = 0 };
    cm_list_init(&script->sent);
    assert_int_equal(
        capnweb_session_new(settings, &events, script, main_class, script, &script->session), 0);
    script->peer = capnweb_peer_main(script->session);
    assert_non_null(script->peer);
}

void script_start(struct script *script, const struct capnweb_settings *settings)
{
    start(script, settings, &class);
}

void script_start_bare(struct script *script)
{
    start(script, NULL, NULL);
}

static char *take(struct script *script)
{
    struct sent *sent = CM_LIST_FIRST(&script->sent, struct sent, link);
    char *text;

    if (sent == NULL)
        return NULL;
    text = sent->text;
    cm_list_unlink(&sent->link);
    free(sent);
    return text;
}

void script_end(struct script *script)
{
    char *text;

    capnweb_stub_unref(script->peer);
    capnweb_stub_unref(script->kept);
    capnweb_session_free(script->session);
    if (script->held != NULL)
        capnweb_answer(script->held, capnweb_undefined());
    while ((text = take(script)) != NULL)
        free(text);
    free(script->reason);
    free(script->described);
}

void script_feed(struct script *script, const char *message)
{
    capnweb_receive(script->session, message, strlen(message));
}

void script_expect_at(struct script *script, const char *message, const char *file, int line)
{
    CM_AUTO_FREE char *text = take(script);

    if (text != NULL && strcmp(text, message) == 0)
        return;
    print_error("sent:     %s\nexpected: %s\n", text == NULL ? "(nothing)" : text, message);
    _fail(file, line);
}

void script_quiet_at(struct script *script, const char *file, int line)
{
    CM_AUTO_FREE char *text = take(script);

    if (text == NULL)
        return;
    print_error("sent: %s\nexpected: (nothing)\n", text);
    _fail(file, line);
}

void script_aborted_at(struct script *script, const char *what, const char *file, int line)
{
    CM_AUTO_FREE char *text = take(script);
    bool right = text != NULL && strncmp(text, "[\"abort\",[\"error\",", 17) == 0 &&
                 strstr(text, what) != NULL && cm_list_empty(&script->sent) && script->ended &&
                 script->how == CAPNWEB_END_FAULT && capnweb_ended(script->session);

    if (right)
        return;
    print_error("sent: %s\nexpected an abort about: %s\n", text == NULL ? "(nothing)" : text, what);
    _fail(file, line);
}

void script_outcome(void *user, const struct capnweb_outcome *outcome)
{
    struct script *script = user;
    struct cm_buf text;

    script->outcomes++;
    script->rejected = outcome->rejected;
    script->over = outcome->ended;
    cm_buf_init(&text, DESCRIPTION_MAX);
    describe(&text, outcome->value);
    assert_int_equal(cm_buf_append(&text, "", 1), 0);
    free(script->described);
    script->described = (char *)CM_TAKE(text.data);
}
