/* Requests as values of the wire. Runs in the host's process, on requests that the
 * library has checked. */
#include "client/request.h"

#include "base/cleanup.h"

#include <math.h>

static struct capnweb_member member(const char *key, struct capnweb_value value)
{
    return (struct capnweb_member){ capnweb_text(key), value };
}

static void add(struct request_value *to, const char *key, struct capnweb_value value)
{
    to->members[to->count++] = member(key, value);
}

static int make_room(const struct cm_request *request, struct request_value *to)
{
    size_t items = request->provider_count;

    for (size_t i = 0; i < request->provider_count; i++)
        items += request->providers[i].tool_count;
    to->items = calloc(items + 1, sizeof(*to->items));
    to->parts =
        calloc(2 * (request->provider_count + request->module_count) + 1, sizeof(*to->parts));
    return to->items == NULL || to->parts == NULL ? CM_E_NOMEM : 0;
}

/* [{name, tools: [...]}...] */
static struct capnweb_value put_providers(const struct cm_request *request,
                                          struct request_value *to)
{
    struct capnweb_value *tools = to->items + request->provider_count;

    for (size_t i = 0; i < request->provider_count; i++) {
        const struct cm_provider *provider = &request->providers[i];
        struct capnweb_member *parts = &to->parts[2 * i];

        for (size_t k = 0; k < provider->tool_count; k++)
            tools[k] = capnweb_cstring(provider->tools[k]);
        parts[0] = member("name", capnweb_cstring(provider->name));
        parts[1] = member("tools", capnweb_array(tools, provider->tool_count));
        to->items[i] = capnweb_object(parts, 2);
        tools += provider->tool_count;
    }
    return capnweb_array(to->items, request->provider_count);
}

/* {specifier: {kind: source}...} */
static struct capnweb_value put_modules(const struct cm_request *request, struct request_value *to)
{
    static const char *const kinds[] = {
        [CM_MODULE_ESM] = "js",    [CM_MODULE_CJS] = "cjs",   [CM_MODULE_JSON] = "json",
        [CM_MODULE_TEXT] = "text", [CM_MODULE_DATA] = "data",
    };
    struct capnweb_member *rows = to->parts + 2 * request->provider_count;
    struct capnweb_member *sources = rows + request->module_count;

    for (size_t i = 0; i < request->module_count; i++) {
        const struct cm_module *module = &request->modules[i];
        bool data = module->kind == CM_MODULE_DATA;

        sources[i] =
            member(kinds[module->kind],
                   data ? capnweb_bytes(module->source, module->source_bytes, CAPNWEB_BYTES_UINT8)
                        : capnweb_string(module->source, module->source_bytes));
        rows[i] = member(module->specifier, capnweb_object(&sources[i], 1));
    }
    return capnweb_object(rows, request->module_count);
}

int request_value_put(const struct cm_request *request, struct request_value *to,
                      struct capnweb_value *ret_value)
{
    *to = (struct request_value){ .count = 0 };
    if (make_room(request, to) < 0)
        return CM_E_NOMEM;
    add(to, "code", capnweb_string(request->code, request->code_bytes));
    if (request->provider_count > 0)
        add(to, "providers", put_providers(request, to));
    if (request->timeout_ms != 0)
        add(to, "timeout",
            isinf(request->timeout_ms) ? capnweb_null() : capnweb_number(request->timeout_ms));
    if (request->count_host_waits)
        add(to, "countHostWaits", capnweb_boolean(true));
    if (request->outbound == CM_OUTBOUND_NONE)
        add(to, "outbound", capnweb_null());
    if (request->retain_handles)
        add(to, "retainHandles", capnweb_boolean(true));
    if (request->module_count > 0)
        add(to, "modules", put_modules(request, to));
    if (request->language == CM_LANGUAGE_TYPESCRIPT)
        add(to, "language", capnweb_cstring("typescript"));
    *ret_value = capnweb_object(to->members, to->count);
    return 0;
}

void request_value_done(struct request_value *value)
{
    free(CM_TAKE(value->items));
    free(CM_TAKE(value->parts));
}
