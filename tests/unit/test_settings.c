/* Settings: every row of src/tables/settings.def. */
#include "codemode/executor.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct cm_settings *settings;

static int make(void **state)
{
    (void)state;
    settings = cm_settings_new();
    return settings == NULL;
}

static int unmake(void **state)
{
    (void)state;
    cm_settings_free(settings);
    return 0;
}

/* A text or a word: not a number. */
static bool is_text(const struct cm_setting_info *info)
{
    return strcmp(info->unit, "text") == 0 || strcmp(info->unit, "word") == 0;
}

static const char *number(uint64_t value)
{
    static char text[32];

    snprintf(text, sizeof(text), "%" PRIu64, value);
    return text;
}

static void accepts(const struct cm_setting_info *info, uint64_t value)
{
    struct cm_error err = CM_ERROR_INIT;

    assert_int_equal(cm_settings_set(settings, info->name, number(value), &err), 0);
    assert_string_equal(cm_settings_get(settings, info->name), number(value));
}

static void refuses(const struct cm_setting_info *info, const char *value)
{
    struct cm_error err = CM_ERROR_INIT;
    char before[64];

    snprintf(before, sizeof(before), "%s", cm_settings_get(settings, info->name));
    assert_int_equal(cm_settings_set(settings, info->name, value, &err), CM_E_INVAL);
    assert_non_null(strstr(err.text, info->name));
    assert_non_null(strstr(err.text, value));
    assert_string_equal(cm_settings_get(settings, info->name), before);
}

static void each_row_begins_with_its_default(void **state)
{
    const struct cm_setting_info *info;

    (void)state;
    for (size_t i = 0; (info = cm_setting_info(i)) != NULL; i++) {
        if (is_text(info))
            continue;
        if (info->initial < info->min)
            assert_string_equal(cm_settings_get(settings, info->name), "none");
        else
            assert_string_equal(cm_settings_get(settings, info->name), number(info->initial));
        assert_true(strlen(info->help) > 0);
    }
}

static void each_row_takes_its_bounds_and_nothing_beyond(void **state)
{
    const struct cm_setting_info *info;

    (void)state;
    for (size_t i = 0; (info = cm_setting_info(i)) != NULL; i++) {
        if (is_text(info))
            continue;
        accepts(info, info->min);
        accepts(info, info->max);
        if (info->min > 0)
            refuses(info, number(info->min - 1));
        refuses(info, number(info->max + 1));
    }
}

static void each_row_refuses_what_is_no_whole_number(void **state)
{
    static const char *const values[] = {
        "", "-1", "+1", " 1", "1 ", "1.5", "1e3", "64k", "0x10", "99999999999999999999999",
    };
    const struct cm_setting_info *info;

    (void)state;
    for (size_t i = 0; (info = cm_setting_info(i)) != NULL; i++)
        for (size_t j = 0; !is_text(info) && j < sizeof(values) / sizeof(values[0]); j++)
            refuses(info, values[j]);
}

static void each_row_of_words_takes_its_words_and_nothing_else(void **state)
{
    const struct cm_setting_info *info;
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    for (size_t i = 0; (info = cm_setting_info(i)) != NULL; i++) {
        assert_int_equal(info->words != NULL, strcmp(info->unit, "word") == 0);
        for (size_t j = 0; info->words != NULL && info->words[j] != NULL; j++) {
            assert_int_equal(cm_settings_set(settings, info->name, info->words[j], &err), 0);
            assert_string_equal(cm_settings_get(settings, info->name), info->words[j]);
        }
    }
    assert_int_equal(cm_settings_set(settings, "OUTBOUND_MODE", "PUBLIC", &err), CM_E_INVAL);
    assert_string_equal(err.text, "OUTBOUND_MODE is 'PUBLIC', but takes public, open or null");
    assert_string_equal(cm_settings_get(settings, "OUTBOUND_MODE"), "null");
}

static void a_row_without_default_takes_none(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(cm_settings_set(settings, "MAX_TIMEOUT_MS", "500", &err), 0);
    assert_string_equal(cm_settings_get(settings, "MAX_TIMEOUT_MS"), "500");
    assert_int_equal(cm_settings_set(settings, "MAX_TIMEOUT_MS", "none", &err), 0);
    assert_string_equal(cm_settings_get(settings, "MAX_TIMEOUT_MS"), "none");
    assert_int_equal(cm_settings_set(settings, "MAX_WALL_MS", "none", &err), CM_E_INVAL);
}

static void a_refusal_says_what_is_accepted(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(cm_settings_set(settings, "MEMORY_LIMIT_MB", "lots", &err), CM_E_INVAL);
    assert_string_equal(err.text, "MEMORY_LIMIT_MB is 'lots', but takes a whole number of MB from "
                                  "16 to 65,536");
    err = (struct cm_error)CM_ERROR_INIT;
    assert_int_equal(cm_settings_set(settings, "WORKERS_MAX", "0", &err), CM_E_INVAL);
    assert_string_equal(err.text, "WORKERS_MAX is '0', but takes a whole number from 1 to 4,096");
    err = (struct cm_error)CM_ERROR_INIT;
    assert_int_equal(cm_settings_set(settings, "MAX_TIMEOUT_MS", "0", &err), CM_E_INVAL);
    assert_string_equal(err.text, "MAX_TIMEOUT_MS is '0', but takes a whole number of ms from 1 to "
                                  "86,400,000, or none");
}

static void an_unknown_name_is_refused(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(cm_settings_set(settings, "MEMORY_LIMIT", "1", &err), CM_E_INVAL);
    assert_string_equal(err.text, "no setting is called 'MEMORY_LIMIT'");
    assert_null(cm_settings_get(settings, "MEMORY_LIMIT"));
}

static void the_worker_path_is_text(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_true(strlen(cm_settings_get(settings, "WORKER_PATH")) > 0);
    assert_int_equal(cm_settings_set(settings, "WORKER_PATH", "/elsewhere/worker", &err), 0);
    assert_string_equal(cm_settings_get(settings, "WORKER_PATH"), "/elsewhere/worker");
    assert_int_equal(cm_settings_set(settings, "WORKER_PATH", "", &err), CM_E_INVAL);
    assert_string_equal(cm_settings_get(settings, "WORKER_PATH"), "/elsewhere/worker");
}

static void a_null_changes_nothing(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(cm_settings_set(NULL, "WORKERS_MAX", "1", &err), CM_E_INVAL);
    assert_int_equal(cm_settings_set(settings, NULL, "1", NULL), CM_E_INVAL);
    assert_int_equal(cm_settings_set(settings, "WORKERS_MAX", NULL, NULL), CM_E_INVAL);
    assert_null(cm_settings_get(NULL, "WORKERS_MAX"));
    assert_null(cm_settings_get(settings, NULL));
    cm_settings_free(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_row_begins_with_its_default, make, unmake),
        cmocka_unit_test_setup_teardown(each_row_takes_its_bounds_and_nothing_beyond, make, unmake),
        cmocka_unit_test_setup_teardown(each_row_refuses_what_is_no_whole_number, make, unmake),
        cmocka_unit_test_setup_teardown(each_row_of_words_takes_its_words_and_nothing_else, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_row_without_default_takes_none, make, unmake),
        cmocka_unit_test_setup_teardown(a_refusal_says_what_is_accepted, make, unmake),
        cmocka_unit_test_setup_teardown(an_unknown_name_is_refused, make, unmake),
        cmocka_unit_test_setup_teardown(the_worker_path_is_text, make, unmake),
        cmocka_unit_test_setup_teardown(a_null_changes_nothing, make, unmake),
    };

    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
