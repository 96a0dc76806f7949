/* Descriptors that a library owns, in the loop: it says which it wants watched
 * and hears when they are ready. */
#ifndef CM_EXECUTOR_WATCHES_H
#define CM_EXECUTOR_WATCHES_H

#include "base/list.h"
#include "executor/loop.h"

/* Owner: what drives the library. Must not be freed before the turn is over, as
 * an event for one of the descriptors may be in the batch. */
struct watches {
    struct loop *loop;
    struct cm_list used;
    struct cm_list idle; /* kept for the next descriptor */
    void (*on_ready)(struct watches *watches, int fd, uint32_t events);
};

void watches_init(struct watches *watches, struct loop *loop,
                  void (*on_ready)(struct watches *watches, int fd, uint32_t events));

/* Watches `fd` for these EPOLL* events from now on; 0: no more. CM_E_NOMEM,
 * CM_E_SYSTEM: it is not watched. */
int watches_set(struct watches *watches, int fd, uint32_t events);

/* Watches nothing any more; the records stay. */
void watches_clear(struct watches *watches);
void watches_done(struct watches *watches);

#endif
