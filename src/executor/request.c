/* Requests as C structures. Runs in the host's process; every text is hostile:
 * hosts hand on what a language model or a network client has sent. */
#include "executor/request.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"
#include "executor/identifier.h"
#include "ipc/frame.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDERS_MAX = 1000, MODULES_MAX = 10000, SPECIFIER_MAX = 1024 };

#define NAMES_RULE "a provider's name is an identifier"

struct request_quote request_quote(const char *text, size_t bytes)
{
    struct request_quote quote;
    const size_t room = sizeof(quote.text) - sizeof("...\"");
    size_t len;
    json_t *string = json_stringn(text, bytes);
    char *json = string == NULL ? NULL : json_dumps(string, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);

    json_decref(string);
    if (json == NULL) {
        snprintf(quote.text, sizeof(quote.text), "a text that is not UTF-8");
        return quote;
    }
    len = strlen(json);
    memcpy(quote.text, json, len < room ? len + 1 : room);
    if (len >= room)
        memcpy(quote.text + room, "...\"", sizeof("...\""));
    free(json);
    return quote;
}

static int check_code(const struct cm_request *request, uint64_t limit, struct cm_error *err)
{
    if (request->code == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "code is missing; it is a non-empty string");
    if (request->code_bytes == 0)
        return cm_fail(err, CM_E_INVAL, 0, "code is empty; it is a non-empty string");
    if (request->code_bytes > limit)
        return cm_fail(err, CM_E_INVAL, 0, "code has %s bytes; it is a string of at most %s bytes",
                       cm_number_grouped(request->code_bytes).text, cm_number_grouped(limit).text);
    if (!cm_utf8_valid(request->code, request->code_bytes))
        return cm_fail(err, CM_E_INVAL, 0, "code is not well-formed UTF-8 text");
    if (memchr(request->code, '\0', request->code_bytes) != NULL)
        return cm_fail(err, CM_E_INVAL, 0,
                       "code holds the character U+0000; write it as \\0 in a string");
    return 0;
}

static int check_timeout(double timeout_ms, struct cm_error *err)
{
    if (timeout_ms == 0 || timeout_ms == HUGE_VAL)
        return 0;
    if (isnan(timeout_ms) || timeout_ms < 0)
        return cm_fail(err, CM_E_INVAL, 0,
                       "timeout is %s; it is a finite number of milliseconds above 0, or null for "
                       "no deadline",
                       cm_number_plain(timeout_ms).text);
    return 0;
}

static int check_tools(const struct cm_provider *provider, size_t index, struct cm_error *err)
{
    if (provider->tools == NULL && provider->tool_count > 0)
        return cm_fail(err, CM_E_INVAL, 0, "providers[%zu].tools is missing", index);
    for (size_t i = 0; i < provider->tool_count; i++)
        if (provider->tools[i] == NULL)
            return cm_fail(err, CM_E_INVAL, 0,
                           "providers[%zu].tools[%zu] is missing; it is a string", index, i);
    return 0;
}

static int check_provider(const struct cm_provider *provider, size_t index, struct cm_error *err)
{
    const char *name = provider->name;
    size_t bytes;

    if (name == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "providers[%zu].name is missing; " NAMES_RULE, index);
    bytes = strlen(name);
    if (bytes > IPC_PROVIDER_MAX)
        return cm_fail(err, CM_E_INVAL, 0,
                       "providers[%zu].name has %zu bytes; " NAMES_RULE " of at most %d bytes",
                       index, bytes, IPC_PROVIDER_MAX);
    if (!identifier_valid(name, bytes))
        return cm_fail(err, CM_E_INVAL, 0, "providers[%zu].name is %s; " NAMES_RULE, index,
                       request_quote(name, bytes).text);
    if (identifier_reserved(name))
        return cm_fail(err, CM_E_INVAL, 0,
                       "providers[%zu].name is \"%s\", a reserved word; " NAMES_RULE
                       " that is none",
                       index, name);
    if (identifier_global(name))
        return cm_fail(
            err, CM_E_INVAL, 0,
            "providers[%zu].name is \"%s\", a name that the isolate installs; " NAMES_RULE
            " of its own",
            index, name);
    return check_tools(provider, index, err);
}

/* ---- modules ---- */

static int check_specifier(const char *specifier, struct cm_error *err)
{
    size_t bytes = strlen(specifier);

    if (bytes == 0)
        return cm_fail(err, CM_E_INVAL, 0, "modules has an entry with an empty specifier");
    if (bytes > SPECIFIER_MAX || !cm_utf8_valid(specifier, bytes))
        return cm_fail(err, CM_E_INVAL, 0,
                       "modules has the specifier %s; one has at most %s bytes of UTF-8",
                       request_quote(specifier, bytes).text, cm_number_grouped(SPECIFIER_MAX).text);
    if (strcmp(specifier, "executor.js") == 0 || strcmp(specifier, "program.js") == 0)
        return cm_fail(err, CM_E_INVAL, 0,
                       "modules has the specifier \"%s\", which is reserved; give it another name",
                       specifier);
    return 0;
}

static int check_module(const struct cm_module *module, struct cm_error *err)
{
    struct request_quote quote;
    int r;

    if (module->specifier == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "modules has an entry without a specifier");
    r = check_specifier(module->specifier, err);
    if (r < 0)
        return r;
    quote = request_quote(module->specifier, strlen(module->specifier));
    if (module->kind < CM_MODULE_ESM || module->kind > CM_MODULE_DATA)
        return cm_fail(err, CM_E_INVAL, 0, "modules[%s] is of kind %d; kinds go from %d to %d",
                       quote.text, (int)module->kind, CM_MODULE_ESM, CM_MODULE_DATA);
    if (module->source == NULL && module->source_bytes > 0)
        return cm_fail(err, CM_E_INVAL, 0, "modules[%s] has no source", quote.text);
    if (module->kind == CM_MODULE_DATA || module->source_bytes == 0)
        return 0;
    if (!cm_utf8_valid(module->source, module->source_bytes))
        return cm_fail(err, CM_E_INVAL, 0, "modules[%s] is not well-formed UTF-8 text", quote.text);
    if (memchr(module->source, '\0', module->source_bytes) != NULL)
        return cm_fail(err, CM_E_INVAL, 0,
                       "modules[%s] holds the character U+0000; such bytes are of kind data",
                       quote.text);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_unique(const struct cm_request *request, struct cm_error *err)
{
    CM_AUTO_FREE const char **names = NULL;

    if (request->provider_count < 2)
        return 0;
    names = calloc(request->provider_count, sizeof(*names));
    if (names == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the providers");
    for (size_t i = 0; i < request->provider_count; i++)
        names[i] = request->providers[i].name;
    qsort(names, request->provider_count, sizeof(*names), by_text);
    for (size_t i = 1; i < request->provider_count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            return cm_fail(err, CM_E_INVAL, 0,
                           "providers name %s twice; a provider's name is unique",
                           request_quote(names[i], strlen(names[i])).text);
    return 0;
}

static int check_providers(const struct cm_request *request, struct cm_error *err)
{
    if (request->provider_count > PROVIDERS_MAX)
        return cm_fail(err, CM_E_INVAL, 0, "providers has %s entries; it has at most %s",
                       cm_number_grouped(request->provider_count).text,
                       cm_number_grouped(PROVIDERS_MAX).text);
    if (request->provider_count > 0 && request->providers == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "providers is missing; it is an array of providers");
    for (size_t i = 0; i < request->provider_count; i++) {
        int r = check_provider(&request->providers[i], i, err);

        if (r < 0)
            return r;
    }
    return check_unique(request, err);
}

static int check_specifiers_unique(const struct cm_request *request, struct cm_error *err)
{
    CM_AUTO_FREE const char **names = calloc(request->module_count + 1, sizeof(*names));

    if (names == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the modules");
    for (size_t i = 0; i < request->module_count; i++)
        names[i] = request->modules[i].specifier;
    qsort(names, request->module_count, sizeof(*names), by_text);
    for (size_t i = 1; i < request->module_count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            return cm_fail(err, CM_E_INVAL, 0, "modules has the specifier %s twice",
                           request_quote(names[i], strlen(names[i])).text);
    return 0;
}

static int check_modules(const struct cm_request *request, uint64_t limit, struct cm_error *err)
{
    uint64_t bytes = 0;

    if (request->module_count == 0)
        return 0;
    if (request->module_count > MODULES_MAX)
        return cm_fail(err, CM_E_INVAL, 0, "modules has %s entries; it has at most %s",
                       cm_number_grouped(request->module_count).text,
                       cm_number_grouped(MODULES_MAX).text);
    if (request->modules == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "modules is missing; it is an array of modules");
    for (size_t i = 0; i < request->module_count; i++) {
        int r = check_module(&request->modules[i], err);

        if (r < 0)
            return r;
        bytes += request->modules[i].source_bytes;
        if (bytes > limit)
            return cm_fail(err, CM_E_INVAL, 0,
                           "modules hold more than %s bytes; that is what they may hold together",
                           cm_number_grouped(limit).text);
    }
    return check_specifiers_unique(request, err);
}

static int check_language(const struct cm_request *request, struct cm_error *err)
{
    if (request->language == CM_LANGUAGE_JAVASCRIPT || request->language == CM_LANGUAGE_TYPESCRIPT)
        return 0;
    return cm_fail(err, CM_E_INVAL, 0, "language is %d; it is javascript (%d) or typescript (%d)",
                   (int)request->language, CM_LANGUAGE_JAVASCRIPT, CM_LANGUAGE_TYPESCRIPT);
}

int request_check(const struct cm_request *request, uint64_t message_limit_bytes,
                  struct cm_error *err)
{
    int r;

    r = check_code(request, message_limit_bytes, err);
    if (r < 0)
        return r;
    r = check_timeout(request->timeout_ms, err);
    if (r < 0)
        return r;
    if (request->outbound > CM_OUTBOUND_NONE)
        return cm_fail(err, CM_E_INVAL, 0, "outbound is %u; it is a value of enum cm_outbound",
                       (unsigned)request->outbound);
    r = check_providers(request, err);
    if (r < 0)
        return r;
    r = check_language(request, err);
    return r < 0 ? r : check_modules(request, message_limit_bytes, err);
}

/* ---- the copy ---- */

bool request_compiled(enum ipc_kind kind)
{
    return kind == IPC_KIND_PROGRAM || kind == IPC_KIND_ESM || kind == IPC_KIND_CJS;
}

static bool in_word(char c)
{
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Whether the word import stands in the text, be it in a string or a comment. */
static bool names_import(const char *code, size_t bytes)
{
    static const char word[] = "import";
    const size_t word_bytes = sizeof(word) - 1;
    const char *end = code + bytes;
    const char *at = code;

    while ((at = memmem(at, (size_t)(end - at), word, word_bytes)) != NULL) {
        const char *after = at + word_bytes;

        if ((at == code || !in_word(at[-1])) && (after == end || !in_word(*after)))
            return true;
        at = after;
    }
    return false;
}

static bool takes_part(const struct cm_request *request)
{
    return request->language == CM_LANGUAGE_TYPESCRIPT ||
           names_import(request->code, request->code_bytes);
}

/* "lib.ts", "lib.mts", "lib.cts" */
static bool is_typescript(const struct cm_request *request, const char *specifier)
{
    static const char *const endings[] = { ".ts", ".mts", ".cts" };
    size_t bytes = strlen(specifier);

    for (size_t i = 0; i < CM_ARRAY_LEN(endings); i++) {
        size_t ending = strlen(endings[i]);

        if (bytes > ending && strcmp(specifier + bytes - ending, endings[i]) == 0)
            return request->language == CM_LANGUAGE_TYPESCRIPT;
    }
    return false;
}

/* Copies n bytes and a NUL to *at and moves it on. */
static const char *put_text(char **at, const char *text, size_t n)
{
    char *to = *at;

    if (n > 0)
        memcpy(to, text, n);
    to[n] = '\0';
    *at = to + n + 1;
    return to;
}

static const char program_name[] = "program.js";

/* Heads stand one after the other, each where a struct may begin. */
static size_t head_bytes(size_t name_bytes)
{
    const size_t align = _Alignof(struct ipc_module);

    return (sizeof(struct ipc_module) + name_bytes + 1 + align - 1) / align * align;
}

static size_t modules_bytes(const struct cm_request *request, size_t count)
{
    size_t bytes = count * sizeof(struct request_module);

    for (size_t i = 0; i < count; i++) {
        bool program = i == request->module_count;
        const struct cm_module *module = program ? NULL : &request->modules[i];

        bytes += head_bytes(program ? sizeof(program_name) - 1 : strlen(module->specifier));
        if (!program && !request_compiled((enum ipc_kind)(module->kind + 1)))
            bytes += module->source_bytes + 1;
    }
    return bytes;
}

static void copy_module(char **heads, char **texts, const struct cm_module *from,
                        struct request_module *to)
{
    size_t name_bytes = strlen(from->specifier);

    to->name_bytes = name_bytes;
    to->head = (struct ipc_module *)(void *)*heads;
    *to->head =
        (struct ipc_module){ .kind = (uint16_t)to->kind, .name_bytes = (uint32_t)name_bytes };
    memcpy(to->head + 1, from->specifier, name_bytes + 1);
    *heads += head_bytes(name_bytes);
    if (request_compiled(to->kind))
        return;
    to->source_bytes = from->source_bytes;
    to->source = put_text(texts, from->source, from->source_bytes);
}

/* Into `at`, with room for modules_bytes(); returns where that ends. */
static char *copy_modules(const struct cm_request *request, struct request *copy, char *at)
{
    const struct cm_module program = { .specifier = program_name };
    char *heads = at + copy->module_count * sizeof(struct request_module);
    char *texts = heads;

    copy->modules = (struct request_module *)(void *)at;
    for (size_t i = 0; i < copy->module_count; i++)
        texts += head_bytes(i == request->module_count ? strlen(program_name)
                                                       : strlen(request->modules[i].specifier));
    for (size_t i = 0; i < request->module_count; i++) {
        const struct cm_module *from = &request->modules[i];

        copy->modules[i] = (struct request_module){
            .kind = (enum ipc_kind)(from->kind + 1), /* in the order of enum cm_module_kind */
            .typescript = is_typescript(request, from->specifier),
        };
        copy_module(&heads, &texts, from, &copy->modules[i]);
    }
    copy->modules[request->module_count] =
        (struct request_module){ .kind = IPC_KIND_PROGRAM,
                                 .typescript = request->language == CM_LANGUAGE_TYPESCRIPT };
    copy_module(&heads, &texts, &program, &copy->modules[request->module_count]);
    return texts;
}

int request_copy(const struct cm_request *request, struct request **ret_request)
{
    const char *key = request->isolation_key == NULL ? "" : request->isolation_key;
    size_t module_count = takes_part(request) ? request->module_count + 1 : 0;
    size_t key_bytes = strlen(key);
    size_t providers_bytes = 0;
    struct request *copy;
    char *at;

    for (size_t i = 0; i < request->provider_count; i++)
        providers_bytes += strlen(request->providers[i].name) + 1;
    copy = malloc(sizeof(*copy) + request->code_bytes + 1 + providers_bytes + key_bytes + 1 +
                  modules_bytes(request, module_count));
    if (copy == NULL)
        return CM_E_NOMEM;
    at = (char *)(copy + 1);
    *copy = (struct request){ .code_bytes = request->code_bytes,
                              .providers_bytes = providers_bytes,
                              .provider_count = (uint32_t)request->provider_count,
                              .module_count = module_count,
                              .timeout_ms = request->timeout_ms,
                              .count_host_waits = request->count_host_waits != 0,
                              .retain_handles = request->retain_handles != 0,
                              .outbound = request->outbound };
    if (module_count > 0)
        at = copy_modules(request, copy, at); /* first: what follows has no alignment */
    copy->code = put_text(&at, request->code, request->code_bytes);
    copy->key = put_text(&at, key, key_bytes);
    copy->providers = at;
    for (size_t i = 0; i < request->provider_count; i++)
        put_text(&at, request->providers[i].name, strlen(request->providers[i].name));
    *ret_request = copy;
    return 0;
}
