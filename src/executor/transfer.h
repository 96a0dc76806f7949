/* One request that the executor performs, from the first hop to the last byte of
 * the response. */
#ifndef CM_EXECUTOR_TRANSFER_H
#define CM_EXECUTOR_TRANSFER_H

#include "base/buf.h"
#include "executor/fetches.h"
#include "executor/outbound.h"
#include "executor/resolver.h"
#include "executor/target.h"
#include "ipc/frame.h"

enum transfer_fault {
    TRANSFER_FINE,
    TRANSFER_REFUSED,   /* by the address policy */
    TRANSFER_BAD_PORT,  /* no web server's */
    TRANSFER_TOO_LARGE, /* the response's body */
    TRANSFER_BAD_HEAD,  /* the response's head: too long */
    TRANSFER_NO_MEMORY
};

/* Owner: outbound->transfers. */
struct transfer {
    struct cm_list link;
    struct outbound *outbound;
    struct fetch *fetch;
    struct timer timer; /* OUTBOUND_TIMEOUT_MS */
    uint64_t due_ns;    /* of it; later by every time that was stalled */

    /* the request, as its next hop makes it */
    struct target target;
    char *method;
    char *headers; /* as on the wire */
    size_t header_count;
    uint8_t *body; /* NULL: none */
    size_t body_bytes;
    enum ipc_redirect mode;
    unsigned redirects;

    /* the hop */
    struct lookup *lookup; /* NULL: none is under way */
    char *name;            /* that is looked up */
    CURL *easy;            /* NULL: not yet connecting */
    struct curl_slist *lines;
    struct curl_slist *addresses;
    enum transfer_fault fault;

    /* the response */
    bool head_done;
    bool head_sent;
    bool follows;  /* it is a redirect that is followed: its body is nobody's */
    bool has_body; /* for the program */
    unsigned status;
    char *status_text;
    char *location;
    struct cm_buf head; /* headers as on the wire */
    uint32_t head_count;
    struct cm_buf pending; /* of the body: not sent yet */
    uint64_t received_bytes;
    uint64_t untaken_bytes; /* sent, and the worker has not said that it took them */
    bool paused;            /* by libcurl: the window is full */
    bool stalled;           /* the same, and the bounds on time know it */
    uint64_t stalled_at_ns;
};

/* Starts it. What goes wrong with the request is its end. CM_E_NOMEM: there is no
 * transfer. */
int transfer_start(struct outbound *outbound, struct fetch *fetch,
                   const struct ipc_fetch_body *request);

/* The worker has taken so much of the body; false: it never had it. */
bool transfer_took(struct transfer *transfer, uint32_t bytes);

/* libcurl is done with its hop. */
void transfer_on_done(struct transfer *transfer, CURLcode code);

/* Sends what has come. */
void transfer_flush(struct transfer *transfer);

/* Ends it and says nothing. */
void transfer_free(struct transfer *transfer);

#endif
