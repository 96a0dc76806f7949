/* Descriptors that a library owns, in the executor's loop. Runs in the host's
 * process; nothing here comes from a peer. A record is reused at once: an event
 * of its last descriptor that is still in the batch is then a spurious one of the
 * next, which libraries take. */
#include "executor/watches.h"

#include "base/cleanup.h"

#include <sys/epoll.h>

struct watch {
    struct source source;
    struct cm_list link; /* watches->used or ->idle */
    struct watches *watches;
};

void watches_init(struct watches *watches, struct loop *loop,
                  void (*on_ready)(struct watches *watches, int fd, uint32_t events))
{
    *watches = (struct watches){ .loop = loop, .on_ready = on_ready };
    cm_list_init(&watches->used);
    cm_list_init(&watches->idle);
}

static void on_ready(struct source *source, uint32_t events)
{
    struct watch *watch = CM_CONTAINER_OF(source, struct watch, source);

    watch->watches->on_ready(watch->watches, source->fd, events);
}

static struct watch *find(const struct watches *watches, int fd)
{
    CM_LIST_EACH(&watches->used, link, after)
    {
        struct watch *watch = CM_CONTAINER_OF(link, struct watch, link);

        if (watch->source.fd == fd)
            return watch;
    }
    return NULL;
}

static void forget(struct watch *watch)
{
    loop_forget(watch->watches->loop, &watch->source);
    cm_list_move(&watch->watches->idle, &watch->link);
}

static struct watch *take_idle(struct watches *watches)
{
    struct watch *watch = CM_LIST_FIRST(&watches->idle, struct watch, link);

    if (watch != NULL) {
        cm_list_unlink(&watch->link);
        return watch;
    }
    watch = calloc(1, sizeof(*watch));
    if (watch == NULL)
        return NULL;
    watch->watches = watches;
    watch->source = (struct source){ .fd = -1, .on_ready = on_ready };
    cm_list_init(&watch->link);
    return watch;
}

int watches_set(struct watches *watches, int fd, uint32_t events)
{
    struct watch *watch = find(watches, fd);
    int r;

    if (events == 0) {
        if (watch != NULL)
            forget(watch);
        return 0;
    }
    if (watch != NULL) {
        loop_want(watches->loop, &watch->source, events);
        return 0;
    }
    watch = take_idle(watches);
    if (watch == NULL)
        return CM_E_NOMEM;
    r = loop_add(watches->loop, &watch->source, fd, events);
    cm_list_append(r < 0 ? &watches->idle : &watches->used, &watch->link);
    return r;
}

void watches_clear(struct watches *watches)
{
    CM_LIST_EACH(&watches->used, link, after)
    {
        forget(CM_CONTAINER_OF(link, struct watch, link));
    }
}

void watches_done(struct watches *watches)
{
    watches_clear(watches);
    CM_LIST_EACH(&watches->idle, link, after)
    {
        free(CM_CONTAINER_OF(link, struct watch, link));
    }
    cm_list_init(&watches->idle);
}
