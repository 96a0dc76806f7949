/* Runs that a daemon carries out. Runs in the host's process; what the daemon sends is
 * checked here as to its types and state, and what a program wrote is hostile as
 * everywhere.
 *
 * What the daemon can call on is given to it with each run, as functions. It may hold
 * them longer than the run lasts: a call that comes then is rejected. */
#include "client/carried.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "client/outcome.h"
#include "client/request.h"
#include "executor/run.h"

#include <string.h>

enum { CALLBACKS_MAX = 3 };

/* Owner: all that refer to it: its run, the outcome that it waits for, each function
 * that the daemon was given. */
struct carried {
    struct cm_list link; /* client->runs */
    size_t refs;
    struct client *client;
    struct cm_run *run; /* NULL: it is over */
    struct capnweb_wait *wait;
    struct cm_list asked;
    char *invoked; /* the execution that it is an invocation of; NULL: none */
};

/* A call or fetch that the host has not answered. */
struct asked {
    struct cm_list link; /* carried->asked */
    struct carried *carried;
    uint32_t id;
    struct capnweb_call *call;
};

static void unref(struct carried *carried)
{
    if (--carried->refs > 0)
        return;
    free(carried->invoked);
    free(carried);
}

/* ---- what the program asks ---- */

static void on_dropped(void *user);

/* The call waits for the host, under the next id. False: no memory, and it was
 * rejected. */
static bool ask(struct carried *carried, struct capnweb_call *call)
{
    struct asked *asked = calloc(1, sizeof(*asked));

    if (asked == NULL) {
        capnweb_reject_text(call, "Error", cm_message_text(CM_MSG_NO_MEMORY));
        return false;
    }
    *asked = (struct asked){ .carried = carried, .id = run_next_id(carried->run), .call = call };
    cm_list_init(&asked->link);
    cm_list_append(&carried->asked, &asked->link);
    capnweb_call_on_dropped(call, on_dropped, asked);
    return true;
}

/* The call is left for its answer. */
static struct capnweb_call *asked_end(struct asked *asked)
{
    struct capnweb_call *call = asked->call;

    capnweb_call_on_dropped(call, NULL, NULL);
    cm_list_unlink(&asked->link);
    free(asked);
    return call;
}

/* NULL: it was answered or dropped. */
static struct capnweb_call *take_asked(const struct carried *carried, uint32_t id)
{
    CM_LIST_EACH(&carried->asked, link, after)
    {
        struct asked *asked = CM_CONTAINER_OF(link, struct asked, link);

        if (asked->id == id)
            return asked_end(asked);
    }
    return NULL;
}

static void on_dropped(void *user)
{
    struct asked *asked = user;
    struct cm_run *run = asked->carried->run;
    uint32_t id = asked->id;

    capnweb_reject_text(asked_end(asked), "Error", "Nobody waits for this.");
    run_carried_drop(run, id);
}

static bool is_name(const struct capnweb_value *value)
{
    return value->kind == CAPNWEB_STRING &&
           memchr(value->text.data, '\0', value->text.bytes) == NULL;
}

static bool is_over(const struct carried *carried, struct capnweb_call *call)
{
    if (carried->run == NULL)
        capnweb_reject_text(call, "Error", "The execution that this was given with is over.");
    return carried->run == NULL;
}

/* The host may answer in its callback, and read the arguments after that. */
static void tell_call(struct carried *carried, struct capnweb_call *call)
{
    struct capnweb_tree *args = capnweb_tree_ref(capnweb_call_tree(call));
    const struct capnweb_text json = capnweb_call_arg(call, 2)->text;
    const struct cm_call told = { .id = run_next_id(carried->run),
                                  .provider = capnweb_call_arg(call, 0)->text.data,
                                  .tool = capnweb_call_arg(call, 1)->text.data,
                                  .args = json.data,
                                  .args_bytes = json.bytes };

    if (ask(carried, call))
        run_carried_call(carried->run, &told);
    capnweb_tree_unref(args);
}

static void on_dispatch(void *object, struct capnweb_call *call)
{
    struct carried *carried = object;

    if (is_over(carried, call))
        return;
    if (is_name(capnweb_call_arg(call, 0)) && is_name(capnweb_call_arg(call, 1)) &&
        capnweb_call_arg(call, 2)->kind == CAPNWEB_STRING)
        tell_call(carried, call);
    else
        capnweb_reject_text(call, "TypeError", "dispatch takes provider, tool and args as texts");
}

static void tell_fetch(struct carried *carried, struct capnweb_call *call)
{
    struct capnweb_tree *args = capnweb_tree_ref(capnweb_call_tree(call));
    struct exchange_request request;
    struct cm_error err = CM_ERROR_INIT;

    if (exchange_take_request(capnweb_call_arg(call, 0), &request, &err) < 0) {
        capnweb_reject_text(call, "TypeError", err.text);
    } else {
        request.request.id = run_next_id(carried->run);
        if (ask(carried, call))
            run_carried_fetch(carried->run, &request.request);
    }
    exchange_request_done(&request);
    capnweb_tree_unref(args);
}

static void on_outbound(void *object, struct capnweb_call *call)
{
    struct carried *carried = object;

    if (is_over(carried, call))
        return;
    if (carried->run->events->on_fetch == NULL)
        capnweb_reject_text(call, "TypeError", cm_message_text(CM_MSG_FETCH_NO_HOST));
    else
        tell_fetch(carried, call);
}

static void on_log(void *object, struct capnweb_call *call)
{
    struct carried *carried = object;
    struct cm_log line;

    if (carried->run != NULL && outcome_take_log(capnweb_call_arg(call, 0), &line))
        run_carried_log(carried->run, &line);
    capnweb_answer(call, capnweb_undefined());
}

static void on_dispose(void *object)
{
    unref(object);
}

static const struct capnweb_class dispatch_class = { .call = on_dispatch, .dispose = on_dispose };
static const struct capnweb_class outbound_class = { .call = on_outbound, .dispose = on_dispose };
static const struct capnweb_class log_class = { .call = on_log, .dispose = on_dispose };

/* ---- what the host says to it ---- */

int carried_answer(struct cm_run *run, uint32_t id, const char *json, size_t bytes)
{
    struct client *client = run->carried->client;
    struct capnweb_call *call = take_asked(run->carried, id);

    if (call != NULL)
        capnweb_answer_once(call, capnweb_string(json, bytes));
    client_flush(client);
    return 0;
}

int carried_respond(struct cm_run *run, uint32_t id, const struct cm_response *response)
{
    struct client *client = run->carried->client;
    struct exchange_value parts = { .pairs = NULL };
    struct capnweb_value value;
    struct capnweb_call *call;
    int r = exchange_put_response(response, &parts, &value);

    if (r == 0 && (call = take_asked(run->carried, id)) != NULL)
        capnweb_answer_once(call, value);
    exchange_done(&parts);
    client_flush(client);
    return r;
}

int carried_reject(struct cm_run *run, uint32_t id, const char *message, size_t bytes)
{
    struct client *client = run->carried->client;
    const struct capnweb_error error = { .type = capnweb_text("Error"),
                                         .message = { message, bytes } };
    struct capnweb_call *call = take_asked(run->carried, id);

    if (call != NULL)
        capnweb_reject(call, capnweb_error(&error));
    client_flush(client);
    return 0;
}

/* ---- its end ---- */

void carried_stop(struct cm_run *run)
{
    struct carried *carried = CM_TAKE(run->carried);
    struct client *client = carried->client;
    struct asked *asked;

    carried->run = NULL;
    cm_list_unlink(&carried->link);
    if (carried->wait != NULL) {
        capnweb_wait_cancel(CM_TAKE(carried->wait));
        unref(carried); /* that it would have been called back with */
    }
    while ((asked = CM_LIST_FIRST(&carried->asked, struct asked, link)) != NULL)
        capnweb_reject_text(asked_end(asked), "Error", "The execution is over.");
    unref(carried);
    client_flush(client);
}

/* The daemon did not carry it out, or the connection ended before it had. */
static void end_rejected(struct carried *carried, const struct capnweb_value *reason)
{
    const struct client *client = carried->client;
    int retryable;
    enum cm_fault fault = client_fault_of(reason, &retryable);

    if (capnweb_ended(client->rpc))
        return; /* the client is about to end all of its runs */
    if (fault == CM_FAULT_EXECUTION_GONE && carried->invoked != NULL)
        client_forget(carried->client, carried->invoked);
    run_carried_fault(carried->run, fault, client_message_of(reason), retryable);
}

static void end_answered(struct carried *carried, const struct capnweb_outcome *answer)
{
    struct cm_outcome outcome;
    struct brought *brought = NULL;
    int r = outcome_take(answer, &outcome, &brought);

    if (r == 0 && outcome.execution_id != NULL)
        r = client_keep(carried->client, outcome.execution_id);
    if (r == CM_E_PEER)
        run_carried_fault(carried->run, CM_FAULT_INTERNAL,
                          strdup("The executor's answer is not an outcome."), 0);
    else if (r < 0)
        run_stop_no_memory(carried->run);
    else
        run_carried_end(carried->run, &outcome, CM_TAKE(brought), outcome_release);
    outcome_release(brought);
}

static void on_outcome(void *user, const struct capnweb_outcome *outcome)
{
    struct carried *carried = user;

    carried->wait = NULL;
    if (carried->run != NULL && outcome->rejected)
        end_rejected(carried, outcome->value);
    else if (carried->run != NULL)
        end_answered(carried, outcome);
    unref(carried);
}

void carried_end_all(struct client *client, enum cm_fault fault, const char *sentence,
                     int retryable)
{
    struct carried *carried;

    while ((carried = CM_LIST_FIRST(&client->runs, struct carried, link)) != NULL)
        run_carried_fault(carried->run, fault, sentence == NULL ? NULL : strdup(sentence),
                          retryable);
}

/* ---- its start ---- */

/* The functions that the daemon is given. */
struct callbacks {
    struct capnweb_stub *stubs[CALLBACKS_MAX];
    struct capnweb_member members[CALLBACKS_MAX];
    size_t count;
};

static int offer(struct carried *carried, struct callbacks *callbacks, const char *name,
                 const struct capnweb_class *class)
{
    struct capnweb_stub *stub = capnweb_stub_new(carried->client->rpc, class, carried);

    if (stub == NULL)
        return CM_E_NOMEM;
    carried->refs++;
    callbacks->stubs[callbacks->count] = stub;
    callbacks->members[callbacks->count++] =
        (struct capnweb_member){ capnweb_text(name), capnweb_stub(stub) };
    return 0;
}

static int offer_all(struct carried *carried, struct callbacks *callbacks, bool outbound)
{
    const struct cm_events *events = carried->run->events;
    int r = 0;

    *callbacks = (struct callbacks){ .count = 0 };
    if (events->on_call != NULL)
        r = offer(carried, callbacks, "dispatch", &dispatch_class);
    if (r == 0 && outbound)
        r = offer(carried, callbacks, "outbound", &outbound_class);
    if (r == 0 && events->on_log != NULL)
        r = offer(carried, callbacks, "onLog", &log_class);
    return r;
}

/* The daemon holds them now, or nobody does. */
static void callbacks_done(struct callbacks *callbacks)
{
    for (size_t i = 0; i < callbacks->count; i++)
        capnweb_stub_unref(callbacks->stubs[i]);
}

static struct carried *carried_new(struct client *client, struct cm_run *run)
{
    struct carried *carried = calloc(1, sizeof(*carried));

    if (carried == NULL)
        return NULL;
    *carried = (struct carried){ .refs = 1, .client = client, .run = run };
    cm_list_init(&carried->asked);
    cm_list_init(&carried->link);
    cm_list_append(&client->runs, &carried->link);
    run_carry(run, carried);
    return carried;
}

/* The session has taken the call, or the run ends with the reason why not. */
static void sent(struct carried *carried, int r)
{
    struct cm_run *run = carried->run;
    char *sentence = NULL;

    if (r == 0) {
        carried->refs++; /* on_outcome()'s */
    } else if (r == CM_E_STATE) {
        run_carried_fault(run, CM_FAULT_CONNECTION_BROKEN, client_broken(carried->client), 1);
    } else if (r == CM_E_LIMIT) {
        sentence = strdup("the request is more than one message to the executor can hold");
        run_carried_fault(run, CM_FAULT_INVALID_REQUEST, sentence, 0);
    } else {
        run_stop_no_memory(run);
    }
}

static void call(struct carried *carried, const char *method, struct capnweb_value *args,
                 size_t count, bool outbound)
{
    struct client *client = carried->client;
    struct callbacks callbacks;
    int r = offer_all(carried, &callbacks, outbound);

    args[count] = capnweb_object(callbacks.members, callbacks.count);
    if (r == 0)
        r = capnweb_invoke(client->daemon, method, args, count + 1, on_outcome, carried,
                           &carried->wait);
    sent(carried, r);
    callbacks_done(&callbacks);
    client_flush(client);
}

int carried_start(struct remote *remote, struct cm_run *run, const struct cm_request *request)
{
    struct client *client = CM_CONTAINER_OF(remote, struct client, remote);
    struct request_value parts;
    struct capnweb_value args[2];
    struct carried *carried;
    int r;

    if (request->isolation_key != NULL && request->isolation_key[0] != '\0') {
        run_stop_fault(run, CM_FAULT_INVALID_REQUEST,
                       strdup("isolation_key is given; a connection is its own key"));
        return 0;
    }
    r = client_join(client);
    if (r < 0)
        return r;
    r = request_value_put(request, &parts, &args[0]);
    carried = r < 0 ? NULL : carried_new(client, run);
    if (carried != NULL)
        call(carried, "execute", args, 1, request->outbound == CM_OUTBOUND_HOST);
    request_value_done(&parts);
    return carried == NULL ? CM_E_NOMEM : 0;
}

int carried_invoke(struct remote *remote, struct cm_run *run, const char *execution_id,
                   const char *handle, const struct cm_fetch *request)
{
    struct client *client = CM_CONTAINER_OF(remote, struct client, remote);
    struct exchange_value parts = { .pairs = NULL };
    struct cm_fetch known = *request;
    struct capnweb_value args[4];
    struct carried *carried;
    int r = client_join(client);

    if (r < 0)
        return r;
    if (known.method == NULL)
        known.method = "GET";
    args[0] = capnweb_cstring(execution_id);
    args[1] = capnweb_cstring(handle);
    r = exchange_put_request(&known, &parts, &args[2]);
    carried = r < 0 ? NULL : carried_new(client, run);
    if (carried != NULL) {
        carried->invoked = strdup(execution_id); /* without it, that it has gone is not noted */
        call(carried, "invoke", args, 3, true);
    }
    exchange_done(&parts);
    return carried == NULL ? CM_E_NOMEM : 0;
}
