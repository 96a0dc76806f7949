/* What a program asks its caller. Runs in the daemon. What comes from a run was
 * written by a program, what comes from a function by the caller: neither is believed. */
#include "daemon/asker.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"
#include "daemon/answer.h"
#include "wire/exchange.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512 };

static const char unsent[] = "The call could not be sent to the caller.";

/* A tool call or fetch that the caller has not answered. */
struct asked {
    struct cm_list link; /* asker->asked */
    struct cm_run *run;
    uint32_t id;
    bool is_fetch;
    struct capnweb_wait *wait;
};

/* ---- functions of the caller ---- */

static int take(const struct capnweb_value *value, const char *name, struct capnweb_stub **to,
                struct cm_error *err)
{
    const struct capnweb_value *member = capnweb_get(value, name);

    if (member == NULL || member->kind == CAPNWEB_NULL)
        return 0;
    if (member->kind != CAPNWEB_STUB)
        return cm_fail(err, CM_E_INVAL, 0,
                       "callbacks.%s is no function; it is a function or absent", name);
    *to = capnweb_stub_ref(member->stub);
    return 0;
}

int callbacks_take(struct callbacks *to, const struct capnweb_value *value, struct cm_error *err)
{
    int r;

    if (value->kind == CAPNWEB_UNDEFINED || value->kind == CAPNWEB_NULL)
        return 0;
    if (value->kind != CAPNWEB_OBJECT)
        return cm_fail(err, CM_E_INVAL, 0,
                       "callbacks is no object; it is an object of functions or absent");
    r = take(value, "dispatch", &to->dispatch, err);
    if (r == 0)
        r = take(value, "outbound", &to->outbound, err);
    if (r == 0)
        r = take(value, "onLog", &to->on_log, err);
    return r;
}

static struct capnweb_stub *ref(struct capnweb_stub *stub)
{
    return stub == NULL ? NULL : capnweb_stub_ref(stub);
}

struct callbacks callbacks_ref(const struct callbacks *callbacks)
{
    return (struct callbacks){ ref(callbacks->dispatch), ref(callbacks->outbound),
                               ref(callbacks->on_log) };
}

void callbacks_done(struct callbacks *callbacks)
{
    capnweb_stub_unref(CM_TAKE(callbacks->dispatch));
    capnweb_stub_unref(CM_TAKE(callbacks->outbound));
    capnweb_stub_unref(CM_TAKE(callbacks->on_log));
}

/* ---- what is asked ---- */

void asker_init(struct asker *asker)
{
    asker->callbacks = (struct callbacks){ NULL, NULL, NULL };
    cm_list_init(&asker->asked);
}

static void asked_free(struct asked *asked)
{
    cm_list_unlink(&asked->link);
    if (asked->wait != NULL)
        capnweb_wait_cancel(asked->wait);
    free(asked);
}

void asker_done(struct asker *asker)
{
    CM_LIST_EACH(&asker->asked, link, after)
    {
        asked_free(CM_CONTAINER_OF(link, struct asked, link));
    }
    callbacks_done(&asker->callbacks);
}

void asker_drop(struct asker *asker, uint32_t id)
{
    CM_LIST_EACH(&asker->asked, link, after)
    {
        struct asked *asked = CM_CONTAINER_OF(link, struct asked, link);

        if (asked->id == id) {
            asked_free(asked);
            return;
        }
    }
}

/* What is no JSON text is passed on as none: the library says so, with the tool's
 * name. */
static void answer_call(const struct asked *asked, const struct capnweb_value *value)
{
    struct capnweb_text text = { "", 0 };

    if (value->kind == CAPNWEB_STRING)
        text = value->text;
    cm_run_answer(asked->run, asked->id, text.data, text.bytes);
}

static void answer_fetch(const struct asked *asked, const struct capnweb_value *value)
{
    struct exchange_response response;
    struct cm_error err = CM_ERROR_INIT;
    char text[TEXT_MAX];

    if (exchange_take_response(value, &response, &err) == 0) {
        cm_run_respond(asked->run, asked->id, &response.response);
    } else {
        cm_message_write(text, sizeof(text), CM_MSG_OUTBOUND_ANSWER, err.text, NULL);
        cm_run_refuse(asked->run, asked->id, text, strlen(text));
    }
    exchange_response_done(&response);
}

static void reject_asked(const struct asked *asked, const struct capnweb_value *reason)
{
    struct capnweb_text text = capnweb_text("The function failed without a message.");

    if (reason->kind == CAPNWEB_ERROR)
        text = reason->error->message;
    else if (reason->kind == CAPNWEB_STRING)
        text = reason->text;
    if (asked->is_fetch)
        cm_run_refuse(asked->run, asked->id, text.data, text.bytes);
    else
        cm_run_reject(asked->run, asked->id, text.data, text.bytes);
}

static void on_answered(void *user, const struct capnweb_outcome *outcome)
{
    struct asked *asked = user;

    asked->wait = NULL;
    if (outcome->rejected)
        reject_asked(asked, outcome->value);
    else if (asked->is_fetch)
        answer_fetch(asked, outcome->value);
    else
        answer_call(asked, outcome->value);
    asked_free(asked);
}

/* Asks the caller. CM_E_NOMEM and what capnweb_invoke() returns: nobody was asked. A
 * tool's answer is text; a response may have its body at the caller, as a stream. */
static int ask(struct asker *asker, struct capnweb_stub *stub, struct cm_run *run, uint32_t id,
               bool is_fetch, const struct capnweb_value *args, size_t arg_count)
{
    struct asked *asked = calloc(1, sizeof(*asked));
    int r;

    if (asked == NULL)
        return CM_E_NOMEM;
    *asked = (struct asked){ .run = run, .id = id, .is_fetch = is_fetch };
    cm_list_init(&asked->link);
    cm_list_append(&asker->asked, &asked->link);
    r = is_fetch ? capnweb_invoke(stub, NULL, args, arg_count, on_answered, asked, &asked->wait)
                 : capnweb_ask(stub, args, arg_count, on_answered, asked, &asked->wait);
    if (r < 0)
        asked_free(asked);
    return r;
}

void asker_call(struct asker *asker, struct cm_run *run, const struct cm_call *call)
{
    const struct capnweb_value args[] = { capnweb_cstring(call->provider),
                                          capnweb_cstring(call->tool),
                                          capnweb_string(call->args, call->args_bytes) };

    if (ask(asker, asker->callbacks.dispatch, run, call->id, false, args, CM_ARRAY_LEN(args)) < 0)
        cm_run_reject(run, call->id, unsent, sizeof(unsent) - 1);
}

void asker_fetch(struct asker *asker, struct cm_run *run, const struct cm_fetch *fetch)
{
    struct exchange_value request = { .pairs = NULL };
    struct capnweb_value value;

    if (asker->callbacks.outbound == NULL || exchange_put_request(fetch, &request, &value) < 0 ||
        ask(asker, asker->callbacks.outbound, run, fetch->id, true, &value, 1) < 0)
        cm_run_refuse(run, fetch->id, unsent, sizeof(unsent) - 1);
    exchange_done(&request);
}

static void ignore_outcome(void *user, const struct capnweb_outcome *outcome)
{
    (void)user;
    (void)outcome;
}

void asker_log(struct asker *asker, const struct cm_log *log)
{
    struct answer_line line;
    struct capnweb_value value;

    if (asker->callbacks.on_log == NULL)
        return;
    value = answer_log(log, &line);
    capnweb_ask(asker->callbacks.on_log, &value, 1, ignore_outcome, NULL, NULL);
}
