/* Outcomes of runs as values of the wire. Runs in the daemon; texts come from a
 * worker and have been checked to be UTF-8 by the library. A result stays JSON text:
 * a receiver in JavaScript drops some keys and stops at some depth. */
#include "daemon/answer.h"

#include "base/cleanup.h"
#include "daemon/execution.h"
#include "wire/exchange.h"

#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MAX = 8, FRAME_HEAD_BYTES = 8, HANDLE_BYTES = 64 };

static struct capnweb_member member(const char *key, struct capnweb_value value)
{
    return (struct capnweb_member){ capnweb_text(key), value };
}

struct capnweb_value answer_log(const struct cm_log *log, struct answer_line *line)
{
    line->members[0] = member("level", capnweb_cstring(cm_level_name(log->level)));
    line->members[1] = member("text", capnweb_string(log->text, log->text_bytes));
    return capnweb_object(line->members, CM_ARRAY_LEN(line->members));
}

/* What the members of an answer refer to. */
struct parts {
    struct answer_line *lines;
    struct capnweb_value *logs;
    struct capnweb_value *handles;
    struct exchange_value response;
    struct capnweb_value response_value;
};

static bool parts_new(const struct cm_outcome *outcome, struct parts *parts)
{
    size_t count = outcome->log_count;

    parts->lines = calloc(count + 1, sizeof(*parts->lines));
    parts->logs = calloc(count + 1, sizeof(*parts->logs));
    parts->handles = calloc(outcome->handle_count + 1, sizeof(*parts->handles));
    if (parts->lines == NULL || parts->logs == NULL || parts->handles == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        parts->logs[i] = answer_log(&outcome->logs[i], &parts->lines[i]);
    for (size_t i = 0; i < outcome->handle_count; i++)
        parts->handles[i] = capnweb_cstring(outcome->handles[i]);
    return outcome->response == NULL ||
           exchange_put_response(outcome->response, &parts->response, &parts->response_value) == 0;
}

static void parts_done(struct parts *parts)
{
    free(parts->lines);
    free(parts->logs);
    free(parts->handles);
    exchange_done(&parts->response);
}

static size_t put_members(const struct cm_outcome *outcome, const struct parts *parts,
                          struct capnweb_member *members)
{
    size_t count = 0;

    members[count++] = member("error", outcome->error == NULL
                                           ? capnweb_undefined()
                                           : capnweb_string(outcome->error, outcome->error_bytes));
    members[count++] = member("logs", capnweb_array(parts->logs, outcome->log_count));
    if (outcome->result != NULL)
        members[count++] = member("result", capnweb_string(outcome->result, outcome->result_bytes));
    if (outcome->failure != CM_FAILURE_NONE)
        members[count++] = member("failure", capnweb_cstring(cm_failure_name(outcome->failure)));
    if (outcome->stack != NULL)
        members[count++] = member("stack", capnweb_string(outcome->stack, outcome->stack_bytes));
    if (outcome->execution_id != NULL) {
        members[count++] = member("executionId", capnweb_cstring(outcome->execution_id));
        members[count++] = member("handles", capnweb_array(parts->handles, outcome->handle_count));
    }
    if (outcome->response != NULL)
        members[count++] = member("response", parts->response_value);
    return count;
}

void answer_outcome(struct capnweb_call *call, const struct cm_outcome *outcome)
{
    struct capnweb_member members[MEMBERS_MAX];
    struct parts parts = { .lines = NULL };
    size_t count;

    if (parts_new(outcome, &parts)) {
        count = put_members(outcome, &parts, members);
        capnweb_answer_once(call, capnweb_object(members, count));
    } else {
        execution_reject(call, CM_FAULT_INTERNAL, "The daemon has no memory left for the answer.");
    }
    parts_done(&parts);
}

/* ---- its size ---- */

/* A JSON string with its quotes and shortest escapes. */
static uint64_t string_bytes(const char *text, size_t bytes)
{
    uint64_t sum = bytes + 2;

    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\' || (c < 0x20 && strchr("\b\t\n\f\r", c) != NULL && c != 0))
            sum += 1;
        else if (c < 0x20)
            sum += 5;
    }
    return sum;
}

static uint64_t log_bytes(const struct cm_log *log)
{
    static const char around[] = "{\"level\":\"\",\"text\":}";

    return sizeof(around) - 1 + strlen(cm_level_name(log->level)) +
           string_bytes(log->text, log->text_bytes);
}

static uint64_t member_bytes(const char *key, uint64_t value_bytes)
{
    return strlen(key) + sizeof("\"\":,") - 1 + value_bytes;
}

uint64_t answer_bytes(const struct cm_outcome *outcome)
{
    uint64_t sum = FRAME_HEAD_BYTES + sizeof("{\"logs\":[]}") - 1;

    for (size_t i = 0; i < outcome->log_count; i++)
        sum += log_bytes(&outcome->logs[i]) + (i > 0);
    if (outcome->result != NULL)
        sum += member_bytes("result", outcome->result_bytes);
    if (outcome->error != NULL)
        sum += member_bytes("error", string_bytes(outcome->error, outcome->error_bytes));
    if (outcome->failure != CM_FAILURE_NONE)
        sum += member_bytes("failure", strlen(cm_failure_name(outcome->failure)) + 2);
    if (outcome->response != NULL)
        sum += member_bytes("response", outcome->response->body_bytes);
    for (size_t i = 0; i < outcome->handle_count; i++)
        sum += HANDLE_BYTES;
    if (outcome->stack != NULL)
        sum += member_bytes("stack", string_bytes(outcome->stack, outcome->stack_bytes));
    return sum;
}
