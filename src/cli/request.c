/* The request of a run. Runs in codemode-executor; the files are the user's or
 * come from where that user got them: the library judges what is in them. */
#include "cli/request.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "cli/input.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static bool is_stdin(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* A request with `program` in the place of its code; NULL where that cannot be,
 * which the parser of requests then explains. */
static char *with_code(const struct cm_buf *json, const struct cm_buf *program)
{
    json_t *root = json_loadb((const char *)cm_buf_bytes(json), json->len, JSON_ALLOW_NUL, NULL);
    json_t *code = json_stringn((const char *)cm_buf_bytes(program), program->len);
    char *text = NULL;

    if (json_object_set(root, "code", code) == 0)
        text = json_dumps(root, JSON_COMPACT);
    json_decref(code);
    json_decref(root);
    return text;
}

static int parse(struct request_source *source, bool has_program, struct cm_error *err)
{
    CM_AUTO_FREE char *merged = has_program ? with_code(&source->json, &source->program) : NULL;
    const char *text = merged != NULL ? merged : (const char *)cm_buf_bytes(&source->json);
    size_t bytes = merged != NULL ? strlen(merged) : source->json.len;
    int r = cm_request_parse(text == NULL ? "" : text, bytes, &source->parsed, err);

    if (r < 0) {
        source->malformed = r == CM_E_INVAL;
        return r;
    }
    source->request = *source->parsed;
    source->request.struct_bytes = sizeof(source->request);
    return 0;
}

static int load_files(const struct cli_options *options, struct request_source *source,
                      struct cm_error *err)
{
    const char *file = cli_option_get(options, CLI_OPT_REQUEST);
    const char *program = options->operand;
    int r = 0;

    if (program == NULL && file == NULL)
        return cm_fail(err, CM_E_INVAL, 0,
                       "run takes a program: a FILE, - for standard input, or --request FILE");
    if (is_stdin(program) && is_stdin(file))
        return cm_fail(err, CM_E_INVAL, 0,
                       "program and request cannot both come from standard input");
    if (program != NULL)
        r = input_read(program, &source->program, err);
    if (r == 0 && file != NULL)
        r = input_read(file, &source->json, err);
    if (r < 0)
        return r;
    if (file != NULL)
        return parse(source, program != NULL, err);
    source->request.code = source->program.len == 0 ? "" : (char *)cm_buf_bytes(&source->program);
    source->request.code_bytes = source->program.len;
    return 0;
}

static bool parse_timeout(const char *text, double *ret_ms)
{
    char *end;

    if (strcmp(text, "none") == 0) {
        *ret_ms = HUGE_VAL;
        return true;
    }
    if (text[strspn(text, "0123456789.")] != '\0') /* strtod() takes much more */
        return false;
    *ret_ms = strtod(text, &end);
    return *end == '\0' && *ret_ms > 0 && isfinite(*ret_ms);
}

static int take_timeout(const struct cli_options *options, struct request_source *source,
                        struct cm_error *err)
{
    const char *text = cli_option_get(options, CLI_OPT_TIMEOUT);

    if (text == NULL || parse_timeout(text, &source->request.timeout_ms))
        return 0;
    return cm_fail(err, CM_E_INVAL, 0,
                   "--timeout is '%.64s', but takes milliseconds above 0, or none", text);
}

static bool has_provider(const struct request_source *source, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (source->providers[i].name != NULL && strcmp(source->providers[i].name, name) == 0)
            return true;
    return false;
}

/* The request's providers, or where it names none those of the tools file; and
 * those of --provider that are not among them. */
static int take_providers(const struct cli_options *options, const struct tools *tools,
                          struct request_source *source, struct cm_error *err)
{
    const struct cm_provider *named = source->request.providers;
    size_t count = source->request.provider_count;

    if (count == 0 && tools != NULL)
        named = tools_providers(tools, &count);
    source->providers = calloc(count + options->given_count + 1, sizeof(*source->providers));
    if (source->providers == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the providers");
    if (count > 0)
        memcpy(source->providers, named, count * sizeof(*named));
    for (size_t i = 0; i < options->given_count; i++) {
        const struct cli_given *given = &options->given[i];

        if (given->option == CLI_OPT_PROVIDER && !has_provider(source, count, given->value))
            source->providers[count++].name = given->value;
    }
    source->request.providers = source->providers;
    source->request.provider_count = count;
    return 0;
}

static bool ends_with(const char *path, const char *ending)
{
    size_t bytes = strlen(path);
    size_t ending_bytes = strlen(ending);

    return bytes > ending_bytes && strcmp(path + bytes - ending_bytes, ending) == 0;
}

static enum cm_module_kind kind_of(const char *path)
{
    static const struct {
        const char *ending;
        enum cm_module_kind kind;
    } kinds[] = {
        { ".js", CM_MODULE_ESM },    { ".mjs", CM_MODULE_ESM },  { ".ts", CM_MODULE_ESM },
        { ".mts", CM_MODULE_ESM },   { ".cjs", CM_MODULE_CJS },  { ".cts", CM_MODULE_CJS },
        { ".json", CM_MODULE_JSON }, { ".txt", CM_MODULE_TEXT },
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(kinds); i++)
        if (ends_with(path, kinds[i].ending))
            return kinds[i].kind;
    return CM_MODULE_DATA;
}

/* One NAME=FILE as the next module. */
static int add_module(struct request_source *source, const char *value, size_t message_bytes,
                      struct cm_error *err)
{
    struct request_file *file = &source->files[source->file_count];
    const char *equals = strchr(value, '=');
    const char *path = equals == NULL ? "" : equals + 1;
    int r;

    if (equals == NULL || equals == value || *path == '\0')
        return cm_fail(err, CM_E_INVAL, 0, "--module is '%.64s', but takes NAME=FILE", value);
    cm_buf_init(&file->text, message_bytes);
    file->name = strndup(value, (size_t)(equals - value));
    source->file_count++;
    if (file->name == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for a module");
    r = kind_of(path) == CM_MODULE_DATA ? input_read_bytes(path, &file->text, err)
                                        : input_read(path, &file->text, err);
    if (r < 0)
        return r;
    source->modules[source->request.module_count++] =
        (struct cm_module){ file->name, kind_of(path),
                            file->text.len == 0 ? "" : (char *)cm_buf_bytes(&file->text),
                            file->text.len };
    return 0;
}

/* The request's modules, and those of --module. */
static int take_modules(const struct cli_options *options, struct request_source *source,
                        size_t message_bytes, struct cm_error *err)
{
    size_t room = source->request.module_count + options->given_count + 1;
    int r = 0;

    source->modules = calloc(room, sizeof(*source->modules));
    source->files = calloc(options->given_count + 1, sizeof(*source->files));
    if (source->modules == NULL || source->files == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the modules");
    if (source->request.module_count > 0)
        memcpy(source->modules, source->request.modules,
               source->request.module_count * sizeof(*source->modules));
    source->request.modules = source->modules;
    for (size_t i = 0; r == 0 && i < options->given_count; i++)
        if (options->given[i].option == CLI_OPT_MODULE)
            r = add_module(source, options->given[i].value, message_bytes, err);
    return r;
}

static int take_language(const struct cli_options *options, struct request_source *source,
                         struct cm_error *err)
{
    const char *name = cli_option_get(options, CLI_OPT_LANGUAGE);

    if (name == NULL && options->operand != NULL && ends_with(options->operand, ".ts"))
        name = "typescript";
    if (name == NULL)
        return 0;
    if (strcmp(name, "typescript") == 0)
        source->request.language = CM_LANGUAGE_TYPESCRIPT;
    else if (strcmp(name, "javascript") == 0)
        source->request.language = CM_LANGUAGE_JAVASCRIPT;
    else
        return cm_fail(err, CM_E_INVAL, 0,
                       "--language is '%.64s', but takes javascript or typescript", name);
    return 0;
}

int request_load(const struct cli_options *options, const struct tools *tools, size_t message_bytes,
                 struct request_source *source, struct cm_error *err)
{
    int r;

    *source = (struct request_source){ .request = CM_REQUEST_INIT };
    cm_buf_init(&source->program, message_bytes);
    cm_buf_init(&source->json, message_bytes);
    r = load_files(options, source, err);
    if (r == 0)
        r = take_timeout(options, source, err);
    if (cli_option_get(options, CLI_OPT_NO_NETWORK) != NULL)
        source->request.outbound = CM_OUTBOUND_NONE;
    if (r == 0)
        r = take_providers(options, tools, source, err);
    if (r == 0)
        r = take_modules(options, source, message_bytes, err);
    if (r == 0)
        r = take_language(options, source, err);
    return r;
}

void request_done(struct request_source *source)
{
    cm_request_free(CM_TAKE(source->parsed));
    free(CM_TAKE(source->providers));
    free(CM_TAKE(source->modules));
    for (size_t i = 0; i < source->file_count; i++) {
        free(source->files[i].name);
        cm_buf_done(&source->files[i].text);
    }
    free(CM_TAKE(source->files));
    cm_buf_done(&source->program);
    cm_buf_done(&source->json);
}
