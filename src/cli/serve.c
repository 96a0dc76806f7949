/* codemode-executor serve: the daemon with the settings of environment and flags. */
#include "cli/serve.h"

#include "base/fail.h"
#include "cli/settings.h"
#include "daemon/daemon.h"

static int serve(struct daemon_settings *settings, bool stdio, struct cm_error *err)
{
    switch (daemon_serve(settings, stdio, err)) {
    case DAEMON_END_OK:
        return CLI_EXIT_OK;
    case DAEMON_END_TAKEN:
        return CLI_EXIT_TAKEN;
    default:
        return CLI_EXIT_WRONG;
    }
}

int cli_serve(const struct cli_options *options, struct cm_error *err)
{
    struct daemon_settings *settings = daemon_settings_new();
    int status = CLI_EXIT_WRONG;

    if (settings == NULL) {
        cm_fail(err, CM_E_NOMEM, 0, "no memory for the settings");
        return CLI_EXIT_WRONG;
    }
    if (cli_daemon_settings_load(options, settings, err) == 0) {
        status = serve(settings, cli_option_get(options, CLI_OPT_STDIO) != NULL, err);
        cli_settings_blame(options, err->code, err);
    }
    daemon_settings_free(settings);
    return status;
}
