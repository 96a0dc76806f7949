/* The target: its class, its counters, and what has to do with time and the session. */
#include "target.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <stdlib.h>

/* Long enough for the answer to have been read on a busy machine. */
enum { REASON_MAX = 124, END_MS = 25 };

struct counter {
    struct target *target;
    double value;
};

struct target *target_new(struct target_host *host)
{
    struct target *target = calloc(1, sizeof(*target));

    if (target == NULL)
        abort();
    target->host = host;
    target->refs = 1;
    return target;
}

static void target_unref(struct target *target)
{
    if (--target->refs > 0)
        return;
    free(target->log);
    free(target);
}

static void target_dispose(void *object)
{
    struct target *target = object;

    capnweb_stub_unref(CM_TAKE(target->kept));
    target_unref(target);
}

/*
 * Counters
 */

static void counter_increment(void *object, struct capnweb_call *call)
{
    struct counter *counter = object;

    counter->value += target_number(call, 0, 1);
    capnweb_answer(call, capnweb_number(counter->value));
}

static void counter_value(void *object, struct capnweb_call *call)
{
    const struct counter *counter = object;

    capnweb_answer(call, capnweb_number(counter->value));
}

static void counter_dispose(void *object)
{
    struct counter *counter = object;

    counter->target->live--;
    target_unref(counter->target);
    free(counter);
}

static const struct capnweb_method counter_methods[] = { { "increment", counter_increment } };
static const struct capnweb_property counter_properties[] = { { "value", counter_value } };
static const struct capnweb_class counter_class = { .methods = counter_methods,
                                                    .method_count = 1,
                                                    .properties = counter_properties,
                                                    .property_count = 1,
                                                    .dispose = counter_dispose };

struct capnweb_stub *target_counter(struct target *target, struct capnweb_session *session,
                                    double value)
{
    struct counter *counter = malloc(sizeof(*counter));
    struct capnweb_stub *stub;

    if (counter == NULL)
        abort();
    *counter = (struct counter){ target, value };
    stub = capnweb_stub_new(session, &counter_class, counter);
    if (stub == NULL)
        abort();
    target->refs++;
    target->live++;
    return stub;
}

void target_makeCounter(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub =
        target_counter(object, capnweb_call_session(call), target_number(call, 0, 0));

    capnweb_answer(call, capnweb_stub(stub));
    capnweb_stub_unref(stub);
}

void target_makeCounters(void *object, struct capnweb_call *call)
{
    size_t n = (size_t)target_number(call, 0, 0);
    struct capnweb_value *list = calloc(n + 1, sizeof(*list));

    if (list == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        list[i] = capnweb_stub(target_counter(object, capnweb_call_session(call), (double)i));
    capnweb_answer(call, capnweb_array(list, n));
    for (size_t i = 0; i < n; i++)
        capnweb_stub_unref(list[i].stub);
    free(list);
}

void target_liveCounters(void *object, struct capnweb_call *call)
{
    const struct target *target = object;

    capnweb_answer(call, capnweb_number((double)target->live));
}

static void add(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_number(target_number(call, 0, 0) + target_number(call, 1, 0)));
}

static const struct capnweb_class add_class = { .call = add };

void target_getObject(void *object, struct capnweb_call *call)
{
    struct capnweb_session *session = capnweb_call_session(call);
    struct capnweb_stub *counter = target_counter(object, session, 100);
    struct capnweb_stub *function = capnweb_stub_new(session, &add_class, NULL);
    const struct capnweb_value list[] = { capnweb_number(10), capnweb_number(20),
                                          capnweb_number(30) };
    const struct capnweb_member nested[] = {
        { capnweb_text("list"), capnweb_array(list, 3) },
        { capnweb_text("value"), capnweb_number(5) },
        { capnweb_text("text"), capnweb_cstring("deep") },
    };
    const struct capnweb_member members[] = {
        { capnweb_text("name"), capnweb_cstring("object") },
        { capnweb_text("nested"), capnweb_object(nested, 3) },
        { capnweb_text("counter"), capnweb_stub(counter) },
        { capnweb_text("add"), capnweb_stub(function) },
    };

    capnweb_answer(call, capnweb_object(members, CM_ARRAY_LEN(members)));
    capnweb_stub_unref(counter);
    capnweb_stub_unref(function);
}

static void get_prop(void *object, struct capnweb_call *call)
{
    const struct capnweb_value list[] = { capnweb_number(1), capnweb_number(2) };
    const struct capnweb_member deep[] = { { capnweb_text("x"), capnweb_array(list, 2) } };
    const struct capnweb_member members[] = { { capnweb_text("deep"), capnweb_object(deep, 1) } };

    (void)object;
    capnweb_answer(call, capnweb_object(members, 1));
}

/*
 * Order and time
 */

void target_record(void *object, struct capnweb_call *call)
{
    struct target *target = object;
    double *grown = reallocarray(target->log, target->logged + 1, sizeof(*grown));

    if (grown == NULL)
        abort();
    target->log = grown;
    target->log[target->logged++] = target_number(call, 0, 0);
    capnweb_answer(call, *capnweb_call_arg(call, 0));
}

void target_recorded(void *object, struct capnweb_call *call)
{
    struct target *target = object;
    struct capnweb_value *list = target_alloc(call, (target->logged + 1) * sizeof(*list));
    size_t count = target->logged;

    for (size_t i = 0; i < count; i++)
        list[i] = capnweb_number(target->log[i]);
    target->logged = 0;
    capnweb_answer(call, capnweb_array(list, count));
}

/* What happens to a call after a time. */
struct delayed {
    struct target *target;
    struct capnweb_call *call;
    void (*then)(struct target *target, struct capnweb_call *call);
};

static void delayed_fire(void *user)
{
    struct delayed *delayed = user;

    delayed->then(delayed->target, delayed->call);
    target_unref(delayed->target);
    free(delayed);
}

static void delay(struct target *target, double ms, struct capnweb_call *call,
                  void (*then)(struct target *target, struct capnweb_call *call))
{
    struct delayed *delayed = malloc(sizeof(*delayed));

    if (delayed == NULL)
        abort();
    *delayed = (struct delayed){ target, call, then };
    target->refs++;
    target->host->after(target->host, ms, delayed_fire, delayed);
}

static void answer_second(struct target *target, struct capnweb_call *call)
{
    (void)target;
    capnweb_answer(call, *capnweb_call_arg(call, 1));
}

void target_delay(void *object, struct capnweb_call *call)
{
    delay(object, target_number(call, 0, 0), call, answer_second);
}

static void answer_late_failure(struct target *target, struct capnweb_call *call)
{
    (void)target;
    capnweb_reject_text(call, "RangeError", "late failure");
}

void target_throwLater(void *object, struct capnweb_call *call)
{
    delay(object, target_number(call, 0, 0), call, answer_late_failure);
}

static void answer_counter(struct target *target, struct capnweb_call *call)
{
    struct capnweb_stub *stub =
        target_counter(target, capnweb_call_session(call), target_number(call, 1, 0));

    capnweb_answer(call, capnweb_stub(stub));
    capnweb_stub_unref(stub);
}

void target_makeCounterLater(void *object, struct capnweb_call *call)
{
    delay(object, target_number(call, 0, 0), call, answer_counter);
}

static void answer_soon_and_late(struct target *target, struct capnweb_call *call)
{
    const struct capnweb_member late[] = { { capnweb_text("v"), capnweb_number(2) } };
    const struct capnweb_member members[] = {
        { capnweb_text("soon"), capnweb_number(1) },
        { capnweb_text("late"), capnweb_object(late, 1) },
    };

    (void)target;
    capnweb_answer(call, capnweb_object(members, 2));
}

void target_later(void *object, struct capnweb_call *call)
{
    delay(object, target_number(call, 0, 0), call, answer_soon_and_late);
}

static void answer_dropped(void *user)
{
    capnweb_answer(user, capnweb_undefined());
}

void target_never(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_call_on_dropped(call, answer_dropped, call);
}

/*
 * The session itself
 */

void target_stats(void *object, struct capnweb_call *call)
{
    struct capnweb_stats stats;

    (void)object;
    capnweb_session_stats(capnweb_call_session(call), &stats);
    const struct capnweb_member members[] = {
        { capnweb_text("imports"), capnweb_number((double)stats.imports) },
        { capnweb_text("exports"), capnweb_number((double)stats.exports) },
    };
    capnweb_answer(call, capnweb_object(members, 2));
}

/* What happens to the connection after a while. */
struct ending {
    struct target *target;
    struct capnweb_stub *main; /* keeps the session */
    unsigned code;
    char text[REASON_MAX];
    void (*then)(struct ending *ending);
};

static void ending_fire(void *user)
{
    struct ending *ending = user;

    if (!capnweb_ended(capnweb_stub_session(ending->main)))
        ending->then(ending);
    target_unref(ending->target);
    capnweb_stub_unref(ending->main);
    free(ending);
}

static void end_later(struct target *target, struct capnweb_call *call,
                      const struct capnweb_value *text, unsigned code,
                      void (*then)(struct ending *ending))
{
    struct ending *ending = calloc(1, sizeof(*ending));

    if (ending == NULL)
        abort();
    ending->target = target;
    ending->main = capnweb_peer_main(capnweb_call_session(call));
    ending->code = code;
    ending->then = then;
    if (text->kind == CAPNWEB_STRING)
        snprintf(ending->text, sizeof(ending->text), "%s", text->text.data);
    target->refs++;
    target->host->after(target->host, END_MS, ending_fire, ending);
}

static void end_abort(struct ending *ending)
{
    capnweb_abort_text(capnweb_stub_session(ending->main), "Error", ending->text);
}

static void end_close(struct ending *ending)
{
    ending->target->host->close(ending->target->host, ending->code, ending->text);
}

static void end_drop(struct ending *ending)
{
    ending->target->host->drop(ending->target->host);
}

void target_abortSession(void *object, struct capnweb_call *call)
{
    end_later(object, call, capnweb_call_arg(call, 0), 3000, end_abort);
    capnweb_answer(call, capnweb_cstring("aborting"));
}

void target_closeSocket(void *object, struct capnweb_call *call)
{
    end_later(object, call, capnweb_call_arg(call, 1), (unsigned)target_number(call, 0, 1000),
              end_close);
    capnweb_answer(call, capnweb_cstring("closing"));
}

void target_dropSocket(void *object, struct capnweb_call *call)
{
    end_later(object, call, capnweb_call_arg(call, 0), 0, end_drop);
    capnweb_answer(call, capnweb_cstring("dropping"));
}

static const struct capnweb_method methods[] = {
#define X(name) { #name, target_##name },
    TARGET_VALUES(X) TARGET_CALLBACKS(X) TARGET_SESSION(X)
#undef X
};
static const struct capnweb_property properties[] = { { "prop", get_prop } };

const struct capnweb_class target_class = { .methods = methods,
                                            .method_count = CM_ARRAY_LEN(methods),
                                            .properties = properties,
                                            .property_count = 1,
                                            .dispose = target_dispose };
