/* The command line, taken apart by the rows of options.def. Runs in
 * codemode-executor; the words are the user's own. */
#include "cli/options.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "daemon/settings.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command_row {
    const char *word;
    const char *operand;
} command_rows[] = {
#define CLI_COMMAND(name, word, operand, help) { word, operand },
#include "cli/options.def"
};

static const struct option_row {
    const char *word;
    const char *argument;
    unsigned commands;
} option_rows[] = {
#define CLI_OPTION(name, word, argument, commands, help) { word, argument, commands },
#include "cli/options.def"
};

const struct cm_setting_info *cli_setting_info(enum cli_command command, size_t index)
{
    size_t executors = 0;

    if (cm_setting_info(index) != NULL)
        return cm_setting_info(index);
    if (command != CLI_COMMAND_SERVE)
        return NULL;
    while (cm_setting_info(executors) != NULL)
        executors++;
    return daemon_setting_info(index - executors);
}

struct cli_flag cli_setting_flag(const struct cm_setting_info *setting)
{
    struct cli_flag flag = { "--" };
    size_t at = strlen(flag.text);

    for (const char *from = setting->name; *from != '\0' && at + 1 < sizeof(flag.text); from++)
        flag.text[at++] = *from == '_' ? '-' : (char)tolower((unsigned char)*from);
    flag.text[at] = '\0';
    return flag;
}

struct cli_flag cli_given_flag(const struct cli_given *given)
{
    struct cli_flag flag;

    if (given->option == CLI_OPT_SETTING)
        return cli_setting_flag(given->setting);
    snprintf(flag.text, sizeof(flag.text), "%s", option_rows[given->option].word);
    return flag;
}

int cli_flag_refused(const char *flag, int r, struct cm_error *err)
{
    struct cm_error cause = *err;

    *err = (struct cm_error)CM_ERROR_INIT;
    return cm_fail(err, r, 0, "%s: %s", flag, cause.text);
}

const char *cli_setting_variable(const struct cm_setting_info *setting)
{
    return strcmp(setting->name, "WORKER_PATH") == 0 ? "CODEMODE_WORKER_PATH" : setting->name;
}

/* Both `word` and `word=value` are `name`; *ret_value is NULL for the first. */
static bool names(const char *word, const char *name, const char **ret_value)
{
    size_t len = strlen(name);

    if (strncmp(word, name, len) != 0 || (word[len] != '\0' && word[len] != '='))
        return false;
    *ret_value = word[len] == '=' ? word + len + 1 : NULL;
    return true;
}

static int parse_command(const char *word, enum cli_command *ret_command, struct cm_error *err)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(command_rows); i++) {
        if (strcmp(command_rows[i].word, word) == 0) {
            *ret_command = (enum cli_command)i;
            return 0;
        }
    }
    return cm_fail(
        err, CM_E_INVAL, 0,
        "there is no subcommand '%.64s'; there are serve, run and check, and --help tells more",
        word);
}

static bool find_option(enum cli_command command, const char *word, struct cli_given *ret_given,
                        const char **ret_argument, const char **ret_value)
{
    const struct cm_setting_info *setting;

    for (size_t i = 0; i < CM_ARRAY_LEN(option_rows); i++) {
        if ((option_rows[i].commands & (1u << command)) != 0 &&
            names(word, option_rows[i].word, ret_value)) {
            *ret_given = (struct cli_given){ (enum cli_option)i, NULL, "" };
            *ret_argument = option_rows[i].argument;
            return true;
        }
    }
    for (size_t i = 0; (setting = cli_setting_info(command, i)) != NULL; i++) {
        if (names(word, cli_setting_flag(setting).text, ret_value)) {
            *ret_given = (struct cli_given){ CLI_OPT_SETTING, setting, "" };
            *ret_argument = setting->unit;
            return true;
        }
    }
    return false;
}

static int refuse_option(enum cli_command command, const char *word, struct cm_error *err)
{
    char accepted[256] = "";
    size_t len = 0;

    for (size_t i = 0; i < CM_ARRAY_LEN(option_rows); i++)
        if ((option_rows[i].commands & (1u << command)) != 0 && len < sizeof(accepted))
            len += (size_t)snprintf(accepted + len, sizeof(accepted) - len, "%s, ",
                                    option_rows[i].word);
    return cm_fail(err, CM_E_INVAL, 0,
                   "%s has no option %.64s; it takes %sand the settings that --help lists",
                   command_rows[command].word, word, accepted);
}

/* Reads the option at argv[*at] and moves *at to its last word. */
static int parse_option(int argc, char *const argv[], int *at, struct cli_options *options,
                        struct cm_error *err)
{
    const char *word = argv[*at];
    struct cli_given given;
    const char *argument;
    const char *value;

    if (!find_option(options->command, word, &given, &argument, &value))
        return refuse_option(options->command, word, err);
    if (argument == NULL && value != NULL)
        return cm_fail(err, CM_E_INVAL, 0, "%.*s takes no value", (int)(value - word - 1), word);
    if (argument != NULL && value == NULL) {
        if (*at + 1 >= argc)
            return cm_fail(err, CM_E_INVAL, 0, "%s takes a value (%s)", word, argument);
        value = argv[++*at];
    }
    if (value != NULL)
        given.value = value;
    options->given[options->given_count++] = given;
    return 0;
}

static int parse_operand(const char *word, struct cli_options *options, struct cm_error *err)
{
    const struct command_row *row = &command_rows[options->command];

    if (row->operand == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "%s takes options only, not '%.64s'", row->word, word);
    if (options->operand != NULL)
        return cm_fail(err, CM_E_INVAL, 0, "%s takes one %s; '%.64s' is a second one", row->word,
                       row->operand, word);
    options->operand = word;
    return 0;
}

int cli_options_parse(int argc, char *const argv[], struct cli_options *options,
                      struct cm_error *err)
{
    bool only_operands = false;
    int r;

    *options = (struct cli_options){ 0 };
    options->given = calloc((size_t)argc, sizeof(*options->given)); /* each takes a word */
    if (options->given == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the command line");
    r = parse_command(argv[0], &options->command, err);
    for (int i = 1; i < argc && r == 0; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0)
            only_operands = true;
        else if (!only_operands && argv[i][0] == '-' && argv[i][1] != '\0')
            r = parse_option(argc, argv, &i, options, err);
        else
            r = parse_operand(argv[i], options, err);
    }
    return r;
}

void cli_options_done(struct cli_options *options)
{
    free(CM_TAKE(options->given));
}

const char *cli_option_get(const struct cli_options *options, enum cli_option option)
{
    const char *value = NULL;

    for (size_t i = 0; i < options->given_count; i++)
        if (options->given[i].option == option)
            value = options->given[i].value;
    return value;
}
