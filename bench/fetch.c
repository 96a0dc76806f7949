/* fetch under the executor beside curl itself, by turns, from a server in a
 * process of its own. Nothing here is hostile. */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "bench.h"

enum { URL_CHARS = 64, PORT_DIGITS = 5 };

/* Answers every connection once and closes it, so that both sides connect anew. */
static void serve(int listener)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n"
                                 "content-length: 5\r\nconnection: close\r\n\r\nhello";
    char request[4096];

    for (;;) {
        int connection = accept(listener, NULL, NULL);

        if (recv(connection, request, sizeof(request), 0) > 0)
            (void)!write(connection, answer, sizeof(answer) - 1);
        close(connection);
    }
}

/* The process, or a negative error. Ends with this one. */
static int server_start(struct host *host, pid_t *ret_pid, unsigned *ret_port)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t bytes = sizeof(address);
    CM_AUTO_FD int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    pid_t pid;

    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        listen(listener, SOMAXCONN) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &bytes) < 0 || (pid = fork()) < 0)
        return cm_fail(&host->err, CM_E_SYSTEM, errno, "a server");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(listener);
    }
    *ret_pid = pid;
    *ret_port = ntohs(address.sin_port);
    return 0;
}

/* The program's text has a port of five zeros in its place. */
static int set_port(struct bench *bench, unsigned port)
{
    char digits[PORT_DIGITS + 1];
    char *place = strstr(bench->program.text, ":00000/");

    if (place == NULL)
        return cm_fail(&bench->host.err, CM_E_STATE, 0, "the program fetches from port 00000");
    snprintf(digits, sizeof(digits), "%05u", port & UINT16_MAX);
    memcpy(place + 1, digits, PORT_DIGITS);
    return 0;
}

static size_t discard(char *bytes, size_t size, size_t count, void *user)
{
    (void)bytes;
    (void)user;
    return size * count;
}

static int curl_once(struct host *host, const char *url, struct samples *ms)
{
    uint64_t began_ns = cm_now_ns();
    CURL *curl = curl_easy_init();
    CURLcode code = CURLE_OUT_OF_MEMORY;

    if (curl != NULL && curl_easy_setopt(curl, CURLOPT_URL, url) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, discard) == CURLE_OK)
        code = curl_easy_perform(curl);
    curl_easy_cleanup(curl);
    if (code != CURLE_OK)
        return cm_fail(&host->err, CM_E_SYSTEM, 0, "curl: %s", curl_easy_strerror(code));
    samples_add(ms, (double)(cm_now_ns() - began_ns) / (double)CM_NS_PER_MS);
    return 0;
}

/* What is compared: curl, the first fetch of a program, its next one. */
struct trio {
    struct samples curl, first, next;
};

static int compare(struct bench *bench, const char *url, struct trio *trio)
{
    double first_ms, next_ms;
    int r = 0;

    for (size_t i = 0; r == 0 && i < bench->count; i++) {
        r = curl_once(&bench->host, url, &trio->curl);
        if (r == 0)
            r = bench_run_pair(bench, &first_ms, &next_ms);
        if (r < 0)
            return r;
        samples_add(&trio->first, first_ms);
        samples_add(&trio->next, next_ms);
    }
    samples_print_part(&trio->curl, "curl");
    samples_print_part(&trio->first, "first");
    samples_print_part(&trio->next, "next");
    return r;
}

int measure_fetch(struct bench *bench)
{
    struct trio trio = { 0 };
    char url[URL_CHARS];
    unsigned port = 0;
    pid_t pid = -1;
    int r = server_start(&bench->host, &pid, &port);

    if (r < 0)
        return r;
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/", port);
    r = set_port(bench, port);
    if (r == 0)
        r = samples_init(&trio.curl, bench->count);
    if (r == 0)
        r = samples_init(&trio.first, bench->count);
    if (r == 0)
        r = samples_init(&trio.next, bench->count);
    if (r == 0)
        r = compare(bench, url, &trio);
    samples_done(&trio.curl);
    samples_done(&trio.first);
    samples_done(&trio.next);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return r;
}
