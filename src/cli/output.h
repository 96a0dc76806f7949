/* What codemode-executor prints of a run. */
#ifndef CM_CLI_OUTPUT_H
#define CM_CLI_OUTPUT_H

#include "codemode/executor.h"

#include <stdio.h>

/* Text with control characters shown, newline and tab as they are. */
void output_put_text(FILE *out, const char *text, size_t bytes);

/* "error: TEXT" as one line of standard error, with nothing in it that a terminal obeys. */
void output_error(const char *text);

/* A log line of the program, on standard error: "[warn] TEXT". */
void output_log(const struct cm_log *line);

/* The result on standard output; an error and its stack, or a fault, on standard
 * error. */
void output_outcome(const struct cm_outcome *outcome);

/* The whole outcome as one line of JSON on standard output. */
void output_outcome_json(const struct cm_outcome *outcome);

#endif
