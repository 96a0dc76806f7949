/* codemode-executor serve */
#ifndef CM_CLI_SERVE_H
#define CM_CLI_SERVE_H

#include "cli/options.h"

/* Returns the exit code; what keeps the daemon from serving is in `err`. */
int cli_serve(const struct cli_options *options, struct cm_error *err);

#endif
