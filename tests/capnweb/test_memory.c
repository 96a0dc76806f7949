/* Each allocation of a conversation fails in turn: the session says so or ends, and
 * nothing is lost or used after it was freed (the sanitizers watch). */
#include "capnweb/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static size_t allocations;
static size_t failing; /* the number of the one that fails; 0: none */

static bool fails(void)
{
    allocations++;
    return allocations == failing;
}

/* Linked in place of the allocators (--wrap). */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_reallocarray(void *block, size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_reallocarray(void *block, size_t count, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __real_realloc(block, bytes);
}

void *__wrap_reallocarray(void *block, size_t count, size_t bytes)
{
    return fails() ? NULL : __real_reallocarray(block, count, bytes);
}

struct talk {
    struct capnweb_session *session;
    struct capnweb_call *held;
    int disposed;
    int outcomes;
    int expected;
    int ends;
};

static void on_send(void *user, char *message, size_t bytes)
{
    (void)user, (void)bytes;
    free(message);
}

static void on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    struct talk *talk = user;

    (void)how, (void)reason;
    talk->ends++;
}

static void echo(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, *capnweb_call_arg(call, 0));
}

static void hold(void *object, struct capnweb_call *call)
{
    struct talk *talk = object;

    talk->held = call;
}

static void on_called(void *user, const struct capnweb_outcome *outcome)
{
    capnweb_answer(user, *outcome->value);
}

static void call_back(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *fn = capnweb_call_arg(call, 0);

    (void)object;
    if (capnweb_invoke(fn->stub, NULL, fn, 1, on_called, call, NULL) < 0)
        capnweb_reject_text(call, "Error", "no call");
}

static void stream(void *object, struct capnweb_call *call)
{
    struct capnweb_pipe *pipe = capnweb_pipe_new(capnweb_call_session(call));

    (void)object;
    if (pipe == NULL) {
        capnweb_reject_text(call, "Error", "no pipe");
        return;
    }
    capnweb_pipe_write(pipe, capnweb_cstring("chunk"));
    capnweb_pipe_close(pipe);
    capnweb_answer(call, capnweb_readable(pipe));
    capnweb_pipe_unref(pipe);
}

static void dispose(void *object)
{
    struct talk *talk = object;

    talk->disposed++;
}

static void on_outcome(void *user, const struct capnweb_outcome *outcome)
{
    struct talk *talk = user;

    talk->outcomes++;
    assert_non_null(outcome->value);
}

static const struct capnweb_method methods[] = {
    { "echo", echo }, { "hold", hold }, { "call", call_back }, { "stream", stream }
};
static const struct capnweb_property properties[] = { { "prop", echo } };
static const struct capnweb_class class = { .methods = methods,
                                            .method_count = 4,
                                            .properties = properties,
                                            .property_count = 1,
                                            .dispose = dispose };

static const char *const messages[] = {
    "[\"push\",[\"pipeline\",0,[\"hold\"],[{\"a\":[[1,\"x\"]],\"b\":[\"bytes\",\"AQI\"]}]]]",
    "[\"push\",[\"pipeline\",0,[\"echo\"],[{\"p\":[\"pipeline\",1,[\"a\"]]}]]]",
    "[\"pull\",2]",
    "[\"push\",[\"pipeline\",0,[\"echo\"]]]",
    "[\"push\",[\"pipeline\",0,[\"prop\",\"x\"]]]",
    "[\"pull\",3]",
    "[\"pull\",4]",
    "[\"push\",[\"pipeline\",0,[\"call\"],[[\"export\",-1]]]]",
    "[\"pull\",5]",
    "[\"resolve\",1,[\"error\",\"Error\",\"m\",null,{\"k\":1}]]",
    "[\"push\",[\"remap\",1,[\"a\"],[[\"import\",0]],[[\"pipeline\",-1,[\"echo\"],[[\"pipeline\",0]"
    "]]]]]",
    "[\"pull\",6]",
    "[\"push\",[\"pipeline\",0,[\"stream\"],[]]]",
    "[\"pull\",7]",
    "[\"pipe\"]",
    "[\"push\",[\"pipeline\",0,[\"echo\"],[[\"blob\",\"t\",[\"readable\",8]]]]]",
    "[\"pull\",9]",
    "[\"stream\",[\"pipeline\",8,[\"write\"],[[\"bytes\",\"aGk\"]]]]",
    "[\"stream\",[\"pipeline\",8,[\"close\"],[]]]",
    "[\"push\",{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":0,"
    "\"k\":1,\"l\":2,\"a\":3}]",
    "[\"push\",[[[\"request\",\"http://e.com\",{\"body\":\"b\"}],[\"url\",\"http://"
    "e.com\"],[\"headers\",[]]]]]",
    "[\"pull\",12]",
};

static void answer_held(struct talk *talk)
{
    struct capnweb_call *call = talk->held;

    talk->held = NULL;
    if (call != NULL)
        capnweb_answer(call, *capnweb_call_arg(call, 0));
}

static void invoke(struct talk *talk)
{
    struct capnweb_stub *peer = capnweb_peer_main(talk->session);
    const struct capnweb_value arg = capnweb_cstring("argument");

    if (peer == NULL)
        return;
    talk->expected += capnweb_invoke(peer, "x", &arg, 1, on_outcome, talk, NULL) == 0;
    capnweb_stub_unref(peer);
}

/* True: the session could be made. */
static bool converse(struct talk *talk)
{
    static const struct capnweb_events events = { .send = on_send, .on_ended = on_ended };

    *talk = (struct talk){ .held = NULL };
    if (capnweb_session_new(NULL, &events, talk, &class, talk, &talk->session) < 0)
        return false;
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        capnweb_receive(talk->session, messages[i], strlen(messages[i]));
        if (i == 3)
            invoke(talk);
        if (i == 12)
            answer_held(talk);
    }
    capnweb_session_free(talk->session);
    answer_held(talk);
    return true;
}

static void a_session_copes_with_each_allocation_that_fails(void **state)
{
    struct talk talk;
    size_t all;

    (void)state;
    allocations = 0;
    assert_true(converse(&talk));
    all = allocations;
    assert_true(all > 100);
    for (size_t number = 1; number <= all; number++) {
        bool made;

        allocations = 0;
        failing = number;
        made = converse(&talk);
        failing = 0;
        assert_int_equal(talk.disposed, made);
        assert_int_equal(talk.outcomes, talk.expected);
        assert_true(talk.ends <= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_copes_with_each_allocation_that_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
