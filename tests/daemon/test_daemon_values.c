/* Values of the wire to what the library takes, and the size of answers. */
#include "base/cleanup.h"
#include "daemon/answer.h"
#include "daemon/plain.h"
#include "wire/exchange.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct capnweb_member member(const char *key, struct capnweb_value value)
{
    return (struct capnweb_member){ capnweb_text(key), value };
}

static void expect_json(struct capnweb_value value, const char *json)
{
    CM_AUTO_FREE char *text = NULL;
    struct cm_error err = CM_ERROR_INIT;

    assert_int_equal(plain_json(&value, &text, &err), 0);
    assert_string_equal(text, json);
}

static void plain_values_are_json(void **state)
{
    static const uint8_t bytes[] = { 1, 2, 3, 4 };
    const struct capnweb_value items[] = { capnweb_number(1), capnweb_number(0.5),
                                           capnweb_boolean(true), capnweb_null(),
                                           capnweb_cstring("a\"\n") };
    const struct capnweb_member members[] = { member("list", capnweb_array(items, 5)),
                                              member("absent", capnweb_undefined()),
                                              member("big", capnweb_number(1e300)) };

    (void)state;
    expect_json(capnweb_object(members, 3), "{\"list\":[1,0.5,true,null,\"a\\\"\\n\"],"
                                            "\"big\":1.0000000000000001e300}");
    expect_json(capnweb_number(-1), "-1");
    expect_json(capnweb_number(INFINITY), "\"Infinity\"");
    expect_json(capnweb_number(NAN), "\"NaN\"");
    expect_json(capnweb_undefined(), "null");
    expect_json(capnweb_string("\xC3\xA9", 2), "\"\xC3\xA9\"");
    expect_json(capnweb_bytes(bytes, 4, CAPNWEB_BYTES_UINT8),
                "{\"__codemode_binary_v1__\":\"Uint8Array\",\"data\":\"AQIDBA==\"}");
    expect_json(capnweb_bytes(bytes, 0, CAPNWEB_BYTES_BUFFER),
                "{\"__codemode_binary_v1__\":\"ArrayBuffer\",\"data\":\"\"}");
    expect_json(capnweb_bytes(bytes, 4, CAPNWEB_BYTES_FLOAT32),
                "{\"__codemode_binary_v1__\":\"ArrayBufferView\",\"data\":\"AQIDBA==\"}");
}

static void what_is_no_plain_data_is_refused_by_the_name_of_its_member(void **state)
{
    const struct capnweb_value list[] = { capnweb_date(0) };
    const struct capnweb_member inner[] = { member("when", capnweb_array(list, 1)) };
    const struct capnweb_member members[] = { member("code", capnweb_cstring("x")),
                                              member("inner", capnweb_object(inner, 1)) };
    const struct capnweb_value value = capnweb_object(members, 2);
    struct cm_error err = CM_ERROR_INIT;
    char *text = NULL;

    (void)state;
    assert_true(plain_json(&value, &text, &err) < 0);
    assert_int_equal(err.code, CM_E_INVAL);
    assert_string_equal(err.text, "when is a Date; it is plain data");
    assert_null(text);
}

static void an_answer_counts_as_a_frame_of_json(void **state)
{
    const struct cm_log logs[] = { { CM_LEVEL_LOG, "a\"b", 3 }, { CM_LEVEL_WARN, "\x01", 1 } };
    struct cm_outcome outcome = { .result = "42", .result_bytes = 2 };

    (void)state;
    assert_int_equal(answer_bytes(&outcome), 8 + strlen("{\"result\":42,\"logs\":[]}"));
    outcome.logs = logs;
    outcome.log_count = 2;
    assert_int_equal(answer_bytes(&outcome),
                     8 + strlen("{\"result\":42,\"logs\":[{\"level\":\"log\",\"text\":\"a\\\"b\"},"
                                "{\"level\":\"warn\",\"text\":\"\\u0001\"}]}"));
    outcome = (struct cm_outcome){ .error = "no",
                                   .error_bytes = 2,
                                   .failure = CM_FAILURE_THROWN,
                                   .stack = "at x\n",
                                   .stack_bytes = 5 };
    assert_int_equal(answer_bytes(&outcome),
                     8 + strlen("{\"error\":\"no\",\"failure\":\"thrown\",\"stack\":\"at x\\n\","
                                "\"logs\":[]}"));
}

static void a_request_of_a_program_crosses_as_plain_data(void **state)
{
    const struct cm_header headers[] = { { "a", 1, "b", 1 }, { "a", 1, "c", 1 } };
    struct cm_fetch fetch = { .url = "http://x/",
                              .url_bytes = 9,
                              .method = "PUT",
                              .headers = headers,
                              .header_count = 2,
                              .body = "hi",
                              .body_bytes = 2 };
    struct exchange_value to;
    struct capnweb_value value;

    (void)state;
    assert_int_equal(exchange_put_request(&fetch, &to, &value), 0);
    expect_json(value, "{\"url\":\"http://x/\",\"method\":\"PUT\",\"headers\":[[\"a\",\"b\"],"
                       "[\"a\",\"c\"]],\"body\":{\"__codemode_binary_v1__\":\"ArrayBuffer\","
                       "\"data\":\"aGk=\"}}");
    exchange_done(&to);
    fetch.body = NULL;
    fetch.header_count = 0;
    assert_int_equal(exchange_put_request(&fetch, &to, &value), 0);
    expect_json(value, "{\"url\":\"http://x/\",\"method\":\"PUT\",\"headers\":[],\"body\":null}");
    exchange_done(&to);
}

static void a_response_of_a_caller_is_read(void **state)
{
    const struct capnweb_value pair[] = { capnweb_cstring("a"), capnweb_cstring("b") };
    const struct capnweb_value pairs[] = { capnweb_array(pair, 2) };
    const struct capnweb_member members[] = { member("status", capnweb_number(200)),
                                              member("statusText", capnweb_cstring("Fine")),
                                              member("headers", capnweb_array(pairs, 1)),
                                              member("body", capnweb_cstring("text")) };
    const struct capnweb_value value = capnweb_object(members, 4);
    const struct capnweb_value bare = capnweb_object(members, 1);
    struct exchange_response to;
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(exchange_take_response(&value, &to, &err), 0);
    assert_int_equal(to.response.status, 200);
    assert_string_equal(to.response.status_text, "Fine");
    assert_int_equal(to.response.header_count, 1);
    assert_string_equal(to.response.headers[0].value, "b");
    assert_int_equal(to.response.body_bytes, 4);
    exchange_response_done(&to);
    assert_int_equal(exchange_take_response(&bare, &to, &err), 0);
    assert_null(to.response.body);
    assert_null(to.response.status_text);
    exchange_response_done(&to);
}

static void what_is_no_response_is_refused(void **state)
{
    const struct capnweb_value single[] = { capnweb_cstring("a") };
    const struct capnweb_value pairs[] = { capnweb_array(single, 1) };
    const struct capnweb_member rows[][2] = {
        { member("status", capnweb_number(200.5)), member("x", capnweb_null()) },
        { member("status", capnweb_number(NAN)), member("x", capnweb_null()) },
        { member("status", capnweb_number(-1)), member("x", capnweb_null()) },
        { member("status", capnweb_cstring("200")), member("x", capnweb_null()) },
        { member("status", capnweb_number(200)), member("statusText", capnweb_number(1)) },
        { member("status", capnweb_number(200)), member("headers", capnweb_cstring("a: b")) },
        { member("status", capnweb_number(200)), member("headers", capnweb_array(pairs, 1)) },
        { member("status", capnweb_number(200)), member("body", capnweb_boolean(true)) },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        const struct capnweb_value value = capnweb_object(rows[i], 2);
        struct exchange_response to;
        struct cm_error err = CM_ERROR_INIT;

        assert_int_equal(exchange_take_response(&value, &to, &err), CM_E_INVAL);
        assert_true(strlen(err.text) > 0);
        exchange_response_done(&to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_values_are_json),
        cmocka_unit_test(what_is_no_plain_data_is_refused_by_the_name_of_its_member),
        cmocka_unit_test(an_answer_counts_as_a_frame_of_json),
        cmocka_unit_test(a_request_of_a_program_crosses_as_plain_data),
        cmocka_unit_test(a_response_of_a_caller_is_read),
        cmocka_unit_test(what_is_no_response_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
