/* --help, from the tables. */
#ifndef CM_CLI_HELP_H
#define CM_CLI_HELP_H

#include <stdio.h>

void cli_help(FILE *out);

#endif
