/* --help: commands, options, settings and exit codes from their rows. Runs in
 * codemode-executor; nothing here is anybody's input. */
#include "cli/help.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/options.h"
#include "daemon/settings.h"

#include <string.h>

enum { LINE_CHARS = 96, TERM_CHARS = 34 };

static const struct command_row {
    unsigned bit;
    const char *word;
    const char *operand;
    const char *help;
} command_rows[] = {
#define CLI_COMMAND(name, word, operand, help) { CLI_IN(name), word, operand, help },
#include "cli/options.def"
};

static const struct option_row {
    const char *word;
    const char *argument;
    unsigned commands;
    const char *help;
} option_rows[] = {
#define CLI_OPTION(name, word, argument, commands, help) { word, argument, commands, help },
#include "cli/options.def"
};

static const struct exit_row {
    int code;
    const char *help;
} exit_rows[] = {
#define CLI_EXIT(name, code, help) { code, help },
#include "cli/options.def"
};

/* What fits a line of `room` characters, cut at a blank. */
static size_t fitting(const char *text, size_t room)
{
    size_t len = strlen(text);

    if (len <= room)
        return len;
    for (len = room; len > 0 && text[len] != ' ';)
        len--;
    return len > 0 ? len : room;
}

/* "  TERM      text", with the text wrapped in its own column. */
static void entry(FILE *out, const char *term, const char *text)
{
    size_t column = (size_t)fprintf(out, "  %s", term);

    if (column + 2 > TERM_CHARS) {
        fputc('\n', out);
        column = 0;
    }
    while (*text != '\0') {
        size_t len = fitting(text, LINE_CHARS - TERM_CHARS);

        fprintf(out, "%*s%.*s\n", (int)(TERM_CHARS - column), "", (int)len, text);
        text += len;
        text += strspn(text, " ");
        column = 0;
    }
}

static void options_of(FILE *out, unsigned command)
{
    char term[64];

    for (size_t i = 0; i < CM_ARRAY_LEN(option_rows); i++) {
        const struct option_row *row = &option_rows[i];
        const char *argument = row->argument == NULL ? "" : row->argument;

        if ((row->commands & command) == 0)
            continue;
        snprintf(term, sizeof(term), "%s%s%s", row->word, argument[0] == '\0' ? "" : " ", argument);
        entry(out, term, row->help);
    }
}

static void commands(FILE *out)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(command_rows); i++) {
        const struct command_row *row = &command_rows[i];

        fprintf(out, "\n%s%s%s: %s\n", row->word, row->operand == NULL ? "" : " ",
                row->operand == NULL ? "" : row->operand, row->help);
        options_of(out, row->bit);
    }
}

/* "MS" of the unit "ms". */
static const char *placeholder(const char *unit)
{
    static const char *const names[][2] = {
        { "ms", "MS" },     { "bytes", "BYTES" }, { "count", "N" },
        { "word", "WORD" }, { "text", "TEXT" },
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(names); i++)
        if (strcmp(names[i][0], unit) == 0)
            return names[i][1];
    return unit;
}

/* A default as a person reads it. */
static struct cm_number initial_of(const struct cm_setting_info *info)
{
    struct cm_number text = { "none" };

    if (info->words != NULL)
        snprintf(text.text, sizeof(text.text), "%s", info->words[info->initial - 1]);
    else if (info->initial >= info->min)
        text = cm_number_grouped(info->initial);
    return text;
}

static void setting(FILE *out, const struct cm_setting_info *info, const char *initial)
{
    char term[96];
    char help[256];

    snprintf(term, sizeof(term), "%s %s", cli_setting_flag(info).text, placeholder(info->unit));
    if (strcmp(info->name, "WORKER_PATH") == 0)
        snprintf(help, sizeof(help), "%s (environment: %s)", info->help,
                 cli_setting_variable(info));
    else
        snprintf(help, sizeof(help), "%s (%s)", info->help, initial);
    entry(out, term, help);
}

static void settings(FILE *out)
{
    const struct cm_setting_info *info;

    fputs("\nSettings: bounds and pool sizes, for every subcommand. Each is also read from the\n"
          "environment, by its name in capitals (MEMORY_LIMIT_MB=64); an option wins.\n",
          out);
    for (size_t i = 0; (info = cm_setting_info(i)) != NULL; i++)
        setting(out, info, initial_of(info).text);
    fputs("\nSettings of serve, from the environment too (PORT=8080):\n", out);
    for (size_t i = 0; (info = daemon_setting_info(i)) != NULL; i++)
        setting(out, info, daemon_setting_initial(i).text);
}

static void exits(FILE *out)
{
    char term[16];

    fputs("\nExit codes:\n", out);
    for (size_t i = 0; i < CM_ARRAY_LEN(exit_rows); i++) {
        snprintf(term, sizeof(term), "%d", exit_rows[i].code);
        entry(out, term, exit_rows[i].help);
    }
    entry(out, "130, 143", "SIGINT or SIGTERM ended the run.");
}

static const char usage_text[] =
    "codemode-executor runs JavaScript that language models write, each program in a jailed\n"
    "process and an isolate of its own.\n"
    "\n"
    "Usage:\n"
    "  codemode-executor run FILE|- [options]     run one program\n"
    "  codemode-executor check [options]          ask this machine whether it can\n"
    "  codemode-executor [serve] [options]        run those of callers, as a daemon\n"
    "  codemode-executor --help | --version\n";

static const char program_text[] =
    "\n"
    "Program: one expression that evaluates to a function, mostly an async arrow. Log lines go\n"
    "to standard error as they are written, the result goes to standard output.\n"
    "\n"
    "  async () => {\n"
    "    const users = await store.listUsers()\n"
    "    console.log('users:', users.length)\n"
    "    return users.map((user) => user.name)\n"
    "  }\n";

static const char tools_text[] =
    "\n"
    "Tools: a program reaches its host through providers, globals whose methods are tools. They\n"
    "are named by the request or --provider, else by the keys of the --tools file. A tool\n"
    "command gets one JSON line a call on standard input and writes one JSON line an answer, in\n"
    "any order; it ends when its standard input does:\n"
    "\n"
    "  {\"id\": 1, \"provider\": \"store\", \"tool\": \"listOrders\", \"args\": [\"ada\"]}\n"
    "  {\"id\": 1, \"result\": [{\"total\": 12}]}\n"
    "  {\"id\": 2, \"error\": \"no such user\"}\n"
    "  {\"id\": 3, \"error\": {\"name\": \"NotFound\", \"message\": \"no such user\", \"code\": "
    "\"E404\"}}\n";

static const char json_text[] =
    "\n"
    "run --json prints {\"result\", \"error\", \"failure\", \"stack\", \"logs\"} without the keys "
    "that do\n"
    "not apply, or {\"fault\": {\"code\", \"message\", \"retryable\"}}.\n";

static const char examples_text[] =
    "\n"
    "Examples:\n"
    "  echo 'async () => 6 * 7' | codemode-executor run -\n"
    "  codemode-executor run orders.js --tools orders.tools.json --timeout 2000\n"
    "  codemode-executor run orders.js --provider store --tool-command 'node tools.mjs'\n"
    "  codemode-executor run --request request.json --json\n"
    "  codemode-executor check\n"
    "  codemode-executor run orders.js --connect ws://127.0.0.1:8080\n";

void cli_help(FILE *out)
{
    fputs(usage_text, out);
    fputs(program_text, out);
    commands(out);
    settings(out);
    fputs(tools_text, out);
    fputs(json_text, out);
    exits(out);
    fputs(examples_text, out);
}
