/* codemode-executor: the command line. Runs as the user who called it; words,
 * environment and files are that user's, what a program logs and returns is
 * hostile and passes through output.c before it reaches a terminal. */
#include "base/cleanup.h"
#include "cli/check.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/serve.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef int command_main(const struct cli_options *options, struct cm_error *err);

static command_main *const mains[CLI_COMMAND_COUNT] = {
    [CLI_COMMAND_SERVE] = cli_serve,
    [CLI_COMMAND_RUN] = cli_run,
    [CLI_COMMAND_CHECK] = cli_check,
};

/* Whoever started us with 0, 1 or 2 closed must not find a pipe of ours there. */
static void fill_standard_fds(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    cm_close_fd(&fd);
}

static bool is_any_of(const char *word, const char *long_name, const char *short_name)
{
    return strcmp(word, long_name) == 0 || strcmp(word, short_name) == 0;
}

/* Help may be asked for at any place before "--". */
static bool asks_for_help(int argc, char *const argv[])
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_any_of(argv[i], "--help", "-h"))
            return true;
    return false;
}

/* Without a subcommand, or with options only, it is the first. */
static int command(int argc, char *argv[], struct cm_error *err)
{
    static char serve[] = "serve";
    struct cli_options options;
    int status = CLI_EXIT_WRONG;

    if (argc < 2 || argv[1][0] == '-')
        argv[0] = serve;
    else {
        argc--;
        argv++;
    }
    if (cli_options_parse(argc, argv, &options, err) == 0)
        status = mains[options.command](&options, err);
    cli_options_done(&options);
    return status;
}

/* Output that nobody received is no success. */
static int close_output(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    output_error("standard output could not be written");
    return status == CLI_EXIT_OK ? CLI_EXIT_WRONG : status;
}

int main(int argc, char *argv[])
{
    struct cm_error err = CM_ERROR_INIT;
    int status = CLI_EXIT_OK;

    fill_standard_fds();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of the write */
    if (asks_for_help(argc, argv))
        cli_help(stdout);
    else if (argc >= 2 && is_any_of(argv[1], "--version", "-V"))
        printf("codemode-executor %s\n", cm_version());
    else
        status = command(argc, argv, &err);
    if (err.code != CM_OK)
        output_error(err.text);
    return close_output(status);
}
