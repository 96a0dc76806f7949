/* Recording failures: the first is the cause. */
#include "base/fail.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_failure_stores_code_errno_and_sentence_and_returns_the_code(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(cm_fail(&err, CM_E_LIMIT, 0, "%s has %d bytes", "code", 7), CM_E_LIMIT);
    assert_int_equal(err.code, CM_E_LIMIT);
    assert_int_equal(err.sys_errno, 0);
    assert_string_equal(err.text, "code has 7 bytes");
}

static void the_first_failure_is_kept_and_later_ones_return_their_own_code(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    cm_fail(&err, CM_E_NOMEM, 0, "the cause");
    assert_int_equal(cm_fail(&err, CM_E_SYSTEM, EIO, "a consequence"), CM_E_SYSTEM);
    assert_int_equal(err.code, CM_E_NOMEM);
    assert_int_equal(err.sys_errno, 0);
    assert_string_equal(err.text, "the cause");
}

static void what_errno_means_follows_the_sentence(void **state)
{
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(cm_fail(&err, CM_E_SYSTEM, ENOENT, "open %s", "a.js"), CM_E_SYSTEM);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_string_equal(err.text, "open a.js: No such file or directory");
}

static void a_failure_needs_no_place_to_be_stored(void **state)
{
    (void)state;
    assert_int_equal(cm_fail(NULL, CM_E_STATE, EIO, "nobody reads this"), CM_E_STATE);
}

static void a_long_sentence_is_cut_at_the_end_of_its_place(void **state)
{
    struct cm_error err = CM_ERROR_INIT;
    char longer[2 * sizeof(err.text)];

    (void)state;
    memset(longer, 'x', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    assert_int_equal(cm_fail(&err, CM_E_INVAL, ENOENT, "%s", longer), CM_E_INVAL);
    assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
    assert_memory_equal(err.text, longer, sizeof(err.text) - 1);
}

/* One length after the other, across the point where ": " and the meaning of
 * errno stop to fit. */
static void the_meaning_of_errno_never_leaves_its_place(void **state)
{
    static const char meaning[] = ": No such file or directory";
    char text[sizeof(((struct cm_error *)0)->text)];

    (void)state;
    for (size_t len = sizeof(text) - 40; len < sizeof(text); len++) {
        struct cm_error err = CM_ERROR_INIT;

        memset(text, 'x', len);
        text[len] = '\0';
        cm_fail(&err, CM_E_SYSTEM, ENOENT, "%s", text);
        assert_true(strlen(err.text) < sizeof(err.text));
        assert_memory_equal(err.text, text, len);
        assert_int_equal(strncmp(err.text + len, meaning, strlen(err.text + len)), 0);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_stores_code_errno_and_sentence_and_returns_the_code),
        cmocka_unit_test(the_first_failure_is_kept_and_later_ones_return_their_own_code),
        cmocka_unit_test(what_errno_means_follows_the_sentence),
        cmocka_unit_test(a_failure_needs_no_place_to_be_stored),
        cmocka_unit_test(a_long_sentence_is_cut_at_the_end_of_its_place),
        cmocka_unit_test(the_meaning_of_errno_never_leaves_its_place),
    };

    return cmocka_run_group_tests_name("fail", tests, NULL, NULL);
}
