/* The resolver. Runs in the host's process. Names come from programs and answers
 * from name servers: both are hostile, and c-ares reads them. libcurl's own
 * resolver would start threads, and wait for them when a run is killed. */
#include "executor/resolver.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "executor/watches.h"

#include <ares.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

enum { ADDRESSES_MAX = 16 }; /* more of one name are not tried */

struct resolver {
    ares_channel channel;
    bool open;
    struct watches watches;
    struct timer timer;
    struct cm_list asked; /* look-ups that c-ares has */
    struct cm_list ended; /* that wait for their on_end */
};

struct lookup {
    struct cm_list link;
    struct resolver *resolver;
    lookup_fn *on_end; /* NULL: cancelled */
    void *user;
    char *addresses;
    const char *why;
};

static void lookup_free(struct lookup *lookup)
{
    cm_list_unlink(&lookup->link);
    free(lookup->addresses);
    free(lookup);
}

static void close_channel(struct resolver *resolver)
{
    if (resolver->open)
        ares_destroy(resolver->channel);
    resolver->open = false;
    watches_clear(&resolver->watches);
}

/* When c-ares wants to look at its queries again; at once when one has ended. */
static void arm(struct resolver *resolver)
{
    uint64_t now_ns = cm_now_ns();
    struct timeval wait;

    if (!cm_list_empty(&resolver->ended))
        timer_arm(&resolver->timer, now_ns);
    else if (resolver->open && ares_timeout(resolver->channel, NULL, &wait) != NULL)
        timer_arm(&resolver->timer,
                  cm_deadline(now_ns, (uint64_t)wait.tv_sec * 1000 * CM_NS_PER_MS +
                                          (uint64_t)wait.tv_usec * 1000));
    else
        timer_disarm(&resolver->timer);
}

static void deliver(struct resolver *resolver)
{
    struct lookup *lookup;

    while ((lookup = CM_LIST_FIRST(&resolver->ended, struct lookup, link)) != NULL) {
        cm_list_unlink(&lookup->link);
        if (lookup->on_end != NULL)
            lookup->on_end(lookup->user, lookup->addresses, lookup->why);
        lookup_free(lookup);
    }
    /* The next look-up reads the system's configuration anew. */
    if (cm_list_empty(&resolver->asked))
        close_channel(resolver);
    arm(resolver);
}

static void on_ready(struct watches *watches, int fd, uint32_t events)
{
    struct resolver *resolver = CM_CONTAINER_OF(watches, struct resolver, watches);

    if (!resolver->open)
        return;
    ares_process_fd(resolver->channel, (events & ~(uint32_t)EPOLLOUT) != 0 ? fd : ARES_SOCKET_BAD,
                    (events & EPOLLOUT) != 0 ? fd : ARES_SOCKET_BAD);
    deliver(resolver);
}

static void on_timer(struct timer *timer, uint64_t now_ns)
{
    struct resolver *resolver = CM_CONTAINER_OF(timer, struct resolver, timer);

    (void)now_ns;
    if (resolver->open)
        ares_process_fd(resolver->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    deliver(resolver);
}

static void on_socket_state(void *data, ares_socket_t fd, int readable, int writable)
{
    struct resolver *resolver = data;
    uint32_t events = (readable ? EPOLLIN : 0u) | (writable ? EPOLLOUT : 0u);

    watches_set(&resolver->watches, fd, events); /* unwatched, the query times out */
}

static void write_address(FILE *to, const struct sockaddr *address)
{
    char text[INET6_ADDRSTRLEN];
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;

    if (address->sa_family == AF_INET &&
        inet_ntop(AF_INET, &four->sin_addr, text, sizeof(text)) != NULL)
        fprintf(to, ",%s", text);
    else if (address->sa_family == AF_INET6 &&
             inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof(text)) != NULL)
        fprintf(to, ",[%s]", text);
}

static char *list_addresses(const struct ares_addrinfo *found)
{
    const struct ares_addrinfo_node *node = found->nodes;
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);

    if (to == NULL)
        return NULL;
    for (int i = 0; i < ADDRESSES_MAX && node != NULL; i++, node = node->ai_next)
        write_address(to, node->ai_addr);
    if (fclose(to) != 0 || bytes == 0) {
        free(text);
        return NULL;
    }
    memmove(text, text + 1, bytes); /* the first comma */
    return text;
}

/* Also called from within ares_getaddrinfo() and ares_destroy(). */
static void on_answer(void *argument, int status, int timeouts, struct ares_addrinfo *found)
{
    struct lookup *lookup = argument;

    (void)timeouts;
    if (found != NULL && status == ARES_SUCCESS)
        lookup->addresses = list_addresses(found);
    ares_freeaddrinfo(found);
    lookup->why = status == ARES_SUCCESS ? "it has no address" : "its name cannot be resolved";
    cm_list_move(&lookup->resolver->ended, &lookup->link);
}

static int open_channel(struct resolver *resolver)
{
    struct ares_options options = { .sock_state_cb = on_socket_state,
                                    .sock_state_cb_data = resolver };

    if (resolver->open)
        return 0;
    if (ares_init_options(&resolver->channel, &options, ARES_OPT_SOCK_STATE_CB) != ARES_SUCCESS)
        return CM_E_NOMEM;
    resolver->open = true;
    return 0;
}

int resolver_new(struct loop *loop, struct resolver **ret_resolver)
{
    struct resolver *resolver = calloc(1, sizeof(*resolver));

    if (resolver == NULL)
        return CM_E_NOMEM;
    watches_init(&resolver->watches, loop, on_ready);
    cm_list_init(&resolver->asked);
    cm_list_init(&resolver->ended);
    if (timer_init(&resolver->timer, &loop->timers, on_timer) < 0) {
        free(resolver);
        return CM_E_NOMEM;
    }
    *ret_resolver = resolver;
    return 0;
}

void resolver_free(struct resolver *resolver)
{
    struct lookup *lookup;

    if (resolver == NULL)
        return;
    close_channel(resolver);
    while ((lookup = CM_LIST_FIRST(&resolver->ended, struct lookup, link)) != NULL)
        lookup_free(lookup);
    watches_done(&resolver->watches);
    timer_done(&resolver->timer);
    free(resolver);
}

int lookup_start(struct resolver *resolver, const char *name, lookup_fn *on_end, void *user,
                 struct lookup **ret_lookup)
{
    static const struct ares_addrinfo_hints hints = { .ai_family = AF_UNSPEC,
                                                      .ai_socktype = SOCK_STREAM };
    struct lookup *lookup = calloc(1, sizeof(*lookup));

    if (lookup == NULL)
        return CM_E_NOMEM;
    *lookup = (struct lookup){ .resolver = resolver, .on_end = on_end, .user = user };
    cm_list_init(&lookup->link);
    if (open_channel(resolver) < 0) {
        free(lookup);
        return CM_E_NOMEM;
    }
    cm_list_append(&resolver->asked, &lookup->link);
    ares_getaddrinfo(resolver->channel, name, NULL, &hints, on_answer, lookup);
    arm(resolver);
    *ret_lookup = lookup;
    return 0;
}

void lookup_cancel(struct lookup *lookup)
{
    lookup->on_end = NULL;
}
