/* Bodies of worker frames: what is read from a well-formed one, and that each
 * kind of malformed one is refused. Bodies stand in blocks of exactly their
 * size, so that a sanitizer sees a read past them. */
#include "ipc/frame.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BODY_MAX = 200000 };

static uint8_t body[BODY_MAX];
static size_t body_bytes;
static uint8_t *block; /* the body that was read last */

static void body_start(const void *head, size_t bytes)
{
    memcpy(body, head, bytes);
    body_bytes = bytes;
}

static void body_add(const char *text, size_t bytes)
{
    assert_true(bytes <= sizeof(body) - body_bytes);
    memcpy(body + body_bytes, text, bytes);
    body_bytes += bytes;
}

/* The text and its NUL. */
static void body_text(const char *text)
{
    body_add(text, strlen(text) + 1);
}

static struct ipc_frame first_bytes(uint16_t type, size_t n)
{
    free(block);
    block = malloc(n);
    assert_non_null(block);
    memcpy(block, body, n);
    return (struct ipc_frame){ type, block, n };
}

static int forget(void **state)
{
    (void)state;
    free(block);
    block = NULL;
    return 0;
}

/* Reads the first n bytes of the body as this type; what is read is dropped. */
static int read_first(uint16_t type, size_t n)
{
    struct ipc_frame frame = first_bytes(type, n);
    struct ipc_done_body done;
    struct cm_call call;
    struct cm_log log;
    enum ipc_stop reason;
    struct ipc_fetch_body fetch;
    struct ipc_fetch_took took;
    struct ipc_handles handles;
    struct ipc_reply_body reply;
    uint32_t id;
    bool timers;

    switch (type) {
    case IPC_CALL:
        return ipc_read_call(&frame, &call);
    case IPC_LOG:
        return ipc_read_log(&frame, &log);
    case IPC_LOG_STOP:
        return ipc_read_log_stop(&frame, &reason);
    case IPC_WAIT:
        return ipc_read_wait(&frame, &timers);
    case IPC_FETCH:
        return ipc_read_fetch(&frame, &fetch);
    case IPC_FETCH_ABORT:
        return ipc_read_fetch_abort(&frame, &id);
    case IPC_FETCH_TOOK:
        return ipc_read_fetch_took(&frame, &took);
    case IPC_RETAINED:
        return ipc_read_retained(&frame, &handles);
    case IPC_CONTEXT:
        return ipc_read_context(&frame, &id);
    case IPC_REPLY:
        return ipc_read_reply(&frame, &reply);
    default:
        return ipc_read_done(&frame, &done);
    }
}

static void assert_taken(uint16_t type)
{
    assert_int_equal(read_first(type, body_bytes), 0);
}

static void assert_refused(uint16_t type)
{
    assert_int_equal(read_first(type, body_bytes), CM_E_PEER);
}

/* The body is taken as a whole, and no shorter piece of it is. */
static void assert_whole_only(uint16_t type)
{
    assert_taken(type);
    for (size_t n = 0; n < body_bytes; n++)
        assert_int_equal(read_first(type, n), CM_E_PEER);
}

static void assert_longer_refused(uint16_t type)
{
    size_t kept = body_bytes;

    body_add("x", 1);
    assert_refused(type);
    body_bytes = kept;
    body_add("", 1);
    assert_refused(type);
    body_bytes = kept;
}

/* ---- COMPILED ---- */

static void start_compiled(struct ipc_compiled head)
{
    static const uint32_t map[] = { 1, 5, 4 };

    body_start(&head, sizeof(head));
    body_add("{}", 3);
    body_add("code", 5);
    body_add((const char *)map, sizeof(map));
}

static int read_compiled(size_t n)
{
    struct ipc_frame frame = first_bytes(IPC_COMPILED, n);
    struct ipc_compiled_body compiled;

    return ipc_read_compiled(frame.body, frame.bytes, &compiled);
}

static void compiled_has_two_texts_and_a_map(void **state)
{
    const struct ipc_compiled good = { .id = 7, .meta_bytes = 2, .code_bytes = 4, .map_count = 3 };
    struct ipc_compiled_body compiled;
    struct ipc_frame frame;

    (void)state;
    start_compiled(good);
    for (size_t n = 0; n < body_bytes; n++)
        assert_int_equal(read_compiled(n), CM_E_PEER);
    frame = first_bytes(IPC_COMPILED, body_bytes);
    assert_int_equal(ipc_read_compiled(frame.body, frame.bytes, &compiled), 0);
    assert_int_equal(compiled.head.id, 7);
    assert_string_equal(compiled.meta, "{}");
    assert_string_equal(compiled.code, "code");
}

static void a_compiled_that_contradicts_itself_is_refused(void **state)
{
    const struct ipc_compiled bad[] = {
        { .meta_bytes = 2, .code_bytes = 4, .map_count = 2 },
        { .meta_bytes = 2, .code_bytes = 4, .map_count = UINT32_MAX },
        { .meta_bytes = 2, .code_bytes = UINT32_MAX, .map_count = 3 },
        { .meta_bytes = 1, .code_bytes = 4, .map_count = 3 },
        { .failed = 2, .meta_bytes = 2, .code_bytes = 4, .map_count = 3 },
        { .typescript = 1, .meta_bytes = 2, .code_bytes = 4, .map_count = 3 },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(bad); i++) {
        start_compiled(bad[i]);
        assert_int_equal(read_compiled(body_bytes), CM_E_PEER);
    }
}

/* ---- LOG_STOP, WAIT: numbers alone ---- */

static void log_stop_names_one_of_two_reasons(void **state)
{
    struct ipc_log_stop stop = { 0 };

    (void)state;
    for (stop.reason = 0; stop.reason < 5; stop.reason++) {
        struct ipc_frame frame;
        enum ipc_stop reason = (enum ipc_stop)0;
        bool known = stop.reason == IPC_STOP_LINES || stop.reason == IPC_STOP_BYTES;

        body_start(&stop, sizeof(stop));
        frame = first_bytes(IPC_LOG_STOP, body_bytes);
        assert_int_equal(ipc_read_log_stop(&frame, &reason), known ? 0 : CM_E_PEER);
        assert_int_equal(reason, known ? stop.reason : 0);
    }
    stop = (struct ipc_log_stop){ IPC_STOP_LINES, 1 };
    body_start(&stop, sizeof(stop));
    assert_refused(IPC_LOG_STOP);
    stop.zero = 0;
    body_start(&stop, sizeof(stop));
    assert_whole_only(IPC_LOG_STOP);
    assert_longer_refused(IPC_LOG_STOP);
}

static void wait_says_yes_or_no(void **state)
{
    struct ipc_wait wait = { 0 };
    struct ipc_frame frame;
    bool timers;

    (void)state;
    for (wait.timers = 0; wait.timers < 2; wait.timers++) {
        body_start(&wait, sizeof(wait));
        assert_whole_only(IPC_WAIT);
        assert_longer_refused(IPC_WAIT);
        frame = first_bytes(IPC_WAIT, body_bytes);
        timers = wait.timers == 0;
        assert_int_equal(ipc_read_wait(&frame, &timers), 0);
        assert_int_equal(timers, wait.timers == 1);
    }
    wait.timers = 2;
    body_start(&wait, sizeof(wait));
    assert_refused(IPC_WAIT);
    wait = (struct ipc_wait){ 1, 1 };
    body_start(&wait, sizeof(wait));
    assert_refused(IPC_WAIT);
}

/* ---- CALL ---- */

static void body_call(struct ipc_call head, const char *provider, const char *tool,
                      const char *args)
{
    body_start(&head, sizeof(head));
    body_text(provider);
    body_text(tool);
    body_text(args);
}

static void a_call_names_provider_tool_and_arguments(void **state)
{
    struct ipc_frame frame;
    struct cm_call call;

    (void)state;
    body_call((struct ipc_call){ UINT32_MAX, 5, 9 }, "store", "listUsers", "[1,\"\xE2\x82\xAC\"]");
    frame = first_bytes(IPC_CALL, body_bytes);
    assert_int_equal(ipc_read_call(&frame, &call), 0);
    assert_true(call.id == UINT32_MAX);
    assert_string_equal(call.provider, "store");
    assert_string_equal(call.tool, "listUsers");
    assert_string_equal(call.args, "[1,\"\xE2\x82\xAC\"]");
    assert_int_equal(call.args_bytes, strlen(call.args));
    assert_whole_only(IPC_CALL);
    assert_longer_refused(IPC_CALL);
}

static void a_call_whose_lengths_are_not_those_of_its_texts_is_refused(void **state)
{
    static const struct ipc_call heads[] = {
        { 1, 4, 9 },  { 1, 6, 9 },  { 1, 5, 8 },  { 1, 5, 10 },  { 1, 0, 9 },    { 1, 5, 0 },
        { 1, 15, 9 }, { 1, 5, 12 }, { 1, 5, 13 }, { 1, 256, 9 }, { 1, 5, 1024 },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(heads); i++) {
        body_call(heads[i], "store", "listUsers", "[]");
        assert_refused(IPC_CALL);
    }
}

static void names_of_a_call_are_taken_at_their_limit_and_refused_past_it(void **state)
{
    char name[IPC_TOOL_MAX + 2];

    (void)state;
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    body_call((struct ipc_call){ 1, 1, IPC_TOOL_MAX }, "p", name + 1, "[]");
    assert_taken(IPC_CALL);
    body_call((struct ipc_call){ 1, 1, IPC_TOOL_MAX + 1 }, "p", name, "[]");
    assert_refused(IPC_CALL);
    name[IPC_PROVIDER_MAX + 1] = '\0';
    body_call((struct ipc_call){ 1, IPC_PROVIDER_MAX, 1 }, name + 1, "t", "[]");
    assert_taken(IPC_CALL);
    body_call((struct ipc_call){ 1, IPC_PROVIDER_MAX + 1, 1 }, name, "t", "[]");
    assert_refused(IPC_CALL);
}

static void a_call_with_broken_text_is_refused(void **state)
{
    static const char *const rows[][3] = {
        { "s\xFFore", "listUsers", "[]" },      { "store", "list\xED\xA0\x80rs", "[]" },
        { "store", "listUsers", "[\"\xC3\"]" }, { "st\0re", "listUsers", "[]" },
        { "store", "list\0sers", "[]" },
    };
    struct ipc_call head = { 1, 5, 9 };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        body_start(&head, sizeof(head));
        body_add(rows[i][0], 6);
        body_add(rows[i][1], 10);
        body_text(rows[i][2]);
        assert_refused(IPC_CALL);
    }
    body_call(head, "store", "listUsers", "[]");
    body_add("[]", 3); /* arguments with U+0000 in them */
    assert_refused(IPC_CALL);
}

/* ---- LOG ---- */

static void a_log_line_has_one_of_three_levels(void **state)
{
    struct ipc_log head = { 0 };

    (void)state;
    for (head.level = 0; head.level < 5; head.level++) {
        struct ipc_frame frame;
        struct cm_log log = { 0 };

        body_start(&head, sizeof(head));
        body_text("a \xC3\xA9 line");
        frame = first_bytes(IPC_LOG, body_bytes);
        if (head.level > CM_LEVEL_ERROR) {
            assert_int_equal(ipc_read_log(&frame, &log), CM_E_PEER);
            continue;
        }
        assert_int_equal(ipc_read_log(&frame, &log), 0);
        assert_int_equal(log.level, head.level);
        assert_string_equal(log.text, "a \xC3\xA9 line");
        assert_int_equal(log.text_bytes, strlen(log.text));
        assert_whole_only(IPC_LOG);
    }
    head = (struct ipc_log){ CM_LEVEL_WARN, 1 };
    body_start(&head, sizeof(head));
    body_text("reserved bits");
    assert_refused(IPC_LOG);
}

static void a_log_line_may_be_empty_and_may_hold_nul(void **state)
{
    struct ipc_log head = { CM_LEVEL_LOG, 0 };
    struct ipc_frame frame;
    struct cm_log log;

    (void)state;
    body_start(&head, sizeof(head));
    body_text("");
    frame = first_bytes(IPC_LOG, body_bytes);
    assert_int_equal(ipc_read_log(&frame, &log), 0);
    assert_int_equal(log.text_bytes, 0);
    assert_string_equal(log.text, "");
    body_text("b");
    frame = first_bytes(IPC_LOG, body_bytes);
    assert_int_equal(ipc_read_log(&frame, &log), 0);
    assert_int_equal(log.text_bytes, 2);
    assert_memory_equal(log.text, "\0b", 3);
}

static void a_log_line_without_its_nul_or_with_broken_text_is_refused(void **state)
{
    struct ipc_log head = { CM_LEVEL_LOG, 0 };

    (void)state;
    body_start(&head, sizeof(head));
    assert_refused(IPC_LOG);
    body_add("line", 4);
    assert_refused(IPC_LOG);
    body_start(&head, sizeof(head));
    body_text("l\xC0\xAFne");
    assert_refused(IPC_LOG);
}

/* ---- DONE ---- */

static void body_done(struct ipc_done head, const char *error, const char *stack,
                      const char *result)
{
    body_start(&head, sizeof(head));
    body_text(error);
    body_text(stack);
    body_text(result);
}

static struct ipc_done_body read_done(void)
{
    struct ipc_frame frame = first_bytes(IPC_DONE, body_bytes);
    struct ipc_done_body done;

    assert_int_equal(ipc_read_done(&frame, &done), 0);
    return done;
}

static void a_program_that_succeeded_has_a_result_or_none(void **state)
{
    struct ipc_done_body done;

    (void)state;
    body_done((struct ipc_done){ 0, 0, 0, 1, 0, 7 }, "", "", "{\"a\":1}");
    done = read_done();
    assert_int_equal(done.failure, CM_FAILURE_NONE);
    assert_int_equal(done.error_bytes, 0);
    assert_null(done.stack);
    assert_string_equal(done.result, "{\"a\":1}");
    assert_int_equal(done.result_bytes, 7);
    assert_whole_only(IPC_DONE);
    assert_longer_refused(IPC_DONE);
    body_done((struct ipc_done){ 0 }, "", "", "");
    done = read_done();
    assert_null(done.result);
    assert_int_equal(done.result_bytes, 0);
    assert_false(done.spent);
    assert_whole_only(IPC_DONE);
}

static void a_done_may_say_that_its_worker_is_spent(void **state)
{
    (void)state;
    body_done((struct ipc_done){ 0, 0, 0, 0, 1, 0 }, "", "", "");
    assert_true(read_done().spent);
}

static void a_program_that_failed_has_an_error_and_perhaps_a_stack(void **state)
{
    struct ipc_done_body done;

    (void)state;
    for (uint32_t kind = CM_FAILURE_SYNTAX; kind <= CM_FAILURE_MODULE; kind++) {
        body_done((struct ipc_done){ kind, 4, 14, 0, 0, 0 }, "oops", "f@program.js:1", "");
        done = read_done();
        assert_int_equal(done.failure, kind);
        assert_string_equal(done.error, "oops");
        assert_int_equal(done.error_bytes, 4);
        assert_string_equal(done.stack, "f@program.js:1");
        assert_int_equal(done.stack_bytes, 14);
        assert_null(done.result);
        assert_whole_only(IPC_DONE);
    }
    body_done((struct ipc_done){ CM_FAILURE_THROWN, 0, 0, 0, 0, 0 }, "", "", "");
    done = read_done();
    assert_string_equal(done.error, "");
    assert_null(done.stack);
}

static void an_error_may_hold_nul_and_a_result_may_not(void **state)
{
    struct ipc_done head = { CM_FAILURE_THROWN, 3, 0, 0, 0, 0 };

    (void)state;
    body_start(&head, sizeof(head));
    body_add("a\0b\0\0", 6); /* "a\0b" and two empty texts */
    assert_int_equal(read_done().error_bytes, 3);
    head = (struct ipc_done){ 0, 0, 0, 1, 0, 3 };
    body_start(&head, sizeof(head));
    body_add("\0\0[\0]", 6);
    assert_refused(IPC_DONE);
}

static void a_done_that_contradicts_itself_is_refused(void **state)
{
    static const struct {
        struct ipc_done head;
        const char *error;
        const char *stack;
        const char *result;
    } rows[] = {
        { { CM_FAILURE_MODULE + 1, 1, 0, 0, 0, 0 }, "e", "", "" },
        { { UINT32_MAX, 1, 0, 0, 0, 0 }, "e", "", "" },
        { { 0, 0, 0, 2, 0, 1 }, "", "", "1" },
        { { 0, 0, 0, 1, 2, 1 }, "", "", "1" },
        { { CM_FAILURE_THROWN, 1, 0, 1, 0, 1 }, "e", "", "1" },
        { { CM_FAILURE_THROWN, 1, 0, 0, 0, 1 }, "e", "", "1" },
        { { 0, 0, 0, 0, 0, 1 }, "", "", "1" },
        { { 0, 1, 0, 1, 0, 1 }, "e", "", "1" },
        { { 0, 0, 1, 1, 0, 1 }, "", "s", "1" },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        body_done(rows[i].head, rows[i].error, rows[i].stack, rows[i].result);
        assert_refused(IPC_DONE);
    }
}

static void a_done_whose_lengths_are_not_those_of_its_texts_is_refused(void **state)
{
    static const struct ipc_done failed[] = {
        { CM_FAILURE_THROWN, 3, 5, 0, 0, 0 },
        { CM_FAILURE_THROWN, 5, 5, 0, 0, 0 },
        { CM_FAILURE_THROWN, 4, 4, 0, 0, 0 },
        { CM_FAILURE_THROWN, 4, 6, 0, 0, 0 },
        { CM_FAILURE_THROWN, 10, 0, 0, 0, 0 },
        { CM_FAILURE_THROWN, 11, 0, 0, 0, 0 },
        { CM_FAILURE_THROWN, UINT32_MAX, 5, 0, 0, 0 },
        { CM_FAILURE_THROWN, 4, IPC_STACK_MAX, 0, 0, 0 },
    };
    static const uint64_t result_bytes[] = { 0, 1, 3, 4, UINT32_MAX, UINT64_MAX - 1, UINT64_MAX };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(failed); i++) {
        body_done(failed[i], "oops", "stack", "");
        assert_refused(IPC_DONE);
    }
    for (size_t i = 0; i < CM_ARRAY_LEN(result_bytes); i++) {
        body_done((struct ipc_done){ 0, 0, 0, 1, 0, result_bytes[i] }, "", "", "12");
        assert_refused(IPC_DONE);
    }
}

static void a_stack_is_taken_at_its_limit_and_refused_past_it(void **state)
{
    static char stack[IPC_STACK_MAX + 2];

    (void)state;
    memset(stack, 's', sizeof(stack) - 1);
    body_done((struct ipc_done){ CM_FAILURE_THROWN, 1, IPC_STACK_MAX, 0, 0, 0 }, "e", stack + 1,
              "");
    assert_int_equal(read_done().stack_bytes, IPC_STACK_MAX);
    body_done((struct ipc_done){ CM_FAILURE_THROWN, 1, IPC_STACK_MAX + 1, 0, 0, 0 }, "e", stack,
              "");
    assert_refused(IPC_DONE);
}

static void a_done_with_broken_text_is_refused(void **state)
{
    (void)state;
    body_done((struct ipc_done){ CM_FAILURE_THROWN, 1, 1, 0, 0, 0 }, "\x80", "s", "");
    assert_refused(IPC_DONE);
    body_done((struct ipc_done){ CM_FAILURE_THROWN, 1, 1, 0, 0, 0 }, "e", "\xF5", "");
    assert_refused(IPC_DONE);
    body_done((struct ipc_done){ 0, 0, 0, 1, 0, 3 }, "", "", "\"\xE2\"");
    assert_refused(IPC_DONE);
}

/* ---- FETCH and REPLY: heads, texts, headers and a body ---- */

#define HEADERS "x-a\0one\0x-b\0\0"

static const struct ipc_fetch whole_fetch = { .id = 7,
                                              .url_bytes = 9,
                                              .method_bytes = 3,
                                              .header_count = 2,
                                              .headers_bytes = sizeof(HEADERS) - 1,
                                              .redirect = IPC_REDIRECT_MANUAL,
                                              .has_body = 1,
                                              .body_bytes = 4 };

static void body_fetch(const struct ipc_fetch *head, const char *method, const char *headers)
{
    body_start(head, sizeof(*head));
    body_text("http://h/");
    body_text(method);
    body_add(headers, head->headers_bytes);
    body_add("body", 4);
}

static void a_fetch_has_url_method_headers_and_body(void **state)
{
    struct ipc_fetch_body fetch;
    struct ipc_frame frame;
    struct cm_header header;
    const char *at;

    (void)state;
    body_fetch(&whole_fetch, "PUT", HEADERS);
    assert_whole_only(IPC_FETCH);
    assert_longer_refused(IPC_FETCH);
    frame = first_bytes(IPC_FETCH, body_bytes);
    assert_int_equal(ipc_read_fetch(&frame, &fetch), 0);
    assert_int_equal(fetch.id, 7);
    assert_string_equal(fetch.url, "http://h/");
    assert_string_equal(fetch.method, "PUT");
    assert_int_equal(fetch.redirect, IPC_REDIRECT_MANUAL);
    assert_memory_equal(fetch.body, "body", 4);
    at = fetch.headers;
    header = ipc_next_header(&at);
    assert_string_equal(header.name, "x-a");
    assert_string_equal(header.value, "one");
    header = ipc_next_header(&at);
    assert_string_equal(header.name, "x-b");
    assert_int_equal(header.value_bytes, 0);
}

static void a_fetch_whose_numbers_contradict_is_refused(void **state)
{
    struct ipc_fetch heads[8];

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(heads); i++)
        heads[i] = whole_fetch;
    heads[0].url_bytes = 8;
    heads[1].method_bytes = 4;
    heads[2].header_count = 1;
    heads[3].header_count = 3;
    heads[4].redirect = 3;
    heads[5].has_body = 2;
    heads[6].has_body = 0;
    heads[7].body_bytes = 3;
    for (size_t i = 0; i < CM_ARRAY_LEN(heads); i++) {
        body_fetch(&heads[i], "PUT", HEADERS);
        assert_refused(IPC_FETCH);
    }
}

static void a_method_and_the_name_of_a_header_are_tokens(void **state)
{
    static const char *const methods[] = { "P T", "P\nT", "P:T", "P\x7fT", "P\xc3\xa9", "" };
    static const char *const names[] = { "x a", "x:a", "x\ra", "" };
    struct ipc_fetch head = whole_fetch;

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(methods); i++) {
        head.method_bytes = (uint32_t)strlen(methods[i]);
        body_fetch(&head, methods[i], HEADERS);
        assert_refused(IPC_FETCH);
    }
    head = whole_fetch;
    head.header_count = 1;
    for (size_t i = 0; i < CM_ARRAY_LEN(names); i++) {
        char headers[16] = { 0 };

        strcpy(headers, names[i]);
        head.headers_bytes = (uint32_t)strlen(names[i]) + 2;
        body_fetch(&head, "PUT", headers);
        assert_refused(IPC_FETCH);
    }
}

static void the_value_of_a_header_is_latin1_without_line_ends(void **state)
{
    static const struct {
        const char *value;
        bool taken;
    } rows[] = {
        { "", true },           { " a\tb ", true }, { "caf\xc3\xa9", true },   { "\xc2\x80", true },
        { "a\r\nb: c", false }, { "a\nb", false },  { "\xe2\x82\xac", false }, { "\xff", false },
        { "\xc3", false },
    };
    struct ipc_fetch head = whole_fetch;

    (void)state;
    head.header_count = 1;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        char headers[32] = "x";

        strcpy(headers + 2, rows[i].value);
        head.headers_bytes = (uint32_t)strlen(rows[i].value) + 3;
        body_fetch(&head, "PUT", headers);
        if (rows[i].taken)
            assert_taken(IPC_FETCH);
        else
            assert_refused(IPC_FETCH);
    }
}

static void heads_of_fetch_and_reply_have_a_limit(void **state)
{
    struct ipc_fetch fetch = whole_fetch;
    struct ipc_response reply = { .id = 1, .status = 200 };

    (void)state;
    fetch.url_bytes = IPC_FETCH_HEAD_MAX + 1;
    body_start(&fetch, sizeof(fetch));
    assert_refused(IPC_FETCH);
    fetch = whole_fetch;
    fetch.method_bytes = IPC_METHOD_MAX + 1;
    body_start(&fetch, sizeof(fetch));
    assert_refused(IPC_FETCH);
    reply.status_text_bytes = IPC_FETCH_HEAD_MAX + 1;
    body_start(&reply, sizeof(reply));
    assert_refused(IPC_REPLY);
}

static void a_reply_has_a_status_headers_and_perhaps_a_body(void **state)
{
    struct ipc_response reply = { .id = 3,
                                  .status = 599,
                                  .status_text_bytes = 2,
                                  .header_count = 2,
                                  .headers_bytes = sizeof(HEADERS) - 1 };
    static const uint32_t statuses[] = { 0, 101, 199, 600 };
    struct ipc_reply_body read;
    struct ipc_frame frame;

    (void)state;
    body_start(&reply, sizeof(reply));
    body_text("ok");
    body_add(HEADERS, sizeof(HEADERS) - 1);
    assert_whole_only(IPC_REPLY);
    assert_longer_refused(IPC_REPLY);
    frame = first_bytes(IPC_REPLY, body_bytes);
    assert_int_equal(ipc_read_reply(&frame, &read), 0);
    assert_int_equal(read.invocation, 3);
    assert_int_equal(read.status, 599);
    assert_string_equal(read.status_text, "ok");
    assert_int_equal(read.header_count, 2);
    assert_null(read.body);
    for (size_t i = 0; i < CM_ARRAY_LEN(statuses); i++) {
        reply.status = statuses[i];
        memcpy(body, &reply, sizeof(reply));
        assert_refused(IPC_REPLY);
    }
    reply.status = 200;
    reply.url_bytes = 1;
    memcpy(body, &reply, sizeof(reply));
    assert_refused(IPC_REPLY);
    reply.url_bytes = 0;
    reply.whole = 1;
    memcpy(body, &reply, sizeof(reply));
    assert_refused(IPC_REPLY);
}

/* ---- FETCH_ABORT, FETCH_TOOK, CONTEXT, RETAINED ---- */

static void numbers_alone_are_read_whole(void **state)
{
    static const uint16_t types[] = { IPC_FETCH_ABORT, IPC_FETCH_TOOK, IPC_CONTEXT };
    static const uint32_t numbers[] = { 7, 0 };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(types); i++) {
        body_start(numbers, sizeof(numbers));
        assert_whole_only(types[i]);
        assert_longer_refused(types[i]);
    }
}

static void retained_names_its_handles(void **state)
{
    static const struct {
        struct ipc_retained head;
        bool taken;
    } rows[] = {
        { { 2, 4 }, true },
        { { 1, 4 }, false },
        { { 3, 4 }, false },
        { { 0, 4 }, false },
        { { 2, 3 }, false },
        { { 2, 5 }, false },
        { { IPC_HANDLES_MAX + 1, 4 }, false },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        body_start(&rows[i].head, sizeof(rows[i].head));
        body_text("a");
        body_text("b");
        if (rows[i].taken)
            assert_whole_only(IPC_RETAINED);
        else
            assert_refused(IPC_RETAINED);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(compiled_has_two_texts_and_a_map),
        CASE(a_compiled_that_contradicts_itself_is_refused),
        CASE(log_stop_names_one_of_two_reasons),
        CASE(wait_says_yes_or_no),
        CASE(a_call_names_provider_tool_and_arguments),
        CASE(a_call_whose_lengths_are_not_those_of_its_texts_is_refused),
        CASE(names_of_a_call_are_taken_at_their_limit_and_refused_past_it),
        CASE(a_call_with_broken_text_is_refused),
        CASE(a_log_line_has_one_of_three_levels),
        CASE(a_log_line_may_be_empty_and_may_hold_nul),
        CASE(a_log_line_without_its_nul_or_with_broken_text_is_refused),
        CASE(a_program_that_succeeded_has_a_result_or_none),
        CASE(a_done_may_say_that_its_worker_is_spent),
        CASE(a_program_that_failed_has_an_error_and_perhaps_a_stack),
        CASE(an_error_may_hold_nul_and_a_result_may_not),
        CASE(a_done_that_contradicts_itself_is_refused),
        CASE(a_done_whose_lengths_are_not_those_of_its_texts_is_refused),
        CASE(a_stack_is_taken_at_its_limit_and_refused_past_it),
        CASE(a_done_with_broken_text_is_refused),
        CASE(a_fetch_has_url_method_headers_and_body),
        CASE(a_fetch_whose_numbers_contradict_is_refused),
        CASE(a_method_and_the_name_of_a_header_are_tokens),
        CASE(the_value_of_a_header_is_latin1_without_line_ends),
        CASE(heads_of_fetch_and_reply_have_a_limit),
        CASE(a_reply_has_a_status_headers_and_perhaps_a_body),
        CASE(numbers_alone_are_read_whole),
        CASE(retained_names_its_handles),
    };

    return cmocka_run_group_tests_name("frame bodies", tests, NULL, NULL);
}
