/* The executor's loop. Runs in the host's process, on the executor's thread. */
#include "executor/loop.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"

#include <errno.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Level-triggered: what does not fit a batch is there in the next. */
enum { BATCH = 64 };

int loop_open(struct loop *loop, struct cm_error *err)
{
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = NULL };

    *loop = (struct loop){ .epoll_fd = -1, .wake_fd = -1 };
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the executor's epoll descriptor");
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake_fd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the executor's wake descriptor");
    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, loop->wake_fd, &event) < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the executor's wake descriptor");
    return 0;
}

void loop_close(struct loop *loop)
{
    cm_close_fd(&loop->wake_fd);
    cm_close_fd(&loop->epoll_fd);
    timers_done(&loop->timers);
}

int loop_add(struct loop *loop, struct source *source, int fd, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.ptr = source };

    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
        return CM_E_SYSTEM;
    source->fd = fd;
    source->events = events;
    return 0;
}

void loop_want(struct loop *loop, struct source *source, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.ptr = source };

    if (source->fd < 0 || source->events == events)
        return;
    source->events = events;
    epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, source->fd, &event);
}

/* The explicit removal matters when the host has forked: the child's copy of
 * the descriptor would keep it in the epoll set after our close. */
void loop_drop(struct loop *loop, struct source *source)
{
    if (source->fd < 0)
        return;
    epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, source->fd, NULL);
    cm_close_fd(&source->fd);
}

void loop_forget(struct loop *loop, struct source *source)
{
    if (source->fd >= 0)
        epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, source->fd, NULL);
    source->fd = -1;
}

void loop_wake(struct loop *loop)
{
    const uint64_t one = 1;

    if (loop->awake)
        return;
    loop->awake = true;
    /* Cannot be full: it is read before it is written again. */
    (void)!write(loop->wake_fd, &one, sizeof(one));
}

static void on_wake(struct loop *loop)
{
    uint64_t count;

    loop->awake = false;
    (void)!read(loop->wake_fd, &count, sizeof(count));
}

void loop_turn(struct loop *loop)
{
    struct epoll_event events[BATCH];
    int count = epoll_wait(loop->epoll_fd, events, BATCH, 0);

    for (int i = 0; i < count; i++) {
        struct source *source = events[i].data.ptr;

        if (source == NULL)
            on_wake(loop);
        else if (source->fd >= 0) /* not closed by an earlier event of this batch */
            source->on_ready(source, events[i].events);
    }
    if (timers_next(&loop->timers) != CM_NEVER)
        timers_run(&loop->timers, cm_now_ns());
}

int loop_timeout_ms(const struct loop *loop)
{
    uint64_t next = timers_next(&loop->timers);
    uint64_t now;
    uint64_t ms;

    if (next == CM_NEVER)
        return -1;
    now = cm_now_ns();
    if (next <= now)
        return 0;
    ms = (next - now - 1) / CM_NS_PER_MS + 1; /* rounded up: never too early */
    return ms > INT_MAX ? INT_MAX : (int)ms;
}
