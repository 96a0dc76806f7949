/* The target's methods that call their caller. Each call in progress is a job. */
#include "describe.h"
#include "target.h"

#include "base/cleanup.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 1 << 20 };

struct job {
    struct capnweb_call *call;
    struct target *target;
    struct capnweb_stub *stub;    /* counted, where a job needs one beyond the arguments */
    struct capnweb_pipe *pipe;    /* of the arguments */
    struct capnweb_value *values; /* results so far, each held by its tree */
    struct capnweb_tree **trees;
    size_t count;
    size_t expected;
    double number;
    bool failed; /* the call has been rejected */
};

static struct job *job_new(struct target *target, struct capnweb_call *call, size_t expected)
{
    struct job *job = calloc(1, sizeof(*job));

    if (job == NULL)
        abort();
    job->call = call;
    job->target = target;
    job->expected = expected;
    job->values = calloc(expected + 1, sizeof(*job->values));
    job->trees = calloc(expected + 1, sizeof(*job->trees));
    if (job->values == NULL || job->trees == NULL)
        abort();
    return job;
}

static void job_free(struct job *job)
{
    for (size_t i = 0; i < job->expected; i++)
        if (job->trees[i] != NULL)
            capnweb_tree_unref(job->trees[i]);
    capnweb_stub_unref(job->stub);
    free(job->values);
    free(job->trees);
    free(job);
}

static void job_answer(struct job *job, struct capnweb_value value)
{
    capnweb_answer(job->call, value);
    job_free(job);
}

static void job_reject(struct job *job, struct capnweb_value value)
{
    capnweb_reject(job->call, value);
    job_free(job);
}

static void job_reject_text(struct job *job, const char *type, const char *message)
{
    capnweb_reject_text(job->call, type, message);
    job_free(job);
}

/* Puts a result in its place. */
static void job_keep(struct job *job, size_t index, const struct capnweb_outcome *outcome)
{
    job->values[index] = *outcome->value;
    job->trees[index] = capnweb_tree_ref(outcome->tree);
    job->count++;
}

/* Calls the stub, or ends the job. */
static void job_invoke(struct job *job, struct capnweb_stub *stub, const char *method,
                       const struct capnweb_value *args, size_t count,
                       capnweb_on_outcome *on_outcome)
{
    if (capnweb_invoke(stub, method, args, count, on_outcome, job, NULL) < 0)
        job_reject_text(job, "Error", "the call back could not be made");
}

/* A stub among the arguments, or the call is rejected. */
static struct capnweb_stub *stub_arg(struct capnweb_call *call, size_t index)
{
    const struct capnweb_value *value = capnweb_call_arg(call, index);

    if (value->kind == CAPNWEB_STUB)
        return value->stub;
    capnweb_reject_text(call, "TypeError", "an argument is no function");
    return NULL;
}

/*
 * One call back
 */

static void answer_result(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    const struct capnweb_member members[] = { { capnweb_text("result"), *outcome->value } };

    if (outcome->rejected)
        job_reject(job, *outcome->value);
    else
        job_answer(job, capnweb_object(members, 1));
}

static void answer_value(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;

    if (outcome->rejected)
        job_reject(job, *outcome->value);
    else
        job_answer(job, *outcome->value);
}

static void call_back(void *object, struct capnweb_call *call, const char *method,
                      const struct capnweb_value *args, size_t count,
                      capnweb_on_outcome *on_outcome)
{
    struct capnweb_stub *stub = stub_arg(call, 0);

    if (stub != NULL)
        job_invoke(job_new(object, call, 1), stub, method, args, count, on_outcome);
}

void target_callSquare(void *object, struct capnweb_call *call)
{
    call_back(object, call, "square", capnweb_call_arg(call, 1), 1, answer_result);
}

void target_callFunction(void *object, struct capnweb_call *call)
{
    call_back(object, call, NULL, capnweb_call_arg(call, 1), 1, answer_result);
}

void target_incrementCounter(void *object, struct capnweb_call *call)
{
    const struct capnweb_value amount = capnweb_number(target_number(call, 1, 1));

    call_back(object, call, "increment", &amount, 1, answer_value);
}

void target_callWith(void *object, struct capnweb_call *call)
{
    size_t count = capnweb_call_args(call);

    call_back(object, call, NULL, capnweb_call_arg(call, 1), count > 0 ? count - 1 : 0,
              answer_value);
}

void target_callMade(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *value = target_made(capnweb_call_arg(call, 1));

    if (value == NULL)
        capnweb_reject_text(call, "RangeError", "unknown kind");
    else
        call_back(object, call, NULL, value, 1, answer_value);
}

static void answer_description(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    struct cm_buf text;

    if (outcome->rejected) {
        job_reject(job, *outcome->value);
        return;
    }
    cm_buf_init(&text, TEXT_MAX);
    describe(&text, outcome->value);
    job_answer(job, capnweb_string((const char *)cm_buf_bytes(&text), text.len));
    cm_buf_done(&text);
}

void target_callDescribe(void *object, struct capnweb_call *call)
{
    call_back(object, call, NULL, NULL, 0, answer_description);
}

static struct capnweb_value caught(const struct capnweb_value *thrown,
                                   struct capnweb_member members[3])
{
    const struct capnweb_value *code = capnweb_get(thrown, "code");

    members[0] =
        (struct capnweb_member){ capnweb_text("name"), capnweb_string(thrown->error->type.data,
                                                                      thrown->error->type.bytes) };
    members[1] = (struct capnweb_member){ capnweb_text("message"),
                                          capnweb_string(thrown->error->message.data,
                                                         thrown->error->message.bytes) };
    members[2] =
        (struct capnweb_member){ capnweb_text("code"), code == NULL ? capnweb_undefined() : *code };
    return capnweb_object(members, 3);
}

static void answer_caught(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    struct capnweb_member of_error[3];
    struct capnweb_member member = { capnweb_text("value"), *outcome->value };

    if (outcome->rejected && outcome->value->kind == CAPNWEB_ERROR) {
        member.key = capnweb_text("caught");
        member.value = caught(outcome->value, of_error);
    } else if (outcome->rejected) {
        member.key = capnweb_text("thrown");
    }
    job_answer(job, capnweb_object(&member, 1));
}

void target_callCatch(void *object, struct capnweb_call *call)
{
    call_back(object, call, NULL, NULL, 0, answer_caught);
}

void target_callClientMain(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *method = capnweb_call_arg(call, 0);
    const struct capnweb_value *args = capnweb_call_arg(call, 1);
    struct job *job = job_new(object, call, 1);

    job->stub = capnweb_peer_main(capnweb_call_session(call));
    if (method->kind != CAPNWEB_STRING || args->kind != CAPNWEB_ARRAY || job->stub == NULL)
        job_reject_text(job, "TypeError", "callClientMain() takes a name and a list");
    else
        job_invoke(job, job->stub, method->text.data, args->array.items, args->array.count,
                   answer_value);
}

void target_ignoreFunction(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_cstring("ignored"));
}

void target_fireAndForget(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub = stub_arg(call, 0);
    struct capnweb_stub *result;

    (void)object;
    if (stub == NULL)
        return;
    if (capnweb_pipeline(stub, NULL, 0, capnweb_call_arg(call, 1), 1, &result) == 0)
        capnweb_stub_unref(result);
    capnweb_answer(call, capnweb_cstring("fired"));
}

/*
 * Several, one after the other
 */

static void twice_next(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    struct capnweb_value next = capnweb_number(target_number(job->call, 1, NAN) + 1);

    if (outcome->rejected) {
        job_reject(job, *outcome->value);
        return;
    }
    job_keep(job, job->count, outcome);
    if (job->count == 2)
        job_answer(job, capnweb_array(job->values, 2));
    else
        job_invoke(job, capnweb_call_arg(job->call, 0)->stub, NULL, &next, 1, twice_next);
}

void target_callTwice(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub = stub_arg(call, 0);

    if (stub != NULL)
        job_invoke(job_new(object, call, 2), stub, NULL, capnweb_call_arg(call, 1), 1, twice_next);
}

static void times_next(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    struct capnweb_value next;

    if (outcome != NULL && outcome->rejected) {
        job_reject(job, *outcome->value);
        return;
    }
    if (outcome != NULL && outcome->value->kind == CAPNWEB_NUMBER)
        job->number += outcome->value->number;
    if (job->count == job->expected) {
        job_answer(job, capnweb_number(job->number));
        return;
    }
    next = capnweb_number((double)job->count++);
    job_invoke(job, capnweb_call_arg(job->call, 0)->stub, NULL, &next, 1, times_next);
}

void target_callTimes(void *object, struct capnweb_call *call)
{
    if (stub_arg(call, 0) != NULL)
        times_next(job_new(object, call, (size_t)target_number(call, 1, 0)), NULL);
}

static void in_next(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    const struct capnweb_value *list = capnweb_get(capnweb_call_arg(job->call, 0), "list");

    if (outcome->rejected) {
        job_reject(job, *outcome->value);
        return;
    }
    job_keep(job, job->count, outcome);
    if (job->count == 2)
        job_answer(job, capnweb_array(job->values, 2));
    else
        job_invoke(job, list->array.items[0].stub, NULL, capnweb_call_arg(job->call, 1), 1,
                   in_next);
}

void target_callIn(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *fn = capnweb_get(capnweb_call_arg(call, 0), "fn");
    const struct capnweb_value *list = capnweb_get(capnweb_call_arg(call, 0), "list");

    if (fn == NULL || fn->kind != CAPNWEB_STUB || list == NULL || list->kind != CAPNWEB_ARRAY ||
        list->array.count == 0 || list->array.items[0].kind != CAPNWEB_STUB)
        capnweb_reject_text(call, "TypeError", "callIn() takes functions in an object");
    else
        job_invoke(job_new(object, call, 2), fn->stub, NULL, capnweb_call_arg(call, 1), 1, in_next);
}

static void two_answer(struct job *job)
{
    char text[256];

    if (job->values[0].kind != CAPNWEB_STRING || job->values[1].kind != CAPNWEB_STRING) {
        job_reject_text(job, "TypeError", "callTwo() joins two texts");
        return;
    }
    snprintf(text, sizeof(text), "%s:%s", job->values[0].text.data, job->values[1].text.data);
    job_answer(job, capnweb_cstring(text));
}

static void two_next(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;

    if (outcome->rejected) {
        job_reject(job, *outcome->value);
        return;
    }
    job_keep(job, job->count, outcome);
    if (job->count == 2)
        two_answer(job);
    else
        job_invoke(job, capnweb_call_arg(job->call, 1)->stub, NULL, capnweb_call_arg(job->call, 2),
                   1, two_next);
}

void target_callTwo(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *first = stub_arg(call, 0);

    if (first != NULL && stub_arg(call, 1) != NULL)
        job_invoke(job_new(object, call, 2), first, NULL, capnweb_call_arg(call, 2), 1, two_next);
}

/*
 * Several at once
 */

struct parallel {
    struct job *job;
    size_t index;
};

/* After a failure the job waits for the rest, whose outcomes still come. */
static void parallel_outcome(void *user, const struct capnweb_outcome *outcome)
{
    struct parallel *one = user;
    struct job *job = one->job;

    if (outcome->rejected && !job->failed) {
        job->failed = true;
        capnweb_reject(job->call, *outcome->value);
    }
    job_keep(job, one->index, outcome);
    free(one);
    if (job->count < job->expected)
        return;
    if (job->failed)
        job_free(job);
    else
        job_answer(job, capnweb_array(job->values, job->count));
}

static void parallel_start(struct job *job, struct capnweb_stub *stub, size_t index)
{
    struct parallel *one = malloc(sizeof(*one));
    const struct capnweb_value arg = capnweb_number((double)index);

    if (one == NULL)
        abort();
    *one = (struct parallel){ job, index };
    if (capnweb_invoke(stub, NULL, &arg, 1, parallel_outcome, one, NULL) < 0)
        abort();
}

void target_callParallel(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub = stub_arg(call, 0);
    size_t count = (size_t)target_number(call, 1, 0);
    struct job *job;

    if (stub == NULL)
        return;
    job = job_new(object, call, count);
    for (size_t i = 0; i < count; i++)
        parallel_start(job, stub, i);
    if (count == 0)
        job_answer(job, capnweb_array(NULL, 0));
}

/*
 * Counters as arguments and as results of call backs
 */

void target_callWithCounter(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub = stub_arg(call, 0);
    struct capnweb_value counter;
    struct job *job;

    if (stub == NULL)
        return;
    job = job_new(object, call, 1);
    job->stub = target_counter(object, capnweb_call_session(call), target_number(call, 1, 0));
    counter = capnweb_stub(job->stub);
    job_invoke(job, stub, NULL, &counter, 1, answer_value);
}

static void counter_incremented(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    const struct capnweb_value ten = capnweb_number(10);

    if (outcome->rejected) {
        job_reject(job, *outcome->value);
        return;
    }
    job_keep(job, job->count, outcome);
    if (job->count == 2)
        job_answer(job, capnweb_array(job->values, 2));
    else
        job_invoke(job, job->stub, "increment", &ten, 1, counter_incremented);
}

static void counter_given(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    const struct capnweb_value one = capnweb_number(1);

    if (outcome->rejected) {
        job_reject(job, *outcome->value);
        return;
    }
    if (outcome->value->kind != CAPNWEB_STUB) {
        job_reject_text(job, "TypeError", "the function gave no counter");
        return;
    }
    job->stub = capnweb_stub_ref(outcome->value->stub);
    job_invoke(job, job->stub, "increment", &one, 1, counter_incremented);
}

void target_callForCounter(void *object, struct capnweb_call *call)
{
    struct capnweb_stub *stub = stub_arg(call, 0);

    if (stub != NULL)
        job_invoke(job_new(object, call, 2), stub, NULL, NULL, 0, counter_given);
}

/*
 * Tool calls, with their arguments and answers as JSON text
 */

static json_t *to_json(const struct capnweb_value *value)
{
    json_t *list;

    switch ((int)value->kind) {
    case CAPNWEB_STRING:
        return json_stringn(value->text.data, value->text.bytes);
    case CAPNWEB_NUMBER:
        return json_real(value->number);
    case CAPNWEB_ARRAY:
        list = json_array();
        for (size_t i = 0; i < value->array.count; i++)
            json_array_append_new(list, to_json(&value->array.items[i]));
        return list;
    default:
        return json_null();
    }
}

static struct capnweb_value from_json(const json_t *json)
{
    if (json_is_number(json))
        return capnweb_number(json_number_value(json));
    if (json_is_string(json))
        return capnweb_string(json_string_value(json), json_string_length(json));
    return json == NULL ? capnweb_undefined() : capnweb_null();
}

static void answer_json_result(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    json_t *json;

    if (outcome->rejected || outcome->value->kind != CAPNWEB_STRING) {
        job_reject(job, *outcome->value);
        return;
    }
    json = json_loadb(outcome->value->text.data, outcome->value->text.bytes, 0, NULL);
    job_answer(job, from_json(json_object_get(json, "result")));
    json_decref(json);
}

void target_callDispatch(void *object, struct capnweb_call *call)
{
    json_t *json = to_json(capnweb_call_arg(call, 3));
    char *text = json_dumps(json, JSON_COMPACT);
    const struct capnweb_value args[] = { *capnweb_call_arg(call, 1), *capnweb_call_arg(call, 2),
                                          capnweb_cstring(text == NULL ? "[]" : text) };

    call_back(object, call, NULL, args, 3, answer_json_result);
    free(text);
    json_decref(json);
}

/*
 * Kept beyond the call
 */

void target_keep(void *object, struct capnweb_call *call)
{
    struct target *target = object;
    struct capnweb_stub *stub = stub_arg(call, 0);

    if (stub == NULL)
        return;
    capnweb_stub_unref(target->kept);
    target->kept = capnweb_stub_ref(stub);
    capnweb_answer(call, capnweb_cstring("kept"));
}

void target_callKept(void *object, struct capnweb_call *call)
{
    struct target *target = object;
    struct job *job;

    if (target->kept == NULL) {
        capnweb_reject_text(call, "Error", "nothing kept");
        return;
    }
    job = job_new(target, call, 1);
    job_invoke(job, target->kept, NULL, capnweb_call_arg(call, 0), 1, answer_value);
}

void target_dropKept(void *object, struct capnweb_call *call)
{
    struct target *target = object;

    capnweb_stub_unref(CM_TAKE(target->kept));
    capnweb_answer(call, capnweb_undefined());
}

/*
 * Streams
 */

/* The results of a job grow by one. */
static void job_grow(struct job *job)
{
    job->expected++;
    job->values = reallocarray(job->values, job->expected + 1, sizeof(*job->values));
    job->trees = reallocarray(job->trees, job->expected + 1, sizeof(*job->trees));
    if (job->values == NULL || job->trees == NULL)
        abort();
}

static void read_next(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;

    if (outcome->rejected) {
        job_reject(job, *outcome->value);
    } else if (outcome->ended) {
        job_answer(job, capnweb_array(job->values, job->count));
    } else {
        job_grow(job);
        job_keep(job, job->count, outcome);
        if (capnweb_pipe_read(job->pipe, read_next, job) < 0)
            job_reject_text(job, "Error", "the stream cannot be read");
    }
}

void target_readAll(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *stream = capnweb_call_arg(call, 0);
    struct job *job = job_new(object, call, 0);

    if (stream->kind == CAPNWEB_READABLE) {
        job->pipe = stream->pipe;
        if (capnweb_pipe_read(job->pipe, read_next, job) == 0)
            return;
    }
    job_reject_text(job, "TypeError", "readAll() takes a readable stream");
}

void target_makeStream(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *chunks = capnweb_call_arg(call, 0);
    struct capnweb_pipe *pipe = capnweb_pipe_new(capnweb_call_session(call));

    (void)object;
    if (pipe == NULL)
        abort();
    for (size_t i = 0; chunks->kind == CAPNWEB_ARRAY && i < chunks->array.count; i++)
        if (capnweb_pipe_write(pipe, chunks->array.items[i]) < 0)
            break;
    capnweb_pipe_close(pipe);
    capnweb_answer(call, capnweb_readable(pipe));
    capnweb_pipe_unref(pipe);
}

static void closed(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;

    if (outcome->rejected)
        job_reject(job, *outcome->value);
    else
        job_answer(job, capnweb_cstring("written"));
}

static void write_next(void *user, const struct capnweb_outcome *outcome)
{
    struct job *job = user;
    const struct capnweb_value *chunks = capnweb_call_arg(job->call, 1);
    struct capnweb_stub *stub = capnweb_call_arg(job->call, 0)->stub;

    if (outcome != NULL && outcome->rejected)
        job_reject(job, *outcome->value);
    else if (job->number == (double)chunks->array.count)
        job_invoke(job, stub, "close", NULL, 0, closed);
    else
        job_invoke(job, stub, "write", &chunks->array.items[(size_t)job->number++], 1, write_next);
}

void target_writeTo(void *object, struct capnweb_call *call)
{
    if (capnweb_call_arg(call, 0)->kind != CAPNWEB_WRITABLE ||
        capnweb_call_arg(call, 1)->kind != CAPNWEB_ARRAY)
        capnweb_reject_text(call, "TypeError", "writeTo() takes a writable stream and a list");
    else
        write_next(job_new(object, call, 0), NULL);
}
