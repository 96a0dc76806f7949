/* What check found out, on standard output. The failure's text may be a worker's
 * and is escaped like all of them. */
#include "cli/verdict.h"

#include "cli/json.h"
#include "cli/output.h"

#include <stdio.h>
#include <string.h>

/* "JavaScriptCore/2.50.6" of "JavaScriptCore 2.50.6". */
static void put_runtime(const struct verdict *verdict)
{
    char engine[64] = "";
    char *blank;

    if (verdict->report != NULL)
        snprintf(engine, sizeof(engine), " %s", verdict->report->engine);
    blank = strrchr(engine, ' ');
    if (blank != NULL && blank > engine)
        *blank = '/';
    printf("codemode-executor/%s%s", cm_version(), engine);
}

/* ---- for people ---- */

static const char *mark(const struct verdict *verdict, const struct cm_layer *layer)
{
    if (layer->in_force)
        return "✓";
    /* What no advice is given on is not needed on this machine. */
    return verdict->advice.count == 0 ? "·" : "!";
}

static void draw_layers(const struct verdict *verdict)
{
    puts("│\n├  Jail of a worker");
    for (size_t i = 0; i < verdict->report->layer_count; i++) {
        const struct cm_layer *layer = &verdict->report->layers[i];

        printf("│  %s %-22s%s\n", mark(verdict, layer), layer->name, layer->detail);
    }
}

static void draw_job(const struct verdict *verdict)
{
    puts("│\n├  One real job: a program that calls a tool and logs a line");
    if (verdict->ok) {
        printf("│  ✓ answered ");
        json_put_value(stdout, verdict->answer, verdict->answer_bytes);
        printf(" after %.1f ms, the start of the %s included\n", verdict->duration_ms,
               verdict->daemon == NULL ? "pool" : "connection");
        return;
    }
    printf("│  ✗ ");
    output_put_text(stdout, verdict->failure, verdict->failure_bytes);
    putchar('\n');
}

static void draw_advice(const struct advice *advice)
{
    if (advice->count == 0)
        return;
    puts("│\n├  To get what is missing");
    for (size_t i = 0; i < advice->count; i++)
        printf("│  → %s\n", advice->lines[i]);
}

void verdict_draw(const struct verdict *verdict)
{
    printf("┌  codemode-executor check\n│\n");
    printf("│  library  %s\n", cm_version());
    if (verdict->report != NULL)
        printf("│  engine   %s\n", verdict->report->engine);
    if (verdict->daemon == NULL)
        printf("│  worker   %s\n", verdict->worker_path);
    else
        printf("│  daemon   %s\n", verdict->daemon);
    if (verdict->report != NULL)
        draw_layers(verdict);
    draw_job(verdict);
    draw_advice(&verdict->advice);
    printf("│\n└  %s %s run sandboxed code.\n",
           verdict->daemon == NULL ? "This machine" : "This daemon",
           verdict->ok ? "can" : "cannot");
}

/* ---- for scripts ---- */

static void put_text_member(const char *key, const char *text, size_t bytes)
{
    printf(",\"%s\":", key);
    json_put_string(stdout, text, bytes);
}

static void put_layers(const struct cm_report *report)
{
    fputs(",\"layers\":[", stdout);
    for (size_t i = 0; report != NULL && i < report->layer_count; i++) {
        const struct cm_layer *layer = &report->layers[i];

        printf("%s{\"name\":\"%s\",\"inForce\":%s", i == 0 ? "" : ",", layer->name,
               layer->in_force ? "true" : "false");
        put_text_member("detail", layer->detail, strlen(layer->detail));
        putchar('}');
    }
    putchar(']');
}

static void put_advice(const struct advice *advice)
{
    fputs(",\"advice\":[", stdout);
    for (size_t i = 0; i < advice->count; i++) {
        if (i > 0)
            putchar(',');
        json_put_string(stdout, advice->lines[i], strlen(advice->lines[i]));
    }
    putchar(']');
}

void verdict_json(const struct verdict *verdict)
{
    printf("{\"ok\":%s,\"version\":\"%s\",\"runtime\":\"", verdict->ok ? "true" : "false",
           cm_version());
    put_runtime(verdict);
    putchar('"');
    if (verdict->ok) {
        fputs(",\"answer\":", stdout);
        json_put_value(stdout, verdict->answer, verdict->answer_bytes);
        printf(",\"duration\":%.3f", verdict->duration_ms);
    } else {
        put_text_member("failure", verdict->failure, verdict->failure_bytes);
    }
    if (verdict->daemon == NULL)
        put_text_member("worker", verdict->worker_path, strlen(verdict->worker_path));
    else
        put_text_member("daemon", verdict->daemon, strlen(verdict->daemon));
    put_layers(verdict->report);
    put_advice(&verdict->advice);
    puts("}");
}
