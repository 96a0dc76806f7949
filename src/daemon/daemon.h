/* The daemon itself: what its parts share. One thread, one loop: libwebsockets
 * waits, and the executor's descriptor is one of those that it waits for. */
#ifndef CM_DAEMON_DAEMON_H
#define CM_DAEMON_DAEMON_H

#include "base/list.h"
#include "daemon/log.h"
#include "daemon/metrics.h"
#include "daemon/settings.h"
#include "daemon/watch.h"

#include <libwebsockets.h>
#include <stdbool.h>

enum daemon_state {
    DAEMON_STARTING, /* no worker has been ready yet */
    DAEMON_SERVING,
    DAEMON_DRAINING, /* no more executions; those that run may finish */
    DAEMON_ENDING,   /* output is flushed, connections are closed */
    DAEMON_ENDED
};

struct daemon {
    struct daemon_settings *settings; /* borrowed */
    struct log log;
    struct metrics metrics;
    struct cm_executor *executor;
    struct lws_context *lws;
    struct lws_vhost *vhost; /* of everything; libwebsockets would choose one by the Host header */
    struct watch signals;
    struct watch work; /* the executor's descriptor */
    lws_sorted_usec_list_t turn;
    lws_sorted_usec_list_t start;    /* while STARTING */
    lws_sorted_usec_list_t deadline; /* of DRAINING and ENDING */
    struct cm_list connections;
    struct cm_list unflushed; /* sockets that this turn has output for */
    uint64_t last_connection;
    uint64_t event_ns; /* when a caller or a worker was last heard */
    bool brisk;        /* soon after the time before */
    enum daemon_state state;
    bool maintenance;
};

enum daemon_end { DAEMON_END_OK, DAEMON_END_WRONG, DAEMON_END_TAKEN };

/* Serves until a signal ends it, or with `stdio` until standard input ends.
 * What is wrong is in `err` unless it returns DAEMON_END_OK. */
enum daemon_end daemon_serve(struct daemon_settings *settings, bool stdio, struct cm_error *err);

/* "ready", "starting", "draining", "maintenance": why executions are not taken. */
const char *daemon_state_word(const struct daemon *daemon);
bool daemon_is_ready(const struct daemon *daemon);

/* Whether an execution may start: not while draining or under maintenance. */
bool daemon_takes_executions(const struct daemon *daemon);

void daemon_set_maintenance(struct daemon *daemon, bool on);

/* A caller or a worker is heard. */
void daemon_note_event(struct daemon *daemon);

/* No more executions; ends when those that run are over, at the latest after
 * DRAIN_TIMEOUT_MS. Called again: ends now. */
void daemon_drain(struct daemon *daemon, const char *reason);

/* Something ended that a draining daemon may have waited for. */
void daemon_check_drained(struct daemon *daemon);

#endif
