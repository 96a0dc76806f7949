/* codemode-executor run */
#ifndef CM_CLI_RUN_H
#define CM_CLI_RUN_H

#include "cli/options.h"

/* Returns the exit code; what went wrong outside the program is in `err`. */
int cli_run(const struct cli_options *options, struct cm_error *err);

#endif
