/* Requests as JSON text. Runs in the host's process; the text is hostile and is
 * parsed by jansson. The texts of the result are those of the JSON tree, which
 * therefore lives as long. */
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"
#include "executor/request.h"

#include <jansson.h>
#include <math.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parsed {
    struct cm_request request; /* what the host holds */
    json_t *root;
    struct cm_provider *providers; /* with the tools of all behind them */
    const char **tools;
    struct cm_module *modules;
    uint8_t *data; /* the bytes of all modules that are data */
};

/* "-5", "\"fast\"", "null", "an array": a value in a sentence. */
static struct request_quote describe(const json_t *value)
{
    struct request_quote quote;

    switch (json_typeof(value)) {
    case JSON_STRING:
        return request_quote(json_string_value(value), json_string_length(value));
    case JSON_REAL:
    case JSON_INTEGER:
        memcpy(quote.text, cm_number_plain(json_number_value(value)).text, CM_NUMBER_CHARS);
        return quote;
    case JSON_OBJECT:
        strcpy(quote.text, "an object");
        return quote;
    case JSON_ARRAY:
        strcpy(quote.text, "an array");
        return quote;
    case JSON_TRUE:
        strcpy(quote.text, "true");
        return quote;
    case JSON_FALSE:
        strcpy(quote.text, "false");
        return quote;
    default:
        strcpy(quote.text, "null");
        return quote;
    }
}

static int wrong(const char *field, const json_t *value, const char *accepted, struct cm_error *err)
{
    return cm_fail(err, CM_E_INVAL, 0, "%s is %s; it is %s", field, describe(value).text, accepted);
}

static int read_code(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    if (!json_is_string(value))
        return wrong("code", value, "a non-empty string", err);
    parsed->request.code = json_string_value(value);
    parsed->request.code_bytes = json_string_length(value);
    return 0;
}

static int read_timeout(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    if (json_is_null(value)) {
        parsed->request.timeout_ms = HUGE_VAL;
        return 0;
    }
    if (!json_is_number(value) || json_number_value(value) <= 0)
        return wrong("timeout", value,
                     "a finite number of milliseconds above 0, or null for no deadline", err);
    parsed->request.timeout_ms = json_number_value(value);
    return 0;
}

static int read_count_host_waits(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    if (!json_is_boolean(value))
        return wrong("countHostWaits", value, "true or false", err);
    parsed->request.count_host_waits = json_is_true(value);
    return 0;
}

/* ---- modules ---- */

#define MODULE_RULE                                                                               \
    "the text of an ES module, or an object with one key of js, cjs, json, text and data, whose " \
    "value is a string or, of data, bytes"

static const struct {
    const char *key;
    enum cm_module_kind kind;
} module_keys[] = {
    { "js", CM_MODULE_ESM },    { "cjs", CM_MODULE_CJS },   { "json", CM_MODULE_JSON },
    { "text", CM_MODULE_TEXT }, { "data", CM_MODULE_DATA },
};

static struct request_quote module_field(const char *specifier)
{
    struct request_quote field;

    snprintf(field.text, sizeof(field.text), "modules[%.*s]", (int)sizeof(field.text) - 10,
             request_quote(specifier, strlen(specifier)).text);
    return field;
}

/* Decodes base64 to *next and moves it on. False when it is none. */
static bool decode_base64(const char *text, size_t bytes, uint8_t **next, size_t *ret_bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = strspn(text, digits);
    size_t padding = bytes - used;
    int decoded;

    if (bytes % 4 != 0 || bytes > INT32_MAX || padding > 2 || strspn(text + used, "=") != padding)
        return false;
    decoded = EVP_DecodeBlock(*next, (const uint8_t *)text, (int)bytes);
    if (decoded < 0)
        return false;
    *ret_bytes = (size_t)decoded - padding;
    *next += *ret_bytes;
    return true;
}

/* {"__codemode_binary_v1__": "Uint8Array", "data": "AQID"} */
static int read_data(struct cm_module *module, const json_t *value, uint8_t **next,
                     struct cm_error *err)
{
    const json_t *kind = json_object_get(value, "__codemode_binary_v1__");
    const json_t *data = json_object_get(value, "data");

    if (json_is_string(kind) && json_is_string(data) && json_object_size(value) == 2) {
        module->source = *next;
        if (decode_base64(json_string_value(data), json_string_length(data), next,
                          &module->source_bytes))
            return 0;
    }
    return wrong(module_field(module->specifier).text, value,
                 "bytes as {\"__codemode_binary_v1__\": \"Uint8Array\", \"data\": base64}", err);
}

static int read_source(struct cm_module *module, const json_t *value, uint8_t **next,
                       struct cm_error *err)
{
    if (module->kind == CM_MODULE_DATA)
        return read_data(module, value, next, err);
    if (!json_is_string(value))
        return wrong(module_field(module->specifier).text, value, MODULE_RULE, err);
    module->source = json_string_value(value);
    module->source_bytes = json_string_length(value);
    return 0;
}

static int read_module(struct cm_module *module, json_t *value, uint8_t **next,
                       struct cm_error *err)
{
    const char *key = json_object_iter_key(json_object_iter(value));

    if (json_is_string(value)) {
        module->kind = CM_MODULE_ESM;
        return read_source(module, value, next, err);
    }
    for (size_t i = 0; json_object_size(value) == 1 && i < CM_ARRAY_LEN(module_keys); i++) {
        if (strcmp(module_keys[i].key, key) != 0)
            continue;
        module->kind = module_keys[i].kind;
        return read_source(module, json_object_get(value, key), next, err);
    }
    return wrong(module_field(module->specifier).text, value, MODULE_RULE, err);
}

/* An upper bound of what the data of all modules decodes to. */
static size_t data_bytes(json_t *modules)
{
    size_t bytes = 0;
    const char *key;
    json_t *module;

    json_object_foreach(modules, key, module) bytes +=
        json_string_length(json_object_get(json_object_get(module, "data"), "data"));
    return bytes;
}

static int read_modules(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    const char *specifier;
    json_t *module;
    uint8_t *next;
    size_t i = 0;

    if (!json_is_object(value))
        return wrong("modules", value, "an object of specifiers and sources", err);
    parsed->modules = calloc(json_object_size(value) + 1, sizeof(*parsed->modules));
    parsed->data = malloc(data_bytes(value) + 1);
    if (parsed->modules == NULL || parsed->data == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the request");
    next = parsed->data;
    json_object_foreach(value, specifier, module)
    {
        int r;

        parsed->modules[i].specifier = specifier;
        r = read_module(&parsed->modules[i++], module, &next, err);
        if (r < 0)
            return r;
    }
    parsed->request.modules = parsed->modules;
    parsed->request.module_count = i;
    return 0;
}

static int read_retain_handles(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    if (!json_is_boolean(value))
        return wrong("retainHandles", value, "true or false", err);
    parsed->request.retain_handles = json_is_true(value);
    return 0;
}

/* A function of the host's cannot stand in JSON: who has one sets the field. */
static int read_outbound(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    if (!json_is_null(value))
        return wrong("outbound", value, "null, which closes the network, or absent", err);
    parsed->request.outbound = CM_OUTBOUND_NONE;
    return 0;
}

static int read_language(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    const char *name = json_string_value(value);

    if (name != NULL && strcmp(name, "typescript") == 0)
        parsed->request.language = CM_LANGUAGE_TYPESCRIPT;
    else if (name == NULL || strcmp(name, "javascript") != 0)
        return wrong("language", value, "\"javascript\" or \"typescript\"", err);
    return 0;
}

/* It names the run for the connection that carries the request; here it has no
 * meaning beyond being well-formed. */
static int read_request_id(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    (void)parsed;
    return json_is_string(value) ? 0 : wrong("requestId", value, "a string", err);
}

static int read_tools(struct cm_provider *provider, size_t index, json_t *tools, const char ***next,
                      struct cm_error *err)
{
    char field[64];
    json_t *tool;
    size_t i;

    if (!json_is_array(tools)) {
        snprintf(field, sizeof(field), "providers[%zu].tools", index);
        return wrong(field, tools, "an array of strings", err);
    }
    provider->tools = *next;
    provider->tool_count = json_array_size(tools);
    json_array_foreach(tools, i, tool)
    {
        if (!json_is_string(tool)) {
            snprintf(field, sizeof(field), "providers[%zu].tools[%zu]", index, i);
            return wrong(field, tool, "a string", err);
        }
        *(*next)++ = json_string_value(tool);
    }
    return 0;
}

static int read_provider(struct parsed *parsed, size_t index, json_t *value, const char ***next,
                         struct cm_error *err)
{
    struct cm_provider *provider = &parsed->providers[index];
    char field[64];
    const char *key;
    json_t *member;

    snprintf(field, sizeof(field), "providers[%zu]", index);
    if (!json_is_object(value))
        return wrong(field, value, "an object with name and, optionally, tools", err);
    json_object_foreach(value, key, member)
    {
        int r = 0;

        if (strcmp(key, "tools") == 0)
            r = read_tools(provider, index, member, next, err);
        else if (strcmp(key, "name") != 0)
            return cm_fail(err, CM_E_INVAL, 0, "%s has no field %s; it has name and tools", field,
                           request_quote(key, strlen(key)).text);
        if (r < 0)
            return r;
    }
    member = json_object_get(value, "name");
    if (member == NULL)
        return 0; /* request_check() says so */
    snprintf(field, sizeof(field), "providers[%zu].name", index);
    if (!json_is_string(member) || strlen(json_string_value(member)) != json_string_length(member))
        return wrong(field, member, "an identifier", err);
    provider->name = json_string_value(member);
    return 0;
}

static size_t count_tools(const json_t *providers)
{
    size_t count = 0;
    json_t *provider;
    size_t i;

    json_array_foreach(providers, i, provider) count +=
        json_array_size(json_object_get(provider, "tools"));
    return count;
}

static int read_providers(struct parsed *parsed, json_t *value, struct cm_error *err)
{
    const char **next;
    json_t *provider;
    size_t i;

    if (!json_is_array(value))
        return wrong("providers", value, "an array of providers", err);
    parsed->providers = calloc(json_array_size(value) + 1, sizeof(*parsed->providers));
    parsed->tools = calloc(count_tools(value) + 1, sizeof(*parsed->tools));
    if (parsed->providers == NULL || parsed->tools == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the request");
    next = parsed->tools;
    json_array_foreach(value, i, provider)
    {
        int r = read_provider(parsed, i, provider, &next, err);

        if (r < 0)
            return r;
    }
    parsed->request.providers = parsed->providers;
    parsed->request.provider_count = json_array_size(value);
    return 0;
}

static const struct field {
    const char *name;
    int (*read)(struct parsed *parsed, json_t *value, struct cm_error *err);
} fields[] = {
    { "code", read_code },
    { "providers", read_providers },
    { "modules", read_modules },
    { "timeout", read_timeout },
    { "countHostWaits", read_count_host_waits },
    { "outbound", read_outbound },
    { "retainHandles", read_retain_handles },
    { "language", read_language },
    { "requestId", read_request_id },
};

#define FIELD_NAMES                                                                \
    "code, providers, modules, timeout, countHostWaits, outbound, retainHandles, " \
    "language and requestId"

static int read_field(struct parsed *parsed, const char *name, json_t *value, struct cm_error *err)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(fields); i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].read(parsed, value, err);
    return cm_fail(err, CM_E_INVAL, 0, "a request has no field %s; its fields are " FIELD_NAMES,
                   request_quote(name, strlen(name)).text);
}

static int read_root(struct parsed *parsed, struct cm_error *err)
{
    const char *name;
    json_t *value;

    if (!json_is_object(parsed->root))
        return wrong("the request", parsed->root, "an object", err);
    json_object_foreach(parsed->root, name, value)
    {
        int r = read_field(parsed, name, value, err);

        if (r < 0)
            return r;
    }
    return request_check(&parsed->request, UINT64_MAX, err);
}

static int not_json(json_error_t *where, struct cm_error *err)
{
    char *near = strstr(where->text, " near '");

    if (near != NULL) /* what follows is a piece of the hostile text, cut anywhere */
        *near = '\0';
    return cm_fail(err, CM_E_INVAL, 0, "the request is not valid JSON: %s (line %d, column %d)",
                   where->text, where->line, where->column);
}

/* U+0000 is let in so that the sentence about it can name the field; numbers
 * beyond 64 bits are numbers. */
#define LOAD_FLAGS (JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL)

int cm_request_parse(const char *json, size_t json_bytes, struct cm_request **ret_request,
                     struct cm_error *err)
{
    struct parsed *parsed;
    json_error_t where;
    int r;

    if (json == NULL || ret_request == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "json and ret_request are required");
    parsed = calloc(1, sizeof(*parsed));
    if (parsed == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the request");
    parsed->request = (struct cm_request)CM_REQUEST_INIT;
    parsed->root = json_loadb(json, json_bytes, LOAD_FLAGS, &where);
    if (parsed->root == NULL)
        r = not_json(&where, err);
    else
        r = read_root(parsed, err);
    if (r < 0)
        cm_request_free(&parsed->request);
    else
        *ret_request = &parsed->request;
    return r;
}

void cm_request_free(struct cm_request *request)
{
    struct parsed *parsed;

    if (request == NULL)
        return;
    parsed = CM_CONTAINER_OF(request, struct parsed, request);
    json_decref(parsed->root);
    free(parsed->providers);
    free(parsed->tools);
    free(parsed->modules);
    free(parsed->data);
    free(parsed);
}
