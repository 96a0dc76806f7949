/* Canned answers to tool calls, from a file of the user's. */
#ifndef CM_CLI_TOOLS_H
#define CM_CLI_TOOLS_H

#include "codemode/executor.h"

#include <stdbool.h>

struct tools;

/* Reads the file. *ret_tools is the caller's until tools_free(); what is wrong
 * with the file is told with line and column or the key. */
int tools_load(const char *path, size_t max_bytes, struct tools **ret_tools, struct cm_error *err);
void tools_free(struct tools *tools);

/* The providers that the file's keys name, each with its tools. Lives as long as
 * `tools`. */
const struct cm_provider *tools_providers(const struct tools *tools, size_t *ret_count);

/* Answers a call if the file does; false otherwise. */
bool tools_answer(const struct tools *tools, struct cm_run *run, const struct cm_call *call);

/* Rejects a call that nothing answers, with what the file offers. */
void tools_reject(const struct tools *tools, struct cm_run *run, const struct cm_call *call);

#endif
