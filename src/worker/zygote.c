/* The zygote. Trusted: it reads frames of the supervisor only, and no byte of a
 * program. It initialises the engine, makes one isolate, leaves the host's
 * namespaces and then does nothing but fork and reap. One thread, always: what a
 * second one held would stay locked in every worker. */
#include "worker/zygote.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/list.h"
#include "jail/jail.h"
#include "worker/crypto.h"
#include "worker/engine.h"
#include "worker/isolate.h"
#include "worker/snapshot.h"
#include "worker/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Threads that the engine starts end by themselves when they are idle. */
enum { THREAD_WAIT_MS = 15000, THREAD_POLL_MS = 2 };

struct child {
    struct cm_list link;
    uint64_t worker_id;
    pid_t pid;
};

struct zygote {
    int control_fd;
    int signal_fd;
    pid_t pid;            /* its own, as its workers see it */
    sigset_t worker_mask; /* what a worker blocks: nothing */
    struct jail_filter *filter;
    struct jail_report report;
    struct worker worker; /* what every fork starts from */
    struct isolate *isolate;
    uint64_t base_bytes; /* data memory in use before a program comes */
    struct cm_list children;
};

/* ---- packets ---- */

static int send_packet(const struct zygote *zygote, enum ipc_type type, const void *body,
                       size_t bytes, const int *fds, size_t fd_count)
{
    struct ipc_head head = { (uint32_t)bytes, (uint16_t)type, 0 };
    struct iovec parts[] = { { &head, sizeof(head) }, { (void *)(uintptr_t)body, bytes } };
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control = { 0 };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

    if (fd_count > 0) {
        struct cmsghdr *rights;

        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
        rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
        memcpy(CMSG_DATA(rights), fds, fd_count * sizeof(int));
    }
    return sendmsg(zygote->control_fd, &message, MSG_NOSIGNAL) < 0 ? CM_E_SYSTEM : 0;
}

/* Reads one packet of exactly this type and size. CM_E_PEER: it is another.
 * CM_E_STATE: the supervisor has closed the socket. */
static int receive_packet(const struct zygote *zygote, enum ipc_type type, void *body, size_t bytes)
{
    struct ipc_head head;
    struct iovec parts[] = { { &head, sizeof(head) }, { body, bytes } };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
    ssize_t got;

    do
        got = recvmsg(zygote->control_fd, &message, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return CM_E_STATE;
    if ((size_t)got != sizeof(head) + bytes || head.type != type || head.body_bytes != bytes)
        return CM_E_PEER;
    return 0;
}

static int send_hello(const struct zygote *zygote, const struct cm_error *err)
{
    struct ipc_hello hello = { .ipc_version = IPC_VERSION, .failed = err->code != CM_OK };

    snprintf(hello.version, sizeof(hello.version), "%s", CM_VERSION);
    engine_name(hello.engine, sizeof(hello.engine));
    snprintf(hello.detail, sizeof(hello.detail), "%.255s", err->text);
    for (size_t i = 0; i < IPC_LAYER_COUNT; i++) {
        hello.layers[i].in_force = zygote->report.layers[i].in_force;
        hello.layers[i].sys_errno = zygote->report.layers[i].sys_errno;
    }
    return send_packet(zygote, IPC_HELLO, &hello, sizeof(hello), NULL, 0);
}

/* ---- start ---- */

/* VmData: what RLIMIT_DATA counts. */
static uint64_t data_bytes(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    unsigned long long kb = 0;
    char line[256];

    if (status == NULL)
        return 0;
    while (fgets(line, sizeof(line), status) != NULL)
        if (sscanf(line, "VmData: %llu", &kb) == 1)
            break;
    fclose(status);
    return kb * 1024;
}

static int thread_count(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    if (tasks == NULL)
        return 0;
    for (const struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks))
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static int wait_for_one_thread(struct cm_error *err)
{
    static const struct timespec pause = { 0, THREAD_POLL_MS * 1000000L };

    for (int waited_ms = 0; waited_ms < THREAD_WAIT_MS; waited_ms += THREAD_POLL_MS) {
        int count = thread_count();

        if (count == 1)
            return 0;
        if (count == 0)
            return cm_fail(err, CM_E_SYSTEM, errno, "/proc/self/task cannot be read");
        nanosleep(&pause, NULL);
    }
    return cm_fail(err, CM_E_STATE, 0, "the engine keeps %d threads running", thread_count());
}

/* Starting and rehearsing has read some 20 MB of code and tables, most of it for the
 * last time. What is needed again comes back from the page cache. */
static int drop_read_only_pages(struct dl_phdr_info *object, size_t size, void *page_bytes)
{
    uintptr_t page_mask = *(const uintptr_t *)page_bytes - 1;

    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page_mask) & ~page_mask;
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~page_mask;

        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) == 0 && start < end)
            madvise((void *)start, end - start, MADV_DONTNEED); /* only advice */
    }
    return 0;
}

/* NULL: the engine cannot. */
static struct isolate *make_isolate(struct worker *worker)
{
    struct isolate *rehearsed = isolate_new(worker, NULL);
    struct isolate *isolate = NULL;

    if (rehearsed != NULL) {
        isolate_rehearse(rehearsed);
        isolate = isolate_new(worker, rehearsed);
    }
    isolate_free(rehearsed);
    if (isolate != NULL && isolate_prepare(isolate) == 0) {
        isolate_exercise(isolate);
        isolate_warm(isolate);
        return isolate;
    }
    isolate_free(isolate);
    return NULL;
}

static int prepare_engine(struct zygote *zygote, uint64_t memory_limit_bytes, struct cm_error *err)
{
    uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);

    crypto_prepare();
    worker_init(&zygote->worker, memory_limit_bytes);
    engine_init(memory_limit_bytes);
    zygote->isolate = make_isolate(&zygote->worker);
    if (zygote->isolate == NULL)
        return cm_fail(err, CM_E_STATE, 0, "the engine cannot make an isolate");
    engine_reserve();
    dl_iterate_phdr(drop_read_only_pages, &page_bytes);
    return wait_for_one_thread(err);
}

static int watch_children(struct zygote *zygote, struct cm_error *err)
{
    sigset_t mask;

    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    if (sigprocmask(SIG_BLOCK, &mask, &zygote->worker_mask) < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "signal mask");
    zygote->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (zygote->signal_fd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "signalfd");
    return 0;
}

/* What malloc maps on its own cannot be undone by going back to a snapshot: it takes
 * all from the break, and leaves room there for what this process has still to do. */
static void prepare_malloc(void)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 1 << 20);
}

static int prepare_snapshot(struct zygote *zygote, struct cm_error *err)
{
    zygote->worker.kept = snapshot_keep(sizeof(*zygote->worker.kept));
    if (zygote->worker.kept == NULL || crash_prepare() < 0)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for what a worker remembers");
    if (snapshot_take(err) < 0)
        return (int)err->code;
    zygote->base_bytes = data_bytes();
    if (zygote->base_bytes == 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "/proc/self/status cannot be read");
    return 0;
}

static int prepare(struct zygote *zygote, const struct ipc_config *config, struct cm_error *err)
{
    int r;

    prepare_malloc();
    r = prepare_engine(zygote, config->memory_limit_bytes, err);
    if (r == 0)
        r = jail_filter_new(&zygote->filter, err);
    if (r == 0)
        r = prepare_snapshot(zygote, err);
    if (r < 0)
        return r;
    jail_zygote_enter(config->spawned_in, config->spawn_errno, &zygote->report);
    r = jail_try(zygote->filter, &zygote->report, err);
    return r < 0 ? r : watch_children(zygote, err);
}

/* ---- workers ---- */

static void be_worker(struct zygote *zygote, int fd, uint64_t memory_bytes)
    __attribute__((noreturn));
static void be_worker(struct zygote *zygote, int fd, uint64_t memory_bytes)
{
    if (memory_bytes > 0)
        zygote->worker.memory_limit_bytes = memory_bytes;
    zygote->worker.fd = fd;
    sigprocmask(SIG_SETMASK, &zygote->worker_mask, NULL);
    if (crash_init(&zygote->worker) < 0 || snapshot_watch() < 0)
        _exit(1);
    if (jail_worker_enter(zygote->filter, fd,
                          zygote->base_bytes + zygote->worker.memory_limit_bytes +
                              ALLOCATOR_SLACK_BYTES,
                          zygote->pid, NULL) < 0)
        _exit(1);
    worker_serve(&zygote->worker, zygote->isolate);
}

static int refuse(struct zygote *zygote, uint64_t worker_id, int sys_errno)
{
    struct ipc_refused refused = { worker_id, sys_errno, 0 };

    return send_packet(zygote, IPC_REFUSED, &refused, sizeof(refused), NULL, 0);
}

/* The worker's record stays until it has been reaped: its pid is not reused. */
static int announce(struct zygote *zygote, struct child *child, int socket_fd)
{
    struct ipc_fork forked = { child->worker_id, 0 };
    CM_AUTO_FD int pid_fd = pidfd_open(child->pid, 0);
    int fds[] = { socket_fd, pid_fd };

    cm_list_append(&zygote->children, &child->link);
    if (pid_fd < 0) {
        int sys_errno = errno;

        kill(child->pid, SIGKILL);
        return refuse(zygote, child->worker_id, sys_errno);
    }
    return send_packet(zygote, IPC_FORKED, &forked, sizeof(forked), fds, CM_ARRAY_LEN(fds));
}

static int on_fork(struct zygote *zygote, const struct ipc_fork *request)
{
    CM_AUTO_FREE struct child *child = calloc(1, sizeof(*child));
    CM_AUTO_FD int ours = -1;
    CM_AUTO_FD int theirs = -1;
    int pair[2];

    if (child == NULL)
        return refuse(zygote, request->worker_id, ENOMEM);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return refuse(zygote, request->worker_id, errno);
    ours = pair[0];
    theirs = pair[1];
    *child = (struct child){ .worker_id = request->worker_id };
    child->pid = fork();
    if (child->pid < 0)
        return refuse(zygote, request->worker_id, errno);
    if (child->pid == 0)
        be_worker(zygote, theirs, request->memory_bytes);
    return announce(zygote, CM_TAKE(child), ours);
}

static struct child *child_find(struct zygote *zygote, pid_t pid)
{
    CM_LIST_EACH(&zygote->children, link, next)
    {
        struct child *child = CM_CONTAINER_OF(link, struct child, link);

        if (child->pid == pid)
            return child;
    }
    return NULL;
}

static int reap(struct zygote *zygote)
{
    struct signalfd_siginfo info;
    struct rusage usage;
    int status;
    pid_t pid;
    int r = 0;

    while (read(zygote->signal_fd, &info, sizeof(info)) > 0)
        ; /* several exits may have come as one signal: wait4() knows them all */
    while (r == 0 && (pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        struct child *child = child_find(zygote, pid);
        struct ipc_exited exited = { 0, status, (uint32_t)usage.ru_maxrss };

        if (child == NULL) /* an orphan of the namespace */
            continue;
        exited.worker_id = child->worker_id;
        cm_list_unlink(&child->link);
        free(child);
        r = send_packet(zygote, IPC_EXITED, &exited, sizeof(exited), NULL, 0);
    }
    return r;
}

static int serve(struct zygote *zygote)
{
    struct pollfd pfds[] = { { zygote->control_fd, POLLIN, 0 }, { zygote->signal_fd, POLLIN, 0 } };

    for (;;) {
        struct ipc_fork request;
        int r = 0;

        if (poll(pfds, CM_ARRAY_LEN(pfds), -1) < 0 && errno != EINTR)
            return 1;
        if (pfds[1].revents != 0)
            r = reap(zygote);
        if (r == 0 && pfds[0].revents != 0) {
            r = receive_packet(zygote, IPC_FORK, &request, sizeof(request));
            if (r == 0)
                r = on_fork(zygote, &request);
        }
        if (r < 0) /* the supervisor has gone: the workers go with this process */
            return r == CM_E_STATE ? 0 : 1;
    }
}

int zygote_main(int control_fd)
{
    static struct zygote zygote;
    struct ipc_config config;
    struct cm_error err = CM_ERROR_INIT;

    zygote.control_fd = control_fd;
    zygote.signal_fd = -1;
    zygote.pid = getpid();
    cm_list_init(&zygote.children);
    if (receive_packet(&zygote, IPC_CONFIG, &config, sizeof(config)) < 0)
        return 1;
    if (config.ipc_version == IPC_VERSION)
        prepare(&zygote, &config, &err);
    else
        cm_fail(&err, CM_E_WORKER, 0, "this is version " CM_VERSION);
    if (send_hello(&zygote, &err) < 0 || err.code != CM_OK)
        return 1;
    return serve(&zygote);
}
