/* Listening sockets. Runs in the daemon. libwebsockets could listen by itself, but
 * would not say why it cannot, and takes names of interfaces where we want those of
 * hosts. */
#include "daemon/listener.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BACKLOG = 511, ACCEPTS_A_TURN = 64 };

struct listener {
    struct daemon *daemon;
    enum http_port kind;
    struct watch watch;
    int fd;
};

static void accept_ready(struct watch *watch)
{
    const struct listener *listener = watch->user;
    const int on = 1;

    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        int accepted = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (accepted < 0)
            return;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        http_adopt(listener->daemon, listener->kind, accepted);
    }
}

static int refuse(enum http_port kind, const char *host, uint64_t port, int sys_errno,
                  struct cm_error *err)
{
    const char *variable = kind == HTTP_ADMIN ? "ADMIN_" : "";
    int number = (int)port;

    if (sys_errno == EADDRINUSE)
        return cm_fail(err, CM_E_STATE, 0,
                       "%sHOST %s with %sPORT %d is taken already: another program listens there",
                       variable, host, variable, number);
    if (sys_errno == EADDRNOTAVAIL)
        return cm_fail(err, CM_E_INVAL, 0,
                       "%sHOST is '%.64s', but takes an address or a name of this machine",
                       variable, host);
    return cm_fail(err, CM_E_SYSTEM, sys_errno, "%sHOST %s with %sPORT %d cannot be listened on",
                   variable, host, variable, number);
}

/* A bound and listening socket, or -1 with errno. */
static int listen_on(const struct addrinfo *address)
{
    CM_AUTO_FD int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, address->ai_addr, address->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0)
        return -1;
    return cm_take_fd(&fd);
}

static void announce(const struct listener *listener)
{
    struct sockaddr_storage address;
    socklen_t bytes = sizeof(address);
    char host[NI_MAXHOST] = "";
    char port[NI_MAXSERV] = "0";

    getsockname(listener->fd, (struct sockaddr *)&address, &bytes);
    getnameinfo((struct sockaddr *)&address, bytes, host, sizeof(host), port, sizeof(port),
                NI_NUMERICHOST | NI_NUMERICSERV);
    log_write(&listener->daemon->log, LOG_INFO, "listening",
              LOG_TEXT("listener", listener->kind == HTTP_ADMIN ? "admin" : "callers"),
              LOG_TEXT("address", host), LOG_NUMBER("port", atoi(port)));
}

/* The first address that can be had: a name may stand for one of a protocol that
 * this machine has not. */
static int listen_on_any(const struct addrinfo *list)
{
    int fd = -1;

    for (; list != NULL && fd < 0; list = list->ai_next) {
        fd = listen_on(list);
        if (fd < 0 && errno == EADDRINUSE)
            return -1;
    }
    return fd;
}

int listener_open(struct daemon *daemon, enum http_port kind, const char *host, uint64_t port,
                  struct listener **ret_listener, struct cm_error *err)
{
    const struct addrinfo hints = { .ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM };
    struct listener *listener = calloc(1, sizeof(*listener));
    struct addrinfo *list = NULL;
    char service[8];
    int r;

    if (listener == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for a listener");
    *listener = (struct listener){ .daemon = daemon, .kind = kind, .fd = -1 };
    listener->watch = (struct watch){ .on_ready = accept_ready, .user = listener };
    snprintf(service, sizeof(service), "%u", (unsigned)port);
    errno = EADDRNOTAVAIL;
    if (getaddrinfo(host, service, &hints, &list) == 0)
        listener->fd = listen_on_any(list);
    r = listener->fd < 0 ? refuse(kind, host, port, errno, err)
                         : watch_open(&listener->watch, daemon->vhost, listener->fd, err);
    if (list != NULL)
        freeaddrinfo(list);
    if (r < 0) {
        listener_close(listener);
        return r;
    }
    announce(listener);
    *ret_listener = listener;
    return 0;
}

void listener_close(struct listener *listener)
{
    if (listener == NULL)
        return;
    watch_close(&listener->watch);
    cm_close_fd(&listener->fd);
    free(listener);
}
