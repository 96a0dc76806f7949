/* The request of a run, put together from program, request file and options. */
#ifndef CM_CLI_REQUEST_H
#define CM_CLI_REQUEST_H

#include "base/buf.h"
#include "cli/options.h"
#include "cli/tools.h"

#include <stdbool.h>

/* A file of --module NAME=FILE. */
struct request_file {
    char *name;
    struct cm_buf text;
};

/* `request` is what to run; the rest owns its texts. */
struct request_source {
    struct cm_request request;
    struct cm_request *parsed;
    struct cm_buf program;
    struct cm_buf json;
    struct cm_provider *providers;
    struct cm_module *modules;
    struct request_file *files; /* what --module names: file_count */
    size_t file_count;
    bool malformed; /* the request file, not the command line, was at fault */
};

/* `tools` may be NULL and is borrowed until request_done(), which `source` needs
 * whatever this returns. */
int request_load(const struct cli_options *options, const struct tools *tools, size_t message_bytes,
                 struct request_source *source, struct cm_error *err);
void request_done(struct request_source *source);

#endif
