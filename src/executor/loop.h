/* The executor's part of the host's event loop: one epoll descriptor and the
 * timers. */
#ifndef CM_EXECUTOR_LOOP_H
#define CM_EXECUTOR_LOOP_H

#include "codemode/executor.h"
#include "executor/timers.h"

#include <stdbool.h>

/* A descriptor in the loop. Its owner frees it after the turn at the earliest:
 * an event for it may be in the batch that is being handled. */
struct source {
    int fd;          /* -1: closed */
    uint32_t events; /* EPOLL* that are asked for */
    void (*on_ready)(struct source *source, uint32_t events);
};

struct loop {
    int epoll_fd;
    int wake_fd; /* an eventfd: makes epoll_fd readable when no socket does */
    bool awake;  /* wake_fd has been written and not read */
    struct timers timers;
};

/* CM_E_SYSTEM; loop_close() is due in any case. */
int loop_open(struct loop *loop, struct cm_error *err);
void loop_close(struct loop *loop);

/* Takes `fd` into `source` on success. CM_E_SYSTEM. */
int loop_add(struct loop *loop, struct source *source, int fd, uint32_t events);

/* Changes what is asked for; no system call when it is asked for already. */
void loop_want(struct loop *loop, struct source *source, uint32_t events);

/* Removes and closes; a closed source stays as it is. */
void loop_drop(struct loop *loop, struct source *source);

/* Removes without closing: the descriptor is somebody else's. */
void loop_forget(struct loop *loop, struct source *source);

/* The epoll descriptor is readable until the next turn. */
void loop_wake(struct loop *loop);

/* Handles one batch of events and the timers that are due; never blocks. */
void loop_turn(struct loop *loop);

/* As cm_executor_timeout_ms(), for the timers. */
int loop_timeout_ms(const struct loop *loop);

#endif
