/* Requests: what is accepted, and the copy that a run keeps. */
#ifndef CM_EXECUTOR_REQUEST_H
#define CM_EXECUTOR_REQUEST_H

#include "codemode/executor.h"
#include "ipc/frame.h"

#include <stdbool.h>

/* An entry of the module map, or the program as one of these. */
struct request_module {
    enum ipc_kind kind;
    bool typescript;
    struct ipc_module *head; /* with the name and its NUL behind it */
    size_t name_bytes;
    const char *source; /* with a final NUL; NULL for what is compiled */
    size_t source_bytes;
};

/* One allocation, texts included. Owner: its run. */
struct request {
    const char *code; /* with a final NUL, as are the names and the key */
    size_t code_bytes;
    const char *providers; /* provider_count names, each with its NUL */
    size_t providers_bytes;
    uint32_t provider_count;
    struct request_module *modules; /* the map's entries, and then the program */
    size_t module_count;            /* 0: the program takes no part in it */
    const char *key;
    double timeout_ms; /* 0: the executor's default */
    bool count_host_waits;
    bool retain_handles;
    enum cm_outbound outbound;
};

/* CM_E_INVAL with the sentence of fault INVALID_REQUEST. CM_E_NOMEM. */
int request_check(const struct cm_request *request, uint64_t message_limit_bytes,
                  struct cm_error *err);

/* Whether entries of this kind are compiled. */
bool request_compiled(enum ipc_kind kind);

/* A checked request; free() gives it back. CM_E_NOMEM. */
int request_copy(const struct cm_request *request, struct request **ret_request);

/* The text in JSON quotes, ASCII only and cut where it is long, for a sentence. */
struct request_quote {
    char text[80];
};
struct request_quote request_quote(const char *text, size_t bytes);

#endif
