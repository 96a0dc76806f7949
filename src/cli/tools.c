/* Canned answers to tool calls. Runs in codemode-executor; the file is the
 * user's. jansson judges it and says where it is malformed; the answers are
 * passed on as the pieces of text that they are. */
#include "cli/tools.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "cli/input.h"
#include "cli/json.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct answer {
    char *provider;   /* "store", a string of its own with the tool behind it */
    const char *tool; /* "listUsers" */
    const char *text; /* of the file's bytes */
    size_t bytes;
};

struct tools {
    const char *path;
    struct cm_buf file;
    struct answer *answers;
    size_t answer_count;
    struct cm_provider *providers;
    size_t provider_count;
    const char **names; /* of all tools, in the order of `providers` */
};

static int check_answer(const char *path, const char *key, const json_t *answer,
                        struct cm_error *err)
{
    const json_t *error = json_object_get(answer, "error");
    size_t known = (error != NULL) + (json_object_get(answer, "result") != NULL);

    if (!json_is_object(answer) || json_object_size(answer) != known || known > 1)
        return cm_fail(err, CM_E_INVAL, 0,
                       "%s: the answer of \"%.64s\" must be {\"result\": ...}, {\"error\": ...} "
                       "or {}",
                       path, key);
    if (error != NULL && !json_is_string(error) &&
        !json_is_string(json_object_get(error, "message")))
        return cm_fail(err, CM_E_INVAL, 0,
                       "%s: the error of \"%.64s\" must be a message or an object with a message",
                       path, key);
    return 0;
}

static int check_key(const char *path, const char *key, struct cm_error *err)
{
    const char *dot = strchr(key, '.');

    if (dot != NULL && dot > key && dot[1] != '\0')
        return 0;
    return cm_fail(err, CM_E_INVAL, 0, "%s: the key \"%.64s\" must read provider.tool", path, key);
}

/* Whether the file is an object of answers, as jansson reads it. */
static int check_file(const struct tools *tools, struct cm_error *err)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    json_error_t where;
    json_t *root = json_loadb((const char *)cm_buf_bytes(&tools->file), tools->file.len,
                              flags | JSON_DECODE_ANY, &where);
    const char *key;
    json_t *answer;
    int r = 0;

    if (root == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "%s is not valid JSON: line %d, column %d: %.128s",
                       tools->path, where.line, where.column, where.text);
    if (!json_is_object(root))
        r = cm_fail(err, CM_E_INVAL, 0, "%s must hold a JSON object of \"provider.tool\" to answer",
                    tools->path);
    json_object_foreach(root, key, answer)
    {
        if (r == 0)
            r = check_key(tools->path, key, err);
        if (r == 0)
            r = check_answer(tools->path, key, answer, err);
    }
    json_decref(root);
    return r;
}

/* The key with its escapes decoded, which only a JSON reader does well. */
static char *key_new(const struct json_member *member)
{
    json_t *string =
        json_loadb(member->key - 1, member->key_bytes + 2, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    char *key = string == NULL ? NULL : strdup(json_string_value(string));

    json_decref(string);
    return key;
}

static int add_answer(struct tools *tools, const struct json_member *member)
{
    struct answer *grown;
    char *key = key_new(member);
    char *dot;

    if (key == NULL)
        return CM_E_NOMEM;
    grown = reallocarray(tools->answers, tools->answer_count + 1, sizeof(*grown));
    if (grown == NULL) {
        free(key);
        return CM_E_NOMEM;
    }
    dot = strchr(key, '.'); /* is there: check_key() */
    *dot = '\0';
    tools->answers = grown;
    tools->answers[tools->answer_count++] =
        (struct answer){ key, dot + 1, member->value, member->value_bytes };
    return 0;
}

static int take_answers(struct tools *tools)
{
    struct json_object object;
    struct json_member member;
    int r = json_open(&object, (const char *)cm_buf_bytes(&tools->file), tools->file.len);

    if (r < 0)
        return r;
    while ((r = json_next(&object, &member)) == 1) {
        int added = add_answer(tools, &member);

        if (added < 0)
            return added;
    }
    return r;
}

static bool is_first_of_provider(const struct tools *tools, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(tools->answers[i].provider, tools->answers[index].provider) == 0)
            return false;
    return true;
}

static int take_providers(struct tools *tools)
{
    size_t named = 0;

    tools->providers = calloc(tools->answer_count + 1, sizeof(*tools->providers));
    tools->names = calloc(tools->answer_count + 1, sizeof(*tools->names));
    if (tools->providers == NULL || tools->names == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < tools->answer_count; i++) {
        struct cm_provider *provider = &tools->providers[tools->provider_count];

        if (!is_first_of_provider(tools, i))
            continue;
        provider->name = tools->answers[i].provider;
        provider->tools = &tools->names[named];
        for (size_t j = i; j < tools->answer_count; j++)
            if (strcmp(tools->answers[j].provider, provider->name) == 0)
                tools->names[named++] = tools->answers[j].tool;
        provider->tool_count = (size_t)(&tools->names[named] - provider->tools);
        tools->provider_count++;
    }
    return 0;
}

static int load(struct tools *tools, struct cm_error *err)
{
    int r = input_read(tools->path, &tools->file, err);

    if (r < 0)
        return r;
    r = check_file(tools, err);
    if (r < 0)
        return r;
    r = take_answers(tools);
    if (r == 0)
        r = take_providers(tools);
    return r < 0 ? cm_fail(err, r, 0, "%s cannot be used", tools->path) : 0;
}

int tools_load(const char *path, size_t max_bytes, struct tools **ret_tools, struct cm_error *err)
{
    struct tools *tools = calloc(1, sizeof(*tools));
    int r;

    if (tools == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for %s", path);
    tools->path = path;
    cm_buf_init(&tools->file, max_bytes);
    r = load(tools, err);
    if (r < 0) {
        tools_free(tools);
        return r;
    }
    *ret_tools = tools;
    return 0;
}

void tools_free(struct tools *tools)
{
    if (tools == NULL)
        return;
    for (size_t i = 0; i < tools->answer_count; i++)
        free(tools->answers[i].provider);
    free(tools->answers);
    free(tools->providers);
    free(tools->names);
    cm_buf_done(&tools->file);
    free(tools);
}

const struct cm_provider *tools_providers(const struct tools *tools, size_t *ret_count)
{
    *ret_count = tools->provider_count;
    return tools->providers;
}

/* Linear: a file of canned answers is short. */
bool tools_answer(const struct tools *tools, struct cm_run *run, const struct cm_call *call)
{
    for (size_t i = 0; i < tools->answer_count; i++) {
        const struct answer *answer = &tools->answers[i];

        if (strcmp(answer->provider, call->provider) == 0 &&
            strcmp(answer->tool, call->tool) == 0) {
            cm_run_answer(run, call->id, answer->text, answer->bytes);
            return true;
        }
    }
    return false;
}

static void put_offer(FILE *out, const struct tools *tools)
{
    if (tools->answer_count == 0)
        fputs("nothing", out);
    for (size_t i = 0; i < tools->answer_count; i++)
        fprintf(out, "%s%s.%s", i == 0 ? "" : ", ", tools->answers[i].provider,
                tools->answers[i].tool);
}

void tools_reject(const struct tools *tools, struct cm_run *run, const struct cm_call *call)
{
    static const char no_memory[] = "No canned answer is there for this call.";
    CM_AUTO_FREE char *sentence = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&sentence, &bytes);

    if (out != NULL) {
        fprintf(out, "%s has no answer to %s.%s. It offers: ", tools->path, call->provider,
                call->tool);
        put_offer(out, tools);
        fputc('.', out);
    }
    if (out == NULL || fclose(out) != 0)
        cm_run_reject(run, call->id, no_memory, sizeof(no_memory) - 1);
    else
        cm_run_reject(run, call->id, sentence, bytes);
}
