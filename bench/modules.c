/* What importing costs. Runs in the benchmark's own process; the modules are
 * made here, of the kind of code that a library of a host consists of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "bench.h"

enum { MODULE_BYTES = 20000, FUNCTION_CHARS = 512, NAME_CHARS = 16 };
enum { FEW_MODULES = 3, MANY_MODULES = 25 }; /* 60 KB and 500 KB */

#define PLAIN "(orders, rate = 1.5)"
#define TYPED "(orders: Order[], rate: number = 1.5): { sum: number; text: string; salt: number }"

/* Modules 0.js, 1.js, ... */
struct map {
    struct cm_module modules[MANY_MODULES];
    char names[MANY_MODULES][NAME_CHARS];
    char texts[MANY_MODULES][MODULE_BYTES];
};

/* What the modules of a map look like. */
static const struct form {
    enum cm_language language;
    const char *ending; /* of the modules' names */
    const char *head;
    const char *before; /* a function's name */
    const char *name_end;
    const char *parameters;
    const char *after; /* the parameters */
    const char *price;
    const char *end;
} declared = { CM_LANGUAGE_JAVASCRIPT, ".js", "", "export function ", "", PLAIN, " ", "price", "" },
  plain = { CM_LANGUAGE_JAVASCRIPT, "", "", "function ", "", PLAIN, " ", "price", "" },
  assigned = { CM_LANGUAGE_JAVASCRIPT,
               ".js",
               "",
               "export const ",
               " = ",
               PLAIN,
               " => ",
               "price",
               ";" },
  importing = { CM_LANGUAGE_JAVASCRIPT,
                ".js",
                "import { total_1 as scaled } from './0.js';\n\n",
                "export function ",
                "",
                PLAIN,
                " ",
                "scaled([price])",
                "" },
  typed = { CM_LANGUAGE_TYPESCRIPT,
            ".ts",
            "export interface Order { price: number; count: number; tags?: string[] }\n\n",
            "export function ",
            "",
            TYPED,
            " ",
            "price",
            "" };

/* Functions until the text is full. `salt` makes it one that was not seen before. */
static size_t write_module(char *text, const struct form *form, size_t salt)
{
    static const char function[] =
        "%stotal_%zu%s%s%s{\n"
        "  let sum = 0;\n\n"
        "  for (const { price, count, tags = [] } of orders) {\n"
        "    if (tags.includes('free') || /^test-\\d+$/.test(tags[0])) continue;\n"
        "    sum += %s * count * (rate > 1 ? rate : 1 / rate);\n"
        "  }\n"
        "  return { sum, text: `${sum.toFixed(2)} EUR`, salt: %zu };\n"
        "}%s\n\n";
    size_t bytes = (size_t)snprintf(text, FUNCTION_CHARS, "%s", form->head);

    for (size_t i = 0; bytes + FUNCTION_CHARS < MODULE_BYTES; i++)
        bytes += (size_t)snprintf(text + bytes, FUNCTION_CHARS, function, form->before, i,
                                  form->name_end, form->parameters, form->after, form->price, salt,
                                  form->end);
    memset(text + bytes, '\n', MODULE_BYTES - bytes);
    return MODULE_BYTES;
}

static void map_fill(struct map *map, size_t count, const struct form *form, size_t salt)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(map->names[i], NAME_CHARS, "%zu%s", i, form->ending);
        map->modules[i] = (struct cm_module){ map->names[i], CM_MODULE_ESM, map->texts[i],
                                              write_module(map->texts[i], form, salt + i) };
    }
}

/* Milliseconds over the baseline, which has no modules. */
static int measure_warm(struct bench *bench, size_t count)
{
    struct map *map = calloc(1, sizeof(struct map));
    int r;

    if (map == NULL)
        return CM_E_NOMEM;
    map_fill(map, count, &declared, 0);
    bench->program.modules = map->modules;
    bench->program.module_count = count;
    r = bench_difference(bench);
    free(map);
    return r;
}

int measure_imports(struct bench *bench)
{
    return measure_warm(bench, FEW_MODULES);
}

int measure_imports_of_many(struct bench *bench)
{
    return measure_warm(bench, MANY_MODULES);
}

/* What a module of those costs that is part of the program instead: its own evaluation. */
int measure_inlined(struct bench *bench)
{
    static char module[MODULE_BYTES], text[MODULE_BYTES + FUNCTION_CHARS];
    static const char head[] = "async () => {\n", tail[] = "return total_1([]).sum; }";
    char *to = text;
    int r;

    write_module(module, &plain, 1);
    to = mempcpy(to, head, strlen(head));
    to = mempcpy(to, module, sizeof(module));
    to = mempcpy(to, tail, strlen(tail));
    free(bench->program.text);
    bench->program.text = text;
    bench->program.bytes = (size_t)(to - text);
    r = bench_difference(bench);
    bench->program.text = NULL;
    return r;
}

/* Milliseconds that a map costs when it is new: the first run with it less the
 * next one. The first map of all waits for the compiler to start. */
static int cold_samples(struct bench *bench, struct map *map, const struct form *form,
                        struct samples *samples)
{
    struct samples cold, warm;
    int r = samples_init(&cold, bench->count + 1);

    if (r == 0)
        r = samples_init(&warm, bench->count + 1);
    bench->program.modules = map->modules;
    bench->program.module_count = MANY_MODULES;
    bench->program.language = form->language;
    for (size_t i = 0; r == 0 && i <= bench->count; i++) {
        map_fill(map, MANY_MODULES, form, (i + 1) * MANY_MODULES);
        r = bench_timed_run(bench, &bench->program, &cold);
        if (r == 0)
            r = bench_timed_run(bench, &bench->program, &warm);
        if (r == 0 && i > 0)
            samples_add(samples, cold.values[i] - warm.values[i]);
    }
    samples_done(&cold);
    samples_done(&warm);
    return r;
}

static int measure_form(struct bench *bench, const struct form *form)
{
    struct map *map = calloc(1, sizeof(struct map));
    struct samples samples;
    int r = samples_init(&samples, bench->count);

    if (map == NULL)
        r = CM_E_NOMEM;
    if (r == 0)
        r = cold_samples(bench, map, form, &samples);
    if (r == 0)
        samples_print(&samples, samples_quantile(&samples, 0.5));
    samples_done(&samples);
    free(map);
    return r;
}

int measure_cold(struct bench *bench)
{
    return measure_form(bench, &declared);
}

int measure_cold_values(struct bench *bench)
{
    return measure_form(bench, &assigned);
}

int measure_cold_imports(struct bench *bench)
{
    return measure_form(bench, &importing);
}

int measure_cold_typescript(struct bench *bench)
{
    return measure_form(bench, &typed);
}
