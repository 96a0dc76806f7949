/* What runtime/modules.js calls in C: the entries of the run. Runs in a worker, in
 * the middle of the program. An index comes from that script. */
#include "base/cleanup.h"
#include "base/text.h"
#include "worker/isolate.h"
#include "worker/modules.h"
#include "worker/natives.h"
#include "worker/worker.h"

#include <stdio.h>
#include <string.h>

static const struct module *module_at(const struct args *args)
{
    double index = args->count > 0 ? JSValueToNumber(args->ctx, args->values[0], NULL) : -1;
    const struct modules *modules = &args->worker->modules;

    return &modules->rows[index >= 0 && index < (double)modules->count ? (size_t)index : 0];
}

static JSValueRef native_count(const struct args *args)
{
    return JSValueMakeNumber(args->ctx, (double)args->worker->modules.count);
}

static JSValueRef native_name(const struct args *args)
{
    return natives_string(args->ctx, module_at(args)->name);
}

static JSValueRef native_kind(const struct args *args)
{
    static const char *const names[] = {
        [IPC_KIND_PROGRAM] = "program", [IPC_KIND_ESM] = "esm",   [IPC_KIND_CJS] = "cjs",
        [IPC_KIND_JSON] = "json",       [IPC_KIND_TEXT] = "text", [IPC_KIND_DATA] = "data",
    };

    return natives_string(args->ctx, names[module_at(args)->kind]);
}

/* meta(index): of a compiled entry, JSON text */
static JSValueRef native_meta(const struct args *args)
{
    return natives_string(args->ctx, module_at(args)->compiled.meta);
}

JSValueRef natives_module(JSContextRef ctx, const struct module *module, JSValueRef *exception)
{
    CM_AUTO_FREE char *place = NULL;
    JSStringRef source;
    JSStringRef url;
    JSValueRef value;

    if (module->kind != IPC_KIND_PROGRAM &&
        asprintf(&place, ISOLATE_MODULE_URL "%s", module->name) < 0)
        return NULL;
    source = JSStringCreateWithUTF8CString(module->compiled.code);
    url = JSStringCreateWithUTF8CString(place == NULL ? "program.js" : place);
    value = JSEvaluateScript(ctx, source, NULL, url, 1, exception);
    JSStringRelease(url);
    JSStringRelease(source);
    return value;
}

/* code(index): the function that a compiled entry is, or the engine's error */
static JSValueRef native_code(const struct args *args)
{
    JSValueRef value = isolate_module(args->worker->isolate, module_at(args), args->exception);

    return value != NULL || *args->exception != NULL ? value : natives_out_of_memory(args);
}

/* text(index): the source of a text or JSON entry */
static JSValueRef native_text(const struct args *args)
{
    return natives_string(args->ctx, module_at(args)->source);
}

static void free_bytes(void *bytes, void *context)
{
    (void)context;
    free(bytes);
}

/* bytes(index): a Uint8Array with the source of a data entry */
static JSValueRef native_bytes(const struct args *args)
{
    const struct module *module = module_at(args);
    void *copy = malloc(module->source_bytes + 1); /* never of 0 bytes */

    if (copy == NULL)
        return natives_out_of_memory(args);
    memcpy(copy, module->source, module->source_bytes);
    return JSObjectMakeTypedArrayWithBytesNoCopy(args->ctx, kJSTypedArrayTypeUint8Array, copy,
                                                 module->source_bytes, free_bytes, NULL,
                                                 args->exception);
}

/* clang-format off */
static const struct {
    const char *name;
    enum cm_message message;
} sentences[] = {
    { "AMBIGUOUS", CM_MSG_MODULE_AMBIGUOUS },
    { "ATTRIBUTE", CM_MSG_MODULE_ATTRIBUTE },
    { "MAP_EMPTY", CM_MSG_MODULE_MAP_EMPTY },
    { "MISSING", CM_MSG_MODULE_MISSING },
    { "OPTIONS", CM_MSG_MODULE_OPTIONS },
    { "REQUIRE", CM_MSG_MODULE_REQUIRE },
    { "REQUIRE_AWAIT", CM_MSG_MODULE_REQUIRE_AWAIT },
    { "TYPE", CM_MSG_MODULE_TYPE },
    { "TYPESCRIPT", CM_MSG_TYPESCRIPT },
    { "UNKNOWN", CM_MSG_MODULE_UNKNOWN },
};
/* clang-format on */

/* Argument i in UTF-8: free() it. "" where there is none, or no memory. */
static char *text_at(const struct args *args, size_t i)
{
    JSStringRef string =
        i < args->count ? JSValueToStringCopy(args->ctx, args->values[i], NULL) : NULL;
    size_t max = string == NULL ? 1 : JSStringGetMaximumUTF8CStringSize(string);
    char *text = calloc(1, max);

    if (string != NULL && text != NULL)
        JSStringGetUTF8CString(string, text, max);
    if (string != NULL)
        JSStringRelease(string);
    return text;
}

/* sentence(name, first, second) */
static JSValueRef native_sentence(const struct args *args)
{
    CM_AUTO_FREE char *name = text_at(args, 0);
    CM_AUTO_FREE char *first = text_at(args, 1);
    CM_AUTO_FREE char *second = text_at(args, 2);
    CM_AUTO_FREE char *text = NULL;

    if (name == NULL || first == NULL || second == NULL)
        return natives_out_of_memory(args);
    for (size_t i = 0; i < CM_ARRAY_LEN(sentences); i++)
        if (strcmp(sentences[i].name, name) == 0)
            text = cm_message_new(sentences[i].message, first, second, NULL);
    return text == NULL ? natives_out_of_memory(args) : natives_string(args->ctx, text);
}

#define NATIVES(X)         \
    X(count, native_count) \
    X(name, native_name)   \
    X(kind, native_kind)   \
    X(meta, native_meta)   \
    X(code, native_code)   \
    X(text, native_text)   \
    X(bytes, native_bytes) \
    X(sentence, native_sentence)

NATIVES(NATIVE_CALLBACK)

static const struct native_row rows[] = { NATIVES(NATIVE_ROW) };

const struct native_family natives_modules = { "modules", rows, CM_ARRAY_LEN(rows), 0 };
