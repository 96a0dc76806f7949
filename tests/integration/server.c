/* See server.h. One process a connection; all end with the test. */
#include "server.h"
#include "../loopback.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

enum { REQUEST_MAX = 1 << 20, BOMB_BYTES = 4 << 20, FLOOD_BYTES = 1 << 16, PATIENCE_MS = 60000 };

static char request[REQUEST_MAX + 1];
static size_t request_bytes;
static int connection;
static unsigned serial;
static int steps; /* read */
static int gone;  /* written */
static atomic_size_t *sent_bytes;

static void leave(void)
{
    _exit(write(gone, "g", 1) == 1 ? 0 : 1);
}

static void say_bytes(const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n > 0) {
        ssize_t sent = send(connection, at, n, MSG_NOSIGNAL);

        if (sent <= 0)
            _exit(0);
        at += sent;
        n -= (size_t)sent;
    }
}

static void say(const char *text)
{
    say_bytes(text, strlen(text));
}

static void answer(const char *status, const char *headers, const void *body, size_t bytes)
{
    char head[4096];

    snprintf(head, sizeof(head), "HTTP/1.1 %s\r\n%scontent-length: %zu\r\n\r\n", status, headers,
             bytes);
    say(head);
    say_bytes(body, bytes);
}

static void answer_gzip(size_t zeros)
{
    size_t cap = zeros / 500 + 1024;
    uint8_t *from = zeros == 0 ? (uint8_t *)strdup("hello") : calloc(1, zeros);
    uint8_t *to = malloc(cap);
    z_stream stream = { .next_in = from,
                        .avail_in = zeros == 0 ? 5 : (uInt)zeros,
                        .next_out = to,
                        .avail_out = (uInt)cap };

    deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    deflate(&stream, Z_FINISH);
    answer("200 OK", "content-encoding: gzip\r\n", to, stream.total_out);
    deflateEnd(&stream);
    free(from);
    free(to);
}

static void answer_bytes(size_t n)
{
    char *bytes = malloc(n + 1);

    memset(bytes, 'x', n);
    answer("200 OK", "", bytes, n);
    free(bytes);
}

static void answer_head(void)
{
    char line[1024];

    say("HTTP/1.1 200 OK\r\n");
    memset(line, 'h', sizeof(line));
    memcpy(line, "x-h: ", 5);
    memcpy(line + sizeof(line) - 2, "\r\n", 2);
    for (int i = 0; i < 600; i++)
        say_bytes(line, sizeof(line));
    say("\r\n");
}

static void answer_redirect(const char *path)
{
    char status[64];
    char headers[2048];

    snprintf(status, sizeof(status), "%.3s Moved", path);
    snprintf(headers, sizeof(headers), "location: %.1024s\r\n", path + 4);
    answer(status, headers, "moved", 5);
}

/* Waits for the client to go away. */
static void stay(void)
{
    char byte;

    while (recv(connection, &byte, 1, 0) > 0)
        ;
    _exit(0);
}

/* In chunks, each a digit. */
static void answer_steps(unsigned count)
{
    char chunk[32];
    char byte;

    say("HTTP/1.1 200 OK\r\ncontent-type: application/x-www-form-urlencoded\r\n"
        "transfer-encoding: chunked\r\n\r\n");
    for (unsigned i = 1; i <= count; i++) {
        if (read(steps, &byte, 1) != 1)
            _exit(1);
        snprintf(chunk, sizeof(chunk), "1\r\n%u\r\n%s", i, i == count ? "0\r\n\r\n" : "");
        say(chunk);
    }
}

static void answer_held(void)
{
    char byte;

    say("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello");
    while (recv(connection, &byte, 1, 0) > 0)
        ;
    leave();
}

static void answer_flood(size_t left)
{
    static char bytes[FLOOD_BYTES];
    char head[128];

    memset(bytes, 'y', sizeof(bytes));
    snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\ncontent-length: %zu\r\n\r\n", left);
    say(head);
    while (left > 0) {
        size_t piece = left < sizeof(bytes) ? left : sizeof(bytes);
        ssize_t n = send(connection, bytes, piece, MSG_NOSIGNAL);

        if (n <= 0)
            leave();
        atomic_fetch_add(sent_bytes, (size_t)n);
        left -= (size_t)n;
    }
}

static void answer_path(const char *path)
{
    char text[64];

    if (strcmp(path, "/text") == 0) {
        answer("200 Fine \xe9", "x-a: 1\r\nX-A: 2\r\nx-latin: caf\xe9\r\nset-cookie: a=1\r\n",
               "hello", 5);
    } else if (strcmp(path, "/echo") == 0) {
        answer("200 OK", "", request, request_bytes);
    } else if (strcmp(path, "/serial") == 0) {
        snprintf(text, sizeof(text), "%u", serial);
        answer("200 OK", "", text, strlen(text));
    } else if (strncmp(path, "/status/", 8) == 0) {
        snprintf(text, sizeof(text), "%.3s Status", path + 8);
        answer(text, "", "body", path[8] == '2' || path[8] == '3' ? 0 : 4);
    } else if (strncmp(path, "/to/", 4) == 0) {
        answer_redirect(path + 4);
    } else if (strcmp(path, "/a/relative") == 0) {
        answer("302 Found", "location: ../text\r\n", "", 0);
    } else if (strcmp(path, "/loop") == 0) {
        answer("302 Found", "location: /loop\r\n", "", 0);
    } else if (strncmp(path, "/bytes/", 7) == 0) {
        answer_bytes(strtoul(path + 7, NULL, 10));
    } else if (strcmp(path, "/gzip") == 0) {
        answer_gzip(0);
    } else if (strcmp(path, "/bomb") == 0) {
        answer_gzip(BOMB_BYTES);
    } else if (strcmp(path, "/interim") == 0) {
        say("HTTP/1.1 103 Early Hints\r\nx-early: 1\r\n\r\n");
        answer("200 OK", "", "hello", 5);
    } else if (strcmp(path, "/head") == 0) {
        answer_head();
    } else if (strcmp(path, "/silent") == 0) {
        stay();
    } else if (strcmp(path, "/stuck") == 0) {
        say("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello");
        stay();
    } else if (strcmp(path, "/cut") == 0) {
        say("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello");
        _exit(0);
    } else if (strncmp(path, "/steps/", 7) == 0) {
        answer_steps((unsigned)strtoul(path + 7, NULL, 10));
    } else if (strcmp(path, "/held") == 0) {
        answer_held();
    } else if (strncmp(path, "/flood/", 7) == 0) {
        answer_flood(strtoul(path + 7, NULL, 10));
    } else if (strcmp(path, "/junk") == 0) {
        say("SSH-2.0-OpenSSH_9.2\r\n");
        _exit(0);
    } else {
        _exit(0);
    }
}

/* One request into `request`, its body too. */
static size_t content_length(void)
{
    const char *at = strcasestr(request, "\r\ncontent-length:");

    return at == NULL ? 0 : strtoul(at + strlen("\r\ncontent-length:"), NULL, 10);
}

static void read_request(void)
{
    const char *end = NULL;

    request_bytes = 0;
    while (end == NULL || request_bytes < (size_t)(end + 4 - request) + content_length()) {
        ssize_t n = recv(connection, request + request_bytes, REQUEST_MAX - request_bytes, 0);

        if (n <= 0)
            _exit(0);
        request_bytes += (size_t)n;
        request[request_bytes] = '\0';
        end = strstr(request, "\r\n\r\n");
    }
}

static void serve(void)
{
    for (;;) {
        char path[2048] = "";

        read_request();
        sscanf(request, "%*s %2047[^ ?]", path);
        answer_path(path);
    }
}

static void accept_all(int listener)
{
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        connection = accept(listener, NULL, NULL);
        serial++;
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(listener);
            serve();
        }
        close(connection);
    }
}

/* What the test and the server tell each other. */
static void open_lines(struct server *server)
{
    int to[2];
    int from[2];

    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    steps = to[0];
    server->steps = to[1];
    server->gone = from[0];
    gone = from[1];
    server->sent = mmap(NULL, sizeof(*server->sent), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(server->sent != MAP_FAILED);
    sent_bytes = server->sent;
}

void server_start(struct server *server)
{
    int listener = loopback_listen(512, &server->port);

    open_lines(server);
    server->pid = fork();
    assert_true(server->pid >= 0);
    if (server->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        accept_all(listener);
    }
    close(listener);
    close(steps);
    close(gone);
}

void server_step(const struct server *server)
{
    assert_int_equal(write(server->steps, "s", 1), 1);
}

void server_await_gone(const struct server *server)
{
    struct pollfd line = { server->gone, POLLIN, 0 };
    char byte;

    assert_int_equal(poll(&line, 1, PATIENCE_MS), 1);
    assert_int_equal(read(server->gone, &byte, 1), 1);
}

size_t server_sent(const struct server *server)
{
    return atomic_load(server->sent);
}

void server_stop(struct server *server)
{
    kill(server->pid, SIGKILL);
    waitpid(server->pid, NULL, 0);
    close(server->steps);
    close(server->gone);
    munmap(server->sent, sizeof(*server->sent));
}
