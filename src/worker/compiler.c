/*
 * The compiler: runtime/compiler in a realm that no program sees. Runs in a worker:
 * in one that the supervisor keeps for compiling and that never has a program, or in
 * any other when its program does not parse, to say where. The texts are hostile;
 * nothing of them is evaluated here.
 */
#include "worker/compiler.h"

#include "base/cleanup.h"
#include "worker/isolate.h"
#include "worker/natives.h"
#include "worker/worker.h"

#include <string.h>
#include <unistd.h>

/* What scripts/embed wrote of the bundles. */
extern const char runtime_compiler[];
extern const char runtime_typescript[];

static JSValueRef evaluate(JSContextRef ctx, const char *text)
{
    JSStringRef source = JSStringCreateWithUTF8CString(text);
    JSValueRef value = JSEvaluateScript(ctx, source, NULL, NULL, 1, NULL);

    JSStringRelease(source);
    return value;
}

/* typescript(): the exports of the second bundle, which most texts do not need */
static JSValueRef native_typescript(const struct args *args)
{
    JSValueRef exports = evaluate(args->ctx, runtime_typescript);

    return exports == NULL ? natives_out_of_memory(args) : exports;
}

/* parses(text): whether the engine takes it as a script */
static JSValueRef native_parses(const struct args *args)
{
    JSStringRef text = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    bool parses;

    if (text == NULL)
        return natives_out_of_memory(args);
    parses = JSCheckScriptSyntax(args->ctx, text, NULL, 1, NULL);
    JSStringRelease(text);
    return JSValueMakeBoolean(args->ctx, parses);
}

/* The only thing of the engine that parses modules, in a VM of its own. */
static JSCContext *checker_get(struct worker *worker)
{
    struct compiler *compiler = isolate_compiler(worker->isolate);

    if (compiler->checker == NULL)
        compiler->checker = jsc_context_new();
    return compiler->checker;
}

/* isModule(text): whether the engine takes it as an ES module */
static JSValueRef native_is_module(const struct args *args)
{
    JSStringRef string = JSValueToStringCopy(args->ctx, args->values[0], NULL);
    size_t max = string == NULL ? 1 : JSStringGetMaximumUTF8CStringSize(string);
    CM_AUTO_FREE char *text = malloc(max);
    JSCCheckSyntaxResult result;

    if (string == NULL || text == NULL) {
        if (string != NULL)
            JSStringRelease(string);
        return natives_out_of_memory(args);
    }
    max = JSStringGetUTF8CString(string, text, max);
    JSStringRelease(string);
    result = jsc_context_check_syntax(checker_get(args->worker), text, (gssize)max - 1,
                                      JSC_CHECK_SYNTAX_MODE_MODULE, NULL, 1, NULL);
    return JSValueMakeBoolean(args->ctx, result == JSC_CHECK_SYNTAX_RESULT_SUCCESS);
}

#define NATIVES(X)                   \
    X(typescript, native_typescript) \
    X(parses, native_parses)         \
    X(isModule, native_is_module)

NATIVES(NATIVE_CALLBACK)

static const struct native_row rows[] = { NATIVES(NATIVE_ROW) };

static JSValueRef get(JSContextRef ctx, JSObjectRef object, const char *name)
{
    JSStringRef key = JSStringCreateWithUTF8CString(name);
    JSValueRef value = JSObjectGetProperty(ctx, object, key, NULL);

    JSStringRelease(key);
    return value;
}

int compiler_open(struct compiler *compiler, JSContextGroupRef group, struct worker *worker)
{
    JSGlobalContextRef ctx = JSGlobalContextCreateInGroup(group, NULL);
    JSValueRef exports;

    compiler->ctx = ctx;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        natives_set(ctx, JSContextGetGlobalObject(ctx), rows[i].name,
                    natives_function(ctx, worker, &rows[i]));
    exports = evaluate(ctx, runtime_compiler);
    if (exports == NULL)
        return CM_E_NOMEM;
    compiler->compile =
        JSValueToObject(ctx, get(ctx, JSValueToObject(ctx, exports, NULL), "compile"), NULL);
    JSValueProtect(ctx, compiler->compile);
    return 0;
}

static uint32_t number_of(JSContextRef ctx, JSObjectRef result, const char *name)
{
    return (uint32_t)JSValueToNumber(ctx, get(ctx, result, name), NULL);
}

/* Appends the text of a property and a NUL. */
static int append_text(JSContextRef ctx, JSObjectRef result, const char *name, struct cm_buf *to,
                       uint32_t *ret_bytes)
{
    JSStringRef text = JSValueToStringCopy(ctx, get(ctx, result, name), NULL);
    size_t max = JSStringGetMaximumUTF8CStringSize(text);
    size_t before = to->len;
    int r = cm_buf_reserve(to, max);

    if (r == 0) {
        to->len += JSStringGetUTF8CString(text, (char *)cm_buf_tail(to), max);
        *ret_bytes = (uint32_t)(to->len - before - 1);
    }
    JSStringRelease(text);
    return r;
}

static int append_result(JSContextRef ctx, JSObjectRef result, struct cm_buf *to)
{
    JSObjectRef map = JSValueToObject(ctx, get(ctx, result, "map"), NULL);
    struct ipc_compiled head = {
        .failed = JSValueToBoolean(ctx, get(ctx, result, "failed")),
        .line = number_of(ctx, result, "line"),
        .column = number_of(ctx, result, "column"),
        .typescript = JSValueToBoolean(ctx, get(ctx, result, "typeScript")),
        .map_count = (uint32_t)JSObjectGetTypedArrayLength(ctx, map, NULL),
    };
    size_t map_bytes = JSObjectGetTypedArrayByteLength(ctx, map, NULL);
    int r = cm_buf_append(to, &head, sizeof(head));

    if (r == 0)
        r = append_text(ctx, result, "meta", to, &head.meta_bytes);
    if (r == 0)
        r = append_text(ctx, result, "code", to, &head.code_bytes);
    if (r == 0 && map_bytes > 0)
        r = cm_buf_append(to, JSObjectGetTypedArrayBytesPtr(ctx, map, NULL), map_bytes);
    if (r == 0)
        memcpy(cm_buf_bytes(to), &head, sizeof(head));
    return r;
}

int compiler_compile(struct compiler *compiler, enum ipc_kind kind, const char *text,
                     bool typescript, struct cm_buf *to)
{
    static const char *const names[] = {
        [IPC_KIND_PROGRAM] = "program", [IPC_KIND_ESM] = "esm", [IPC_KIND_CJS] = "cjs"
    };
    JSContextRef ctx = compiler->ctx;
    JSValueRef args[] = { natives_string(ctx, names[kind]), natives_string(ctx, text),
                          JSValueMakeBoolean(ctx, typescript) };
    JSValueRef result =
        JSObjectCallAsFunction(ctx, compiler->compile, NULL, CM_ARRAY_LEN(args), args, NULL);

    cm_buf_consume(to, to->len);
    return result == NULL ? CM_E_NOMEM : append_result(ctx, JSValueToObject(ctx, result, NULL), to);
}
