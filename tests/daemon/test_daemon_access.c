/* Origins, hosts and tokens. */
#include "base/cleanup.h"
#include "daemon/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char allowed[] = "https://one.example,http://two.example:8080";

static void an_origin_is_allowed_by_its_whole_name_in_any_case(void **state)
{
    (void)state;
    assert_true(access_origin(allowed, "https://one.example"));
    assert_true(access_origin(allowed, "HTTP://Two.Example:8080"));
    assert_false(access_origin(allowed, "http://two.example"));
    assert_false(access_origin(allowed, "https://one.example.evil"));
    assert_false(access_origin(allowed, "https://one"));
    assert_false(access_origin(allowed, ""));
    assert_false(access_origin(allowed, "null"));
    assert_false(access_origin("", "https://one.example"));
}

static void only_a_page_of_the_same_host_and_port_is_of_the_same_origin(void **state)
{
    (void)state;
    assert_true(access_same_origin("127.0.0.1:8081", "http://127.0.0.1:8081"));
    assert_false(access_same_origin("127.0.0.1:8081", "http://127.0.0.1:8080"));
    assert_false(access_same_origin("127.0.0.1:8081", "https://127.0.0.1:8081"));
    assert_false(access_same_origin("", "null"));
}

static void a_host_is_this_machine_by_address_or_name_with_any_port(void **state)
{
    (void)state;
    assert_true(access_host("127.0.0.1", "127.0.0.1", "x"));
    assert_true(access_host("127.0.0.1:8081", "127.0.0.1", "x"));
    assert_true(access_host("LocalHost:9", "127.0.0.1", "x"));
    assert_true(access_host("[::1]:8081", "::1", "x"));
    assert_true(access_host("admin.internal:8081", "10.0.0.7", "admin.internal"));
    assert_false(access_host("evil.example:8081", "127.0.0.1", "0.0.0.0"));
    assert_false(access_host("localhost.evil.example", "127.0.0.1", "x"));
    assert_false(access_host("127.0.0.1.evil.example", "127.0.0.1", "x"));
    assert_false(access_host("[::1", "::1", "x"));
    assert_false(access_host("", "", ""));
    assert_false(access_host(":8081", "127.0.0.1", ""));
}

static void a_token_is_right_as_a_whole_only(void **state)
{
    (void)state;
    assert_true(access_token("0123456789abcdef", "0123456789abcdef", 16));
    assert_false(access_token("0123456789abcdef", "0123456789abcdeF", 16));
    assert_false(access_token("0123456789abcdef", "0123456789abcde", 15));
    assert_false(access_token("0123456789abcdef", "0123456789abcdef0", 17));
    assert_false(access_token("0123456789abcdef", "", 0));
}

static void a_bearer_token_follows_its_scheme(void **state)
{
    (void)state;
    assert_string_equal(access_bearer("Bearer abc"), "abc");
    assert_string_equal(access_bearer("bearer abc"), "abc");
    assert_null(access_bearer("Basic abc"));
    assert_null(access_bearer("abc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_origin_is_allowed_by_its_whole_name_in_any_case),
        cmocka_unit_test(only_a_page_of_the_same_host_and_port_is_of_the_same_origin),
        cmocka_unit_test(a_host_is_this_machine_by_address_or_name_with_any_port),
        cmocka_unit_test(a_token_is_right_as_a_whole_only),
        cmocka_unit_test(a_bearer_token_follows_its_scheme),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
