/*
 * The linker of modules and what it has learned. Runs in a worker. To read a text
 * costs the engine more than anything else that importing does, so it happens while
 * the worker waits, for the modules that its next program is likely to import.
 *
 * The realm is the program's own, and nothing of a module is evaluated in it ahead of
 * the program. A module is a function, which our text makes; what runs of it is the
 * head, which our compiler wrote: it makes the module's functions and hands them out.
 * The run has a head of its own.
 */
#include "worker/linker.h"

#include "base/cleanup.h"
#include "worker/natives.h"
#include "worker/parts.h"
#include "worker/worker.h"

#include <stdlib.h>
#include <string.h>

/* As runtime/build.mjs writes it. */
extern const char runtime_modules[];

enum { REHEARSED = 4 };

/* A map of ours, in which each step of the linker has something to do. */
static struct modules rehearsal(void)
{
#define META(kind, requests, imports, indirect, stars)                              \
    "{\"kind\":\"" kind "\",\"requests\":[" requests "],\"imports\":[" imports "]," \
    "\"indirect\":[" indirect "],\"stars\":[" stars "]}"
    static struct module rows[REHEARSED] = {
        { .kind = IPC_KIND_ESM,
          .name = "./a",
          .compiled = { .meta = META("sync", "", "", "", ""),
                        .code = "(function*(){yield{get b(){return 1},get f(){return 2}}})" } },
        { .kind = IPC_KIND_ESM,
          .name = "c",
          .compiled = { .meta = META("sync", "[\"./a\",null]", "[\"b\",0,\"b\"]", "[\"d\",0,\"b\"]",
                                     "0"),
                        .code = "(function*($i){yield{get e(){return $i.b}}})" } },
        { .kind = IPC_KIND_CJS,
          .name = "g",
          .compiled = { .meta = META("cjs", "", "", "", ""),
                        .code = "(function(exports){exports.h=3})" } },
        { .kind = IPC_KIND_PROGRAM,
          .name = "program.js",
          .compiled = { .meta =
                            META("program", "[\"./a\",null],[\"c\",null]",
                                 "[\"n\",0,null],[\"b\",1,\"b\"],[\"d\",1,\"d\"],[\"e\",1,\"e\"]",
                                 "", ""),
                        .code = "(($i,$m)=>async()=>$i.n.b+$i.b+$i.d+$i.e+(await $m('g')).h)" } },
    };
#undef META

    return (struct modules){ .rows = rows, .count = CM_ARRAY_LEN(rows) };
}

static void learn(struct lesson *lesson, JSContextRef ctx, const struct module *module)
{
    JSValueRef code = natives_module(ctx, module, NULL);

    if (code == NULL || !JSValueIsObject(ctx, code))
        return;
    JSValueProtect(ctx, code);
    lesson->code = code;
}

/* So often that the engine has compiled what the linker runs through: each program would
 * else have it read and compiled anew. The modules are read once. */
static void rehearse(struct linker *linker, JSContextRef ctx, struct worker *worker)
{
    enum { ROUNDS = 16 };
    struct modules modules = rehearsal();
    struct lesson lessons[REHEARSED] = { 0 };

    for (size_t i = 0; i < modules.count; i++) {
        modules.rows[i].kept = i + 1;
        learn(&lessons[i], ctx, &modules.rows[i]);
    }
    linker->lessons = lessons;
    worker->modules = modules;
    for (int i = 0; i < ROUNDS; i++)
        JSObjectCallAsFunction(ctx, linker->run, NULL, 0, NULL, NULL);
    worker->modules = (struct modules){ 0 };
    linker->lessons = NULL;
    for (size_t i = 0; i < modules.count; i++)
        if (lessons[i].code != NULL)
            JSValueUnprotect(ctx, lessons[i].code);
}

int linker_prepare(struct linker *linker, JSContextRef ctx, struct worker *worker)
{
    JSObjectRef given = parts_givens(ctx, worker);
    JSValueRef run;

    natives_set(ctx, given, "modules", natives_family(ctx, worker, &natives_modules));
    run = parts_evaluate(ctx, runtime_modules, given);
    if (run == NULL)
        return CM_E_NOMEM;
    linker->run = JSValueToObject(ctx, run, NULL);
    JSValueProtect(ctx, linker->run);
    rehearse(linker, ctx, worker);
    return 0;
}

/* Whether its first step is the head and no more. */
static bool is_generator(const struct module *module)
{
    static const char awaits[] = "{\"kind\":\"async\"";

    return module->kind == IPC_KIND_ESM &&
           strncmp(module->compiled.meta, awaits, sizeof(awaits) - 1) != 0;
}

static void run_head(JSContextRef ctx, JSValueRef code)
{
    JSValueRef nothing = JSObjectMake(ctx, NULL, NULL);
    JSObjectRef generator, next;
    JSValueRef value =
        JSObjectCallAsFunction(ctx, JSValueToObject(ctx, code, NULL), NULL, 1, &nothing, NULL);

    if (value == NULL)
        return;
    generator = JSValueToObject(ctx, value, NULL);
    next = natives_get(ctx, generator, "next");
    if (next != NULL && JSObjectIsFunction(ctx, next))
        JSObjectCallAsFunction(ctx, next, generator, 0, NULL, NULL);
}

void linker_learn(struct linker *linker, JSContextRef ctx, const struct worker *worker,
                  size_t index)
{
    const struct module *module = &worker->kept->modules.rows[index];
    struct lesson *lesson;

    if (linker->lessons == NULL)
        linker->lessons = calloc(IPC_KEEP_MAX, sizeof(*linker->lessons));
    if (linker->lessons == NULL)
        return;
    lesson = &linker->lessons[index];
    learn(lesson, ctx, module);
    if (lesson->code == NULL)
        return;
    surface_scan(&lesson->found, module->compiled.code, module->compiled.head.code_bytes);
    if (is_generator(module))
        run_head(ctx, lesson->code);
}

const struct lesson *linker_find(const struct linker *linker, const struct module *module)
{
    if (linker->lessons == NULL || module->kept == 0 ||
        linker->lessons[module->kept - 1].code == NULL)
        return NULL;
    return &linker->lessons[module->kept - 1];
}
