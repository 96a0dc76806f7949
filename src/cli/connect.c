/* The executor of run and check. Runs in codemode-executor; words and environment are
 * the user's own. */
#include "cli/connect.h"

#include "base/fail.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* MESSAGE_LIMIT_BYTES holds at both ends. */
static bool is_the_daemons(const struct cli_given *given)
{
    if (given->option == CLI_OPT_MEMORY)
        return true;
    return given->option == CLI_OPT_SETTING &&
           strcmp(given->setting->name, "MESSAGE_LIMIT_BYTES") != 0;
}

static int refuse_settings(const struct cli_options *options, struct cm_error *err)
{
    for (size_t i = 0; i < options->given_count; i++) {
        const struct cli_given *given = &options->given[i];

        if (is_the_daemons(given))
            return cm_fail(err, CM_E_INVAL, 0,
                           "%s has no meaning with --connect: the daemon's own holds",
                           cli_given_flag(given).text);
    }
    return 0;
}

static const char *token_of(const struct cli_options *options)
{
    const char *token = cli_option_get(options, CLI_OPT_TOKEN);

    if (token == NULL)
        token = getenv("AUTH_TOKEN");
    return token == NULL || token[0] == '\0' ? NULL : token;
}

int cli_executor_new(const struct cli_options *options, const struct cm_settings *settings,
                     struct cm_executor **ret_executor, struct cm_error *err)
{
    struct cm_connect_options connect = CM_CONNECT_OPTIONS_INIT;
    const char *url = cli_option_get(options, CLI_OPT_CONNECT);
    int r;

    if (url == NULL && cli_option_get(options, CLI_OPT_TOKEN) != NULL)
        return cm_fail(err, CM_E_INVAL, 0, "--token has no meaning without --connect");
    if (url == NULL)
        return cm_executor_new(settings, ret_executor, err);
    r = refuse_settings(options, err);
    if (r < 0)
        return r;
    connect.token = token_of(options);
    connect.settings = settings;
    connect.ca_file = getenv("SSL_CERT_FILE");
    r = cm_connect(url, &connect, ret_executor, err);
    return r == CM_E_INVAL ? cli_flag_refused("--connect", r, err) : r; /* it is the URL */
}
