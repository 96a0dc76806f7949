/* Descriptors that are not sockets of libwebsockets', in its loop. */
#ifndef CM_DAEMON_WATCH_H
#define CM_DAEMON_WATCH_H

#include "codemode/executor.h"

#include <libwebsockets.h>
#include <stdbool.h>

struct watch {
    struct lws *wsi; /* NULL: closed */
    void (*on_ready)(struct watch *watch);
    void (*on_hangup)(struct watch *watch); /* may be NULL; the watch is closed then */
    void *user;
};

/* Watches a copy of `fd`, which stays the caller's, for input. `watch` must not
 * move until watch_close(). CM_E_SYSTEM. */
int watch_open(struct watch *watch, struct lws_vhost *vhost, int fd, struct cm_error *err);
void watch_close(struct watch *watch);

/* Calls on_ready once when the descriptor takes output. */
void watch_output(struct watch *watch);

/* Whether input is looked at. */
void watch_pause(struct watch *watch, bool paused);

/* The protocol that both vhosts list for it. */
extern const struct lws_protocols watch_protocol;

#endif
