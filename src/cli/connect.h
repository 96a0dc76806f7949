/* The executor that a subcommand uses: one of this machine, or a daemon's. */
#ifndef CM_CLI_CONNECT_H
#define CM_CLI_CONNECT_H

#include "cli/options.h"

/* With --connect, one whose runs that daemon carries out; the token is --token or
 * AUTH_TOKEN. CM_E_INVAL: a URL that is none, or an option that has no meaning there; and
 * as cm_executor_new(). */
int cli_executor_new(const struct cli_options *options, const struct cm_settings *settings,
                     struct cm_executor **ret_executor, struct cm_error *err);

#endif
