/* Outcomes of runs as values of the wire. Runs in the daemon; texts come from a
 * worker and have been checked to be UTF-8 by the library. A result stays JSON text:
 * a receiver in JavaScript drops some keys and stops at some depth. */
#include "daemon/answer.h"

#include "base/cleanup.h"
#include "daemon/execution.h"

#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MAX = 8, FRAME_HEAD_BYTES = 8 };

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

struct lines {
    struct answer_line *lines;
    struct capnweb_value *values;
};

static bool lines_new(const struct cm_outcome *outcome, struct lines *lines)
{
    size_t count = outcome->log_count;

    lines->lines = calloc(count + 1, sizeof(*lines->lines));
    lines->values = calloc(count + 1, sizeof(*lines->values));
    if (lines->lines == NULL || lines->values == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        lines->values[i] = answer_log(&outcome->logs[i], &lines->lines[i]);
    return true;
}

static void lines_done(struct lines *lines)
{
    free(lines->lines);
    free(lines->values);
}

static size_t put_members(const struct cm_outcome *outcome, struct capnweb_value logs,
                          struct capnweb_member *members)
{
    size_t count = 0;

    members[count++] = member("error", outcome->error == NULL
                                           ? capnweb_undefined()
                                           : capnweb_string(outcome->error, outcome->error_bytes));
    members[count++] = member("logs", logs);
    if (outcome->result != NULL)
        members[count++] = member("result", capnweb_string(outcome->result, outcome->result_bytes));
    if (outcome->failure != CM_FAILURE_NONE)
        members[count++] = member("failure", capnweb_cstring(cm_failure_name(outcome->failure)));
    if (outcome->stack != NULL)
        members[count++] = member("stack", capnweb_string(outcome->stack, outcome->stack_bytes));
    return count;
}

void answer_outcome(struct capnweb_call *call, const struct cm_outcome *outcome)
{
    struct capnweb_member members[MEMBERS_MAX];
    struct lines lines = { NULL, NULL };
    size_t count;

    if (lines_new(outcome, &lines)) {
        count = put_members(outcome, capnweb_array(lines.values, outcome->log_count), members);
        capnweb_answer_once(call, capnweb_object(members, count));
    } else {
        execution_reject(call, CM_FAULT_INTERNAL, "The daemon has no memory left for the answer.");
    }
    lines_done(&lines);
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
    if (outcome->stack != NULL)
        sum += member_bytes("stack", string_bytes(outcome->stack, outcome->stack_bytes));
    return sum;
}
