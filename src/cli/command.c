/*
 * The tool command. Runs in codemode-executor. The command is the user's and
 * trusted with the machine, but not to be well-behaved: it may die, stop
 * reading, answer nonsense or stay. Arguments come from the worker, which is
 * hostile: they cannot end a line.
 *
 * No write or read here blocks. Each buffer has a bound. Every call that was
 * sent is in `open` until it is answered, dropped or rejected.
 */
#include "cli/command.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/list.h"
#include "base/text.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/spawn.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum {
    READ_BYTES = 65536,
    READS_A_TURN = 16,
    HEAD_BYTES = 4096, /* of a line, beside its value: id, names, braces */
    SNIPPET_BYTES = 60
};

/* How long each step waits for the next. A command that reads its input to the
 * end needs the first one only. */
static const uint64_t leave_ns = 500 * CM_NS_PER_MS;
static const uint64_t terminate_ns = 1000 * CM_NS_PER_MS;
static const uint64_t status_ns = 200 * CM_NS_PER_MS;

enum life {
    LIVE,
    FALTERING,  /* a pipe is closed; its exit status is awaited to tell why */
    LEAVING,    /* its standard input is closed */
    TERMINATED, /* SIGTERM was sent */
    KILLED,     /* SIGKILL was sent */
    GONE        /* reaped; no process of the group is left */
};

struct open_call {
    struct cm_list link;
    struct cm_run *run;
    uint32_t id;
    char name[]; /* "store.listUsers" */
};

struct command {
    enum life life;
    struct child child;
    struct cm_buf out;
    struct cm_buf in;
    size_t scanned; /* bytes of `in` in which there is no newline */
    struct cm_list open;
    uint64_t deadline_ns; /* of `life` */
    char broken[256];     /* why no call can be answered; "" while they can */
};

/* ---- starting ---- */

int command_start(const char *line, size_t message_bytes, struct command **ret_command,
                  struct cm_error *err)
{
    struct command *command = calloc(1, sizeof(*command));
    int r;

    if (command == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the tool command");
    command->child = (struct child)CHILD_INIT;
    command->deadline_ns = CM_NEVER;
    cm_buf_init(&command->out, 2 * (message_bytes + HEAD_BYTES));
    cm_buf_init(&command->in, message_bytes + HEAD_BYTES);
    cm_list_init(&command->open);
    r = spawn_shell(line, &command->child, err);
    if (r < 0) {
        command_free(command);
        return r;
    }
    *ret_command = command;
    return 0;
}

/* ---- open calls ---- */

static void close_call(struct open_call *call)
{
    cm_list_unlink(&call->link);
    free(call);
}

/* Calls are mostly answered in about the order in which they were made. */
static struct open_call *find_call(const struct command *command, uint64_t id)
{
    CM_LIST_EACH(&command->open, link, after)
    {
        struct open_call *call = CM_CONTAINER_OF(link, struct open_call, link);

        if (call->id == id)
            return call;
    }
    return NULL;
}

static void reject(struct cm_run *run, uint32_t id, const char *why, const char *then,
                   const char *name, const char *end)
{
    char sentence[sizeof(((struct command *)0)->broken) + 512];
    int len = snprintf(sentence, sizeof(sentence), "%s%s%.256s%s", why, then, name, end);

    cm_run_reject(run, id, sentence, (size_t)len);
}

/* No answer will come any more: says so once, to the user and to each call. */
static void break_off(struct command *command)
{
    if (!cm_list_empty(&command->open))
        output_error(command->broken);
    CM_LIST_EACH(&command->open, link, after)
    {
        struct open_call *call = CM_CONTAINER_OF(link, struct open_call, link);

        reject(call->run, call->id, command->broken, " before it answered ", call->name, ".");
        close_call(call);
    }
}

static void terminate(struct command *command, uint64_t now_ns)
{
    kill(-command->child.pid, SIGTERM);
    cm_close_fd(&command->child.to_fd);
    command->life = TERMINATED;
    command->deadline_ns = cm_deadline(now_ns, terminate_ns);
}

/* It broke the protocol: nothing more is read from it. */
static void refuse(struct command *command, uint64_t now_ns)
{
    cm_close_fd(&command->child.from_fd);
    break_off(command);
    terminate(command, now_ns);
}

/* A pipe was closed. Mostly the whole command is about to end, and its status
 * tells more than the pipe does. */
static void falter(struct command *command, uint64_t now_ns)
{
    if (command->life != LIVE)
        return;
    command->life = FALTERING;
    command->deadline_ns = cm_deadline(now_ns, status_ns);
}

/* ---- answers ---- */

/* The start of a line that is no answer, for a sentence; never cut inside a
 * character. */
static void describe_line(char *to, size_t cap, const char *line, size_t bytes)
{
    size_t len = bytes < SNIPPET_BYTES ? bytes : SNIPPET_BYTES;

    if (!cm_utf8_valid(line, bytes)) {
        snprintf(to, cap, "not UTF-8 text");
        return;
    }
    while (!cm_utf8_valid(line, len))
        len--;
    snprintf(to, cap, "%.*s%s", (int)len, line, len < bytes ? "..." : "");
}

static bool read_id(const struct json_member *member, uint64_t *ret_id)
{
    char digits[24];

    if (member->value_bytes >= sizeof(digits))
        return false;
    memcpy(digits, member->value, member->value_bytes);
    digits[member->value_bytes] = '\0';
    return cm_parse_u64(digits, ret_id);
}

/* 0 when the line is an object that has an id. */
static int read_answer(const char *line, size_t bytes, uint64_t *ret_id)
{
    struct json_object object;
    struct json_member member;
    bool found = false;
    int r = cm_utf8_valid(line, bytes) ? json_open(&object, line, bytes) : CM_E_PEER;

    while (r >= 0 && (r = json_next(&object, &member)) == 1)
        if (json_key_is(&member, "id") && !(found = read_id(&member, ret_id)))
            r = CM_E_PEER;
    return r == 0 && found ? 0 : CM_E_PEER;
}

/* The whole line is the answer: {"id", "result"} is {"result"} with a key that
 * means nothing to the isolate, and so no byte of the value is changed. */
static void take_line(struct command *command, const char *line, size_t bytes, uint64_t now_ns)
{
    char snippet[SNIPPET_BYTES + 8];
    struct open_call *call;
    uint64_t id;

    if (strspn(line, " \t\r") >= bytes) /* `line` has a newline behind it */
        return;
    if (read_answer(line, bytes, &id) < 0) {
        describe_line(snippet, sizeof(snippet), line, bytes);
        snprintf(command->broken, sizeof(command->broken),
                 "The tool command wrote a line that is not an answer (%s)", snippet);
        refuse(command, now_ns);
        return;
    }
    call = find_call(command, id);
    if (call == NULL) {
        snprintf(command->broken, sizeof(command->broken),
                 "The tool command answered call %llu (which is not open)", (unsigned long long)id);
        refuse(command, now_ns);
        return;
    }
    cm_run_answer(call->run, call->id, line, bytes);
    close_call(call);
}

/* Takes each whole line; refuse() has closed the pipe when one was no answer. */
static void take_lines(struct command *command, uint64_t now_ns)
{
    struct cm_buf *in = &command->in;

    while (command->child.from_fd >= 0 && in->len > command->scanned) {
        const char *line = (const char *)cm_buf_bytes(in);
        const char *end = memchr(line + command->scanned, '\n', in->len - command->scanned);

        if (end == NULL) {
            command->scanned = in->len;
            return;
        }
        command->scanned = 0;
        take_line(command, line, (size_t)(end - line), now_ns);
        cm_buf_consume(in, (size_t)(end - line) + 1);
    }
}

static void refuse_long_line(struct command *command, uint64_t now_ns)
{
    snprintf(command->broken, sizeof(command->broken),
             "The tool command wrote a line of more than %s bytes",
             cm_number_grouped(command->in.max - HEAD_BYTES).text);
    refuse(command, now_ns);
}

/* One read. False when there is no more for now, or for good. */
static bool read_some(struct command *command, uint64_t now_ns)
{
    struct cm_buf *in = &command->in;
    size_t left = in->max - in->len;
    ssize_t n;

    if (left == 0 || cm_buf_reserve(in, left < READ_BYTES ? left : READ_BYTES) < 0) {
        refuse_long_line(command, now_ns);
        return false;
    }
    n = read(command->child.from_fd, cm_buf_tail(in), cm_buf_room(in));
    if (n > 0) {
        in->len += (size_t)n;
        take_lines(command, now_ns);
        return command->child.from_fd >= 0;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    cm_close_fd(&command->child.from_fd);
    falter(command, now_ns);
    return false;
}

static void read_turn(struct command *command, uint64_t now_ns)
{
    for (int i = 0; i < READS_A_TURN && command->child.from_fd >= 0; i++)
        if (!read_some(command, now_ns))
            return;
}

/* ---- calls ---- */

static void write_some(struct command *command, uint64_t now_ns)
{
    while (command->out.len > 0 && command->child.to_fd >= 0) {
        ssize_t n = write(command->child.to_fd, cm_buf_bytes(&command->out), command->out.len);

        if (n > 0) {
            cm_buf_consume(&command->out, (size_t)n);
        } else if (errno == EAGAIN || errno == EINTR) {
            return;
        } else {
            cm_close_fd(&command->child.to_fd);
            falter(command, now_ns);
        }
    }
}

/* JSON text has no newline but as white space; a hostile worker's might. */
static void put_args(FILE *out, const struct cm_call *call)
{
    const char *at = call->args;
    const char *end = call->args + call->args_bytes;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((newline == NULL ? end : newline) - at);

        fwrite(at, 1, len, out);
        at += len;
        if (newline != NULL) {
            fputc(' ', out);
            at++;
        }
    }
}

static int queue_line(struct command *command, const struct cm_call *call)
{
    CM_AUTO_FREE char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);

    if (out == NULL)
        return CM_E_NOMEM;
    fprintf(out, "{\"id\":%u,\"provider\":", call->id);
    json_put_string(out, call->provider, strlen(call->provider));
    fputs(",\"tool\":", out);
    json_put_string(out, call->tool, strlen(call->tool));
    fputs(",\"args\":", out);
    put_args(out, call);
    fputs("}\n", out);
    if (fclose(out) != 0)
        return CM_E_NOMEM;
    return cm_buf_append(&command->out, line, bytes);
}

static struct open_call *call_new(struct cm_run *run, const struct cm_call *call)
{
    size_t bytes = strlen(call->provider) + strlen(call->tool) + 2;
    struct open_call *open = malloc(sizeof(*open) + bytes);

    if (open == NULL)
        return NULL;
    open->run = run;
    open->id = call->id;
    snprintf(open->name, bytes, "%s.%s", call->provider, call->tool);
    cm_list_init(&open->link);
    return open;
}

void command_call(struct command *command, struct cm_run *run, const struct cm_call *call)
{
    CM_AUTO_FREE struct open_call *open = call_new(run, call);
    int r;

    if (open == NULL) {
        reject(run, call->id, "There is no memory for a call of ", "", call->tool, ".");
        return;
    }
    if (command->broken[0] != '\0' || command->life > FALTERING) {
        reject(run, call->id, command->broken, ", so ", open->name, " cannot be called.");
        return;
    }
    r = queue_line(command, call);
    if (r < 0) {
        reject(run, call->id, "The tool command has not read its earlier calls", ", so ",
               open->name, " cannot be called.");
        return;
    }
    cm_list_append(&command->open, &open->link);
    open = NULL;
    write_some(command, cm_now_ns());
}

void command_drop(struct command *command, uint32_t call_id)
{
    struct open_call *call = find_call(command, call_id);

    if (call != NULL)
        close_call(call);
}

/* ---- waiting ---- */

void command_poll(const struct command *command, struct pollfd *fds)
{
    fds[0] = (struct pollfd){ command->child.pidfd, POLLIN, 0 };
    fds[1] = (struct pollfd){ command->child.from_fd, POLLIN, 0 };
    fds[2] = (struct pollfd){ command->out.len > 0 ? command->child.to_fd : -1, POLLOUT, 0 };
}

uint64_t command_deadline_ns(const struct command *command)
{
    return command->deadline_ns;
}

static void describe_exit(struct command *command, const siginfo_t *info)
{
    if (info->si_code == CLD_EXITED)
        snprintf(command->broken, sizeof(command->broken),
                 "The tool command ended (exit status %d)", info->si_status);
    else
        snprintf(command->broken, sizeof(command->broken), "The tool command ended (signal %d)",
                 info->si_status);
}

/* The shell has exited and is a zombie still: its number, which is the group's,
 * is not anyone else's yet. */
static void bury(struct command *command)
{
    kill(-command->child.pid, SIGKILL);
    waitpid(command->child.pid, NULL, 0);
    cm_close_fd(&command->child.pidfd);
    cm_close_fd(&command->child.to_fd);
    cm_close_fd(&command->child.from_fd);
    command->life = GONE;
    command->deadline_ns = CM_NEVER;
}

/* What it wrote before it ended is taken first: a pipe holds less than one turn
 * reads, and nobody of the group is left to fill it again. */
static void on_exit_of(struct command *command, uint64_t now_ns)
{
    siginfo_t info = { 0 };

    kill(-command->child.pid, SIGKILL);
    read_turn(command, now_ns);
    if (command->life == LIVE || command->life == FALTERING) {
        waitid(P_PID, (id_t)command->child.pid, &info, WEXITED | WNOWAIT);
        describe_exit(command, &info);
        break_off(command);
    }
    bury(command);
}

static void on_deadline(struct command *command, uint64_t now_ns)
{
    switch (command->life) {
    case FALTERING:
        snprintf(command->broken, sizeof(command->broken), "The tool command closed its %s",
                 command->child.to_fd < 0 ? "standard input" : "standard output");
        refuse(command, now_ns);
        return;
    case LEAVING:
        terminate(command, now_ns);
        return;
    case TERMINATED:
        command_kill(command);
        return;
    case LIVE:
    case KILLED:
    case GONE:
        return;
    }
}

void command_process(struct command *command, const struct pollfd *fds, uint64_t now_ns)
{
    if (fds[2].revents != 0)
        write_some(command, now_ns);
    if (fds[1].revents != 0)
        read_turn(command, now_ns);
    if (fds[0].revents != 0)
        on_exit_of(command, now_ns);
    else if (now_ns >= command->deadline_ns)
        on_deadline(command, now_ns);
}

/* ---- ending ---- */

void command_end(struct command *command, uint64_t now_ns)
{
    if (command->life > FALTERING)
        return;
    if (command->broken[0] == '\0')
        snprintf(command->broken, sizeof(command->broken), "The run is over");
    cm_close_fd(&command->child.to_fd);
    command->life = LEAVING;
    command->deadline_ns = cm_deadline(now_ns, leave_ns);
}

void command_kill(struct command *command)
{
    if (command->life >= KILLED)
        return;
    kill(-command->child.pid, SIGKILL);
    command->life = KILLED;
    command->deadline_ns = CM_NEVER;
}

bool command_gone(const struct command *command)
{
    return command->life == GONE;
}

void command_free(struct command *command)
{
    if (command == NULL)
        return;
    if (command->child.pid > 0 && command->life != GONE)
        bury(command);
    CM_LIST_EACH(&command->open, link, after)
    close_call(CM_CONTAINER_OF(link, struct open_call, link));
    cm_buf_done(&command->out);
    cm_buf_done(&command->in);
    cm_close_fd(&command->child.to_fd);
    cm_close_fd(&command->child.from_fd);
    free(command);
}
