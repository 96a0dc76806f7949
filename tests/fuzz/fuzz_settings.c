/* Who starts the program with anything: a command line, a word a line. Words of the form
 * NAME=value in front of the subcommand are the environment, as for env(1). */
#include "fuzz.h"

#include "cli/options.h"
#include "cli/settings.h"
#include "daemon/settings.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 64 };

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A number is within its bounds, or none where that is its default; a word is one of the
 * row's. */
static void must_be_valid(const struct cm_setting_info *info, const char *value)
{
    MUST(value != NULL && value[0] != '\0');
    if (info->words != NULL) {
        size_t i = 0;

        while (info->words[i] != NULL && strcmp(info->words[i], value) != 0)
            i++;
        MUST(info->words[i] != NULL);
    } else if (info->max > 0 && strcmp(value, "none") != 0) {
        uint64_t number = strtoull(value, NULL, 10);

        MUST(number >= info->min && number <= info->max);
    }
}

static int load_executors(const struct cli_options *options, struct cm_error *err)
{
    struct cm_settings *settings = NULL;
    const struct cm_setting_info *info;
    int r = cli_settings_load(options, &settings, err);

    for (size_t i = 0; r == 0 && (info = cm_setting_info(i)) != NULL; i++)
        must_be_valid(info, cm_settings_get(settings, info->name));
    cm_settings_free(settings);
    return r;
}

static int load_daemons(const struct cli_options *options, struct cm_error *err)
{
    struct daemon_settings *settings = daemon_settings_new();
    struct daemon_shown shown;
    int r;

    MUST(settings != NULL);
    r = cli_daemon_settings_load(options, settings, err);
    for (size_t i = 0; r == 0 && daemon_settings_show(settings, i, &shown); i++)
        if (i < DAEMON_SETTING_COUNT)
            must_be_valid(daemon_setting_info(i), shown.value);
    daemon_settings_free(settings);
    return r;
}

static void run(int argc, char **argv)
{
    struct cm_error err = CM_ERROR_INIT;
    struct cli_options options;
    int r = cli_options_parse(argc, argv, &options, &err);

    MUST(options.given_count <= (size_t)argc);
    if (r == 0)
        r = options.command == CLI_COMMAND_SERVE ? load_daemons(&options, &err)
                                                 : load_executors(&options, &err);
    MUST(r == 0 || (r == CM_E_INVAL && err.code == CM_E_INVAL));
    MUST((r == 0) == (err.text[0] == '\0'));
    cli_options_done(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *text = strndup((const char *)bytes, n);
    char *words[WORDS_MAX + 1] = { NULL };
    size_t count = 0;
    size_t named = 0;
    char *environment[WORDS_MAX + 1] = { NULL };
    char **before = environ;

    MUST(text != NULL);
    for (char *at = text; at != NULL && count < WORDS_MAX;) {
        words[count] = strsep(&at, "\n");
        if (strcasestr(words[count], "token") == NULL || strcasestr(words[count], "file") == NULL)
            count++; /* the file of a token is read, and could be any */
    }
    while (named < count && !starts(words[named], "-") && strchr(words[named], '=') != NULL) {
        environment[named] = words[named];
        named++;
    }
    words[count] = NULL;
    environ = environment;
    if (named < count)
        run((int)(count - named), words + named);
    environ = before;
    free(text);
    return 0;
}
