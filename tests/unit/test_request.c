/* Requests, as JSON and as structures: what is accepted and what is said of the
 * rest. */
#include "base/cleanup.h"
#include "executor/identifier.h"
#include "executor/request.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct cm_request *parse(const char *json)
{
    struct cm_request *request = NULL;
    struct cm_error err = CM_ERROR_INIT;

    if (cm_request_parse(json, strlen(json), &request, &err) < 0)
        fail_msg("%s: %s", json, err.text);
    return request;
}

static void a_request_of_every_field_is_read(void **state)
{
    struct cm_request *request = parse(
        "{\"code\": \"() => 1\", \"timeout\": 1.5, \"countHostWaits\": true, "
        "\"providers\": [{\"name\": \"store\", \"tools\": [\"a\", \"b\"]}, {\"name\": \"é\"}], "
        "\"modules\": {\"a.js\": \"export {}\", \"b\": {\"data\": {\"data\": \"AQID/w==\", "
        "\"__codemode_binary_v1__\": \"Uint8Array\"}}}, \"language\": \"typescript\", "
        "\"outbound\": null, \"retainHandles\": false, \"requestId\": \"7\"}");

    (void)state;
    assert_string_equal(request->code, "() => 1");
    assert_int_equal(request->code_bytes, 7);
    assert_true(request->timeout_ms == 1.5);
    assert_int_equal(request->count_host_waits, 1);
    assert_int_equal(request->provider_count, 2);
    assert_string_equal(request->providers[0].name, "store");
    assert_int_equal(request->providers[0].tool_count, 2);
    assert_string_equal(request->providers[0].tools[1], "b");
    assert_int_equal(request->providers[1].tool_count, 0);
    assert_int_equal(request->struct_bytes, sizeof(*request));
    assert_int_equal(request->language, CM_LANGUAGE_TYPESCRIPT);
    assert_int_equal(request->module_count, 2);
    assert_string_equal(request->modules[0].specifier, "a.js");
    assert_int_equal(request->modules[0].kind, CM_MODULE_ESM);
    assert_int_equal(request->modules[0].source_bytes, 9);
    assert_int_equal(request->modules[1].kind, CM_MODULE_DATA);
    assert_int_equal(request->modules[1].source_bytes, 4);
    assert_memory_equal(request->modules[1].source, "\x01\x02\x03\xff", 4);
    cm_request_free(request);
}

static void absent_fields_take_the_defaults(void **state)
{
    struct cm_request *request = parse("{\"code\":\"1\"}");

    (void)state;
    assert_true(request->timeout_ms == 0);
    assert_int_equal(request->count_host_waits, 0);
    assert_int_equal(request->provider_count, 0);
    assert_null(request->isolation_key);
    cm_request_free(request);
}

static void a_timeout_of_null_is_no_deadline(void **state)
{
    struct cm_request *request = parse("{\"code\":\"1\",\"timeout\":null}");

    (void)state;
    assert_true(request->timeout_ms == HUGE_VAL);
    cm_request_free(request);
}

#define TIMEOUT_RULE "; it is a finite number of milliseconds above 0, or null for no deadline"
#define FIELDS                                                                       \
    "; its fields are code, providers, modules, timeout, countHostWaits, outbound, " \
    "retainHandles, language and requestId"
#define MODULE_IS                                                                             \
    "; it is the text of an ES module, or an object with one key of js, cjs, json, text and " \
    "data, whose value is a string or, of data, bytes"
#define DATA_IS      "; it is bytes as {\"__codemode_binary_v1__\": \"Uint8Array\", \"data\": base64}"
#define DATA(json)   "{\"code\":\"1\",\"modules\":{\"d\":{\"data\":" json "}}}"
#define BASE64(text) DATA("{\"__codemode_binary_v1__\":\"Uint8Array\",\"data\":\"" text "\"}")
#define NAME_IS      "; a provider's name is an identifier"

static const struct {
    const char *json;
    const char *sentence;
} refused[] = {
    { "", "the request is not valid JSON: '[' or '{' expected (line 1, column 0)" },
    { "[]", "the request is an array; it is an object" },
    { "\"x\"", "the request is \"x\"; it is an object" },
    { "{}", "code is missing; it is a non-empty string" },
    { "{\"code\":\"\"}", "code is empty; it is a non-empty string" },
    { "{\"code\":5}", "code is 5; it is a non-empty string" },
    { "{\"code\":null}", "code is null; it is a non-empty string" },
    { "{\"code\":\"a\\u0000b\"}", "code holds the character U+0000; write it as \\0 in a string" },
    { "{\"code\":\"1\",\"timeout\":0}", "timeout is 0" TIMEOUT_RULE },
    { "{\"code\":\"1\",\"timeout\":-5}", "timeout is -5" TIMEOUT_RULE },
    { "{\"code\":\"1\",\"timeout\":\"fast\"}", "timeout is \"fast\"" TIMEOUT_RULE },
    { "{\"code\":\"1\",\"timeout\":true}", "timeout is true" TIMEOUT_RULE },
    { "{\"code\":\"1\",\"timeout\":{}}", "timeout is an object" TIMEOUT_RULE },
    { "{\"code\":\"1\",\"countHostWaits\":1}", "countHostWaits is 1; it is true or false" },
    { "{\"code\":\"1\",\"tiemout\":5}", "a request has no field \"tiemout\"" FIELDS },
    { "{\"code\":\"1\",\"dispatch\":null}", "a request has no field \"dispatch\"" FIELDS },
    { "{\"code\":\"1\",\"requestId\":5}", "requestId is 5; it is a string" },
    { "{\"code\":\"1\",\"modules\":[]}",
      "modules is an array; it is an object of specifiers and sources" },
    { "{\"code\":\"1\",\"modules\":{\"a.js\":5}}", "modules[\"a.js\"] is 5" MODULE_IS },
    { "{\"code\":\"1\",\"modules\":{\"a.js\":{}}}", "modules[\"a.js\"] is an object" MODULE_IS },
    { "{\"code\":\"1\",\"modules\":{\"a.js\":{\"js\":\"\",\"cjs\":\"\"}}}",
      "modules[\"a.js\"] is an object" MODULE_IS },
    { "{\"code\":\"1\",\"modules\":{\"a.js\":{\"wasm\":\"\"}}}",
      "modules[\"a.js\"] is an object" MODULE_IS },
    { "{\"code\":\"1\",\"modules\":{\"a.js\":{\"cjs\":null}}}",
      "modules[\"a.js\"] is null" MODULE_IS },
    { DATA("\"AQ==\""), "modules[\"d\"] is \"AQ==\"" DATA_IS },
    { BASE64("AQ="), "modules[\"d\"] is an object" DATA_IS },
    { BASE64("A Q="), "modules[\"d\"] is an object" DATA_IS },
    { BASE64("A==="), "modules[\"d\"] is an object" DATA_IS },
    { "{\"code\":\"1\",\"modules\":{\"\":\"\"}}", "modules has an entry with an empty specifier" },
    { "{\"code\":\"1\",\"modules\":{\"executor.js\":\"\"}}",
      "modules has the specifier \"executor.js\", which is reserved; give it another name" },
    { "{\"code\":\"1\",\"modules\":{\"program.js\":\"\"}}",
      "modules has the specifier \"program.js\", which is reserved; give it another name" },
    { "{\"code\":\"1\",\"modules\":{\"a.js\":\"a\\u0000\"}}",
      "modules[\"a.js\"] holds the character U+0000; such bytes are of kind data" },
    { "{\"code\":\"1\",\"language\":\"python\"}",
      "language is \"python\"; it is \"javascript\" or \"typescript\"" },
    { "{\"code\":\"1\",\"language\":null}",
      "language is null; it is \"javascript\" or \"typescript\"" },
    { "{\"code\":\"1\",\"retainHandles\":0}", "retainHandles is 0; it is true or false" },
    { "{\"code\":\"1\",\"outbound\":{}}",
      "outbound is an object; it is null, which closes the network, or absent" },
    { "{\"code\":\"1\",\"providers\":{}}", "providers is an object; it is an array of providers" },
    { "{\"code\":\"1\",\"providers\":[1]}",
      "providers[0] is 1; it is an object with name and, optionally, tools" },
    { "{\"code\":\"1\",\"providers\":[{}]}", "providers[0].name is missing" NAME_IS },
    { "{\"code\":\"1\",\"providers\":[{\"name\":7}]}",
      "providers[0].name is 7; it is an identifier" },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"a\",\"toools\":[]}]}",
      "providers[0] has no field \"toools\"; it has name and tools" },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"a\",\"tools\":{}}]}",
      "providers[0].tools is an object; it is an array of strings" },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"a\",\"tools\":[\"x\",2]}]}",
      "providers[0].tools[1] is 2; it is a string" },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"not valid\"}]}",
      "providers[0].name is \"not valid\"" NAME_IS },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"\"}]}", "providers[0].name is \"\"" NAME_IS },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"a\\u0000\"}]}",
      "providers[0].name is \"a\\u0000\"; it is an identifier" },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"a\"},{\"name\":\"class\"}]}",
      "providers[1].name is \"class\", a reserved word" NAME_IS " that is none" },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"console\"}]}",
      "providers[0].name is \"console\", a name that the isolate installs" NAME_IS " of its own" },
    { "{\"code\":\"1\",\"providers\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"a\"}]}",
      "providers name \"a\" twice; a provider's name is unique" },
};

static void what_is_refused_is_named_with_what_is_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(refused); i++) {
        struct cm_request *request = NULL;
        struct cm_error err = CM_ERROR_INIT;
        int r = cm_request_parse(refused[i].json, strlen(refused[i].json), &request, &err);

        if (i > 0) /* jansson words the first */
            assert_string_equal(err.text, refused[i].sentence);
        assert_int_equal(r, CM_E_INVAL);
        assert_null(request);
    }
}

static void a_syntax_error_names_its_place_and_quotes_nothing(void **state)
{
    static const char json[] = "{\n  \"code\": \xFFoops }";
    struct cm_request *request = NULL;
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    assert_int_equal(cm_request_parse(json, sizeof(json) - 1, &request, &err), CM_E_INVAL);
    assert_non_null(strstr(err.text, "the request is not valid JSON: "));
    assert_non_null(strstr(err.text, "(line 2, column "));
    assert_null(strstr(err.text, "oops"));
}

static void a_long_value_is_cut_in_the_sentence(void **state)
{
    char json[400] = "{\"code\":\"1\",\"timeout\":\"";
    struct cm_request *request = NULL;
    struct cm_error err = CM_ERROR_INIT;

    (void)state;
    memset(json + strlen(json), 'x', 300);
    strcat(json, "\"}");
    assert_int_equal(cm_request_parse(json, strlen(json), &request, &err), CM_E_INVAL);
    assert_non_null(strstr(err.text, "xxx...\";"));
    assert_true(strlen(err.text) < 200);
}

static void huge_numbers_are_numbers(void **state)
{
    struct cm_request *request = parse("{\"code\":\"1\",\"timeout\":99999999999999999999999}");

    (void)state;
    assert_true(request->timeout_ms > 1e22);
    cm_request_free(request);
}

/* ---- structures ---- */

static int check(const struct cm_request *request, uint64_t limit, struct cm_error *err)
{
    *err = (struct cm_error)CM_ERROR_INIT;
    return request_check(request, limit, err);
}

static void the_modules_go_up_to_the_message_ceiling_together(void **state)
{
    const struct cm_module modules[] = { { "a.js", CM_MODULE_ESM, "12345", 5 },
                                         { "b.bin", CM_MODULE_DATA, "\0\xff", 2 } };
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err;

    (void)state;
    request.code = "1";
    request.code_bytes = 1;
    request.modules = modules;
    request.module_count = 2;
    assert_int_equal(check(&request, 7, &err), 0);
    assert_int_equal(check(&request, 6, &err), CM_E_INVAL);
    assert_string_equal(err.text,
                        "modules hold more than 6 bytes; that is what they may hold together");
}

static void a_module_is_complete_and_its_specifier_unique(void **state)
{
    struct cm_module modules[] = { { "a.js", CM_MODULE_ESM, "1", 1 },
                                   { "a.js", CM_MODULE_TEXT, "", 0 } };
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err;

    (void)state;
    request.code = "1";
    request.code_bytes = 1;
    request.modules = modules;
    request.module_count = 2;
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text, "modules has the specifier \"a.js\" twice");
    modules[1].specifier = NULL;
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text, "modules has an entry without a specifier");
    modules[1] = (struct cm_module){ "b", (enum cm_module_kind)9, "", 0 };
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text, "modules[\"b\"] is of kind 9; kinds go from 0 to 4");
    modules[1] = (struct cm_module){ "b", CM_MODULE_TEXT, "\xff", 1 };
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text, "modules[\"b\"] is not well-formed UTF-8 text");
    modules[1] = (struct cm_module){ "b", CM_MODULE_TEXT, NULL, 1 };
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text, "modules[\"b\"] has no source");
    request.modules = NULL;
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text, "modules is missing; it is an array of modules");
}

static void modules_are_copied_for_programs_that_can_import(void **state)
{
    static const struct {
        const char *code;
        enum cm_language language;
        size_t modules;
    } programs[] = {
        { "() => 1", CM_LANGUAGE_JAVASCRIPT, 0 },
        { "() => important + reimport + import_ + $import", CM_LANGUAGE_JAVASCRIPT, 0 },
        { "import", CM_LANGUAGE_JAVASCRIPT, 2 },
        { "() => import('a.js')", CM_LANGUAGE_JAVASCRIPT, 2 },
        { "() => 1", CM_LANGUAGE_TYPESCRIPT, 2 },
    };
    const struct cm_module module = { "odd", CM_MODULE_TEXT, "text", 4 };
    struct cm_request request = CM_REQUEST_INIT;
    struct request *copy;

    (void)state;
    request.modules = &module;
    request.module_count = 1;
    for (size_t i = 0; i < CM_ARRAY_LEN(programs); i++) {
        request.code = programs[i].code;
        request.code_bytes = strlen(programs[i].code);
        request.language = programs[i].language;
        assert_int_equal(request_copy(&request, &copy), 0);
        assert_int_equal(copy->module_count, programs[i].modules);
        assert_string_equal(copy->code, programs[i].code);
        if (copy->module_count > 0) {
            assert_string_equal(copy->modules[0].source, "text");
            assert_string_equal((const char *)(copy->modules[0].head + 1), "odd");
            assert_int_equal(copy->modules[1].kind, IPC_KIND_PROGRAM);
            assert_int_equal(copy->modules[1].typescript, programs[i].language);
        }
        free(copy);
    }
}

static void a_program_goes_up_to_the_message_ceiling(void **state)
{
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err;

    (void)state;
    request.code = "123456789";
    request.code_bytes = 9;
    assert_int_equal(check(&request, 9, &err), 0);
    assert_int_equal(check(&request, 8, &err), CM_E_INVAL);
    assert_string_equal(err.text, "code has 9 bytes; it is a string of at most 8 bytes");
}

static void a_program_is_utf8(void **state)
{
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err;

    (void)state;
    request.code = "\xC3\x28";
    request.code_bytes = 2;
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text, "code is not well-formed UTF-8 text");
}

static void a_clock_that_is_no_number_is_refused(void **state)
{
    static const double values[] = { -1, -HUGE_VAL, NAN };
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err;

    (void)state;
    request.code = "1";
    request.code_bytes = 1;
    for (size_t i = 0; i < CM_ARRAY_LEN(values); i++) {
        request.timeout_ms = values[i];
        assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
        assert_non_null(strstr(err.text, TIMEOUT_RULE));
    }
}

static void a_provider_name_goes_up_to_256_bytes(void **state)
{
    struct cm_provider provider = { NULL, NULL, 0 };
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err;
    char name[258];

    (void)state;
    memset(name, 'a', sizeof(name));
    name[256] = '\0';
    request.code = "1";
    request.code_bytes = 1;
    request.providers = &provider;
    request.provider_count = 1;
    provider.name = name;
    assert_int_equal(check(&request, 100, &err), 0);
    name[256] = 'a';
    name[257] = '\0';
    assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    assert_string_equal(err.text,
                        "providers[0].name has 257 bytes" NAME_IS " of at most 256 bytes");
}

static void a_copy_has_every_text_with_its_nul(void **state)
{
    static const struct cm_provider providers[] = { { "a", NULL, 0 }, { "bc", NULL, 0 } };
    struct cm_request request = CM_REQUEST_INIT;
    struct request *copy;

    (void)state;
    request.code = "code and more";
    request.code_bytes = 4;
    request.providers = providers;
    request.provider_count = 2;
    request.isolation_key = "key";
    assert_int_equal(request_copy(&request, &copy), 0);
    assert_string_equal(copy->code, "code");
    assert_int_equal(copy->providers_bytes, 5);
    assert_memory_equal(copy->providers, "a\0bc", 5);
    assert_string_equal(copy->key, "key");
    free(copy);
}

/* ---- names ---- */

static void identifiers_are_those_of_the_language(void **state)
{
    static const char *const good[] = { "a",
                                        "$",
                                        "_",
                                        "a1",
                                        "Ünïcode",
                                        "变量",
                                        "\xF0\x9D\x92\x9C",
                                        "a\xE2\x80\x8D"
                                        "b" };
    static const char *const bad[] = { "",
                                       "1a",
                                       "a-b",
                                       "a b",
                                       "a.b",
                                       "\xE2\x80\x8D"
                                       "a",
                                       "\xFF",
                                       "a\xC3",
                                       "😀" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(good); i++)
        assert_true(identifier_valid(good[i], strlen(good[i])));
    for (size_t i = 0; i < CM_ARRAY_LEN(bad); i++)
        assert_false(identifier_valid(bad[i], strlen(bad[i])));
}

static void reserved_words_are_those_of_strict_code(void **state)
{
    static const char *const words[] = { "let",       "static",    "await",   "yield",
                                         "eval",      "arguments", "null",    "true",
                                         "undefined", "NaN",       "package", "enum" };
    static const char *const names[] = { "async", "of", "get", "set", "from", "store" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(words); i++)
        assert_true(identifier_reserved(words[i]));
    for (size_t i = 0; i < CM_ARRAY_LEN(names); i++)
        assert_false(identifier_reserved(names[i]));
}

static void every_global_is_refused_as_a_name(void **state)
{
    static const char *const globals[] = {
#define CM_GLOBAL(name, installed) #name,
#include "tables/globals.def"
#undef CM_GLOBAL
    };
    struct cm_provider provider = { NULL, NULL, 0 };
    struct cm_request request = CM_REQUEST_INIT;
    struct cm_error err;

    (void)state;
    request.code = "1";
    request.code_bytes = 1;
    request.providers = &provider;
    request.provider_count = 1;
    for (size_t i = 0; i < CM_ARRAY_LEN(globals); i++) {
        provider.name = globals[i];
        assert_int_equal(check(&request, 100, &err), CM_E_INVAL);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_of_every_field_is_read),
        cmocka_unit_test(absent_fields_take_the_defaults),
        cmocka_unit_test(a_timeout_of_null_is_no_deadline),
        cmocka_unit_test(what_is_refused_is_named_with_what_is_accepted),
        cmocka_unit_test(a_syntax_error_names_its_place_and_quotes_nothing),
        cmocka_unit_test(a_long_value_is_cut_in_the_sentence),
        cmocka_unit_test(huge_numbers_are_numbers),
        cmocka_unit_test(the_modules_go_up_to_the_message_ceiling_together),
        cmocka_unit_test(a_module_is_complete_and_its_specifier_unique),
        cmocka_unit_test(modules_are_copied_for_programs_that_can_import),
        cmocka_unit_test(a_program_goes_up_to_the_message_ceiling),
        cmocka_unit_test(a_program_is_utf8),
        cmocka_unit_test(a_clock_that_is_no_number_is_refused),
        cmocka_unit_test(a_provider_name_goes_up_to_256_bytes),
        cmocka_unit_test(a_copy_has_every_text_with_its_nul),
        cmocka_unit_test(identifiers_are_those_of_the_language),
        cmocka_unit_test(reserved_words_are_those_of_strict_code),
        cmocka_unit_test(every_global_is_refused_as_a_name),
    };

    return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
