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

enum { PROVIDERS_MAX = 1000 };

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
    return check_providers(request, err);
}

/* Copies n bytes and a NUL to *at and moves it on. */
static const char *put_text(char **at, const char *text, size_t n)
{
    char *to = *at;

    memcpy(to, text, n);
    to[n] = '\0';
    *at = to + n + 1;
    return to;
}

int request_copy(const struct cm_request *request, struct request **ret_request)
{
    const char *key = request->isolation_key == NULL ? "" : request->isolation_key;
    size_t key_bytes = strlen(key);
    size_t providers_bytes = 0;
    struct request *copy;
    char *at;

    for (size_t i = 0; i < request->provider_count; i++)
        providers_bytes += strlen(request->providers[i].name) + 1;
    copy = malloc(sizeof(*copy) + request->code_bytes + 1 + providers_bytes + key_bytes + 1);
    if (copy == NULL)
        return CM_E_NOMEM;
    at = (char *)(copy + 1);
    *copy = (struct request){ .code_bytes = request->code_bytes,
                              .providers_bytes = providers_bytes,
                              .provider_count = (uint32_t)request->provider_count,
                              .timeout_ms = request->timeout_ms,
                              .count_host_waits = request->count_host_waits != 0,
                              .retain_handles = request->retain_handles != 0,
                              .outbound = request->outbound };
    copy->code = put_text(&at, request->code, request->code_bytes);
    copy->key = put_text(&at, key, key_bytes);
    copy->providers = at;
    for (size_t i = 0; i < request->provider_count; i++)
        put_text(&at, request->providers[i].name, strlen(request->providers[i].name));
    *ret_request = copy;
    return 0;
}
