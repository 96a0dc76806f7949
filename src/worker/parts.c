/* Evaluating the scripts of src/tables/parts.def. Runs in a worker, before the
 * program where its text says what it needs. A script takes what it gets from C as
 * its `this`, where no program can have laid a trap. */
#include "worker/parts.h"

#include "base/cleanup.h"
#include "worker/natives.h"
#include "worker/worker.h"

#include <string.h>

/* As runtime/build.mjs writes them. */
#define CM_PART(part) extern const char runtime_##part[];
#include "tables/parts.def"

static const struct {
    const char *name;
    const char *script;
} rows[] = {
#define CM_PART(part) { #part, runtime_##part },
#include "tables/parts.def"
};

JSValueRef parts_evaluate(JSContextRef ctx, const char *script, JSObjectRef given)
{
    JSStringRef source = JSStringCreateWithUTF8CString(script);
    JSStringRef url = JSStringCreateWithUTF8CString("codemode:runtime");
    JSValueRef value = JSEvaluateScript(ctx, source, given, url, 1, NULL);

    JSStringRelease(source);
    JSStringRelease(url);
    return value;
}

JSObjectRef parts_givens(JSContextRef ctx, struct worker *worker)
{
    JSObjectRef given = JSObjectMake(ctx, NULL, NULL);

    natives_set(ctx, given, "native", natives_object(ctx, worker));
    natives_set(ctx, given, "texts", natives_texts(ctx));
    natives_set(ctx, given, "failures", natives_failures(ctx));
    return given;
}

JSObjectRef parts_get(struct parts *parts, JSContextRef ctx, struct worker *worker, enum part part)
{
    JSObjectRef given = parts->given[part];
    JSValueRef value;

    if (given != NULL)
        return given;
    given = part == PART_core ? parts_givens(ctx, worker) : parts->given[PART_core];
    value = parts_evaluate(ctx, rows[part].script, given);
    if (value == NULL)
        return NULL;
    given = JSValueIsObject(ctx, value) ? JSValueToObject(ctx, value, NULL) : given;
    JSValueProtect(ctx, given);
    parts->given[part] = given;
#define CM_PART_HOOK(part_, name) \
    if (part == PART_##part_)     \
        parts->name = natives_get(ctx, given, #name);
#include "tables/parts.def"
    return given;
}

enum part parts_find(const char *name)
{
    int part = 0;

    while (part < PARTS && strcmp(rows[part].name, name) != 0)
        part++;
    return (enum part)part;
}

void parts_done(struct parts *parts, JSContextRef ctx)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(parts->given); i++)
        if (parts->given[i] != NULL)
            JSValueUnprotect(ctx, parts->given[i]);
}
