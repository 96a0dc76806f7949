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

/* What RFC 9110 calls a token. */
bool ipc_is_token(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (text[i] <= ' ' || text[i] >= '\x7f' || strchr("\"(),/:;<=>?@[\\]{}", text[i]) != NULL)
            return false;
    return bytes > 0;
}

/* UTF-8 of U+0001 to U+00FF: above ASCII, C2 or C3 leads. */
bool ipc_is_header_value(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '\0' || c == '\r' || c == '\n' || c > 0xc3 || (c >= 0xc0 && c < 0xc2))
            return false;
    }
    return cm_utf8_valid(text, bytes);
}

const char *ipc_wrong_header(const struct cm_header *header)
{
    if (header->name == NULL || !ipc_is_token(header->name, header->name_bytes))
        return "the name of a header is not a token";
    if (header->value_bytes > 0 &&
        (header->value == NULL || !ipc_is_header_value(header->value, header->value_bytes)))
        return "the value of a header has a character that none may have";
    if (header->name_bytes > IPC_FETCH_HEAD_MAX || header->value_bytes > IPC_FETCH_HEAD_MAX)
        return "a header is too long";
    return NULL;
}

int ipc_pack_headers(const struct cm_header *headers, size_t count, struct cm_buf *to)
{
    int r = 0;

    cm_buf_init(to, IPC_FETCH_HEAD_MAX);
    for (size_t i = 0; i < count && r == 0; i++) {
        r = cm_buf_append(to, headers[i].name, headers[i].name_bytes);
        if (r == 0)
            r = cm_buf_append(to, "", 1);
        if (r == 0)
            r = cm_buf_append(to, headers[i].value, headers[i].value_bytes);
        if (r == 0)
            r = cm_buf_append(to, "", 1);
    }
    return r;
}

struct cm_header ipc_next_header(const char **at)
{
    struct cm_header header = { .name = *at, .name_bytes = strlen(*at) };

    header.value = header.name + header.name_bytes + 1;
    header.value_bytes = strlen(header.value);
    *at = header.value + header.value_bytes + 1;
    return header;
}

static bool take_headers(struct rest *rest, size_t count, size_t bytes, const char **ret_headers)
{
    const char *at = (const char *)rest->at;
    size_t left = bytes;

    if (bytes > rest->bytes || bytes > IPC_FETCH_HEAD_MAX || count > bytes)
        return false;
    for (size_t i = 0; i < count * 2; i++) {
        size_t len = strnlen(at, left);

        if (len == left || !(i % 2 == 0 ? ipc_is_token(at, len) : ipc_is_header_value(at, len)))
            return false;
        at += len + 1;
        left -= len + 1;
    }
    *ret_headers = (const char *)rest->at;
    rest->at += bytes;
    rest->bytes -= bytes;
    return left == 0;
}

/* The rest of a frame, of exactly `bytes`; no body has no bytes. */
static bool take_body(const struct rest *rest, bool has_body, uint64_t bytes,
                      const uint8_t **ret_body)
{
    *ret_body = has_body ? rest->at : NULL;
    return bytes == rest->bytes && (has_body || bytes == 0);
}

static bool fixed_only(const struct ipc_frame *frame, void *to, size_t bytes)
{
    struct rest rest = { frame->body, frame->bytes };

    return take_fixed(&rest, to, bytes) && rest.bytes == 0;
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
    if (head.failure > CM_FAILURE_MODULE || head.has_result > 1 || head.spent > 1)
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
    done.spent = head.spent != 0;
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

int ipc_read_fetch(const struct ipc_frame *frame, struct ipc_fetch_body *ret_fetch)
{
    struct rest rest = { frame->body, frame->bytes };
    struct ipc_fetch_body fetch = { 0 };
    struct ipc_fetch head;

    if (!take_fixed(&rest, &head, sizeof(head)))
        return CM_E_PEER;
    if (head.url_bytes > IPC_FETCH_HEAD_MAX || head.method_bytes > IPC_METHOD_MAX)
        return CM_E_PEER;
    if (head.redirect > IPC_REDIRECT_MANUAL || head.has_body > 1)
        return CM_E_PEER;
    if (!take_string(&rest, head.url_bytes, &fetch.url) ||
        !take_string(&rest, head.method_bytes, &fetch.method) ||
        !ipc_is_token(fetch.method, head.method_bytes) ||
        !take_headers(&rest, head.header_count, head.headers_bytes, &fetch.headers) ||
        !take_body(&rest, head.has_body, head.body_bytes, &fetch.body))
        return CM_E_PEER;
    fetch.id = head.id;
    fetch.redirect = (enum ipc_redirect)head.redirect;
    fetch.url_bytes = head.url_bytes;
    fetch.header_count = head.header_count;
    fetch.body_bytes = head.body_bytes;
    *ret_fetch = fetch;
    return 0;
}

int ipc_read_fetch_abort(const struct ipc_frame *frame, uint32_t *ret_id)
{
    struct ipc_fetch_abort abort;

    if (!fixed_only(frame, &abort, sizeof(abort)) || abort.zero != 0)
        return CM_E_PEER;
    *ret_id = abort.id;
    return 0;
}

int ipc_read_fetch_took(const struct ipc_frame *frame, struct ipc_fetch_took *ret_took)
{
    return fixed_only(frame, ret_took, sizeof(*ret_took)) ? 0 : CM_E_PEER;
}

int ipc_read_retained(const struct ipc_frame *frame, struct ipc_handles *ret_handles)
{
    struct rest rest = { frame->body, frame->bytes };
    struct ipc_handles handles;
    struct ipc_retained head;

    if (!take_fixed(&rest, &head, sizeof(head)) || head.handles_bytes != rest.bytes)
        return CM_E_PEER;
    if (head.handle_count == 0 || head.handle_count > IPC_HANDLES_MAX)
        return CM_E_PEER;
    handles = (struct ipc_handles){ (const char *)rest.at, rest.bytes, head.handle_count };
    for (size_t i = 0; i < handles.count; i++) {
        const char *name;

        if (!take_string(&rest, strnlen((const char *)rest.at, rest.bytes), &name))
            return CM_E_PEER;
    }
    if (rest.bytes != 0)
        return CM_E_PEER;
    *ret_handles = handles;
    return 0;
}

int ipc_read_context(const struct ipc_frame *frame, uint32_t *ret_invocation)
{
    struct ipc_context context;

    if (!fixed_only(frame, &context, sizeof(context)) || context.zero != 0)
        return CM_E_PEER;
    *ret_invocation = context.invocation;
    return 0;
}

int ipc_read_reply(const struct ipc_frame *frame, struct ipc_reply_body *ret_reply)
{
    struct rest rest = { frame->body, frame->bytes };
    struct ipc_reply_body reply = { 0 };
    struct ipc_response head;

    if (!take_fixed(&rest, &head, sizeof(head)))
        return CM_E_PEER;
    if (head.status < 200 || head.status > 599 || head.status_text_bytes > IPC_FETCH_HEAD_MAX ||
        head.url_bytes != 0 || head.has_body > 1 || head.whole != 0)
        return CM_E_PEER;
    if (!take_string(&rest, head.status_text_bytes, &reply.status_text) ||
        !take_headers(&rest, head.header_count, head.headers_bytes, &reply.headers) ||
        !take_body(&rest, head.has_body, head.body_bytes, &reply.body))
        return CM_E_PEER;
    reply.invocation = head.id;
    reply.status = head.status;
    reply.header_count = head.header_count;
    reply.body_bytes = head.body_bytes;
    *ret_reply = reply;
    return 0;
}
