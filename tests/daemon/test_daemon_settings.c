/* Settings of the daemon: every row of src/tables/daemon.def. */
#include "daemon/settings.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct daemon_settings *settings;

static int make(void **state)
{
    (void)state;
    settings = daemon_settings_new();
    return settings == NULL;
}

static int unmake(void **state)
{
    (void)state;
    daemon_settings_free(settings);
    return 0;
}

static struct daemon_shown shown(const char *name)
{
    struct daemon_shown row;

    for (size_t i = 0; daemon_settings_show(settings, i, &row); i++)
        if (strcmp(row.name, name) == 0)
            return row;
    fail_msg("%s is not shown", name);
    return row;
}

static int set(const char *name, const char *value)
{
    struct cm_error err = CM_ERROR_INIT;
    int r = daemon_settings_set(settings, name, value, DAEMON_FLAG, &err);

    if (r < 0) {
        assert_int_equal(r, CM_E_INVAL);
        assert_non_null(strstr(err.text, name));
        assert_non_null(strstr(err.text, "but takes"));
    }
    return r;
}

static const char *number(uint64_t value)
{
    static char text[32];

    snprintf(text, sizeof(text), "%" PRIu64, value);
    return text;
}

static void every_number_takes_its_bounds_and_nothing_past_them(void **state)
{
    const struct cm_setting_info *info;

    (void)state;
    for (size_t i = 0; (info = daemon_setting_info(i)) != NULL; i++) {
        if (strcmp(info->unit, "text") == 0)
            continue;
        assert_int_equal(set(info->name, number(info->min)), 0);
        assert_string_equal(shown(info->name).value, number(info->min));
        assert_int_equal(set(info->name, number(info->max)), 0);
        assert_string_equal(shown(info->name).source, "flag");
        assert_int_equal(set(info->name, number(info->max + 1)), CM_E_INVAL);
        if (info->min > 0)
            assert_int_equal(set(info->name, number(info->min - 1)), CM_E_INVAL);
        assert_int_equal(set(info->name, "1x"), CM_E_INVAL);
        assert_int_equal(set(info->name, ""), CM_E_INVAL);
        assert_string_equal(shown(info->name).value, number(info->max));
    }
}

static void every_default_is_shown_as_one(void **state)
{
    const struct cm_setting_info *info;

    (void)state;
    for (size_t i = 0; (info = daemon_setting_info(i)) != NULL; i++) {
        assert_string_equal(shown(info->name).source, "default");
        if (strcmp(info->unit, "text") == 0)
            assert_string_equal(shown(info->name).value, daemon_setting_initial(i).text);
    }
}

static void texts_are_checked(void **state)
{
    static const char *const rows[][3] = {
        { "HOST", "::1", "" },
        { "ADMIN_HOST", "localhost", "two words" },
        { "AUTH_TOKEN", "0123456789abcdef", "0123456789abcde" },
        { "AUTH_TOKEN_FILE", "/run/token", "" },
        { "ALLOWED_ORIGINS", "https://a.example", "https://a.example/" },
        { "ALLOWED_ORIGINS", "https://a.example,http://b:1", "https://a.example," },
        { "ALLOWED_ORIGINS", "app://x", "://x" },
        { "LOG_LEVEL", "error", "ERROR" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(set(rows[i][0], rows[i][1]), 0);
        assert_int_equal(set(rows[i][0], rows[i][2]), CM_E_INVAL);
    }
}

static void a_secret_is_shown_masked_and_not_repeated(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(set("AUTH_TOKEN", "0123456789abcdef"), 0);
    assert_string_equal(shown("AUTH_TOKEN").value, "********");
    assert_int_equal(daemon_settings_set(settings, "AUTH_TOKEN", "oh no", DAEMON_ENVIRONMENT, &err),
                     CM_E_INVAL);
    assert_null(strstr(err.text, "oh no"));
}

static void settings_of_the_executor_are_among_them(void **state)
{
    (void)state;
    assert_int_equal(set("MEMORY_LIMIT_MB", "64"), 0);
    assert_string_equal(shown("MEMORY_LIMIT_MB").value, "64");
    assert_string_equal(shown("MEMORY_LIMIT_MB").source, "flag");
    assert_string_equal(shown("QUEUE_LIMIT").source, "default");
}

static void what_has_no_value_is_none(void **state)
{
    (void)state;
    assert_string_equal(shown("RESPONSE_LIMIT_BYTES").value, "none");
    assert_int_equal(set("RESPONSE_LIMIT_BYTES", "4096"), 0);
    assert_int_equal(set("RESPONSE_LIMIT_BYTES", "none"), 0);
    assert_string_equal(shown("RESPONSE_LIMIT_BYTES").value, "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_number_takes_its_bounds_and_nothing_past_them, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(every_default_is_shown_as_one, make, unmake),
        cmocka_unit_test_setup_teardown(texts_are_checked, make, unmake),
        cmocka_unit_test_setup_teardown(a_secret_is_shown_masked_and_not_repeated, make, unmake),
        cmocka_unit_test_setup_teardown(settings_of_the_executor_are_among_them, make, unmake),
        cmocka_unit_test_setup_teardown(what_has_no_value_is_none, make, unmake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
