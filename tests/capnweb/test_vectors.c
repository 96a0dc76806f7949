/* The vectors of the interoperability kit: what the reference decodes, encodes and
 * refuses. argv[1] is the directory of the kit; without it the tests are skipped. */
#include "script.h"

#include "describe.h"
#include "target.h"

#include "base/cleanup.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static json_t *vectors;

static const char *text_of(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

/* The peer's answer to a call of ours is the expression. */
static void resolve(struct script *script, const char *expression)
{
    CM_AUTO_FREE char *message = NULL;

    assert_int_equal(capnweb_invoke(script->peer, "x", NULL, 0, script_outcome, script, NULL), 0);
    assert_true(asprintf(&message, "[\"resolve\",1,%s]", expression) > 0);
    script_feed(script, message);
}

static void each_expression_is_decoded_as_the_reference_does(void **state)
{
    json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "decode"), i, row)
    {
        struct script script;

        script_start(&script, NULL);
        resolve(&script, text_of(row, "wire"));
        assert_int_equal(script.outcomes, 1);
        assert_false(script.rejected);
        assert_string_equal(script.described, text_of(row, "describe"));
        script_end(&script);
    }
    assert_int_equal(i, 110);
}

static void each_malformed_expression_ends_the_session(void **state)
{
    json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "invalid"), i, row)
    {
        struct script script;

        script_start(&script, NULL);
        resolve(&script, json_string_value(row));
        if (script.how != CAPNWEB_END_FAULT || !script.ended)
            fail_msg("accepted: %.80s", json_string_value(row));
        assert_int_equal(script.outcomes, 1); /* the call fails with the reason */
        assert_true(script.rejected);
        script_end(&script);
    }
    assert_int_equal(i, 61);
}

/* The answer of "echo" to what the peer writes. */
static void check_echo(const char *sent, const char *expected)
{
    CM_AUTO_FREE char *push = NULL;
    CM_AUTO_FREE char *answer = NULL;
    struct script script;

    assert_true(asprintf(&push, "[\"push\",[\"pipeline\",0,[\"echo\"],[%s]]]", sent) > 0);
    assert_true(asprintf(&answer, "[\"resolve\",1,%s]", expected) > 0);
    script_start(&script, NULL);
    script_feed(&script, push);
    script_feed(&script, "[\"pull\",1]");
    script_expect(&script, answer);
    script_end(&script);
}

static void each_value_is_written_as_the_reference_does(void **state)
{
    json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "encode"), i, row)
    {
        const char *wire = text_of(row, "wire");

        /* The one difference: our text is UTF-8, which has no half of a pair. */
        check_echo(wire, strcmp(wire, "\"\\ud800\"") == 0 ? "\"\xEF\xBF\xBD\"" : wire);
    }
    assert_int_equal(i, 51);
}

static void each_value_made_here_is_written_as_the_reference_does(void **state)
{
    json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "encode"), i, row)
    {
        const char *kind = text_of(row, "kind");
        const struct capnweb_value name = capnweb_cstring(kind == NULL ? "" : kind);
        CM_AUTO_FREE char *expected = NULL;
        struct capnweb_value args[1];
        struct script script;

        if (kind == NULL)
            continue;
        args[0] = *target_made(&name);
        script_start(&script, NULL);
        assert_int_equal(capnweb_invoke(script.peer, "f", args, 1, script_outcome, &script, NULL),
                         0);
        assert_true(asprintf(&expected, "[\"push\",[\"pipeline\",0,[\"f\"],[%s]]]",
                             text_of(row, "wire")) > 0);
        script_expect(&script, expected);
        script_end(&script);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_expression_is_decoded_as_the_reference_does),
        cmocka_unit_test(each_malformed_expression_ends_the_session),
        cmocka_unit_test(each_value_is_written_as_the_reference_does),
        cmocka_unit_test(each_value_made_here_is_written_as_the_reference_does),
    };
    CM_AUTO_FREE char *path = NULL;
    const char *must_work = getenv("CM_MUST_WORK");
    int failures;

    if (argc != 2 || asprintf(&path, "%s/vectors.json", argv[1]) < 0)
        return 2;
    vectors = json_load_file(path, 0, NULL);
    if (vectors == NULL) {
        fprintf(stderr, "skipped: %s is not there\n", path);
        return must_work != NULL && strcmp(must_work, "1") == 0 ? 1 : 77;
    }
    failures = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(vectors);
    return failures;
}
