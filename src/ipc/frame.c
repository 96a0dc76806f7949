/* The supervisor's reader of worker frames. Runs in the host's process; every
 * byte comes from a hostile worker. Pure steps on a buffer: no I/O, no memory. */
#include "ipc/frame.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const struct ipc_rule {
    const char *name;
    uint16_t type;
    uint16_t states;
    uint32_t fixed;
    uint8_t messages;
    uint8_t consoles;
} rules[] = {
#define IPC_FRAME(name, number, states, fixed, messages, consoles, why) \
    { #name, number, states, fixed, messages, consoles },
#include "tables/frames.def"
#undef IPC_FRAME
};

static const struct ipc_rule *rule_find(uint16_t type)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rules); i++)
        if (rules[i].type == type)
            return &rules[i];
    return NULL;
}

static uint64_t rule_max(const struct ipc_rule *rule, const struct ipc_limits *limits)
{
    return rule->fixed + rule->messages * limits->message_bytes +
           rule->consoles * limits->console_bytes;
}

const char *ipc_type_name(unsigned type)
{
    const struct ipc_rule *rule = type <= UINT16_MAX ? rule_find((uint16_t)type) : NULL;

    return rule == NULL ? "a frame of unknown type" : rule->name;
}

size_t ipc_frame_max(const struct ipc_limits *limits)
{
    uint64_t max = 0;

    for (size_t i = 0; i < CM_ARRAY_LEN(rules); i++)
        if (rule_max(&rules[i], limits) > max)
            max = rule_max(&rules[i], limits);
    return sizeof(struct ipc_head) + max;
}

uint64_t ipc_compiled_max(const struct ipc_limits *limits)
{
    return rule_max(rule_find(IPC_COMPILED), limits);
}

static int broken(const char *rule, const char **ret_rule)
{
    *ret_rule = rule;
    return CM_E_PEER;
}

int ipc_frame_peek(const struct cm_buf *in, enum ipc_state state, const struct ipc_limits *limits,
                   struct ipc_frame *ret_frame, const char **ret_rule)
{
    const struct ipc_rule *rule;
    struct ipc_head head;

    if (in->len < sizeof(head))
        return 0;
    memcpy(&head, cm_buf_bytes(in), sizeof(head));
    rule = rule_find(head.type);
    if (rule == NULL || head.zero != 0)
        return broken("a frame of unknown type", ret_rule);
    if ((rule->states & (1u << state)) == 0)
        return broken("a frame that its state does not permit", ret_rule);
    if (head.body_bytes > rule_max(rule, limits))
        return broken("a frame above its length", ret_rule);
    if (in->len - sizeof(head) < head.body_bytes)
        return 0;
    *ret_frame = (struct ipc_frame){ head.type, cm_buf_bytes(in) + sizeof(head), head.body_bytes };
    return 1;
}

/* What is left of a body while its parts are taken off. */
struct rest {
    const uint8_t *at;
    size_t bytes;
};

static bool take_fixed(struct rest *rest, void *to, size_t bytes)
{
    if (rest->bytes < bytes)
        return false;
    memcpy(to, rest->at, bytes);
    rest->at += bytes;
    rest->bytes -= bytes;
    return true;
}

/* A text of exactly `bytes` UTF-8 bytes and then a NUL. U+0000 may stand in it:
 * log lines and messages are the program's. */
static bool take_text(struct rest *rest, uint64_t bytes, const char **ret_text)
{
    if (rest->bytes == 0 || bytes > rest->bytes - 1 || rest->at[bytes] != '\0')
        return false;
    if (!cm_utf8_valid(rest->at, bytes))
        return false;
    *ret_text = (const char *)rest->at;
    rest->at += bytes + 1;
    rest->bytes -= bytes + 1;
    return true;
}

/* A text that is handed on as a C string or as JSON: without U+0000. */
static bool take_string(struct rest *rest, uint64_t bytes, const char **ret_text)
{
    return take_text(rest, bytes, ret_text) && strlen(*ret_text) == bytes;
}

static bool fixed_only(const struct ipc_frame *frame, void *to, size_t bytes)
{
    struct rest rest = { frame->body, frame->bytes };

    return take_fixed(&rest, to, bytes) && rest.bytes == 0;
}

int ipc_read_ready(const struct ipc_frame *frame, uint64_t *ret_grown_bytes)
{
    struct ipc_ready ready;

    if (!fixed_only(frame, &ready, sizeof(ready)) || ready.zero != 0)
        return CM_E_PEER;
    *ret_grown_bytes = ready.grown_bytes;
    return 0;
}

int ipc_read_call(const struct ipc_frame *frame, struct cm_call *ret_call)
{
    struct rest rest = { frame->body, frame->bytes };
    struct ipc_call head;
    struct cm_call call = { 0 };

    if (!take_fixed(&rest, &head, sizeof(head)))
        return CM_E_PEER;
    if (head.provider_bytes > IPC_PROVIDER_MAX || head.tool_bytes > IPC_TOOL_MAX)
        return CM_E_PEER;
    if (!take_string(&rest, head.provider_bytes, &call.provider) ||
        !take_string(&rest, head.tool_bytes, &call.tool) || rest.bytes == 0)
        return CM_E_PEER;
    call.id = head.id;
    call.args_bytes = rest.bytes - 1;
    if (!take_string(&rest, call.args_bytes, &call.args))
        return CM_E_PEER;
    *ret_call = call;
    return 0;
}

int ipc_read_log(const struct ipc_frame *frame, struct cm_log *ret_log)
{
    struct rest rest = { frame->body, frame->bytes };
    struct ipc_log head;
    struct cm_log log = { 0 };

    if (!take_fixed(&rest, &head, sizeof(head)) || rest.bytes == 0)
        return CM_E_PEER;
    if (head.level > CM_LEVEL_ERROR || head.zero != 0)
        return CM_E_PEER;
    log.level = (enum cm_level)head.level;
    log.text_bytes = rest.bytes - 1;
    if (!take_text(&rest, log.text_bytes, &log.text))
        return CM_E_PEER;
    *ret_log = log;
    return 0;
}

int ipc_read_log_stop(const struct ipc_frame *frame, enum ipc_stop *ret_reason)
{
    struct ipc_log_stop stop;

    if (!fixed_only(frame, &stop, sizeof(stop)) || stop.zero != 0)
        return CM_E_PEER;
    if (stop.reason != IPC_STOP_LINES && stop.reason != IPC_STOP_BYTES)
        return CM_E_PEER;
    *ret_reason = (enum ipc_stop)stop.reason;
    return 0;
}

int ipc_read_wait(const struct ipc_frame *frame, bool *ret_timers)
{
    struct ipc_wait wait;

    if (!fixed_only(frame, &wait, sizeof(wait)) || wait.zero != 0 || wait.timers > 1)
        return CM_E_PEER;
    *ret_timers = wait.timers == 1;
    return 0;
}

int ipc_read_compiled(const uint8_t *body, size_t bytes, struct ipc_compiled_body *ret_compiled)
{
    struct rest rest = { body, bytes };
    struct ipc_compiled_body compiled;

    if (!take_fixed(&rest, &compiled.head, sizeof(compiled.head)))
        return CM_E_PEER;
    if (compiled.head.failed > 1 || compiled.head.typescript > compiled.head.failed)
        return CM_E_PEER;
    if (!take_string(&rest, compiled.head.meta_bytes, &compiled.meta) ||
        !take_string(&rest, compiled.head.code_bytes, &compiled.code))
        return CM_E_PEER;
    if (compiled.head.map_count % 3 != 0 ||
        rest.bytes != (uint64_t)compiled.head.map_count * sizeof(uint32_t))
        return CM_E_PEER;
    compiled.map = rest.at;
    *ret_compiled = compiled;
    return 0;
}

int ipc_read_done(const struct ipc_frame *frame, struct ipc_done_body *ret_done)
{
    struct rest rest = { frame->body, frame->bytes };
    struct ipc_done_body done = { 0 };
    struct ipc_done head;

    if (!take_fixed(&rest, &head, sizeof(head)))
        return CM_E_PEER;
    if (head.failure > CM_FAILURE_MODULE || head.has_result > 1)
        return CM_E_PEER;
    if (head.stack_bytes > IPC_STACK_MAX || (head.failure != 0 && head.has_result != 0))
        return CM_E_PEER;
    if (!take_text(&rest, head.error_bytes, &done.error) ||
        !take_text(&rest, head.stack_bytes, &done.stack) ||
        !take_string(&rest, head.result_bytes, &done.result) || rest.bytes != 0)
        return CM_E_PEER;
    if (head.failure == 0 && head.error_bytes + head.stack_bytes != 0)
        return CM_E_PEER;
    if (head.has_result == 0 && head.result_bytes != 0)
        return CM_E_PEER;
    done.failure = (enum cm_failure)head.failure;
    done.error_bytes = head.error_bytes;
    done.stack_bytes = head.stack_bytes;
    done.result_bytes = head.result_bytes;
    if (head.stack_bytes == 0)
        done.stack = NULL;
    if (head.has_result == 0)
        done.result = NULL;
    *ret_done = done;
    return 0;
}
