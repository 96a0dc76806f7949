/* URLs taken apart, and the rules of redirects. */
#include "executor/target.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct target parse(const char *url, const char *base)
{
    struct target target;

    assert_int_equal(target_parse(url, base, &target), 0);
    return target;
}

static void expect_parts(const char *url, const char *scheme, const char *host, const char *port)
{
    struct target target = parse(url, NULL);

    assert_string_equal(target.scheme, scheme);
    assert_string_equal(target.host, host);
    assert_string_equal(target.port, port);
    target_done(&target);
}

static void a_url_is_taken_apart(void **state)
{
    (void)state;
    expect_parts("http://example.com/a?b#c", "http", "example.com", "80");
    expect_parts("https://example.com:8443", "https", "example.com", "8443");
    expect_parts("HTTPS://[2001:db8::1]/", "https", "[2001:db8::1]", "443");
    expect_parts("http://0x7f.1/", "http", "127.0.0.1", "80");
    expect_parts("http://2130706433/", "http", "127.0.0.1", "80");
}

static void a_fragment_is_not_sent(void **state)
{
    struct target target = parse("http://example.com/a?b#c", NULL);

    (void)state;
    assert_string_equal(target.url, "http://example.com/a?b");
    target_done(&target);
}

static void what_is_no_url_of_a_host_is_refused(void **state)
{
    static const char *const urls[] = { "",
                                        "/a",
                                        "http://",
                                        "data:,abc",
                                        "file:///etc",
                                        "http://a b/",
                                        "http://b\u00fccher.example/",
                                        "http://a:99999/" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(urls); i++) {
        struct target target = { 0 };

        if (target_parse(urls[i], NULL, &target) != CM_E_INVAL)
            fail_msg("'%s' is taken", urls[i]);
        assert_null(target.url);
    }
}

static void only_http_is_http(void **state)
{
    static const struct {
        const char *url;
        bool http;
    } rows[] = {
        { "http://h/", true },    { "https://h/", true }, { "ftp://h/", false },
        { "gopher://h/", false }, { "ws://h/", false },   { "httpx://h/", false },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct target target = parse(rows[i].url, NULL);

        assert_int_equal(target_is_http(&target), rows[i].http);
        target_done(&target);
    }
}

static void credentials_are_seen(void **state)
{
    static const struct {
        const char *url;
        bool credentials;
    } rows[] = {
        { "http://h/", false },      { "http://user@h/", true },   { "http://user:pass@h/", true },
        { "http://:pass@h/", true }, { "http://h/user@h", false },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct target target = parse(rows[i].url, NULL);

        assert_int_equal(target.credentials, rows[i].credentials);
        target_done(&target);
    }
}

static void an_address_is_told_from_a_name(void **state)
{
    static const struct {
        const char *url;
        bool address;
    } rows[] = {
        { "http://127.0.0.1/", true },  { "http://[::1]/", true },
        { "http://1.example/", false }, { "http://localhost/", false },
        { "http://a.b.c/", false },     { "http://127.1/", true },
        { "http://1.2.3.4.5/", false }, { "http://1.2.3.4.5/", false },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct target target = parse(rows[i].url, NULL);

        assert_int_equal(target_is_address(&target), rows[i].address);
        target_done(&target);
    }
}

static void a_location_is_resolved_against_the_url_it_came_from(void **state)
{
    static const struct {
        const char *location;
        const char *url;
    } rows[] = {
        { "/x", "https://h:1/x" },       { "x", "https://h:1/a/x" },
        { "../x?y", "https://h:1/x?y" }, { "//other/x", "https://other/x" },
        { "?q", "https://h:1/a/b?q" },   { "http://other/", "http://other/" },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct target target = parse(rows[i].location, "https://h:1/a/b?c");

        assert_string_equal(target.url, rows[i].url);
        target_done(&target);
    }
}

static void an_origin_is_scheme_host_and_port(void **state)
{
    static const struct {
        const char *url;
        bool same;
    } rows[] = {
        { "http://h/other", true }, { "http://h:80/", true },  { "http://H/", true },
        { "https://h/", false },    { "http://h:81/", false }, { "http://h.example/", false },
    };
    struct target from = parse("http://h/a", NULL);

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct target target = parse(rows[i].url, NULL);

        assert_int_equal(target_same_origin(&from, &target), rows[i].same);
        target_done(&target);
    }
    target_done(&from);
}

static void redirects_are_five_statuses(void **state)
{
    (void)state;
    for (unsigned status = 200; status < 600; status++)
        assert_int_equal(redirect_status(status), status == 301 || status == 302 || status == 303 ||
                                                      status == 307 || status == 308);
}

static void a_redirect_changes_the_method_as_the_fetch_standard_says(void **state)
{
    static const struct {
        unsigned status;
        const char *method;
        bool get;
    } rows[] = {
        { 301, "POST", true },  { 302, "POST", true },  { 301, "PUT", false },
        { 302, "HEAD", false }, { 303, "POST", true },  { 303, "DELETE", true },
        { 303, "GET", false },  { 303, "HEAD", false }, { 307, "POST", false },
        { 308, "POST", false }, { 301, "post", false },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        assert_int_equal(redirect_makes_get(rows[i].status, rows[i].method), rows[i].get);
}

static void headers_of_the_body_go_with_it_and_secrets_stay_with_their_origin(void **state)
{
    (void)state;
    assert_true(redirect_drops_header("Content-Type", true, false));
    assert_false(redirect_drops_header("Content-Type", false, true));
    assert_true(redirect_drops_header("content-encoding", true, false));
    assert_true(redirect_drops_header("Authorization", false, true));
    assert_true(redirect_drops_header("Cookie", false, true));
    assert_false(redirect_drops_header("Authorization", true, false));
    assert_false(redirect_drops_header("X-Key", true, true));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_url_is_taken_apart),
        cmocka_unit_test(a_fragment_is_not_sent),
        cmocka_unit_test(what_is_no_url_of_a_host_is_refused),
        cmocka_unit_test(only_http_is_http),
        cmocka_unit_test(credentials_are_seen),
        cmocka_unit_test(an_address_is_told_from_a_name),
        cmocka_unit_test(a_location_is_resolved_against_the_url_it_came_from),
        cmocka_unit_test(an_origin_is_scheme_host_and_port),
        cmocka_unit_test(redirects_are_five_statuses),
        cmocka_unit_test(a_redirect_changes_the_method_as_the_fetch_standard_says),
        cmocka_unit_test(headers_of_the_body_go_with_it_and_secrets_stay_with_their_origin),
    };

    return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
