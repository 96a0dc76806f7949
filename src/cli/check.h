/* codemode-executor check */
#ifndef CM_CLI_CHECK_H
#define CM_CLI_CHECK_H

#include "cli/options.h"

/* Returns the exit code; a wrong setting is in `err`. */
int cli_check(const struct cli_options *options, struct cm_error *err);

#endif
