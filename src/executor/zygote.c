/* The zygote's side of the supervisor. Runs in the host's process. The zygote is
 * trusted code that never sees a program, but it is not believed blindly: a
 * message of the wrong form ends it. It is reaped through its pidfd alone; the
 * host's other children are never waited for. */
#include "executor/zygote.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/text.h"
#include "executor/spawn.h"
#include "executor/state.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* An engine that is not up by then never will be. */
#define HELLO_NS (10000 * CM_NS_PER_MS)

enum {
    MESSAGES_A_TURN = 64,
    DESCRIPTORS = 2, /* of FORKED: socket, pidfd */
    KILLED_MS = 5000 /* a killed process is gone by then, unless the kernel holds it */
};

void zygote_kill(struct zygote *zygote)
{
    if (!zygote->reaped && zygote->exit.fd >= 0)
        pidfd_send_signal(zygote->exit.fd, SIGKILL, NULL, 0);
    loop_drop(&zygote->executor->loop, &zygote->control);
    if (zygote->overdue.timers != NULL)
        timer_disarm(&zygote->overdue);
}

/* The executor hears once that it has no zygote any more. */
static void give_up(struct zygote *zygote, const char *reason)
{
    zygote_kill(zygote);
    if (zygote->ended)
        return;
    zygote->ended = true;
    if (zygote->executor->zygote == zygote)
        zygote->executor->zygote = NULL;
    pool_on_zygote_gone(zygote->executor, reason, !zygote->serving);
}

static void on_overdue(struct timer *timer, uint64_t now_ns)
{
    struct zygote *zygote = CM_CONTAINER_OF(timer, struct zygote, overdue);

    (void)now_ns;
    give_up(zygote, "the worker program did not get ready within 10 seconds");
}

static bool hello_fits(struct zygote *zygote, const struct ipc_hello *hello)
{
    char reason[512];

    if (strcmp(hello->version, CM_VERSION) != 0) {
        snprintf(reason, sizeof(reason), "%.256s is version %s, this library needs %s",
                 zygote->executor->settings.worker_path, hello->version, CM_VERSION);
        give_up(zygote, reason);
        return false;
    }
    if (hello->ipc_version != IPC_VERSION) {
        snprintf(reason, sizeof(reason),
                 "%.256s is of another build: it speaks protocol %u, this library %u",
                 zygote->executor->settings.worker_path, hello->ipc_version, (unsigned)IPC_VERSION);
        give_up(zygote, reason);
        return false;
    }
    if (hello->failed != 0) {
        give_up(zygote, hello->detail);
        return false;
    }
    return true;
}

/* Texts of fixed size end with a NUL, and what is not UTF-8 is not shown. */
static void clean(char *text, size_t size)
{
    text[size - 1] = '\0';
    if (!cm_utf8_valid(text, strlen(text)))
        text[0] = '\0';
}

struct message {
    struct ipc_head head;
    union {
        struct ipc_hello hello;
        struct ipc_fork forked;
        struct ipc_refused refused;
        struct ipc_exited exited;
    } body;
    int fds[DESCRIPTORS]; /* -1: absent */
};

static bool on_hello(struct zygote *zygote, struct message *message)
{
    struct ipc_hello *hello = &message->body.hello;

    if (zygote->serving)
        return false;
    clean(hello->version, sizeof(hello->version));
    clean(hello->engine, sizeof(hello->engine));
    clean(hello->detail, sizeof(hello->detail));
    if (!hello_fits(zygote, hello))
        return true;
    zygote->serving = true;
    timer_disarm(&zygote->overdue);
    executor_set_report(zygote->executor, hello);
    return true;
}

static struct worker *find_forking(struct zygote *zygote, uint64_t id)
{
    struct worker *worker = pool_find(zygote->executor, id);

    return worker != NULL && worker->state == WORKER_FORKING && zygote->serving ? worker : NULL;
}

static bool on_forked(struct zygote *zygote, struct message *message)
{
    struct worker *worker = find_forking(zygote, message->body.forked.worker_id);

    if (worker == NULL)
        return false;
    worker_forked(worker, cm_take_fd(&message->fds[0]), cm_take_fd(&message->fds[1]));
    return true;
}

static bool on_refused(struct zygote *zygote, struct message *message)
{
    struct worker *worker = find_forking(zygote, message->body.refused.worker_id);
    char reason[128];

    if (worker == NULL)
        return false;
    worker_orphaned(worker);
    snprintf(reason, sizeof(reason), "fork: %s",
             strerrordesc_np(message->body.refused.sys_errno) == NULL
                 ? "refused"
                 : strerrordesc_np(message->body.refused.sys_errno));
    pool_on_start_failed(zygote->executor, reason);
    return true;
}

/* The record of a worker may be gone before its exit is reported. */
static bool on_exited(struct zygote *zygote, struct message *message)
{
    const struct ipc_exited *exited = &message->body.exited;
    struct worker *worker = pool_find(zygote->executor, exited->worker_id);

    if (exited->worker_id > zygote->executor->pool.last_id)
        return false;
    if (worker == NULL)
        return true;
    if (worker->state == WORKER_FORKING)
        return false;
    worker_exited(worker, exited);
    return true;
}

static const struct rule {
    uint16_t type;
    size_t bytes;
    bool (*handle)(struct zygote *zygote, struct message *message); /* false: a breach */
} rules[] = {
    { IPC_HELLO, sizeof(struct ipc_hello), on_hello },
    { IPC_FORKED, sizeof(struct ipc_fork), on_forked },
    { IPC_REFUSED, sizeof(struct ipc_refused), on_refused },
    { IPC_EXITED, sizeof(struct ipc_exited), on_exited },
};

static bool handle(struct zygote *zygote, struct message *message, size_t bytes)
{
    if (bytes < sizeof(message->head) || message->head.body_bytes != bytes - sizeof(message->head))
        return false;
    for (size_t i = 0; i < CM_ARRAY_LEN(rules); i++)
        if (rules[i].type == message->head.type)
            return rules[i].bytes == message->head.body_bytes && rules[i].handle(zygote, message);
    return false;
}

/* Takes the descriptors that came along; all or none are kept. With no free
 * descriptor in the host they are lost, which the kernel says by MSG_CTRUNC. */
static void take_fds(struct msghdr *header, struct message *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(header); part != NULL;
         part = CMSG_NXTHDR(header, part)) {
        size_t bytes = part->cmsg_len - CMSG_LEN(0);

        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS &&
            bytes <= sizeof(message->fds))
            memcpy(message->fds, CMSG_DATA(part), bytes);
    }
    if (message->fds[DESCRIPTORS - 1] < 0)
        cm_close_fd(&message->fds[0]);
}

/* 1: a message was handled. 0: none is there. CM_E_PEER. */
static int receive(struct zygote *zygote)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct message message = { .fds = { -1, -1 } };
    struct iovec parts[] = { { &message.head, sizeof(message.head) },
                             { &message.body, sizeof(message.body) } };
    struct msghdr header = { .msg_iov = parts,
                             .msg_iovlen = CM_ARRAY_LEN(parts),
                             .msg_control = &control,
                             .msg_controllen = sizeof(control) };
    ssize_t bytes = recvmsg(zygote->control.fd, &header, MSG_CMSG_CLOEXEC);
    bool fits;

    if (bytes < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : CM_E_PEER;
    if (bytes == 0)
        return CM_E_PEER;
    take_fds(&header, &message);
    fits = (header.msg_flags & MSG_TRUNC) == 0 && handle(zygote, &message, (size_t)bytes);
    cm_close_fd(&message.fds[0]);
    cm_close_fd(&message.fds[1]);
    return fits ? 1 : CM_E_PEER;
}

/* A broken message ends it like a closed socket does: with a kill. Why it ended
 * is known once it has been reaped. */
static void on_control(struct source *source, uint32_t events)
{
    struct zygote *zygote = CM_CONTAINER_OF(source, struct zygote, control);
    int r = 1;

    (void)events;
    for (int i = 0; i < MESSAGES_A_TURN && r > 0 && zygote->control.fd >= 0; i++)
        r = receive(zygote);
    if (r < 0)
        zygote_kill(zygote);
}

static void on_exit_event(struct source *source, uint32_t events)
{
    struct zygote *zygote = CM_CONTAINER_OF(source, struct zygote, exit);
    char reason[128];
    int status;

    (void)events;
    spawn_reap(zygote->exit.fd, &status);
    zygote->reaped = true;
    loop_drop(&zygote->executor->loop, &zygote->exit);
    if (status >= 0 && WIFSIGNALED(status))
        snprintf(reason, sizeof(reason), "the worker program ended (signal %d)", WTERMSIG(status));
    else if (status >= 0)
        snprintf(reason, sizeof(reason), "the worker program ended (exit status %d)",
                 WEXITSTATUS(status));
    else
        snprintf(reason, sizeof(reason), "the worker program ended");
    give_up(zygote, reason);
}

static int send_frame(struct zygote *zygote, uint16_t type, const void *body, size_t bytes)
{
    struct ipc_head head = { (uint32_t)bytes, type, 0 };
    struct iovec parts[] = { { &head, sizeof(head) },
                             { (void *)(uintptr_t)body, bytes } }; /* sendmsg() only reads */
    struct msghdr header = { .msg_iov = parts, .msg_iovlen = CM_ARRAY_LEN(parts) };

    if (zygote->control.fd < 0)
        return CM_E_PEER;
    return sendmsg(zygote->control.fd, &header, MSG_NOSIGNAL) < 0 ? CM_E_PEER : 0;
}

int zygote_fork(struct zygote *zygote, uint64_t worker_id, uint64_t memory_bytes)
{
    struct ipc_fork body = { worker_id, memory_bytes };

    return send_frame(zygote, IPC_FORK, &body, sizeof(body));
}

static int configure(struct zygote *zygote, const struct spawned *spawned)
{
    struct ipc_config config = { .ipc_version = IPC_VERSION,
                                 .spawned_in = spawned->namespaces,
                                 .spawn_errno = spawned->namespace_errno,
                                 .memory_limit_bytes = zygote->executor->settings.memory_limit_mb
                                                       << 20 };

    return send_frame(zygote, IPC_CONFIG, &config, sizeof(config));
}

static int spawn(struct zygote *zygote, struct spawned *spawned, struct cm_error *err)
{
    struct loop *loop = &zygote->executor->loop;
    CM_AUTO_FD int theirs = -1;
    CM_AUTO_FD int ours = -1;
    int fds[2];
    int r;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the worker program's control socket");
    ours = fds[0];
    theirs = fds[1];
    if (fcntl(ours, F_SETFL, O_NONBLOCK) < 0) /* ours alone: the zygote may block */
        return cm_fail(err, CM_E_SYSTEM, errno, "the worker program's control socket");
    r = loop_add(loop, &zygote->control, ours, EPOLLIN);
    if (r < 0)
        return cm_fail(err, r, errno, "the worker program's control socket");
    ours = -1; /* the loop's now */
    r = spawn_worker_program(zygote->executor->settings.worker_path, theirs, spawned, err);
    if (r < 0)
        return r;
    r = loop_add(loop, &zygote->exit, spawned->pidfd, EPOLLIN);
    if (r < 0) {
        zygote->exit.fd = spawned->pidfd; /* zygote_free() kills, reaps and closes */
        return cm_fail(err, r, errno, "the worker program's pidfd");
    }
    return 0;
}

int zygote_open(struct cm_executor *executor, struct zygote **ret_zygote, struct cm_error *err)
{
    struct zygote *zygote = calloc(1, sizeof(*zygote));
    struct spawned spawned = { .pidfd = -1 };
    int r;

    if (zygote == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the worker program's record");
    *zygote = (struct zygote){ .executor = executor,
                               .control = { -1, 0, on_control },
                               .exit = { -1, 0, on_exit_event } };
    cm_list_init(&zygote->link);
    r = timer_init(&zygote->overdue, &executor->loop.timers, on_overdue);
    if (r == 0)
        r = spawn(zygote, &spawned, err);
    if (r < 0) {
        cm_fail(err, r, 0, "no memory for the worker program's deadline");
        zygote_free(zygote);
        return r;
    }
    configure(zygote, &spawned); /* when it is dead already, its exit says so */
    timer_arm(&zygote->overdue, cm_deadline(cm_now_ns(), HELLO_NS));
    cm_list_append(&executor->zygotes, &zygote->link);
    executor->stats.zygotes_started++;
    *ret_zygote = zygote;
    return 0;
}

void zygote_free(struct zygote *zygote)
{
    struct pollfd ended = { zygote->exit.fd, POLLIN, 0 };
    int status;

    zygote_kill(zygote);
    if (!zygote->reaped && ended.fd >= 0 && poll(&ended, 1, KILLED_MS) == 1)
        spawn_reap(zygote->exit.fd, &status);
    loop_drop(&zygote->executor->loop, &zygote->exit);
    timer_done(&zygote->overdue);
    cm_list_unlink(&zygote->link);
    free(zygote);
}
