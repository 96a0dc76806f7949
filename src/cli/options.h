/* The command line, taken apart. No I/O. */
#ifndef CM_CLI_OPTIONS_H
#define CM_CLI_OPTIONS_H

#include "codemode/executor.h"

#include <stddef.h>

enum cli_exit {
#define CLI_EXIT(name, code, help) CLI_EXIT_##name = (code),
#include "cli/options.def"
};

enum cli_command {
#define CLI_COMMAND(name, word, operand, help) CLI_COMMAND_##name,
#include "cli/options.def"
    CLI_COMMAND_COUNT
};

#define CLI_IN(command) (1u << CLI_COMMAND_##command)

enum cli_option {
#define CLI_OPTION(name, word, argument, commands, help) CLI_OPT_##name,
#include "cli/options.def"
    CLI_OPT_SETTING /* a setting's own flag */
};

/* One option as it was given; texts are those of argv. */
struct cli_given {
    enum cli_option option;
    const struct cm_setting_info *setting; /* of CLI_OPT_SETTING */
    const char *value;                     /* "" for an option without argument */
};

struct cli_options {
    enum cli_command command;
    const char *operand; /* NULL when there is none */
    struct cli_given *given;
    size_t given_count;
};

/* Index from 0 until NULL: the settings that a subcommand takes. Those of the daemon
 * come behind those of the executor. */
const struct cm_setting_info *cli_setting_info(enum cli_command command, size_t index);

/* "--memory-limit-mb" of MEMORY_LIMIT_MB. */
struct cli_flag {
    char text[64];
};
struct cli_flag cli_setting_flag(const struct cm_setting_info *setting);

/* The flag as the user has typed it. */
struct cli_flag cli_given_flag(const struct cli_given *given);

/* Puts the flag, which the user has typed, in front of the sentence in `err`, which may
 * name a setting. Returns r. */
int cli_flag_refused(const char *flag, int r, struct cm_error *err);

/* The environment's name of a setting: its own, but for the worker's path, whose
 * name would be too general there. */
const char *cli_setting_variable(const struct cm_setting_info *setting);

/* Reads argv, whose first word names the command. CM_E_INVAL with the one line
 * for the user; `options` needs cli_options_done() either way. */
int cli_options_parse(int argc, char *const argv[], struct cli_options *options,
                      struct cm_error *err);
void cli_options_done(struct cli_options *options);

/* The value that was given last, or NULL. */
const char *cli_option_get(const struct cli_options *options, enum cli_option option);

#endif
