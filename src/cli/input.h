/* Files that the user names. */
#ifndef CM_CLI_INPUT_H
#define CM_CLI_INPUT_H

#include "base/buf.h"
#include "codemode/executor.h"

/* Reads all of `path`, or of standard input for "-", to the end of `buf`. It is
 * UTF-8 and as long as the bound of `buf` permits, or it is refused with the one
 * line for the user. */
int input_read(const char *path, struct cm_buf *buf, struct cm_error *err);

/* The same for bytes of any kind. */
int input_read_bytes(const char *path, struct cm_buf *buf, struct cm_error *err);

#endif
