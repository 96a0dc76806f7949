/* The URL parser: a row a rule, as a person would check it by hand. The whole
 * standard is checked by the web-platform-tests. */
#include "worker/url.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { UNITS_MAX = 256 };

/* Latin-1 text as UTF-16. */
struct wide {
    uint16_t units[UNITS_MAX];
};

static struct url_text widen(const char *text, struct wide *wide)
{
    size_t len = strlen(text);

    assert_true(len <= UNITS_MAX);
    for (size_t i = 0; i < len; i++)
        wide->units[i] = (uint8_t)text[i];
    return (struct url_text){ wide->units, len };
}

static void check_href(const struct url *url, const char *expected)
{
    uint32_t offsets[URL_OFFSETS];
    struct cm_buf href;

    cm_buf_init(&href, 4096);
    assert_int_equal(url_write(url, &href, offsets), 0);
    assert_int_equal(cm_buf_append(&href, "", 1), 0);
    assert_string_equal((const char *)cm_buf_bytes(&href), expected);
    for (size_t i = 1; i < URL_OFFSETS; i++)
        assert_true(offsets[i] >= offsets[i - 1] && offsets[i] < href.len);
    cm_buf_done(&href);
}

/* `expected` NULL: the text is no URL. */
static void check_parse(const char *text, const char *base, const char *expected)
{
    struct wide wide;
    struct wide wide_base;
    struct url url;
    struct url base_url;
    int r;

    url_init(&url);
    url_init(&base_url);
    if (base != NULL)
        assert_int_equal(url_parse(&base_url, widen(base, &wide_base), NULL), 0);
    r = url_parse(&url, widen(text, &wide), base == NULL ? NULL : &base_url);
    if (expected == NULL)
        assert_int_equal(r, CM_E_INVAL);
    else
        check_href(&url, expected);
    url_done(&base_url);
    url_done(&url);
}

static void absolute_urls_are_normalized(void **state)
{
    (void)state;
    check_parse(" HTTP://User:pw@EXAMPLE.com:80/a/./b/../c d?q=\"x\"#f g\n", NULL,
                "http://User:pw@example.com/a/c%20d?q=%22x%22#f%20g");
    check_parse("https:example.org", NULL, "https://example.org/");
    check_parse("ht\ntps://a\tb/", NULL, "https://ab/");
    check_parse("mailto:x@y z", NULL, "mailto:x@y z");
    check_parse("data:a  #f", NULL, "data:a %20#f");
    check_parse("web+x:/..//p", NULL, "web+x:/.//p");
    check_parse("file:///C|/x/..", NULL, "file:///C:/");
    check_parse("file://localhost/x", NULL, "file:///x");
}

static void relative_urls_take_the_rest_from_their_base(void **state)
{
    static const char base[] = "https://u@h:8443/a/b?q#f";

    (void)state;
    check_parse("", base, "https://u@h:8443/a/b?q");
    check_parse("?z", base, "https://u@h:8443/a/b?z");
    check_parse("#z", base, "https://u@h:8443/a/b?q#z");
    check_parse("c", base, "https://u@h:8443/a/c");
    check_parse("../../c", base, "https://u@h:8443/c");
    check_parse("\\c", base, "https://u@h:8443/c");
    check_parse("//i/c", base, "https://i/c");
    check_parse("x", "mailto:a", NULL);
    check_parse("#x", "mailto:a", "mailto:a#x");
    check_parse("/x", "file:///C:/a", "file:///C:/x");
}

static void a_text_that_is_no_url_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "/x",
        "//h",
        "1http://h",
        "http://",
        "http://h:65536",
        "http://a b",
        "http://a%00",
        "http://@",
        "http://[1::2::3]",
        "http://[1:2:3:4:5:6:7]",
        "http://1.2.3.256",
        "http://0x1.0x2.0x3.0x4.0x5",
        "http://xn--a",
        "x://a^b",
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(texts); i++)
        check_parse(texts[i], NULL, NULL);
}

static void hosts_are_names_or_addresses(void **state)
{
    (void)state;
    check_parse("http://0x7f.1", NULL, "http://127.0.0.1/");
    check_parse("http://4294967295", NULL, "http://255.255.255.255/");
    check_parse("http://[1:0:0:2:0:0:0:3]", NULL, "http://[1:0:0:2::3]/");
    check_parse("http://[::ffff:1.2.3.4]", NULL, "http://[::ffff:102:304]/");
    check_parse("http://b\xfc"
                "cher.de",
                NULL, "http://xn--bcher-kva.de/");
    check_parse("http://%45xample", NULL, "http://example/");
    check_parse("x://%45xample", NULL, "x://%45xample");
}

static void setters_change_one_part_or_nothing(void **state)
{
    static const struct {
        enum url_field field;
        const char *value;
        const char *href;
    } rows[] = {
        { URL_PROTOCOL, "http", "http://u@h:81/p?q#f" },
        { URL_PROTOCOL, "mailto", "https://u@h:81/p?q#f" },
        { URL_USERNAME, "a:b", "https://a%3Ab@h:81/p?q#f" },
        { URL_PASSWORD, "x", "https://u:x@h:81/p?q#f" },
        { URL_HOST, "i:443", "https://u@i/p?q#f" },
        { URL_HOSTNAME, "i:82", "https://u@h:81/p?q#f" },
        { URL_PORT, "90x", "https://u@h:90/p?q#f" },
        { URL_PORT, "", "https://u@h/p?q#f" },
        { URL_PATHNAME, "a?b", "https://u@h:81/a%3Fb?q#f" },
        { URL_SEARCH, "?x y", "https://u@h:81/p?x%20y#f" },
        { URL_SEARCH, "", "https://u@h:81/p#f" },
        { URL_HASH, "", "https://u@h:81/p?q" },
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct wide wide;
        struct url url;

        url_init(&url);
        assert_int_equal(url_parse(&url, widen("https://u@h:81/p?q#f", &wide), NULL), 0);
        url_set(&url, rows[i].field, widen(rows[i].value, &wide));
        check_href(&url, rows[i].href);
        url_done(&url);
    }
}

static void percent_decoding_leaves_what_is_not_encoded(void **state)
{
    uint8_t bytes[] = "a%20b%2x%4+%";
    size_t len = url_percent_decode(bytes, sizeof(bytes) - 1, true);

    (void)state;
    assert_int_equal(len, 10);
    assert_memory_equal(bytes, "a b%2x%4 %", len);
}

static void a_lone_surrogate_counts_as_the_replacement_character(void **state)
{
    static const uint16_t units[] = { 0xd800, 'a', 0xd83d, 0xde00 };
    struct cm_buf to;

    (void)state;
    cm_buf_init(&to, 100);
    assert_int_equal(url_encode((struct url_text){ units, 4 }, URL_SET_C0, &to), 0);
    assert_int_equal(to.len, 22);
    assert_memory_equal(cm_buf_bytes(&to), "%EF%BF%BDa%F0%9F%98%80", to.len);
    cm_buf_done(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absolute_urls_are_normalized),
        cmocka_unit_test(relative_urls_take_the_rest_from_their_base),
        cmocka_unit_test(a_text_that_is_no_url_is_refused),
        cmocka_unit_test(hosts_are_names_or_addresses),
        cmocka_unit_test(setters_change_one_part_or_nothing),
        cmocka_unit_test(percent_decoding_leaves_what_is_not_encoded),
        cmocka_unit_test(a_lone_surrogate_counts_as_the_replacement_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
