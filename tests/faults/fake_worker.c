/* A stand-in for codemode-worker that does what a test tells it to, wrong things
 * above all. Runs as the zygote and, forked, as each worker; no jail, no engine.
 *
 * How the zygote misbehaves is chosen by the name that the program was started
 * under (a symbolic link to it): see `zygotes`. What a worker does is chosen by
 * the code of its run, which is a list of words: see `words`. A word may have an
 * argument after a colon. After the last word the worker takes the next frame. A run
 * that has modules tells which of them it found kept. */
#include "base/buf.h"
#include "base/cleanup.h"
#include "ipc/frame.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { CONTROL_FD = 3, WORKERS_MAX = 256 };

/* ---- the worker ---- */

struct worker {
    int fd;
    uint32_t job; /* that it compiles */
    uint32_t last_call;
    uint32_t kept; /* modules that KEEP has brought */
    unsigned port;
    bool spent;
    char answer[65536]; /* text of the last ANSWER */
};

/* What the word `hold` keeps back. One worker a process. */
static struct cm_buf held;
static bool holding;

static void send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    if (holding) {
        if (cm_buf_append(&held, bytes, n) < 0)
            _exit(70);
        return;
    }
    while (n > 0) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);

        if (sent <= 0)
            _exit(0); /* the supervisor has closed its end */
        at += sent;
        n -= (size_t)sent;
    }
}

static void send_frame(int fd, uint16_t type, const void *fixed, size_t fixed_bytes,
                       const void *rest, size_t rest_bytes)
{
    struct ipc_head head = { (uint32_t)(fixed_bytes + rest_bytes), type, 0 };

    send_all(fd, &head, sizeof(head));
    send_all(fd, fixed, fixed_bytes);
    send_all(fd, rest, rest_bytes);
}

static void read_all(int fd, void *bytes, size_t n)
{
    char *at = bytes;

    while (n > 0) {
        ssize_t got = read(fd, at, n);

        if (got <= 0)
            _exit(0);
        at += got;
        n -= (size_t)got;
    }
}

/* The body with a NUL behind it; free() it. */
static char *read_frame(int fd, struct ipc_head *head)
{
    char *body;

    read_all(fd, head, sizeof(*head));
    body = malloc(head->body_bytes + 1u);
    if (body == NULL)
        _exit(70);
    read_all(fd, body, head->body_bytes);
    body[head->body_bytes] = '\0';
    return body;
}

static void send_ready(struct worker *worker)
{
    send_frame(worker->fd, IPC_READY, "", 0, "", 0);
}

static void send_done(struct worker *worker, uint32_t failure, const char *text, size_t bytes)
{
    struct ipc_done done = { .failure = failure, .spent = worker->spent };
    char *body = calloc(1, bytes + 3); /* error, stack, result with their NULs */

    if (body == NULL)
        _exit(70);
    if (failure == CM_FAILURE_NONE) {
        done.has_result = 1;
        done.result_bytes = bytes;
        memcpy(body + 2, text, bytes);
    } else {
        done.error_bytes = (uint32_t)bytes;
        memcpy(body, text, bytes);
    }
    send_frame(worker->fd, IPC_DONE, &done, sizeof(done), body, bytes + 3);
    free(body);
}

static void do_done(struct worker *worker, const char *argument)
{
    send_done(worker, CM_FAILURE_NONE, argument[0] == '\0' ? "42" : argument,
              argument[0] == '\0' ? 2 : strlen(argument));
}

static void do_result(struct worker *worker, const char *argument)
{
    size_t bytes = strtoul(argument, NULL, 10);
    char *text = malloc(bytes + 1);

    if (text == NULL)
        _exit(70);
    memset(text, '7', bytes);
    send_done(worker, CM_FAILURE_NONE, text, bytes);
    free(text);
}

static void do_fail(struct worker *worker, const char *argument)
{
    send_done(worker, (uint32_t)strtoul(argument, NULL, 10), "it failed", 9);
}

static void send_log(struct worker *worker, const char *text)
{
    struct ipc_log log = { CM_LEVEL_LOG, 0 };

    send_frame(worker->fd, IPC_LOG, &log, sizeof(log), text, strlen(text) + 1);
}

static void do_log(struct worker *worker, const char *argument)
{
    send_log(worker, argument);
}

static void do_logs(struct worker *worker, const char *argument)
{
    for (unsigned long i = strtoul(argument, NULL, 10); i > 0; i--)
        send_log(worker, "line");
}

static void do_stop(struct worker *worker, const char *argument)
{
    struct ipc_log_stop stop = { (uint32_t)strtoul(argument, NULL, 10), 0 };

    send_frame(worker->fd, IPC_LOG_STOP, &stop, sizeof(stop), "", 0);
}

static void send_call(struct worker *worker, uint32_t id)
{
    static const char texts[] = "store\0slow\0[1,2]";
    struct ipc_call call = { id, 5, 4 };

    worker->last_call = id;
    send_frame(worker->fd, IPC_CALL, &call, sizeof(call), texts, sizeof(texts));
}

static void do_call(struct worker *worker, const char *argument)
{
    send_call(worker,
              argument[0] == '\0' ? worker->last_call + 1 : (uint32_t)strtoul(argument, NULL, 10));
}

static void do_calls(struct worker *worker, const char *argument)
{
    for (unsigned long i = strtoul(argument, NULL, 10); i > 0; i--)
        send_call(worker, worker->last_call + 1);
}

static void do_wait(struct worker *worker, const char *argument)
{
    struct ipc_wait wait = { (uint32_t)strtoul(argument, NULL, 10), 0 };

    send_frame(worker->fd, IPC_WAIT, &wait, sizeof(wait), "", 0);
}

static void send_fetch(struct worker *worker, uint32_t id)
{
    char texts[64];
    int url_bytes = snprintf(texts, sizeof(texts), "http://127.0.0.1:%u/", worker->port);
    struct ipc_fetch fetch = { .id = id, .url_bytes = (uint32_t)url_bytes, .method_bytes = 3 };

    memcpy(texts + url_bytes + 1, "GET", 4);
    worker->last_call = id;
    send_frame(worker->fd, IPC_FETCH, &fetch, sizeof(fetch), texts, (size_t)url_bytes + 5);
}

static void do_port(struct worker *worker, const char *argument)
{
    worker->port = (unsigned)strtoul(argument, NULL, 10);
}

static void do_fetch(struct worker *worker, const char *argument)
{
    send_fetch(worker,
               argument[0] == '\0' ? worker->last_call + 1 : (uint32_t)strtoul(argument, NULL, 10));
}

static void do_fetches(struct worker *worker, const char *argument)
{
    for (unsigned long i = strtoul(argument, NULL, 10); i > 0; i--)
        send_fetch(worker, worker->last_call + 1);
}

static void do_abort(struct worker *worker, const char *argument)
{
    struct ipc_fetch_abort abort = { (uint32_t)strtoul(argument, NULL, 10), 0 };

    send_frame(worker->fd, IPC_FETCH_ABORT, &abort, sizeof(abort), "", 0);
}

/* Of the last fetch. */
static void do_took(struct worker *worker, const char *argument)
{
    struct ipc_fetch_took took = { worker->last_call, (uint32_t)strtoul(argument, NULL, 10) };

    send_frame(worker->fd, IPC_FETCH_TOOK, &took, sizeof(took), "", 0);
}

static void do_retained(struct worker *worker, const char *argument)
{
    struct ipc_retained retained = { 1, 8 };

    (void)argument;
    send_frame(worker->fd, IPC_RETAINED, &retained, sizeof(retained), "default", 8);
}

static void do_context(struct worker *worker, const char *argument)
{
    struct ipc_context context = { (uint32_t)strtoul(argument, NULL, 10), 0 };

    send_frame(worker->fd, IPC_CONTEXT, &context, sizeof(context), "", 0);
}

static void do_reply(struct worker *worker, const char *argument)
{
    struct ipc_response reply = { .id = (uint32_t)strtoul(argument, NULL, 10), .status = 200 };

    send_frame(worker->fd, IPC_REPLY, &reply, sizeof(reply), "", 1);
}

static void do_answer(struct worker *worker, const char *argument)
{
    struct ipc_head head;
    char *body = read_frame(worker->fd, &head);

    (void)argument;
    snprintf(worker->answer, sizeof(worker->answer), "%s", body + sizeof(struct ipc_answer));
    free(body);
}

/* The last answer's text as the program's error, whatever it is. */
static void do_echo(struct worker *worker, const char *argument)
{
    (void)argument;
    send_done(worker, CM_FAILURE_THROWN, worker->answer, strlen(worker->answer));
}

static void do_ready(struct worker *worker, const char *argument)
{
    (void)argument;
    send_ready(worker);
}

static void do_exhausted(struct worker *worker, const char *argument)
{
    (void)argument;
    send_frame(worker->fd, IPC_EXHAUSTED, "", 0, "", 0);
}

static void do_spent(struct worker *worker, const char *argument)
{
    (void)argument;
    worker->spent = true;
}

/* Bytes in hexadecimal, as they are. */
static void do_raw(struct worker *worker, const char *argument)
{
    for (; argument[0] != '\0' && argument[1] != '\0'; argument += 2) {
        char digits[3] = { argument[0], argument[1], '\0' };
        uint8_t byte = (uint8_t)strtoul(digits, NULL, 16);

        send_all(worker->fd, &byte, 1);
    }
}

/* COMPILED for the job at hand, or for one that is so many ahead. */
static void do_compiled(struct worker *worker, const char *argument)
{
    struct ipc_compiled compiled = { .id = worker->job + (uint32_t)strtoul(argument, NULL, 10),
                                     .meta_bytes = 2,
                                     .code_bytes = 4 };

    send_frame(worker->fd, IPC_COMPILED, &compiled, sizeof(compiled), "{}\0code", 8);
}

static void do_nothing(struct worker *worker, const char *argument)
{
    (void)worker;
    (void)argument;
}

static void do_exit(struct worker *worker, const char *argument)
{
    (void)worker;
    _exit((int)strtoul(argument, NULL, 10));
}

static void do_signal(struct worker *worker, const char *argument)
{
    (void)worker;
    signal((int)strtoul(argument, NULL, 10), SIG_DFL);
    raise((int)strtoul(argument, NULL, 10));
}

static void do_touch(struct worker *worker, const char *argument)
{
    size_t bytes = strtoul(argument, NULL, 10) << 20;
    char *memory = malloc(bytes);

    (void)worker;
    if (memory == NULL)
        _exit(70);
    memset(memory, 1, bytes);
    __asm__ volatile("" ::"r"(memory) : "memory"); /* so that it is really written */
}

static void do_close(struct worker *worker, const char *argument)
{
    (void)argument;
    close(worker->fd);
    pause();
}

static void do_hang(struct worker *worker, const char *argument)
{
    (void)worker;
    (void)argument;
    pause();
}

static void do_spin(struct worker *worker, const char *argument)
{
    (void)worker;
    (void)argument;
    for (;;)
        __asm__ volatile("");
}

static void do_flood(struct worker *worker, const char *argument)
{
    for (;;)
        do_wait(worker, argument);
}

static void do_hold(struct worker *worker, const char *argument)
{
    (void)worker;
    (void)argument;
    cm_buf_init(&held, SIZE_MAX);
    holding = true;
}

static void send_held(int fd)
{
    holding = false;
    send_all(fd, cm_buf_bytes(&held), held.len);
    cm_buf_done(&held);
}

static const struct word {
    const char *name;
    void (*perform)(struct worker *worker, const char *argument);
} words[] = {
    { "done", do_done },           /* DONE with a result, 42 or the argument */
    { "result", do_result },       /* DONE with a result of that many bytes */
    { "fail", do_fail },           /* DONE with the failure of that number */
    { "log", do_log },             /* one LOG */
    { "logs", do_logs },           /* that many */
    { "stop", do_stop },           /* LOG_STOP with that reason */
    { "call", do_call },           /* CALL with the next id, or that one */
    { "calls", do_calls },         /* that many */
    { "wait", do_wait },           /* WAIT, 1 for timers */
    { "fetch", do_fetch },         /* FETCH with the next id, or that one */
    { "port", do_port },           /* of the server that FETCH names */
    { "fetches", do_fetches },     /* that many */
    { "abort", do_abort },         /* FETCH_ABORT of that id */
    { "took", do_took },           /* FETCH_TOOK of so many bytes of the last fetch */
    { "retained", do_retained },   /* RETAINED with the handle default */
    { "context", do_context },     /* CONTEXT of that invocation */
    { "reply", do_reply },         /* REPLY to that invocation */
    { "answer", do_answer },       /* reads one frame, an ANSWER unless it is INVOKE */
    { "echo", do_echo },           /* DONE with the text of the answer */
    { "ready", do_ready },         /* READY */
    { "exhausted", do_exhausted }, /* EXHAUSTED */
    { "spent", do_spent },         /* the next DONE says so */
    { "import", do_nothing },      /* makes the program one that is compiled */
    { "compiled", do_compiled },   /* COMPILED for the job, or that many later */
    { "raw", do_raw },             /* any bytes */
    { "exit", do_exit },           /* ends with that status */
    { "signal", do_signal },       /* ends by that signal */
    { "touch", do_touch },         /* uses so many MB */
    { "close", do_close },         /* closes the socket and lives on */
    { "hang", do_hang },           /* says nothing more */
    { "spin", do_spin },           /* computes for ever */
    { "hold", do_hold },           /* what follows is sent as one */
    { "flood", do_flood },         /* WAIT for ever */
};

static void perform(struct worker *worker, char *text)
{
    char *argument = strchr(text, ':');

    if (argument != NULL)
        *argument++ = '\0';
    for (size_t i = 0; i < CM_ARRAY_LEN(words); i++)
        if (strcmp(words[i].name, text) == 0) {
            words[i].perform(worker, argument == NULL ? "" : argument);
            return;
        }
    _exit(71);
}

/* The result: of each module the number of the kept one, or 0 where it came with the run. */
static void tell_kept(struct worker *worker, const char *at, uint32_t count)
{
    struct cm_buf text;
    char number[16];

    cm_buf_init(&text, SIZE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        struct ipc_module head;
        int n;

        memcpy(&head, at, sizeof(head));
        if (head.kept > worker->kept || (head.kept > 0) != (head.body_bytes == 0))
            _exit(72);
        at += sizeof(head) + head.name_bytes + 1 + head.body_bytes;
        n = snprintf(number, sizeof(number), "%c%u", i == 0 ? '[' : ',', head.kept);
        if (cm_buf_append(&text, number, (size_t)n) < 0)
            _exit(70);
    }
    if (cm_buf_append(&text, "]", 1) < 0)
        _exit(70);
    send_done(worker, CM_FAILURE_NONE, (char *)cm_buf_bytes(&text), text.len);
    cm_buf_done(&text);
}

static void serve_run(struct worker *worker, char *body)
{
    struct ipc_run run;
    char done[] = "done"; /* what has been compiled does nothing else */
    char *save = NULL;
    char *code;

    memcpy(&run, body, sizeof(run));
    code = run.module_count > 0 ? done : body + sizeof(run) + run.providers_bytes;
    worker->last_call = 0;
    if (run.module_count > 1) {
        tell_kept(worker, body + sizeof(run) + run.providers_bytes + run.code_bytes + 1,
                  run.module_count - 1);
        return;
    }
    for (char *word = strtok_r(code, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save))
        perform(worker, word);
    if (holding)
        send_held(worker->fd);
}

static void serve_keep(struct worker *worker, const char *body)
{
    struct ipc_keep keep;

    memcpy(&keep, body, sizeof(keep));
    worker->kept += keep.module_count;
}

/* The text is a script too: what the compiler does for it. */
static void serve_compile(struct worker *worker, char *body)
{
    struct ipc_compile job;
    char *save = NULL;

    memcpy(&job, body, sizeof(job));
    worker->job = job.id;
    for (char *word = strtok_r(body + sizeof(job), " ", &save); word != NULL;
         word = strtok_r(NULL, " ", &save))
        perform(worker, word);
}

static _Noreturn void worker_main(int fd)
{
    static struct worker worker;

    worker.fd = fd;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    send_ready(&worker);
    for (;;) {
        struct ipc_head head;
        char *body = read_frame(fd, &head);

        if (head.type == IPC_RUN)
            serve_run(&worker, body);
        else if (head.type == IPC_KEEP)
            serve_keep(&worker, body);
        else if (head.type == IPC_COMPILE)
            serve_compile(&worker, body);
        free(body); /* an ANSWER that nobody waits for */
    }
}

/* ---- the zygote ---- */

struct child {
    uint64_t id;
    int pidfd;
};

static struct child children[WORKERS_MAX];
static size_t child_count;

static void tell(uint16_t type, const void *body, size_t bytes, const int *fds)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control = { .bytes = { 0 } };
    struct ipc_head head = { (uint32_t)bytes, type, 0 };
    struct iovec parts[] = { { &head, sizeof(head) }, { (void *)(uintptr_t)body, bytes } };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

    if (fds != NULL) {
        message.msg_control = &control;
        message.msg_controllen = sizeof(control);
        control.align.cmsg_level = SOL_SOCKET;
        control.align.cmsg_type = SCM_RIGHTS;
        control.align.cmsg_len = CMSG_LEN(2 * sizeof(int));
        memcpy(CMSG_DATA(&control.align), fds, 2 * sizeof(int));
    }
    sendmsg(CONTROL_FD, &message, MSG_NOSIGNAL);
}

static void refuse(uint64_t id)
{
    struct ipc_refused refused = { .worker_id = id, .sys_errno = EAGAIN };

    tell(IPC_REFUSED, &refused, sizeof(refused), NULL);
}

static void hello(const char *version, uint32_t ipc_version, uint32_t failed, const char *detail)
{
    struct ipc_hello body = { .ipc_version = ipc_version, .failed = failed };

    snprintf(body.version, sizeof(body.version), "%s", version);
    snprintf(body.engine, sizeof(body.engine), "FakeEngine 1.0");
    snprintf(body.detail, sizeof(body.detail), "%s", detail);
    body.layers[IPC_LAYER_SECCOMP].in_force = 1;
    body.layers[IPC_LAYER_USER_NS].sys_errno = EPERM;
    tell(IPC_HELLO, &body, sizeof(body), NULL);
}

static void say_hello(void)
{
    hello(CM_VERSION, IPC_VERSION, 0, "");
}

static void hello_wrong_version(void)
{
    hello("9.9.9", IPC_VERSION, 0, "");
}

static void hello_wrong_ipc(void)
{
    hello(CM_VERSION, IPC_VERSION + 1, 0, "");
}

static void hello_cannot_serve(void)
{
    hello(CM_VERSION, IPC_VERSION, 1, "seccomp is not available on this kernel");
}

static void hello_twice(void)
{
    say_hello();
    say_hello();
}

static void hello_nonsense(void)
{
    say_hello();
    tell(200, "nonsense", 8, NULL);
}

static void exit_early(void)
{
    _exit(3);
}

static void say_nothing(void)
{
}

static void fork_nothing(uint64_t id)
{
    (void)id;
}

static void fork_into(uint64_t id, void (*work)(int fd))
{
    struct ipc_fork body = { id, 0 };
    int fds[2];
    int sockets[2];
    pid_t pid;

    if (child_count == WORKERS_MAX || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) < 0) {
        refuse(id);
        return;
    }
    pid = fork();
    if (pid == 0) {
        close(CONTROL_FD);
        close(sockets[0]);
        work(sockets[1]);
        _exit(0);
    }
    close(sockets[1]);
    fds[0] = sockets[0];
    fds[1] = pidfd_open(pid, 0);
    tell(IPC_FORKED, &body, sizeof(body), fds);
    close(fds[0]);
    children[child_count++] = (struct child){ id, fds[1] };
}

static void fork_worker(uint64_t id)
{
    fork_into(id, worker_main);
}

static void be_mute(int fd)
{
    (void)fd;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pause();
}

static void fork_mute_worker(uint64_t id)
{
    fork_into(id, be_mute);
}

static void fork_dead_worker(uint64_t id)
{
    struct ipc_fork body = { id, 0 };
    int sockets[2];
    int fds[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) < 0)
        _exit(70);
    pid = fork();
    if (pid == 0)
        _exit(9);
    fds[0] = sockets[0];
    fds[1] = pidfd_open(pid, 0);
    tell(IPC_FORKED, &body, sizeof(body), fds);
    close(sockets[0]);
    close(sockets[1]);
    children[child_count++] = (struct child){ id, fds[1] };
}

static void fork_and_die(uint64_t id)
{
    fork_worker(id);
    _exit(7); /* the first process of a pid namespace cannot kill itself */
}

static void die_instead(uint64_t id)
{
    (void)id;
    _exit(7);
}

/* An exit of a worker that never was. */
static void report_a_stranger(uint64_t id)
{
    struct ipc_exited exited = { .worker_id = id + 1000 };

    tell(IPC_EXITED, &exited, sizeof(exited), NULL);
}

static void fork_unasked(uint64_t id)
{
    fork_worker(id + 1000);
}

static void refuse_twice(uint64_t id)
{
    refuse(id);
    refuse(id);
}

static const struct zygote {
    const char *name;
    void (*greet)(void);
    void (*fork)(uint64_t id);
} zygotes[] = {
    { "fake_worker", say_hello, fork_worker },
    { "wrong-version", hello_wrong_version, fork_worker },
    { "wrong-ipc", hello_wrong_ipc, fork_worker },
    { "cannot-serve", hello_cannot_serve, fork_worker },
    { "hello-twice", hello_twice, fork_worker },
    { "nonsense", hello_nonsense, fork_worker },
    { "exits-early", exit_early, fork_worker },
    { "refuses", say_hello, refuse },
    { "refuses-twice", say_hello, refuse_twice },
    { "dead-workers", say_hello, fork_dead_worker },
    { "forks-and-dies", say_hello, fork_and_die },
    { "dies-instead", say_hello, die_instead },
    { "reports-a-stranger", say_hello, report_a_stranger },
    { "forks-unasked", say_hello, fork_unasked },
    { "says-nothing", say_nothing, fork_nothing },
    { "only-says-hello", say_hello, fork_nothing },
    { "mute-workers", say_hello, fork_mute_worker },
};

static const struct zygote *find_zygote(void)
{
    const char *path = (const char *)getauxval(AT_EXECFN);
    const char *name = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;

    for (size_t i = 0; i < CM_ARRAY_LEN(zygotes); i++)
        if (strcmp(zygotes[i].name, name) == 0)
            return &zygotes[i];
    return &zygotes[0];
}

static void reap(size_t index)
{
    struct ipc_exited exited = { .worker_id = children[index].id };
    struct rusage usage = { 0 };
    siginfo_t info = { 0 };

    /* The pid is in the info; wait4() of it gives status and usage together. */
    if (waitid(P_PIDFD, (id_t)children[index].pidfd, &info, WEXITED | WNOWAIT) < 0)
        return;
    wait4(info.si_pid, &exited.status, 0, &usage);
    exited.max_rss_kb = (uint32_t)usage.ru_maxrss;
    tell(IPC_EXITED, &exited, sizeof(exited), NULL);
    close(children[index].pidfd);
    children[index] = children[--child_count];
}

static void on_control(const struct zygote *zygote)
{
    struct {
        struct ipc_head head;
        union {
            struct ipc_config config;
            struct ipc_fork fork;
        } body;
    } message;

    if (read(CONTROL_FD, &message, sizeof(message)) <= 0)
        _exit(0);
    if (message.head.type == IPC_CONFIG)
        zygote->greet();
    else if (message.head.type == IPC_FORK)
        zygote->fork(message.body.fork.worker_id);
}

int main(void)
{
    const struct zygote *zygote = find_zygote();

    for (;;) {
        struct pollfd fds[WORKERS_MAX + 1] = { { CONTROL_FD, POLLIN, 0 } };
        size_t count = child_count;

        for (size_t i = 0; i < count; i++)
            fds[i + 1] = (struct pollfd){ children[i].pidfd, POLLIN, 0 };
        if (poll(fds, count + 1, -1) < 0)
            continue;
        for (size_t i = count; i > 0; i--) /* from behind: reap() fills the hole from there */
            if (fds[i].revents != 0)
                reap(i - 1);
        if (fds[0].revents != 0)
            on_control(zygote);
    }
}
