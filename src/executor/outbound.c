/* The requests of a run, and libcurl's sockets and timer in the loop. Runs in the
 * host's process; libcurl reads what servers send. Its callbacks only note what
 * has come: what may end the run happens after it has returned. */
#include "executor/outbound.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "executor/run.h"
#include "executor/state.h"
#include "executor/transfer.h"

#include <sys/epoll.h>

enum {
    CONNECTIONS = 64, /* of one run at once; more requests wait */
    CONNECTIONS_KEPT = 16
};

/* Takes the ends that libcurl has to tell, and sends what has come. */
static void settle(struct outbound *outbound)
{
    CURLMsg *message;
    int left;

    while (outbound->multi != NULL &&
           (message = curl_multi_info_read(outbound->multi, &left)) != NULL) {
        struct transfer *transfer = NULL;

        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        transfer_on_done(transfer, message->data.result);
    }
    CM_LIST_EACH(&outbound->transfers, link, after)
    {
        transfer_flush(CM_CONTAINER_OF(link, struct transfer, link));
        if (outbound->multi == NULL) /* the run has ended, and all are gone */
            return;
    }
}

static void act(struct outbound *outbound, curl_socket_t fd, int ready)
{
    int running;

    if (outbound->multi == NULL)
        return;
    curl_multi_socket_action(outbound->multi, fd, ready, &running);
    settle(outbound);
}

static void on_ready(struct watches *watches, int fd, uint32_t events)
{
    int ready = ((events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                ((events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                ((events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);

    act(CM_CONTAINER_OF(watches, struct outbound, watches), fd, ready);
}

static void on_timer(struct timer *timer, uint64_t now_ns)
{
    (void)now_ns;
    act(CM_CONTAINER_OF(timer, struct outbound, timer), CURL_SOCKET_TIMEOUT, 0);
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *of_socket)
{
    struct outbound *outbound = user;
    uint32_t events =
        ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0u) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0u);

    (void)easy;
    (void)of_socket;
    if (what == CURL_POLL_REMOVE)
        events = 0;
    return watches_set(&outbound->watches, fd, events) < 0 ? -1 : 0;
}

static int on_timeout(CURLM *multi, long timeout_ms, void *user)
{
    struct outbound *outbound = user;

    (void)multi;
    if (timeout_ms < 0)
        timer_disarm(&outbound->timer);
    else
        timer_arm(&outbound->timer, cm_deadline(cm_now_ns(), (uint64_t)timeout_ms * CM_NS_PER_MS));
    return 0;
}

static int open_multi(struct outbound *outbound)
{
    CURLM *multi = curl_multi_init();

    if (multi == NULL)
        return CM_E_NOMEM;
    outbound->multi = multi;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, outbound);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timeout);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, outbound);
    curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)CONNECTIONS);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_KEPT);
    /* Not two requests on one connection: one that is paused would hold up the other. */
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
    return 0;
}

int outbound_new(struct cm_run *run, struct outbound **ret_outbound)
{
    struct loop *loop = &run->executor->loop;
    struct outbound *outbound = calloc(1, sizeof(*outbound));

    if (outbound == NULL)
        return CM_E_NOMEM;
    outbound->run = run;
    cm_list_init(&outbound->transfers);
    watches_init(&outbound->watches, loop, on_ready);
    if (timer_init(&outbound->timer, &loop->timers, on_timer) < 0 || open_multi(outbound) < 0) {
        outbound_free(outbound);
        return CM_E_NOMEM;
    }
    *ret_outbound = outbound;
    return 0;
}

void outbound_stop(struct outbound *outbound)
{
    CM_LIST_EACH(&outbound->transfers, link, after)
    {
        transfer_free(CM_CONTAINER_OF(link, struct transfer, link));
    }
    curl_multi_cleanup(CM_TAKE(outbound->multi));
    watches_clear(&outbound->watches);
    timer_done(&outbound->timer);
}

void outbound_free(struct outbound *outbound)
{
    if (outbound == NULL)
        return;
    outbound_stop(outbound);
    watches_done(&outbound->watches);
    free(outbound);
}
